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

/// Where the values of a scene file stand: for errors that are only found when the whole scene is known.
final class ScenePositions {
    let file: String
    private var positions: [String: ScenePosition] = [:]
    private var settings: [SceneSetting] = []
    /// The last line of the file.
    private let lastLine: Int

    /// The places in a text that is a file's.
    init(file: String, yaml: String = "") {
        self.file = file
        lastLine = 1 + yaml.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    }

    /// The line in the marks of a setting's nodes: settings stand below the file, one a line.
    func line(of setting: SceneSetting) -> Int {
        settings.append(setting)
        return lastLine + settings.count
    }

    /// The place of the value at a path such as `boxes[2].material`.
    subscript(path: String) -> ScenePosition {
        get { positions[path] ?? ScenePosition(file: file, line: 1, column: 1) }
        set { positions[path] = newValue }
    }

    func position(of node: Node) -> ScenePosition {
        guard let mark = node.mark else { return ScenePosition(file: file, line: 1, column: 1) }
        guard mark.line > lastLine, mark.line - lastLine <= settings.count else {
            return ScenePosition(file: file, line: mark.line, column: mark.column)
        }
        let setting = settings[mark.line - lastLine - 1]
        return ScenePosition(file: "the setting '\(setting)'", line: 1, column: mark.column)
    }
}

/// The keys of one mapping, being read from YAML or written to it.
///
/// When reading, each function replaces the value by the file's, checked; a value whose key is absent keeps its
/// default, or is an error when it has none. When writing, the value is left alone and added to the mapping.
final class SceneFields {
    private let source: Node.Mapping?
    private let positions: ScenePositions
    private let path: String
    private var known: [String] = []
    private var written: [(Node, Node)] = []

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
    private func node(_ key: String, isRequired: Bool, expected: String) throws(SceneError) -> Node? {
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

    private func pathOf(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private func write(_ key: String, _ node: @autoclosure () -> Node) {
        if source == nil { written.append((Node(key), node())) }
    }

    private func wrongType(_ key: String, _ node: Node, expected: String) -> SceneError {
        .wrongType(key: key, found: node.kindInWords, expected: expected, at: positions.position(of: node))
    }

    private func number(_ key: String, _ node: Node, in range: ClosedRange<Double>) throws(SceneError) -> Double {
        guard let scalar = node.scalar, scalar.style == .plain, let value = Double(scalar.string), value.isFinite else {
            throw wrongType(key, node, expected: "a number")
        }
        guard range.contains(value) else {
            throw .outOfRange(
                key: key, found: scalar.string, expected: Self.inWords(range), at: positions.position(of: node))
        }
        return value
    }

    private func numbers(
        _ key: String, _ node: Node, count: Int, in range: ClosedRange<Double>
    ) throws(SceneError) -> [Double] {
        guard let items = node.sequence, items.count == count else {
            throw wrongType(key, node, expected: "a list of \(count) numbers")
        }
        var values: [Double] = []
        for item in items { values.append(try number(key, item, in: range)) }
        return values
    }

    private static func inWords(_ range: ClosedRange<Double>) -> String {
        switch (range.lowerBound.isFinite, range.upperBound.isFinite) {
        case (true, true): "\(range.lowerBound) to \(range.upperBound)"
        case (true, false): "at least \(range.lowerBound)"
        case (false, true): "at most \(range.upperBound)"
        case (false, false): "any number"
        }
    }
}

// MARK: - The kinds of values

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
        let expected = "a whole number, \(range.lowerBound) to \(range.upperBound)"
        guard let node = try node(key, isRequired: isRequired, expected: expected) else { return }
        guard let scalar = node.scalar, scalar.style == .plain, let number = Value(scalar.string) else {
            throw wrongType(key, node, expected: expected)
        }
        guard range.contains(number) else {
            throw .outOfRange(
                key: key, found: scalar.string, expected: "\(range.lowerBound) to \(range.upperBound)",
                at: positions.position(of: node))
        }
        value = number
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

    /// Two numbers.
    func pair(
        _ key: String, _ value: inout Vector2, in range: ClosedRange<Double>, isRequired: Bool = true
    ) throws(SceneError) {
        write(key, Node(flow: [value.x, value.y]))
        guard let node = try node(key, isRequired: isRequired, expected: "a list of 2 numbers") else { return }
        let numbers = try numbers(key, node, count: 2, in: range)
        value = Vector2(numbers[0], numbers[1])
    }

    /// Three numbers.
    func triple(
        _ key: String, _ value: inout Vector3, in range: ClosedRange<Double>, isRequired: Bool = true
    ) throws(SceneError) {
        write(key, Node(flow: [value.x, value.y, value.z]))
        guard let node = try node(key, isRequired: isRequired, expected: "a list of 3 numbers") else { return }
        let numbers = try numbers(key, node, count: 3, in: range)
        value = Vector3(numbers[0], numbers[1], numbers[2])
    }

    /// A number that may be absent.
    func optionalNumber(_ key: String, _ value: inout Double?, in range: ClosedRange<Double>) throws(SceneError) {
        if let value { write(key, Node("\(value)")) }
        guard let node = try node(key, isRequired: false, expected: "a number") else { return }
        value = try number(key, node, in: range)
    }

    /// Three numbers that may be absent.
    func optionalTriple(_ key: String, _ value: inout Vector3?, in range: ClosedRange<Double>) throws(SceneError) {
        if let value { write(key, Node(flow: [value.x, value.y, value.z])) }
        guard let node = try node(key, isRequired: false, expected: "a list of 3 numbers") else { return }
        let numbers = try numbers(key, node, count: 3, in: range)
        value = Vector3(numbers[0], numbers[1], numbers[2])
    }

    /// A fixed count of numbers.
    func numbers(
        _ key: String, _ value: inout [Double], count: Int, in range: ClosedRange<Double>, isRequired: Bool = true
    ) throws(SceneError) {
        write(key, Node(flow: value))
        guard let node = try node(key, isRequired: isRequired, expected: "a list of \(count) numbers") else { return }
        value = try numbers(key, node, count: count, in: range)
    }

    /// A matrix, its numbers row after row; keeps its value when the key is absent.
    func matrix(_ key: String, _ value: inout Matrix3x3, in range: ClosedRange<Double>) throws(SceneError) {
        let rows = value.transpose.columns
        var numbers = [rows.0, rows.1, rows.2].flatMap { [$0.x, $0.y, $0.z] }
        guard try optionalNumbers(key, &numbers, in: range) else { return }
        let n = numbers
        value = Matrix3x3(rows: Vector3(n[0], n[1], n[2]), Vector3(n[3], n[4], n[5]), Vector3(n[6], n[7], n[8]))
    }

    /// A matrix, its numbers row after row; keeps its value when the key is absent.
    func matrix(_ key: String, _ value: inout Matrix4x4, in range: ClosedRange<Double>) throws(SceneError) {
        var numbers = (0..<16).map { value[$0 % 4, $0 / 4] }
        guard try optionalNumbers(key, &numbers, in: range) else { return }
        for index in 0..<16 { value[index % 4, index / 4] = numbers[index] }
    }

    /// As many numbers as there are; false when they stay as they are.
    private func optionalNumbers(
        _ key: String, _ value: inout [Double], in range: ClosedRange<Double>
    ) throws(SceneError) -> Bool {
        write(key, Node(flow: value))
        guard let node = try node(key, isRequired: false, expected: "") else { return false }
        value = try numbers(key, node, count: value.count, in: range)
        return true
    }

    /// The error that the value of a key breaks a rule.
    func outOfRange(_ key: String, found: String, expected: String) -> SceneError {
        .outOfRange(key: key, found: found, expected: expected, at: positions[pathOf(key)])
    }

    /// The error that the value of a key breaks a rule.
    func outOfRange(_ key: String, _ broken: (found: String, expected: String)) -> SceneError {
        outOfRange(key, found: broken.found, expected: broken.expected)
    }

    /// A direction: three numbers that are not all zero.
    func direction(_ key: String, _ value: inout Vector3, isRequired: Bool = true) throws(SceneError) {
        try triple(key, &value, in: -1e6...1e6, isRequired: isRequired)
        guard value.normalized() != nil else {
            throw outOfRange(key, found: "zero", expected: "a direction: three numbers that are not all zero")
        }
    }

    /// Columns and rows of a picture.
    func size(
        _ key: String, _ value: inout ImageSize, in range: ClosedRange<Int>, isRequired: Bool = true
    ) throws(SceneError) {
        var pair = Vector2(Double(value.width), Double(value.height))
        write(key, Node([Node("\(value.width)"), Node("\(value.height)")], .implicit, .flow))
        if source == nil { return }
        let sides = Double(range.lowerBound)...Double(range.upperBound)
        try self.pair(key, &pair, in: sides, isRequired: isRequired)
        guard pair.x == pair.x.rounded(), pair.y == pair.y.rounded() else {
            throw .wrongType(
                key: key, found: "a list with a fraction", expected: "two whole numbers", at: positions[pathOf(key)])
        }
        value = ImageSize(width: Int(pair.x), height: Int(pair.y))
    }

    /// A list of points of a plane; empty when the key is absent and not required.
    func points(_ key: String, _ value: inout [Point2], minimum: Int, isRequired: Bool = true) throws(SceneError) {
        if !value.isEmpty { write(key, Self.node(of: value)) }
        let expected = "a list of at least \(minimum) points, each a list of 2 numbers"
        guard let node = try node(key, isRequired: isRequired, expected: expected) else { return }
        value = try points(key, node, minimum: minimum, expected: expected)
    }

    /// A list of lists of points of a plane; empty where its key is absent.
    func pointLists(_ key: String, _ value: inout [[Point2]], minimum: Int) throws(SceneError) {
        if !value.isEmpty { write(key, Node(value.map(Self.node(of:)))) }
        let expected = "a list of lists of at least \(minimum) points, each a list of 2 numbers"
        guard let node = try node(key, isRequired: false, expected: expected) else { return }
        guard let lists = node.sequence, !lists.isEmpty else { throw wrongType(key, node, expected: expected) }
        var result: [[Point2]] = []
        for list in lists { result.append(try points(key, list, minimum: minimum, expected: expected)) }
        value = result
    }

    private func points(_ key: String, _ node: Node, minimum: Int, expected: String) throws(SceneError) -> [Point2] {
        guard let items = node.sequence, items.count >= minimum else { throw wrongType(key, node, expected: expected) }
        var points: [Point2] = []
        for item in items {
            let numbers = try numbers(key, item, count: 2, in: -1e4...1e4)
            points.append(Point2(numbers[0], numbers[1]))
        }
        return points
    }

    private static func node(of points: [Point2]) -> Node {
        Node(points.map { Node(flow: [$0.x, $0.y]) }, .implicit, .flow)
    }

    /// A mapping.
    func part<Part: SceneMapping>(_ key: String, _ value: inout Part, isRequired: Bool = true) throws(SceneError) {
        if source == nil { written.append((Node(key), try SceneFields.write(value))) }
        guard let node = try node(key, isRequired: isRequired, expected: "a mapping") else { return }
        value = try SceneFields.read(
            Part.self, from: node, path: pathOf(key), positions: positions, startingWith: value)
    }

    /// A mapping that may be absent.
    func optionalPart<Part: SceneMapping>(_ key: String, _ value: inout Part?) throws(SceneError) {
        if source == nil, let value { written.append((Node(key), try SceneFields.write(value))) }
        guard let node = try node(key, isRequired: false, expected: "a mapping") else { return }
        value = try SceneFields.read(
            Part.self, from: node, path: pathOf(key), positions: positions, startingWith: value ?? Part())
    }

    /// A list of mappings.
    func list<Part: SceneMapping>(
        _ key: String, _ value: inout [Part], minimum: Int = 0, isRequired: Bool = false
    ) throws(SceneError) {
        if source == nil, !value.isEmpty {
            var items: [Node] = []
            for part in value { items.append(try SceneFields.write(part)) }
            written.append((Node(key), Node(items)))
        }
        let expected = "a list of at least \(minimum) mappings"
        guard let node = try node(key, isRequired: isRequired, expected: expected) else { return }
        guard let items = node.sequence, items.count >= minimum else { throw wrongType(key, node, expected: expected) }
        var parts: [Part] = []
        for (index, item) in items.enumerated() {
            parts.append(
                try SceneFields.read(Part.self, from: item, path: "\(pathOf(key))[\(index)]", positions: positions))
        }
        value = parts
    }
}

extension Node {
    /// A list of numbers on one line; each number is the shortest that reads back as the same value.
    fileprivate init(flow numbers: [Double]) { self.init(numbers.map { Node("\($0)") }, .implicit, .flow) }

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

/// The ranges that many keys share.
enum SceneRange {
    /// Coordinates, in metres.
    static let anywhere = -1e4...1e4
    /// Sizes, in metres.
    static let lengths = 1e-4...1e4
    /// A channel of a colour.
    static let colors = 0.0...1.0
    /// Angles: a turn either way.
    static let angles = -2 * Double.pi...2 * Double.pi
    /// Times, in seconds from the scene's beginning: a day.
    static let times = 0.0...86_400
}
