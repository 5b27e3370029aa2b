// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Yams

/// A part of a scene that is a mapping in its file.
///
/// One function names its keys, for reading and for writing alike, so that the two cannot drift apart.
protocol SceneMapping {
    /// The part with every default in place.
    init()

    /// Passes each property to the fields, in the order in which the keys are written.
    mutating func visit(_ fields: SceneFields) throws(SceneError)
}

/// The keys of one mapping, being read from YAML or written to it.
///
/// When reading, each function replaces the value by the file's, checked; a value whose key is absent keeps its
/// default, or is an error when it has none. When writing, the value is left alone and added to the mapping.
final class SceneFields {
    let source: Node.Mapping?
    let positions: ScenePositions
    private let path: String
    private var known: [String] = []
    var written: [(Node, Node)] = []

    private init(source: Node.Mapping?, path: String, positions: ScenePositions) {
        self.source = source
        self.path = path
        self.positions = positions
    }

    /// The part of a scene that the node describes; keys that it lacks keep their values.
    static func read<Part: SceneMapping>(
        _ type: Part.Type, from node: Node, path: String, positions: ScenePositions,
        startingWith defaults: Part = Part()
    ) throws(SceneError) -> Part {
        let position = positions.position(of: node)
        positions[path] = position
        guard let mapping = node.mapping else {
            throw .wrongType(
                key: path.isEmpty ? "the scene" : path, found: node.kindInWords,
                expected: "a mapping (keys and values)", at: position)
        }
        let fields = SceneFields(source: mapping, path: path, positions: positions)
        var part = defaults
        try part.visit(fields)
        for (key, _) in mapping where !fields.known.contains(key.string ?? "") {
            throw .unknownKey(key.string ?? "?", known: fields.known, at: positions.position(of: key))
        }
        return part
    }

    /// The YAML of a part of a scene.
    static func write(_ part: some SceneMapping) throws(SceneError) -> Node {
        let fields = SceneFields(source: nil, path: "", positions: ScenePositions(file: ""))
        var part = part
        try part.visit(fields)
        return Node(fields.written)
    }

    /// The value of a key, or `nil` when the default stays: the one place where keys are looked up.
    func node(_ key: String, isRequired: Bool, expected: String) throws(SceneError) -> Node? {
        known.append(key)
        guard let source else { return nil }
        guard let node = source[key] else {
            if isRequired { throw .missingKey(key, expected: expected, at: positions[path]) }
            return nil
        }
        positions[pathOf(key)] = positions.position(of: node)
        return node
    }

    /// Whether values come from a file.
    var isReading: Bool { source != nil }

    /// Whether the file gives a value to a key.
    func has(_ key: String) -> Bool { source?[key] != nil }

    /// The value of a key that reads and writes itself elsewhere; `nil` when there is nothing to be read. `written` is
    /// what a file gets, if anything.
    func other(_ key: String, _ written: Node?) throws(SceneError) -> Node? {
        if source == nil, let written { self.written.append((Node(key), written)) }
        return try node(key, isRequired: false, expected: "")
    }

    /// Where a value stands in the file.
    func position(of node: Node) -> ScenePosition { positions.position(of: node) }

    func pathOf(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func write(_ key: String, _ node: @autoclosure () -> Node) {
        if source == nil { written.append((Node(key), node())) }
    }

    func wrongType(_ key: String, _ node: Node, expected: String) -> SceneError {
        .wrongType(key: key, found: node.kindInWords, expected: expected, at: positions.position(of: node))
    }

    func number(_ key: String, _ node: Node, in range: ClosedRange<Double>) throws(SceneError) -> Double {
        guard let scalar = node.scalar, scalar.style == .plain, let value = Double(scalar.string), value.isFinite else {
            throw wrongType(key, node, expected: "a number")
        }
        guard range.contains(value) else {
            throw .outOfRange(
                key: key, found: scalar.string, expected: Self.inWords(range), at: positions.position(of: node))
        }
        return value
    }

    func numbers(
        _ key: String, _ node: Node, count: Int, in range: ClosedRange<Double>
    ) throws(SceneError) -> [Double] {
        guard let items = node.sequence, items.count == count else {
            throw wrongType(key, node, expected: "a list of \(count) numbers")
        }
        var values: [Double] = []
        for item in items { values.append(try number(key, item, in: range)) }
        return values
    }

    static func inWords(_ range: ClosedRange<Double>) -> String {
        switch (range.lowerBound.isFinite, range.upperBound.isFinite) {
        case (true, true): "\(range.lowerBound) to \(range.upperBound)"
        case (true, false): "at least \(range.lowerBound)"
        case (false, true): "at most \(range.upperBound)"
        case (false, false): "any number"
        }
    }

    /// The error that the value of a key breaks a rule.
    func outOfRange(_ key: String, found: String, expected: String) -> SceneError {
        .outOfRange(key: key, found: found, expected: expected, at: positions[pathOf(key)])
    }

    /// The error that the value of a key breaks a rule.
    func outOfRange(_ key: String, _ broken: (found: String, expected: String)) -> SceneError {
        outOfRange(key, found: broken.found, expected: broken.expected)
    }
}

extension Node {
    /// A list of numbers on one line; each number is the shortest that reads back as the same value.
    init(flow numbers: [Double]) { self.init(numbers.map { Node("\($0)") }, .implicit, .flow) }

    /// What a reader of the file sees at this place.
    var kindInWords: String {
        switch self {
        case .scalar(let scalar) where scalar.string.isEmpty: "empty"
        case .scalar(let scalar) where scalar.style == .plain: "'\(scalar.string.beginning)'"
        case .scalar(let scalar): "the text \"\(scalar.string.beginning)\""
        case .mapping: "a mapping"
        case .sequence(let items): "a list of \(items.count)"
        case .alias: "an alias"
        }
    }
}

extension String {
    /// What a message can hold of a text.
    fileprivate var beginning: String { count <= 60 ? self : prefix(60) + "…" }
}
