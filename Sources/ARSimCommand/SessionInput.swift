// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

/// What a session is made from, as it stands on the command line.
struct SessionInput: ExpressibleByArgument, CustomStringConvertible {
    let description: String
    /// The file or folder that the argument names, else the shipped scene of that name; the argument as a place where there is
    /// neither.
    let url: URL

    /// A shipped scene, whatever lies in the working folder under its name.
    init(shippedScene name: String) {
        description = name
        url = ShippedScenes.url(named: name) ?? URL(fileURLWithPath: name)
    }

    /// A path, or a shipped scene's name where nothing lies at that path, or only a folder without a recording: what a scene
    /// gave is often put under the scene's name.
    init(_ argument: String) {
        let path = URL(fileURLWithPath: argument)
        let isMeant = path.isFolder ? Recording.exists(at: path) : FileManager.default.fileExists(atPath: path.path)
        description = argument
        url = isMeant ? path : ShippedScenes.url(named: argument) ?? path
    }

    init?(argument: String) { self.init(argument) }

    /// Whether the argument names a folder, and with it a recording.
    var isFolder: Bool { url.isFolder }

    /// Opens the recording or the scene that the argument names, the scene with some of its keys set otherwise.
    func open(_ settings: [SceneSetting]) throws -> any SensorSource & TruthSource {
        guard isFolder else { return try SceneSession(scene: scene(settings)).faulted() }
        if let setting = settings.first {
            throw ValidationError("--set \(setting) changes a scene, and \(self) is a recording")
        }
        return try Recording(opening: url)
    }

    /// Loads the scene that the argument names, a file or a shipped scene's name, with some of its keys set otherwise.
    func scene(_ settings: [SceneSetting] = []) throws -> Scene {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw MissingInput(
                input: description, expected: "a file, a folder, or one of the scenes that `arsim scenes` lists")
        }
        return try Scene(contentsOf: url, settings: settings)
    }
}

/// What is varied in a scene.
struct SceneSettings: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Set a key of the scene, as in camera.rate_hz=60, boxes[2].size_m=[1,2,3] or materials.oak.scale_m=0.1.",
            valueName: "path=value"), transform: SceneSetting.init)
    var set: [SceneSetting] = []
}

/// An input that does not exist.
struct MissingInput: Error, CustomStringConvertible {
    let input: String
    let expected: String

    var description: String { "\(input): found nothing of that name, expected \(expected); check the name" }
}

/// The scenes that come with arsim: the folder `Scenes` of the package.
///
/// It is looked for in the folder that the environment variable `ARSIM_SCENES` names, then beside and above the
/// running program, then beside and above the working folder.
enum ShippedScenes {
    /// The folder's YAML files, sorted by name.
    static var all: [URL] {
        guard let folder else { return [] }
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "yaml" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    static func url(named name: String) -> URL? {
        all.first { $0.deletingPathExtension().lastPathComponent == name }
    }

    static let folder: URL? = {
        if let named = ProcessInfo.processInfo.environment["ARSIM_SCENES"] { return URL(fileURLWithPath: named) }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let start = [
            program.deletingLastPathComponent(), URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
        ]
        return start.lazy.flatMap(foldersFromHereUp).map { $0.appendingPathComponent("Scenes") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    private static func foldersFromHereUp(_ start: URL) -> [URL] {
        var folders = [start.standardizedFileURL]
        while let last = folders.last, last.path != "/" { folders.append(last.deletingLastPathComponent()) }
        return folders
    }
}
