// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARWorld
import Foundation
import TestSupport
import Testing

/// Which kinds of things a hit test answers with, and in which order: see ``WorldSnapshot/hitTest(_:types:)``.
@Suite struct HitTestOrderTests {
    private let every: HitTestResult.ResultType = [
        .featurePoint, .estimatedHorizontalPlane, .estimatedVerticalPlane, .existingPlane, .existingPlaneUsingExtent,
        .existingPlaneUsingGeometry,
    ]
    private let down = Ray(origin: Point3(0, 1, 0), unitDirection: Vector3(0, -1, 0))

    /// A surface of points at height zero, seen from a metre above.
    private func snapshot(planesAt heights: [Double], state: TrackingState = .normal) -> WorldSnapshot {
        var random = TestRandom()
        var frame = sampleFrame(worldFromCamera: lookingDown(from: 1), state: state)
        let touched = EstimatedLandmark(id: 1000, position: Point3(0.01, 0, 0.01), covariance: .zero)
        frame.featurePoints =
            SampleSurface(worldFromSurface: .identity, pointCount: 200).points(&random) + [touched]
        let planes = heights.map { height in
            samplePlane("at \(height)", worldFromAnchor: RigidTransform(translation: Vector3(0, height, 0)))
        }
        return WorldSnapshot(frame: frame, planes: planes)
    }

    @Test func existingPlanesComeFirstAndLeaveNoneEstimated() {
        let hits = snapshot(planesAt: [-0.5, 0.2]).hitTest(down, types: every)
        #expect(hits.map(\.type) == [.existingPlaneUsingGeometry, .existingPlaneUsingGeometry, .featurePoint])
        #expect(hits.prefix(2).map(\.distance) == [0.8, 1.5])
    }

    @Test func atMostOnePlaneIsEstimated() {
        let hits = snapshot(planesAt: []).hitTest(down, types: every)
        #expect(hits.map(\.type) == [.estimatedHorizontalPlane, .featurePoint])
    }

    @Test func aPlaneThatIsNotMetLeavesRoomForAnEstimate() {
        let hits = snapshot(planesAt: [1.5]).hitTest(down, types: every)
        #expect(hits.map(\.type) == [.estimatedHorizontalPlane, .featurePoint])
    }

    @Test func onlyWhatIsAskedForIsFound() {
        let world = snapshot(planesAt: [])
        for type in [HitTestResult.ResultType.featurePoint, .estimatedHorizontalPlane] {
            #expect(world.hitTest(down, types: type).map(\.type) == [type])
        }
        for types: HitTestResult.ResultType in [.estimatedVerticalPlane, .existingPlane, []] {
            #expect(world.hitTest(down, types: types).isEmpty)
        }
    }

    @Test(arguments: [TrackingState.notAvailable, .limited(.initializing)])
    func nothingAtAllIsFoundWhileTrackingIsNotNormal(state: TrackingState) {
        let world = snapshot(planesAt: [0], state: state)
        #expect(world.hitTest(down, types: every).isEmpty)
        for target in RaycastQuery.Target.allCases {
            #expect(world.raycast(RaycastQuery(ray: down, allowing: target, alignment: .any)).isEmpty)
        }
    }

    @Test func theFeatureIsTheOneThatIsSeenNearestToTheRay() throws {
        func landmark(_ id: UInt64, _ x: Double, _ y: Double) -> EstimatedLandmark {
            EstimatedLandmark(id: id, position: Point3(x, y, 0), covariance: .zero)
        }
        var frame = sampleFrame(worldFromCamera: lookingDown(from: 1))
        // 10 mm aside at 20 cm, 20 mm aside at 2 m: the farther one lies nearer on the screen. Behind the camera: none.
        frame.featurePoints = [landmark(1, 0.01, 0.8), landmark(2, 0.02, -1), landmark(3, 0, 1.5)]
        let hit = try #require(WorldSnapshot(frame: frame, planes: []).hitTest(down, types: .featurePoint).first)
        #expect(hit.worldFromHit == RigidTransform(translation: Vector3(0.02, -1, 0)))
        #expect(abs(hit.distance - Vector2(0.02, 2).length) < 1e-15)
        #expect(hit.anchor == nil)
        // 3.1° is too far aside to have been meant.
        frame.featurePoints = [landmark(1, tan(3.1 * .pi / 180), 0)]
        #expect(WorldSnapshot(frame: frame, planes: []).hitTest(down, types: .featurePoint).isEmpty)
        frame.featurePoints = [landmark(1, tan(2.9 * .pi / 180), 0)]
        #expect(WorldSnapshot(frame: frame, planes: []).hitTest(down, types: .featurePoint).count == 1)
    }

    @Test func rawValuesAndNamesAreThoseOfARKit() {
        let types: [HitTestResult.ResultType] = [
            .featurePoint, .estimatedHorizontalPlane, .estimatedVerticalPlane, .existingPlane,
            .existingPlaneUsingExtent, .existingPlaneUsingGeometry,
        ]
        #expect(types.map(\.rawValue) == [1, 2, 4, 8, 16, 32])
        #expect(types.prefix(3).map(\.name) == ["featurePoint", "estimatedHorizontalPlane", "estimatedVerticalPlane"])
    }
}
