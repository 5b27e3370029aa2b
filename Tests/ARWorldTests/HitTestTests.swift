// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARWorld
import TestSupport
import Testing

@Suite struct HitTestTests {
    let center = NormalizedImagePoint(PixelPoint(321, 238), imageSize: ImageSize(width: 640, height: 480))

    @Test func theOpticalAxisMeetsThePlaneBelow() throws {
        let snapshot = WorldSnapshot(
            frame: sampleFrame(worldFromCamera: lookingDown(from: 2)), planes: [samplePlane("table")])
        let hit = try #require(snapshot.hitTest(center, types: .existingPlaneUsingExtent).first)
        #expect(abs(hit.distance - 2) < 1e-12)
        #expect(hit.worldFromHit.translation.length < 1e-12)
        #expect(hit.worldTransform.columns.3.y == hit.worldFromHit.translation.y)
        #expect(hit.anchor?.name == "table")
        #expect(hit.type == .existingPlaneUsingExtent)
    }

    @Test(arguments: 0..<300) func aHitProjectsBackToThePointThatWasAsked(number: Int) throws {
        var random = TestRandom(case: number)
        let plane = samplePlane("plane", worldFromAnchor: random.rigidTransform())
        let spot = Point3(random.uniform(-0.5...0.5), 0, random.uniform(-0.5...0.5))
        let spotInWorld = plane.worldFromAnchor * spot
        let aside =
            plane.worldFromAnchor.rotation * Vector3(random.uniform(), random.uniform(0.2...1), random.uniform())
        let frame = sampleFrame(
            worldFromCamera: camera(at: spotInWorld + aside, lookingAt: spotInWorld + 0.1 * random.vector3()))
        let pixel = try #require(frame.project(spotInWorld))
        let snapshot = WorldSnapshot(frame: frame, planes: [plane])
        let hits = snapshot.hitTest(
            NormalizedImagePoint(pixel, imageSize: frame.imageSize), types: .existingPlaneUsingGeometry)
        let hit = try #require(hits.first)
        // Huge worlds (1 km) keep some 1e-13 of their size.
        let tolerance = 1e-10 * (1 + plane.worldFromAnchor.translation.length)
        #expect((hit.worldFromHit.translation - spotInWorld).length < tolerance)
        #expect((try #require(hit.anchorFromHit).translation - spot).length < tolerance)
        #expect(abs(hit.distance - aside.length) < tolerance)
        #expect(
            (hit.worldFromHit.rotation * Vector3(0, 1, 0) - plane.worldFromAnchor.rotation * Vector3(0, 1, 0)).length
                < 1e-14)
    }

    @Test func resultsComeNearestFirst() {
        let heights = [0.0, 0.7, 0.3, 1.2, 0.9]
        let planes = heights.map { height in
            samplePlane("plane at \(height)", worldFromAnchor: RigidTransform(translation: Vector3(0, height, 0)))
        }
        let snapshot = WorldSnapshot(frame: sampleFrame(worldFromCamera: lookingDown(from: 2)), planes: planes)
        let distances = snapshot.hitTest(center, types: .existingPlane).map(\.distance)
        #expect(distances.count == heights.count)
        #expect(distances == distances.sorted())
    }

    @Test func sizeCountsAsTheTypeSays() {
        // An L: its extent holds the notch, its boundary does not.
        let boundary: [Point2] = [[-1, 1], [1, 1], [1, 0], [0, 0], [0, -1], [-1, -1]]
        let plane = PlaneAnchor(identifier: .init(name: "L"), worldFromAnchor: .identity, boundary: boundary)
        func types(at x: Double, _ z: Double) -> [HitTestResult.ResultType] {
            let down = Ray(origin: Point3(x, 1, z), unitDirection: Vector3(0, -1, 0))
            let snapshot = WorldSnapshot(frame: sampleFrame(worldFromCamera: lookingDown(from: 1)), planes: [plane])
            let each: [HitTestResult.ResultType] = [
                .existingPlane, .existingPlaneUsingExtent, .existingPlaneUsingGeometry,
            ]
            return each.flatMap { snapshot.hitTest(down, types: $0).map(\.type) }
        }
        #expect(types(at: -0.5, 0.5) == [.existingPlane, .existingPlaneUsingExtent, .existingPlaneUsingGeometry])
        #expect(types(at: 0.5, -0.5) == [.existingPlane, .existingPlaneUsingExtent])
        #expect(types(at: 3, 0) == [.existingPlane])
    }

    @Test func onePlaneGivesOneResultOfItsStrictestType() {
        let snapshot = WorldSnapshot(
            frame: sampleFrame(worldFromCamera: lookingDown(from: 2)), planes: [samplePlane("table")])
        let all: HitTestResult.ResultType = [.existingPlane, .existingPlaneUsingExtent, .existingPlaneUsingGeometry]
        #expect(snapshot.hitTest(center, types: all).map(\.type) == [.existingPlaneUsingGeometry])
    }

    @Test func nothingIsHitBehindTheCameraOrAlongThePlane() {
        let above = samplePlane("ceiling", worldFromAnchor: RigidTransform(translation: Vector3(0, 3, 0)))
        let snapshot = WorldSnapshot(frame: sampleFrame(worldFromCamera: lookingDown(from: 2)), planes: [above])
        #expect(snapshot.hitTest(center, types: .existingPlane).isEmpty)
        let level = Ray(origin: Point3(0, 2, 0), unitDirection: Vector3(1, 0, 0))
        #expect(snapshot.hitTest(level, types: .existingPlane).isEmpty)
    }

    @Test(arguments: [TrackingState.notAvailable, .limited(.relocalizing)])
    func nothingIsHitWhileTrackingIsNotNormal(state: TrackingState) {
        let frame = sampleFrame(worldFromCamera: lookingDown(from: 2), state: state)
        let snapshot = WorldSnapshot(frame: frame, planes: [samplePlane("table")])
        #expect(snapshot.hitTest(center, types: .existingPlane).isEmpty)
    }

    @Test func rawValuesAreThoseOfARKit() {
        #expect(HitTestResult.ResultType.existingPlane.rawValue == 8)
        #expect(HitTestResult.ResultType.existingPlaneUsingExtent.rawValue == 16)
        #expect(HitTestResult.ResultType.existingPlaneUsingGeometry.rawValue == 32)
    }

    @Test func aTurnedExtentTurnsAboutTheNormal() {
        var plane = samplePlane("strip", width: 2, depth: 0.2)
        // +90° about +Y takes x to −z: the strip now runs along z.
        plane.extent.rotationOnYAxis = .pi / 4
        #expect(plane.extentContains(Point2(0.6, -0.6)))
        #expect(!plane.extentContains(Point2(0.6, 0.6)))
    }

    private func camera(at position: Point3, lookingAt target: Point3) -> RigidTransform {
        let backwards = (position - target).normalized() ?? Vector3(0, 0, 1)
        let right = backwards.anyPerpendicular() ?? Vector3(1, 0, 0)
        let rotation = Rotation(Matrix3x3(right, backwards.cross(right), backwards))
        return RigidTransform(rotation: rotation ?? .identity, translation: position)
    }
}
