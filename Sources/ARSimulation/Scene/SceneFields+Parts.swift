// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Yams

extension SceneFields {
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
