// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARWorld
import Foundation
import TestSupport
import Testing

/// Hits on rims, along planes, from inside of planes, in worlds far away, and through turned views.
@Suite struct HardHitTests {
    private let everyType: HitTestResult.ResultType = [
        .existingPlane, .existingPlaneUsingExtent, .existingPlaneUsingGeometry,
    ]

    private func snapshot(_ planes: [PlaneAnchor]) -> WorldSnapshot {
        WorldSnapshot(frame: sampleFrame(worldFromCamera: lookingDown(from: 1)), planes: planes)
    }

    @Test func planesAtOneDistanceComeInTheOrderOfTheirIdentifiers() {
        let planes = (0..<20).map { samplePlane("plane \($0)") }
        let expected = planes.map(\.identifier.uuidString).sorted()
        let down = Ray(origin: Point3(0, 1, 0), unitDirection: Vector3(0, -1, 0))
        var random = TestRandom()
        for _ in 0..<5 {
            let world = snapshot(planes.shuffled(using: &random))
            #expect(world.hitTest(down, types: .existingPlane).map(\.anchor?.identifier.uuidString) == expected)
            let query = RaycastQuery(ray: down, allowing: .existingPlaneGeometry, alignment: .any)
            #expect(world.raycast(query).map(\.anchor?.identifier.uuidString) == expected)
        }
    }

    @Test(arguments: 0..<200) func theExtentHoldsTheBoundary(number: Int) {
        var random = TestRandom(case: number)
        let center = [1e-3, 1, 1e3].randomElement(using: &random)! * random.vector2()
        let boundary = (0..<6).map { _ in center + random.vector2() }
        let plane = PlaneAnchor(identifier: UUID(name: "p"), worldFromAnchor: .identity, boundary: boundary)
        for corner in boundary {
            #expect(plane.boundaryContains(corner))
            #expect(plane.extentContains(corner), "corner \(corner) of \(boundary)")
        }
    }

    @Test func rimsBelongToThePlane() {
        let world = snapshot([samplePlane("table")])
        for (x, z) in [(0.5, 0.5), (-0.5, 0.1), (0.25, -0.5)] {
            let down = Ray(origin: Point3(x, 1, z), unitDirection: Vector3(0, -1, 0))
            #expect(world.hitTest(down, types: .existingPlaneUsingGeometry).count == 1)
            #expect(world.hitTest(down, types: .existingPlaneUsingExtent).count == 1)
        }
        let beside = Ray(origin: Point3(0.5.nextUp, 1, 0), unitDirection: Vector3(0, -1, 0))
        #expect(world.hitTest(beside, types: [.existingPlaneUsingExtent, .existingPlaneUsingGeometry]).isEmpty)
        #expect(world.hitTest(beside, types: everyType).map(\.type) == [.existingPlane])
    }

    @Test func aTurnedExtentHoldsExactlyItsRectangle() {
        var plane = samplePlane("strip", width: 2, depth: 0.2)
        plane.center = Point3(3, 0, -1)
        plane.extent.rotationOnYAxis = 0.3
        let anchorFromExtent = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, 0.3, 0)), translation: plane.center)
        var random = TestRandom()
        for _ in 0..<500 {
            let inRectangle = Point3(random.uniform(-1.2...1.2), 0, random.uniform(-0.15...0.15))
            let point = anchorFromExtent * inRectangle
            let isInside = abs(inRectangle.x) <= 1 && abs(inRectangle.z) <= 0.1
            #expect(plane.extentContains(Point2(point.x, point.z)) == isInside)
        }
    }

    @Test func aCameraOnThePlaneHitsItAtZeroAndALevelOneDoesNot() throws {
        let world = snapshot([samplePlane("table")])
        for direction in [Vector3(0, -1, 0), Vector3(0, 1, 0), Vector3(0.6, 0.8, 0)] {
            let hit = try #require(world.hitTest(Ray(origin: .zero, unitDirection: direction), types: everyType).first)
            #expect(hit.distance == 0 && hit.distance.sign == .plus)
            #expect(hit.worldFromHit.translation == .zero)
        }
        let along = Ray(origin: .zero, unitDirection: Vector3(1, 0, 0))
        #expect(world.hitTest(along, types: everyType).isEmpty)
    }

    @Test(arguments: [1e-6, 1e-9, 1e-11, 1e-12, 1e-13, 1e-300])
    func grazingRaysGiveFiniteHitsOrNone(slope: Double) throws {
        let world = snapshot([samplePlane("table")])
        let ray = try #require(Ray(origin: Point3(0, 1, 0), direction: Vector3(1, -slope, 0)))
        let hits = world.hitTest(ray, types: .existingPlane)
        #expect(hits.count == 1 || slope < 1e-11)
        for hit in hits {
            let position = hit.worldFromHit.translation
            #expect(position.isFinite)
            #expect(abs(position.y) < 1e-9 * hit.distance)
            #expect(abs(hit.distance * slope - 1) < 1e-3)
        }
        #expect(world.hitTest(ray, types: .existingPlaneUsingExtent).isEmpty)
    }

    @Test(arguments: 0..<60) func viewPointsCloseThroughTheWorld(number: Int) throws {
        var random = TestRandom(case: number)
        let sample = SampleCamera.all[number % SampleCamera.all.count]
        // A kilometre from the world's origin, any attitude: the plane lies half a metre in front of the camera.
        let worldFromCamera = RigidTransform(rotation: random.rotation(), translation: 1e3 * random.vector3())
        let tilt = Rotation(
            rotationVector: Vector3(.pi / 2 + random.uniform(-0.5...0.5), random.uniform(-0.5...0.5), 0))
        let plane = samplePlane(
            "plane", worldFromAnchor: worldFromCamera * RigidTransform(rotation: tilt, translation: Vector3(0, 0, -0.5))
        )
        let frame = TrackedFrame(
            timestamp: sampleFrame(worldFromCamera: .identity).timestamp, trackingState: .normal,
            worldFromCamera: worldFromCamera, camera: sample.camera, imageSize: sample.imageSize)
        let world = WorldSnapshot(frame: frame, planes: [plane])
        var closed = 0
        for orientation in InterfaceOrientation.allCases {
            let size = ViewSize(width: random.uniform(200...1000), height: random.uniform(200...1000))
            let viewport = Viewport(size: size, orientation: orientation)
            for _ in 0..<20 {
                let asked = ViewPoint(random.uniform(0...size.width), random.uniform(0...size.height))
                guard let hit = world.hitTest(asked, in: viewport, types: .existingPlane).first else { continue }
                let pixel = try #require(frame.project(hit.worldFromHit.translation))
                let found = ViewPoint(pixel, in: viewport, imageSize: frame.imageSize)
                // Far along the plane, a kilometre's last digit is no longer small against the distance.
                guard hit.distance < 100 else { continue }
                #expect(abs(found.x - asked.x) < 0.01 && abs(found.y - asked.y) < 0.01, "\(asked) became \(found)")
                closed += 1
            }
        }
        #expect(closed >= 20, "\(sample) saw the plane \(closed) times only")
    }

    @Test func changesAreListedByAgeAndWaitForTracking() {
        var world = World()
        let names = ["a", "b", "c"]
        for name in names { world.add(.plane(samplePlane(name))) }
        let first = world.update(with: sampleFrame(worldFromCamera: .identity))
        #expect(first.changes.added == names.map(UUID.init(name:)))

        for name in ["d", "c", "a", "c"] { world.add(.plane(samplePlane(name, width: 3))) }
        world.remove(UUID(name: "b"))
        world.remove(UUID(name: "never added"))
        for reason in TrackingState.Reason.allCases {
            let limited = world.update(with: sampleFrame(worldFromCamera: .identity, state: .limited(reason)))
            #expect(limited.planes == first.planes)
            #expect(limited.changes == AnchorChanges())
        }
        let second = world.update(with: sampleFrame(worldFromCamera: .identity))
        #expect(second.changes.updated == [UUID(name: "a"), UUID(name: "c")])
        #expect(second.changes.added == [UUID(name: "d")])
        #expect(second.changes.removed == [UUID(name: "b")])
        #expect(second.planes.map(\.name) == ["a", "c", "d"])
        #expect(first.planes.map(\.name) == names, "a snapshot never changes")

        world.remove(UUID(name: "a"))
        world.add(.plane(samplePlane("a", width: 5)))
        let third = world.update(with: sampleFrame(worldFromCamera: .identity))
        #expect(third.changes.updated == [UUID(name: "a")])
        #expect(third.changes.removed.isEmpty)
    }
}
