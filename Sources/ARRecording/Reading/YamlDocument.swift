// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import Foundation

/// Reads a recording's YAML files into values that know their line and column.
enum YamlDocument {
    /// The file's value.
    static func read(_ file: URL, name: String) throws(RecordingError) -> DocumentNode {
        let text: String
        do { text = try YamlReader.text(of: file) } catch { throw RecordingError(error, name: name) }
        return try parse(text, name: name)
    }

    /// The value of a text.
    static func parse(_ text: String, name: String) throws(RecordingError) -> DocumentNode {
        try reading { () throws(DocumentError) in try YamlReader.read(text, file: name) }
    }
}
