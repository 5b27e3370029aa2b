// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles

extension JSONValue {
    /// The record that a text spells; empty where it spells none.
    static func record(in text: String) -> [String: JSONValue] {
        guard let node = try? JSONReader.read(ArraySlice(text.utf8), file: "record"),
            case .record(let record) = try? JSONValue(node)
        else { return [:] }
        return record
    }
}
