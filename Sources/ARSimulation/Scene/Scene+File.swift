// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation
import Yams

extension Scene {
    /// The scene in a file.
    public init(contentsOf file: URL) throws(SceneError) { try self.init(contentsOf: file, settings: []) }

    /// The scene in a file, with some of its keys set otherwise.
    public init(contentsOf file: URL, settings: [SceneSetting]) throws(SceneError) {
        try self.init(
            yaml: Self.text(of: file), file: file.path, settings: settings, folder: file.deletingLastPathComponent())
    }

    /// The text of a scene file.
    static func text(of file: URL) throws(SceneError) -> String {
        let bytes: Data
        do { bytes = try Data(contentsOf: file) } catch {
            throw .unreadableFile(path: file.path, reason: FileError.reason(error, file: file))
        }
        guard let text = String(data: bytes, encoding: .utf8) else {
            throw .unreadableFile(path: file.path, reason: "it is no UTF-8; give a scene in YAML")
        }
        return text
    }

    /// The scene that a text describes, with some of its keys set otherwise; `file` is what errors call it.
    public init(yaml: String, file: String, settings: [SceneSetting] = []) throws(SceneError) {
        try self.init(yaml: yaml, file: file, settings: settings, folder: nil)
    }

    /// The scene that a text describes whose relative paths start in a folder.
    init(yaml: String, file: String, settings: [SceneSetting] = [], folder: URL?) throws(SceneError) {
        let positions = ScenePositions(file: file, yaml: yaml)
        let ownNode = try Scene.node(of: yaml, file: file)
        try Scene.checkFormat(of: ownNode, positions: positions)
        var node = try Scene.withBase(ownNode, positions: positions, folder: folder)
        for setting in settings { try setting.apply(to: &node, positions: positions) }
        try Scene.checkFormat(of: node, positions: positions)
        self = try SceneFields.read(Scene.self, from: node, path: "", positions: positions)
        self.folder = folder
        let files = try SceneFiles(self, positions: positions)
        try checkNames(files: files, positions: positions)
        try checkTimes(positions: positions)
        try checkWriting(positions: positions)
        try checkThings(positions: positions)
        try checkPictures(positions: positions)
    }

    /// The scene as a file: reading it back gives the same scene.
    ///
    /// Every key is written, those with their defaults too; numbers are the shortest that read back exactly.
    /// Law: `SceneFileTests.roundTrip`.
    public var yaml: String {
        do { return try Yams.serialize(node: SceneFields.write(self), width: 120) } catch {
            preconditionFailure("a scene without reading errors cannot fail to be written: \(error)")
        }
    }

    /// The same scene, checked as if it had been read from a file: for scenes made in code.
    ///
    /// Positions in errors are those in ``yaml``.
    public func validated() throws(SceneError) -> Scene {
        try Scene(yaml: yaml, file: "(scene \(name))", settings: [], folder: folder)
    }

    /// The tree of a YAML text.
    static func node(of yaml: String, file: String) throws(SceneError) -> Node {
        func position(_ mark: Mark) -> ScenePosition { ScenePosition(file: file, line: mark.line, column: mark.column) }
        let start = ScenePosition(file: file, line: 1, column: 1)
        do {
            guard let node = try Yams.compose(yaml: yaml) else {
                throw SceneError.missingKey("format", expected: "'\(format)'", at: start)
            }
            return node
        } catch let error as SceneError {
            throw error
        } catch YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _)
        {
            throw .invalidSyntax(problem: problem, at: position(mark))
        } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
            throw .invalidSyntax(
                problem: "a mapping has a key twice: \(keys.sorted().joined(separator: ", "))",
                at: position(context.mark))
        } catch {
            throw .invalidSyntax(problem: "\(error)", at: start)
        }
    }

    /// The version comes first: a file of another version must not be blamed for its keys.
    private static func checkFormat(of node: Node, positions: ScenePositions) throws(SceneError) {
        guard let found = node.mapping?["format"], let string = found.scalar?.string, string != format else { return }
        throw .unsupportedFormat(found: string, expected: format, at: positions.position(of: found))
    }

    private func checkPictures(positions: ScenePositions) throws(SceneError) {
        for (index, material) in materials.enumerated() where material.kind == .code || material.kind == .card {
            _ = try material.code(at: positions["materials[\(index)].payload"])
        }
        for (index, material) in materials.enumerated() where material.kind == .picture {
            let file = file(material.picture)
            do { _ = try ImageFile.size(of: file) } catch {
                throw .unreadablePicture(
                    path: file.path, problem: error.problem, material: material.name,
                    at: positions["materials[\(index)].picture"])
            }
        }
    }

    private func checkTimes(positions: ScenePositions) throws(SceneError) {
        switch cameraPath.kind {
        case .waypoints: try checkWaypoints(positions: positions)
        case .trajectory: _ = try trajectoryPoses(errorPosition: positions["camera_path.file"])
        case .lookAround, .walk, .orbit, .tableTop, .standstill, .shake: break
        }
    }

    private func checkWaypoints(positions: ScenePositions) throws(SceneError) {
        let waypoints = cameraPath.waypoints
        let times = cameraPath.waypointTimes
        for (index, waypoint) in waypoints.enumerated() {
            let path = "camera_path.waypoints[\(index)]"
            guard (waypoint.atSeconds == nil) == (waypoints[0].atSeconds == nil) else {
                throw .outOfRange(
                    key: "waypoints", found: "waypoints with and without at_s", expected: "at_s in all or in none",
                    at: positions[path])
            }
            guard index == 0 ? times[0] == 0 : times[index] - times[index - 1] >= 0.01 else {
                throw .outOfRange(
                    key: "at_s", found: "\(times[index])",
                    expected: index == 0 ? "0 for the first waypoint" : "at least 0.01 more than the one before",
                    at: positions[path + ".at_s"])
            }
            guard waypoint.worldFromCamera != nil else {
                throw .outOfRange(
                    key: "look_at_m", found: Scene.Waypoint.verticalView.found,
                    expected: Scene.Waypoint.verticalView.expected, at: positions[path + ".look_at_m"])
            }
        }
        guard times[times.count - 1] >= durationSeconds - 1e-9 else {
            throw .outOfRange(
                key: "waypoints", found: "a path of \(times[times.count - 1]) s",
                expected: "waypoints for all \(durationSeconds) s: add some, or make them last longer",
                at: positions["camera_path.waypoints"])
        }
    }
}
