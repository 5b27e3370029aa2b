// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Yams

/// A key of a scene file that is set otherwise than in the file: what a sweep varies.
///
/// The path goes through keys, joined by dots, and through lists, by an item's number from 0 in brackets or by its name:
/// `camera.exposure_ms=20`, `boxes[2].size_m=[1, 2, 3]`, `materials.oak.scale_m=0.1`. The value is YAML on one line.
///
/// A key that the file lacks is added, as are the parts on the way to it. The scene is checked with the setting in place, as
/// if it had stood in the file; errors say the setting. Law: `SceneSettingTests`.
public struct SceneSetting: Hashable, Sendable, CustomStringConvertible {
    /// The path with its value, as it was given.
    public let description: String
    private let steps: [Step]
    private let value: String

    private enum Step: Hashable {
        /// A key, or the name of a list's item; it starts in that column of the setting.
        case name(String, column: Int)
        /// An item of a list.
        case item(Int)
    }

    /// The setting that a text of the form `path=value` describes.
    public init(_ text: String) throws(SceneError) {
        description = text
        guard let end = text.firstIndex(of: "="), case let steps = Self.steps(of: text[..<end]), !steps.isEmpty else {
            throw .badSetting(text, problem: "is no setting; write a path and a value, as in camera.rate_hz=60")
        }
        self.steps = steps
        value = String(text[text.index(after: end)...])
        guard value.contains(where: { $0 != " " }), !value.contains(where: \.isNewline) else {
            throw .badSetting(text, problem: "has no value on its line; write one behind the '='")
        }
    }

    /// The steps of a path; none where it is no path.
    private static func steps(of path: Substring) -> [Step] {
        var steps: [Step] = []
        var column = 1
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            guard let name = pieces.first, !name.isEmpty else { return [] }
            steps.append(.name(String(name), column: column))
            for piece in pieces.dropFirst() {
                guard piece.last == "]", let number = Int(piece.dropLast()), number >= 0 else { return [] }
                steps.append(.item(number))
            }
            column += part.unicodeScalars.count + 1
        }
        return steps
    }
}

extension SceneSetting {
    /// Makes the setting in the tree of a scene's file.
    func apply(to root: inout Node, positions: ScenePositions) throws(SceneError) {
        let line = positions.line(of: self)
        let column = description.prefix { $0 != "=" }.unicodeScalars.count + 2
        root = try assign(
            node(of: value, line: line, column: column, file: positions.file), at: steps[...], in: root, line: line)
    }

    /// The node of a text whose marks say that it stands in that line and column.
    private func node(of text: String, line: Int, column: Int, file: String) throws(SceneError) -> Node {
        let padding = String(repeating: "\n", count: line - 1) + String(repeating: " ", count: column - 1)
        do { return try Scene.node(of: padding + text, file: file) } catch {
            guard case .invalidSyntax(let problem, _) = error else { throw error }
            let here = ScenePosition(file: "the setting '\(self)'", line: 1, column: column)
            throw .invalidSyntax(problem: problem, at: here)
        }
    }

    /// The node with the value in its place.
    private func assign(_ value: Node, at steps: ArraySlice<Step>, in node: Node, line: Int) throws(SceneError) -> Node
    {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        switch (step, node) {
        case (.name(let name, let column), .mapping(var mapping)):
            let key = try self.node(of: name, line: line, column: column, file: "")
            let child = mapping[name] ?? Node([(Node, Node)]())
            mapping[mapping.keys.first { $0.string == name } ?? key] =
                try assign(value, at: rest, in: child, line: line)
            return .mapping(mapping)
        case (.name(let name, _), .sequence(var items)):
            let names = items.map { $0.mapping?["name"]?.string }
            guard let index = names.firstIndex(of: name) else {
                let known = names.compactMap { $0.map { "'\($0)'" } }.joined(separator: ", ")
                throw .badSetting(
                    description,
                    problem: "names '\(name)', which is not in the list; "
                        + (known.isEmpty ? "its items have no names: give a number, as in [0]" : "there are \(known)"))
            }
            items[index] = try assign(value, at: rest, in: items[index], line: line)
            return .sequence(items)
        case (.item(let number), .sequence(var items)):
            guard number < items.count else {
                throw .badSetting(
                    description, problem: "asks for item \(number), counted from 0, of a list of \(items.count)")
            }
            items[number] = try assign(value, at: rest, in: items[number], line: line)
            return .sequence(items)
        case (.item(let number), _):
            throw .badSetting(description, problem: "asks for item \(number) of what is no list")
        case (.name(let name, _), _):
            throw .badSetting(description, problem: "asks for '\(name)' in what has no keys")
        }
    }
}
