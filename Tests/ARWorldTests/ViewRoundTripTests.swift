// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARWorld
import Foundation
import TestSupport
import Testing

/// From a point of the view to the world and back, through every lens, in all orientations, where the picture fills the view
/// and is cut off.
@Suite struct ViewRoundTripTests {
    @Test(arguments: SampleCamera.all, InterfaceOrientation.allCases)
    func whatIsUnprojectedIsProjectedToWhereItCameFrom(
        sample: SampleCamera, orientation: InterfaceOrientation
    ) throws {
        var random = TestRandom(case: InterfaceOrientation.allCases.firstIndex(of: orientation)!)
        var closed = 0
        for _ in 0..<100 {
            let frame = TrackedFrame(
                timestamp: sampleFrame(worldFromCamera: .identity).timestamp, trackingState: .normal,
                worldFromCamera: RigidTransform(rotation: random.rotation(), translation: 10 * random.vector3()),
                camera: sample.camera, imageSize: sample.imageSize)
            let snapshot = WorldSnapshot(frame: frame, planes: [])
            let size = ViewSize(width: random.uniform(100...1200), height: random.uniform(100...1200))
            let viewport = Viewport(size: size, orientation: orientation)
            let asked = ViewPoint(random.uniform(0...size.width), random.uniform(0...size.height))
            let tilt = Rotation(
                rotationVector: Vector3(.pi / 2 + random.uniform(-0.6...0.6), random.uniform(-0.6...0.6), 0))
            let worldFromPlane =
                frame.worldFromCamera * RigidTransform(rotation: tilt, translation: Vector3(0, 0, -1.5))
            guard let point = snapshot.unproject(asked, ontoPlane: worldFromPlane, in: viewport),
                (point - frame.worldFromCamera.translation).length < 100
            else { continue }
            #expect(abs(Plane(worldFromPlane: worldFromPlane).signedDistance(to: point)) < 1e-11)
            let found = try #require(snapshot.project(point, in: viewport))
            #expect(
                abs(found.x - asked.x) < 0.01 && abs(found.y - asked.y) < 0.01,
                "\(asked) became \(found) in \(viewport)")
            // The hit test takes the same way.
            let plane = samplePlane("plane", worldFromAnchor: worldFromPlane)
            let hit = try #require(
                WorldSnapshot(frame: frame, planes: [plane]).hitTest(asked, in: viewport, types: .existingPlane).first)
            expectClose(hit.worldFromHit.translation, point, tolerance: 1e-9, scale: hit.distance)
            closed += 1
        }
        #expect(closed >= 20, "\(sample) saw the plane \(closed) times only")
    }

    @Test func aPlaneBehindTheCameraHasNoPointInTheView() {
        let snapshot = WorldSnapshot(frame: sampleFrame(worldFromCamera: lookingDown(from: 1)), planes: [])
        let viewport = Viewport(size: ViewSize(width: 390, height: 844), orientation: .portrait)
        let above = RigidTransform(translation: Vector3(0, 2, 0))
        #expect(snapshot.unproject(viewport.size.center, ontoPlane: above, in: viewport) == nil)
        #expect(snapshot.project(Point3(0, 2, 0), in: viewport) == nil)
    }
}
