// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles

extension JSONValue {
    /// The record that a text spells; empty where it spells none.
    static func record(in text: String) -> [String: JSONValue] {
        guard let node = try? JSONReader.read(ArraySlice(text.utf8), file: "record"),
            case .record(let record) = JSONValue(node)
        else { return [:] }
        return record
    }

    /// What was read as a document. A number without fraction is a whole one.
    init(_ node: DocumentNode) {
        self =
            switch node.content {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number(let text): Int64(text).map { .integer($0) } ?? Double(text).map { .number($0) } ?? .null
            case .string(let text): .string(text)
            case .list(let items): .list(items.map { JSONValue($0) })
            case .record(let entries):
                .record(
                    Dictionary(entries.map { ($0.key, JSONValue($0.value)) }, uniquingKeysWith: { first, _ in first }))
            }
    }
}
