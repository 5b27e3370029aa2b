// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Yams

extension SceneFields {
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
}
