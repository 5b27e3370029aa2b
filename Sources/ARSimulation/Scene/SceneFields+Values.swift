// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Yams

extension SceneFields {
    /// A number.
    func number(
        _ key: String, _ value: inout Double, in range: ClosedRange<Double>, isRequired: Bool = true
    ) throws(SceneError) {
        write(key, Node("\(value)"))
        guard let node = try node(key, isRequired: isRequired, expected: "a number, \(Self.inWords(range))") else {
            return
        }
        value = try number(key, node, in: range)
    }

    /// A whole number.
    func integer<Value: FixedWidthInteger>(
        _ key: String, _ value: inout Value, in range: ClosedRange<Value>, isRequired: Bool = true
    ) throws(SceneError) {
        write(key, Node("\(value)"))
        guard let node = try node(key, isRequired: isRequired, expected: Self.wholeNumber(in: range)) else { return }
        value = try wholeNumber(key, node, in: range)
    }

    /// A whole number that may be absent.
    func optionalInteger<Value: FixedWidthInteger>(
        _ key: String, _ value: inout Value?, in range: ClosedRange<Value>
    ) throws(SceneError) {
        if let value { write(key, Node("\(value)")) }
        guard let node = try node(key, isRequired: false, expected: Self.wholeNumber(in: range)) else { return }
        value = try wholeNumber(key, node, in: range)
    }

    private static func wholeNumber<Value>(in range: ClosedRange<Value>) -> String {
        "a whole number, \(range.lowerBound) to \(range.upperBound)"
    }

    private func wholeNumber<Value: FixedWidthInteger>(
        _ key: String, _ node: Node, in range: ClosedRange<Value>
    ) throws(SceneError) -> Value {
        guard let scalar = node.scalar, scalar.style == .plain, let number = Value(scalar.string) else {
            throw wrongType(key, node, expected: Self.wholeNumber(in: range))
        }
        guard range.contains(number) else {
            throw .outOfRange(
                key: key, found: scalar.string, expected: "\(range.lowerBound) to \(range.upperBound)",
                at: positions.position(of: node))
        }
        return number
    }

    /// A text that is not empty.
    func text(_ key: String, _ value: inout String, isRequired: Bool = true) throws(SceneError) {
        write(key, Node(value, .implicit, .doubleQuoted))
        guard let node = try node(key, isRequired: isRequired, expected: "a text") else { return }
        guard let scalar = node.scalar, !scalar.string.isEmpty else { throw wrongType(key, node, expected: "a text") }
        value = scalar.string
    }

    /// A text that may be absent: empty then.
    func optionalText(_ key: String, _ value: inout String) throws(SceneError) {
        if source == nil, value.isEmpty { return }
        try text(key, &value, isRequired: false)
    }

    /// One word out of a fixed choice.
    func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ value: inout Word, isRequired: Bool = true
    ) throws(SceneError) {
        write(key, Node(value.rawValue))
        let words = Word.allCases.map(\.rawValue)
        let expected = "one of " + words.joined(separator: ", ")
        guard let node = try node(key, isRequired: isRequired, expected: expected) else { return }
        guard let string = node.scalar?.string else { throw wrongType(key, node, expected: expected) }
        guard let word = Word(rawValue: string) else {
            throw .outOfRange(key: key, found: "'\(string)'", expected: expected, at: positions.position(of: node))
        }
        value = word
    }

    /// Yes or no.
    func flag(_ key: String, _ value: inout Bool, isRequired: Bool = false) throws(SceneError) {
        write(key, Node(value ? "true" : "false"))
        guard let node = try node(key, isRequired: isRequired, expected: "true or false") else { return }
        switch node.scalar?.string {
        case "true": value = true
        case "false": value = false
        default: throw wrongType(key, node, expected: "true or false")
        }
    }

    /// A number that may be absent.
    func optionalNumber(_ key: String, _ value: inout Double?, in range: ClosedRange<Double>) throws(SceneError) {
        if let value { write(key, Node("\(value)")) }
        guard let node = try node(key, isRequired: false, expected: "a number") else { return }
        value = try number(key, node, in: range)
    }
}
