// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry

/// The keys of one fault, being read from a file or written to it.
///
/// One function of each kind of fault names its keys, for reading and for writing alike, so that the two cannot drift
/// apart. When reading, a value whose key is absent keeps its default, or is an error when it is required.
struct FaultFields {
    private let source: DocumentNode?
    private var known: [String] = []
    private(set) var written: [String: JSONValue] = [:]

    /// The keys of a record, to be read.
    init(reading node: DocumentNode) { source = node }

    /// Keys to be written.
    init() { source = nil }

    /// Throws at the first key that was not asked for.
    func checkUnknownKeys() throws(DocumentError) {
        guard let source, !source.isNull else { return }
        try source.check(keys: known)
    }

    /// Throws if none of these keys has a value, unless there are none.
    func check(hasOneOf keys: [String]) throws(DocumentError) {
        guard let source, !keys.isEmpty else { return }
        for key in keys where !source.isNull {
            if try source.value(key) != nil { return }
        }
        let list = keys.count == 2 ? keys.joined(separator: " or ") : keys.joined(separator: ", ")
        throw source.error(expected: "a record with at least one of the keys \(list)")
    }

    private mutating func node(_ key: String, isRequired: Bool, _ json: JSONValue?) throws(DocumentError)
        -> DocumentNode?
    {
        known.append(key)
        guard let source else {
            written[key] = json
            return nil
        }
        if isRequired, source.isNull { throw source.error(expected: "a record with the key \"\(key)\"") }
        return source.isNull ? nil : isRequired ? try source.required(key) : try source.value(key)
    }

    private func check(_ node: DocumentNode, in range: ClosedRange<Double>) throws(DocumentError) -> Double {
        let value = try node.double()
        guard range.contains(value) else {
            throw node.error(
                expected:
                    "a number from \(NumberText.string(range.lowerBound)) to \(NumberText.string(range.upperBound))")
        }
        return value
    }
}

extension FaultFields {
    /// A number.
    mutating func number(
        _ key: String, _ value: inout Double, in range: ClosedRange<Double>, isRequired: Bool = false
    ) throws(DocumentError) {
        guard let node = try node(key, isRequired: isRequired, .number(value)) else { return }
        value = try check(node, in: range)
    }

    /// A number that may be absent.
    mutating func optionalNumber(
        _ key: String, _ value: inout Double?, in range: ClosedRange<Double>, isRequired: Bool = false
    ) throws(DocumentError) {
        guard let node = try node(key, isRequired: isRequired, value.map { .number($0) }) else { return }
        value = try check(node, in: range)
    }

    /// A whole number.
    mutating func integer(_ key: String, _ value: inout Int, in range: ClosedRange<Int>) throws(DocumentError) {
        guard let node = try node(key, isRequired: false, .integer(Int64(value))) else { return }
        guard let number = Int(exactly: try node.int64()), range.contains(number) else {
            throw node.error(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        value = number
    }

    /// A seed: a whole number that is not negative.
    mutating func seed(_ key: String, _ value: inout UInt64?) throws(DocumentError) {
        guard let node = try node(key, isRequired: false, value.map { .integer(Int64($0)) }) else { return }
        guard let seed = UInt64(exactly: try node.int64()) else {
            throw node.error(expected: "a whole number that is not negative")
        }
        value = seed
    }

    /// True or false.
    mutating func truth(_ key: String, _ value: inout Bool) throws(DocumentError) {
        guard let node = try node(key, isRequired: false, .bool(value)) else { return }
        value = try node.bool()
    }

    /// One word out of a fixed choice.
    mutating func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ value: inout Word, isRequired: Bool = false
    ) throws(DocumentError) {
        guard let node = try node(key, isRequired: isRequired, .string(value.rawValue)) else { return }
        value = try node.choice(of: Word.self)
    }

    /// Two numbers.
    mutating func pair(_ key: String, _ value: inout Vector2, in range: ClosedRange<Double>) throws(DocumentError) {
        var numbers = [value.x, value.y]
        try self.numbers(key, &numbers, count: 2...2, in: range)
        value = Vector2(numbers[0], numbers[1])
    }

    /// Three numbers.
    mutating func triple(_ key: String, _ value: inout Vector3, in range: ClosedRange<Double>) throws(DocumentError) {
        var numbers = [value.x, value.y, value.z]
        try self.numbers(key, &numbers, count: 3...3, in: range)
        value = Vector3(numbers[0], numbers[1], numbers[2])
    }

    /// A list of numbers.
    mutating func numbers(
        _ key: String, _ value: inout [Double], count: ClosedRange<Int>, in range: ClosedRange<Double>
    ) throws(DocumentError) {
        guard let node = try node(key, isRequired: false, .numbers(value)) else { return }
        let items = try node.items()
        guard count.contains(items.count) else {
            let expected = count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
            throw node.error(expected: "a list of \(expected) numbers")
        }
        var numbers: [Double] = []
        for item in items { numbers.append(try check(item, in: range)) }
        value = numbers
    }
}
