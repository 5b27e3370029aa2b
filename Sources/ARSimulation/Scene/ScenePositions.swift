// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Yams

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
