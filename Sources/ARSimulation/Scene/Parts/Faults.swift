// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARFiles
import Yams

extension SceneFields {
    /// A list of faults, which know their own keys.
    func faults(_ key: String, _ value: inout [Fault]) throws(SceneError) {
        let list = value.isEmpty ? nil : try? Yams.compose(yaml: JSONValue.list(value.map(\.json)).text)
        guard let node = try other(key, list) else { return }
        guard node.sequence != nil else {
            throw .wrongType(key: key, found: node.kindInWords, expected: "a list of faults", at: position(of: node))
        }
        do { value = try Fault.list(DocumentNode(node, file: position(of: node).file)) } catch {
            let place = ScenePosition(file: error.file, line: error.line, column: error.column)
            throw .wrongType(key: key, found: error.found, expected: error.expected, at: place)
        }
    }
}
