// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Yams

/// Reads YAML into values that know their line and column.
public enum YamlReader {
    /// The value of a text. OpenCV's first line `%YAML:1.0`, which is no YAML, is skipped.
    public static func read(_ text: String, file: String) throws(DocumentError) -> DocumentNode {
        let isOpenCV = text.hasPrefix("%YAML:")
        let yaml = isOpenCV ? "#" + text.dropFirst() : text
        do {
            guard let node = try Yams.compose(yaml: yaml) else {
                return DocumentNode(.record([]), file: file, line: 1, column: 1)
            }
            return DocumentNode(node, file: file)
        } catch let error as YamlError {
            throw DocumentError(error, file: file)
        } catch {
            throw DocumentError(file: file, line: 1, column: 1, found: "\(error)", expected: "a YAML document")
        }
    }

    /// The text of a file.
    public static func text(of file: URL) throws(FileError) -> String {
        let reader = try LineReader(file)
        var lines: [String] = []
        while let line = try reader.next() { lines.append(line.string) }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension DocumentNode {
    /// A value of Yams with the types of YAML's core schema; quoted scalars are texts.
    public init(_ node: Node, file: String) {
        let content: Content
        switch node {
        case .scalar(let scalar): content = Self.content(of: scalar)
        case .sequence(let sequence): content = .list(sequence.map { DocumentNode($0, file: file) })
        case .mapping(let mapping):
            content = .record(mapping.map { key, value in (key.string ?? "", DocumentNode(value, file: file)) })
        case .alias(let alias):
            // Composing has replaced all aliases whose anchors are known.
            content = .string("*\(alias.anchor.rawValue)")
        }
        self.init(content, file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    private static func content(of scalar: Node.Scalar) -> Content {
        guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
        switch scalar.string {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case let text: return NumberText.double(Array(text.utf8)[...]) == nil ? .string(text) : .number(text)
        }
    }
}

extension DocumentError {
    /// The error that a text is no YAML.
    fileprivate init(_ error: YamlError, file: String) {
        var place: Mark?
        var problem = "\(error)"
        switch error {
        case .scanner(_, let text, let mark, _), .parser(_, let text, let mark, _), .composer(_, let text, let mark, _):
            (place, problem) = (mark, text)
        case .duplicatedKeysInMapping(let keys, let context):
            (place, problem) = (context.mark, "the keys \(keys.sorted().joined(separator: ", ")) twice")
        default: break
        }
        self.init(
            file: file, line: place?.line ?? 1, column: place?.column ?? 1, found: problem, expected: "a YAML document")
    }
}
