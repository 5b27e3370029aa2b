// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A place in a scene file, counted from one.
public struct ScenePosition: Hashable, Sendable, CustomStringConvertible {
    /// The file's path, as it was given.
    public var file: String
    /// The line.
    public var line: Int
    /// The column, in Unicode scalars.
    public var column: Int

    /// The place in that file.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// For example `Scenes/draw.yaml:12:5`, as compilers print it.
    public var description: String { "\(file):\(line):\(column)" }
}

/// What is wrong with a scene. Each case is a rule that was broken; the message says where, and what to write instead.
public enum SceneError: Error, Hashable, Sendable {
    /// The file cannot be read, or is no UTF-8.
    case unreadableFile(path: String, reason: String)
    /// The text is no YAML.
    case invalidSyntax(problem: String, at: ScenePosition)
    /// The file is of a format that this version does not know.
    case unsupportedFormat(found: String, expected: String, at: ScenePosition)
    /// A key without default is absent from its mapping.
    case missingKey(String, expected: String, at: ScenePosition)
    /// A key that means nothing here.
    case unknownKey(String, known: [String], at: ScenePosition)
    /// A value of another kind than the key's.
    case wrongType(key: String, found: String, expected: String, at: ScenePosition)
    /// A value outside what the key allows.
    case outOfRange(key: String, found: String, expected: String, at: ScenePosition)
    /// A name that nothing in the scene has.
    case unknownName(key: String, found: String, known: [String], at: ScenePosition)
    /// A name that an earlier thing of the same kind has.
    case duplicateName(key: String, name: String, at: ScenePosition)
    /// A recorded path of a finger that cannot be read.
    case unreadablePath(path: String, reason: String, at: ScenePosition)
    /// A line of a recorded path that breaks the table's rules.
    case malformedPath(file: String, line: Int, found: String, expected: String)
    /// A setting that cannot be made.
    case badSetting(String, problem: String)
    /// A picture that cannot be read.
    case unreadablePicture(path: String, problem: String, material: String, at: ScenePosition)
    /// A file with a shape, such as a mesh or a scanned room, that cannot be read.
    case unreadableShape(path: String, problem: String, name: String, at: ScenePosition)
    /// A trajectory that cannot be read; the problem names the line of its file.
    case unreadableTrajectory(path: String, problem: String, at: ScenePosition)
}

extension SceneError: CustomStringConvertible {
    /// One line: where, what was found, what was expected, what to do.
    public var description: String {
        switch self {
        case .unreadableFile(let path, let reason):
            "\(path): the scene file cannot be read: \(reason)"
        case .invalidSyntax(let problem, let position):
            "\(position): this is not YAML: \(problem)"
        case .unsupportedFormat(let found, let expected, let position):
            "\(position): the format is '\(found)', expected '\(expected)'; write `format: \(expected)`"
        case .missingKey(let key, let expected, let position):
            "\(position): the key '\(key)' is missing here; add `\(key):` with \(expected)"
        case .unknownKey(let key, let known, let position):
            "\(position): the key '\(key)' is unknown here; known are \(Self.list(known))"
        case .wrongType(let key, let found, let expected, let position):
            "\(position): '\(key)' is \(found), expected \(expected)"
        case .outOfRange(let key, let found, let expected, let position):
            "\(position): '\(key)' is \(found), expected \(expected)"
        case .unknownName(let key, let found, let known, let position):
            "\(position): '\(key)' names '\(found)', which does not exist; "
                + (known.isEmpty ? "nothing is there to be named" : "there are \(Self.list(known))")
        case .duplicateName(let key, let name, let position):
            "\(position): '\(key)' is '\(name)' a second time; give each its own name"
        case .unreadablePath(let path, let reason, let position):
            "\(position): the finger's path cannot be read: \(reason): \(path)"
        case .malformedPath(let file, let line, let found, let expected):
            "\(file):\(line): found \(found), expected \(expected)"
        case .badSetting(let setting, let problem):
            "the setting '\(setting)' \(problem)"
        case .unreadablePicture(let path, let problem, let material, let position):
            "\(position): the picture of the material '\(material)' \(problem): \(path)"
        case .unreadableShape(let path, let problem, let name, let position):
            "\(position): the file of '\(name)' \(problem): \(path)"
        case .unreadableTrajectory(let path, let problem, let position):
            "\(position): the trajectory \(path) cannot be read: \(problem)"
        }
    }

    private static func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
