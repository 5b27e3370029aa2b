// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct RoomScanTests {
    private static let office = "xr_rooms_meta/office_small.json"

    /// The planes look into the room, and the mesh lies along them.
    @Test(.enabled(if: RealData.has(office), "no \(office)"))
    func aRealRoomIsRead() throws {
        let scan = try RoomScan(contentsOf: RealData.url(Self.office))
        #expect(scan.mesh.positions.count == 1895 && scan.mesh.triangles.count == 3822)
        #expect(scan.rectangles.count == 10 && scan.boxes.count == 3)
        let middle = try #require(scan.mesh.bounds).center
        for rectangle in scan.rectangles where ["FLOOR", "CEILING", "WALL_FACE"].contains(rectangle.label) {
            let fromRectangle = rectangle.roomFromRectangle.inverse
            #expect((fromRectangle * middle).y > 0.5, "\(rectangle.label)")
            let mesh = fromRectangle * scan.mesh
            let covered = mesh.triangles.indices.reduce(0.0) { sum, index in
                let (a, b, c) = mesh.corners(ofTriangle: index)
                let middle = (a + b + c) / 3
                let isInside =
                    abs(middle.y) < 0.05 && abs(middle.x) < rectangle.size.x / 2
                    && abs(middle.z) < rectangle.size.y / 2
                return isInside ? sum + (b - a).cross(c - a).length / 2 : sum
            }
            // The file's ceiling lies 12 cm below the scanned one.
            guard rectangle.label != "CEILING" else { continue }
            let share = covered / (rectangle.size.x * rectangle.size.y)
            #expect(share > 0.9, "\(rectangle.label): \(share)")
        }
        let floor = try #require(scan.rectangles.first { $0.label == "FLOOR" })
        expectClose(floor.roomFromRectangle.rotation * Vector3(0, 1, 0), Vector3(0, 1, 0), tolerance: 0.02)
    }

    @Test(.enabled(if: RealData.has(office), "no \(office)"))
    func aRealRoomIsStaged() throws {
        var scene = try Scene(yaml: smallScene, file: "small")
        var scan = Scene.Scan()
        (scan.name, scan.file) = ("office", RealData.url(Self.office).path)
        scene.scans = [scan]
        scene.finger?.plane = "office.table"
        let stage = try SceneStage(scene.validated(), threads: 2)
        let planes = Dictionary(uniqueKeysWithValues: stage.declaredPlanes.map { ($0.name, $0) })
        #expect(planes["office.floor"]?.classification == .floor)
        #expect(planes["office.table"]?.classification == .table)
        #expect(planes["office.door-frame"]?.classification == .door)
        #expect((1...4).allSatisfy { planes["office.wall-face-\($0)"]?.classification == .wall })
        // Everything that was scanned is painted, once.
        let painted = stage.model.surfaces.reduce(0) { sum, surface in
            guard case .mesh(let mesh, placement: .fixed) = surface else { return sum }
            return sum + mesh.triangles.count
        }
        let triangles = try RoomScan(contentsOf: RealData.url(Self.office)).mesh.cornerNormals.count { $0 != nil }
        #expect(painted == triangles)
        #expect(stage.finger?.worldFromPlane == planes["office.table"]?.worldFromPlane)
    }

    private static let pose = """
        "locatable_META": {"orientation": {"x": 0, "y": 0, "z": 0, "w": 1}, "position": {"x": 0, "y": 1, "z": 0}}
        """

    static let malformed: [(entity: String, message: String)] = [
        (#"{}"#, #"has at 1:22 a record of 0, expected the key "semanticLabel_META""#),
        (#"{"semanticLabel_META": "FLOOR"}"#, #"has at 1:22 a record of 1, expected the key "locatable_META""#),
        (
            #"{"semanticLabel_META": "FLOOR", "locatable_META": {"position": {"x": 0, "y": 0, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 0}}}"#,
            "has at 1:126 a record of 4, expected a quaternion that is not zero"
        ),
        (
            #"{"semanticLabel_META": "M", \#(pose), "triangleMesh_META": {"vertices": "AAAA", "indices": ""}}"#,
            "has at 1:191 a text, expected words of 32 bits in base64"
        ),
        (
            #"{"semanticLabel_META": "M", \#(pose), "triangleMesh_META": {"vertices": "AAAAAAAAAAA=", "indices": ""}}"#,
            "has at 1:191 2 numbers, expected three finite numbers a vertex"
        ),
        (
            #"{"semanticLabel_META": "M", \#(pose), "triangleMesh_META": {"vertices": "AAAAAAAAAAAAAAAA", "indices": "AAAAAAAAAAABAAAA"}}"#,
            "has at 1:222 3 indices, expected three a triangle, each below 1"
        ),
    ]

    @Test(arguments: malformed) func malformedRoomsAreRefused(entity: String, message: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"spatialEntities": ["# + entity + "]}", to: "room.json")
        let error = #expect(throws: RoomScanError.self) { try RoomScan(contentsOf: folder("room.json")) }
        #expect(error?.problem == message)
    }
}
