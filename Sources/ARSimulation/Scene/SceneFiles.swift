// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARTruth
import Foundation

/// The shapes that a scene reads from other files.
struct SceneFiles: Sendable {
    /// The models of ``Scene/meshes``, in their order.
    private(set) var models: [OBJModel] = []
    /// The rooms of ``Scene/scans``, in their order.
    private(set) var rooms: [RoomScan] = []

    /// Reads the files; errors say where the scene names them.
    init(_ scene: Scene, positions: ScenePositions) throws(SceneError) {
        for (index, mesh) in scene.meshes.enumerated() {
            let file = scene.file(mesh.file)
            do { models.append(try OBJModel(contentsOf: file)) } catch {
                throw .unreadableShape(
                    path: file.path, problem: error.problem, name: mesh.name, at: positions["meshes[\(index)].file"])
            }
        }
        for (index, scan) in scene.scans.enumerated() {
            let file = scene.file(scan.file)
            do { rooms.append(try RoomScan(contentsOf: file)) } catch {
                throw .unreadableShape(
                    path: file.path, problem: error.problem, name: scan.name, at: positions["scans[\(index)].file"])
            }
        }
    }

    /// The planes of the scanned rooms, in the world.
    func declaredPlanes(of scene: Scene) -> [DeclaredPlane] {
        zip(scene.scans, rooms).flatMap { scan, room in
            room.declaredPlanes(name: scan.name, worldFromRoom: scan.worldFromRoom)
        }
    }
}

extension Scene {
    /// A file that the scene names; relative paths start in ``folder``.
    func file(_ path: String) -> URL {
        let inFolder = path.hasPrefix("/") ? nil : folder?.appendingPathComponent(path)
        return inFolder ?? URL(fileURLWithPath: path)
    }
}
