// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// Hit tests in two rooms that a headset scanned, from view points in all orientations: against every plane and every
/// triangle, one by one.
@Suite struct ScannedRoomTests {
    static let rooms = ["living_room", "office_small"].filter { RealData.has("xr_rooms_meta/\($0).json") }

    @Test(.enabled(if: !rooms.isEmpty, "xr_rooms_meta is absent"), arguments: rooms)
    func hitsAgreeWithAskingEverything(room: String) throws {
        let scan = try ScannedRoom(contentsOf: RealData.url("xr_rooms_meta/\(room).json"))
        #expect(scan.planes.count >= 8 && scan.mesh.triangles.count > 1000)
        let mesh = WorldMesh(scan.mesh)
        let bounds = try #require(scan.mesh.bounds)
        var random = TestRandom(case: room.count)
        var (planeHits, meshHits) = (0, 0)
        for number in 0..<400 {
            let place = bounds.center + 0.35 * (random.vector3() * bounds.size)
            let attitude = EulerAngles(
                pitch: random.uniform(-1.2...1.2), yaw: random.uniform(-3...3), roll: random.uniform(-3...3))
            let frame = sampleFrame(
                worldFromCamera: RigidTransform(rotation: Rotation(attitude), translation: place))
            let world = WorldSnapshot(frame: frame, planes: scan.planes, mesh: mesh)
            let orientation = InterfaceOrientation.allCases[number % 4]
            let viewport = Viewport(size: ViewSize(width: 390, height: 844), orientation: orientation)
            let point = ViewPoint(random.uniform(0...390), random.uniform(0...844))
            let ray = try #require(world.ray(through: point, in: viewport))

            let crossings = scan.planes.compactMap { PlaneCrossing(of: ray, with: $0) }
            for type: HitTestResult.ResultType in [.existingPlaneUsingExtent, .existingPlaneUsingGeometry] {
                let expected = crossings.filter { $0.strictestType(among: type) != nil }.nearestFirst
                let found = world.hitTest(point, in: viewport, types: type)
                #expect(found.map(\.anchor) == expected.map(\.plane))
                #expect(found.map(\.worldFromHit) == expected.map(\.worldFromHit))
                planeHits += found.count
            }
            let expected = nearestTriangle(on: ray, of: scan.mesh)
            let found = world.meshHit(point, in: viewport)
            #expect(found?.distance == expected)
            meshHits += found == nil ? 0 : 1
        }
        #expect(planeHits > 400 && meshHits > 350, "\(planeHits) hits of planes, \(meshHits) of the mesh")
    }

    /// The scanned planes are the scanned surface's: a ray meets a wall where it meets the mesh.
    @Test(.enabled(if: !rooms.isEmpty, "xr_rooms_meta is absent"), arguments: rooms)
    func planesLieOnTheMesh(room: String) throws {
        let scan = try ScannedRoom(contentsOf: RealData.url("xr_rooms_meta/\(room).json"))
        let mesh = WorldMesh(scan.mesh)
        let middle = try #require(scan.mesh.bounds).center
        var random = TestRandom(case: room.count)
        let world = WorldSnapshot(
            frame: sampleFrame(worldFromCamera: RigidTransform(translation: middle)), planes: scan.planes, mesh: mesh)
        var differences: [Double] = []
        for _ in 0..<500 {
            let ray = Ray(origin: middle, unitDirection: random.direction())
            guard let plane = world.hitTest(ray, types: .existingPlaneUsingGeometry).first,
                let surface = world.meshHit(ray)
            else { continue }
            differences.append(abs(plane.distance - surface.distance))
        }
        // Furniture stands before the walls; most of what is seen from the middle is wall, floor and ceiling.
        #expect(differences.count > 300)
        #expect(differences.sorted()[differences.count / 2] < 0.1, "\(differences.sorted()[differences.count / 2]) m")
    }

    private func nearestTriangle(on ray: Ray, of mesh: TriangleMesh) -> Double? {
        mesh.triangleCorners.compactMap { ray.intersection(withTriangle: $0, $1, $2)?.distance }.min()
    }
}
