// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Yams

extension Scene {
    /// The tree of a scene file, filled up with that of the scene on which it is based, if it is.
    ///
    /// Keys of the file replace the base's. Lists of things with names are joined: a thing replaces the base's of the
    /// same name, and the others are added at the end. The base must be a scene by itself, so that an error in it is
    /// reported at its own place. Laws: `SceneBaseTests`.
    static func withBase(
        _ node: Node, positions: ScenePositions, folder: URL?, following files: [String] = []
    ) throws(SceneError) -> Node {
        guard let mapping = node.mapping, let name = mapping[baseKey] else { return node }
        let position = positions.position(of: name)
        guard let path = name.scalar?.string, !path.isEmpty else {
            throw .wrongType(key: baseKey, found: "no path", expected: "the path of a scene file", at: position)
        }
        let file =
            folder.map { URL(fileURLWithPath: path, relativeTo: $0).standardizedFileURL }
            ?? URL(fileURLWithPath: path)
        guard !files.contains(file.path) else {
            throw .outOfRange(
                key: baseKey, found: "'\(path)', which is based on this file", expected: "a scene that is not",
                at: position)
        }
        let basePositions = ScenePositions(file: file.path)
        let base = try withBase(
            Scene.node(of: Scene.text(of: file), file: file.path), positions: basePositions,
            folder: file.deletingLastPathComponent(), following: files + [file.path])
        _ = try SceneFields.read(Scene.self, from: base, path: "", positions: basePositions)
        return joined(mapping, base: base)
    }

    private static let baseKey = "based_on"

    private static func joined(_ mapping: Node.Mapping, base: Node) -> Node {
        var result = (base.withoutMarks.mapping ?? Node.Mapping([]))
        for (key, value) in mapping where key.string != baseKey {
            result[key] = result[key].map { joined(value, base: $0) } ?? value
        }
        return .mapping(Node.Mapping(result.map { $0 }, .implicit, .any, mapping.mark))
    }

    /// A list of things with names, joined with another; anything else as it is.
    private static func joined(_ value: Node, base: Node) -> Node {
        guard let items = value.sequence, let baseItems = base.sequence,
            items.allSatisfy({ $0.thingName != nil }), baseItems.allSatisfy({ $0.thingName != nil })
        else { return value }
        let replaced = baseItems.map { baseItem in items.first { $0.thingName == baseItem.thingName } ?? baseItem }
        let added = items.filter { item in !baseItems.contains { $0.thingName == item.thingName } }
        return .sequence(Node.Sequence(replaced + added, .implicit, .any, items.mark))
    }
}

extension Node {
    /// The value of the key `name`.
    fileprivate var thingName: String? { mapping?["name"]?.scalar?.string }

    /// The same value without a place: places of another file would be taken for places of this one.
    fileprivate var withoutMarks: Node {
        switch self {
        case .scalar(let scalar): .scalar(Node.Scalar(scalar.string, scalar.tag, scalar.style))
        case .mapping(let mapping):
            .mapping(Node.Mapping(mapping.map { ($0.withoutMarks, $1.withoutMarks) }, mapping.tag, mapping.style))
        case .sequence(let items): .sequence(Node.Sequence(items.map(\.withoutMarks), items.tag, items.style))
        case .alias: self
        }
    }
}
