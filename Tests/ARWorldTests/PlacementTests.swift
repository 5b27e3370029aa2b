// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARWorld
import Foundation
import TestSupport
import Testing

/// The drawing program's ways from the screen to the world.
@Suite struct PlacementTests {
    private let forward = Ray(origin: .zero, unitDirection: Vector3(0, 0, -1))

    private func landmark(_ id: UInt64, at position: Point3) -> EstimatedLandmark {
        EstimatedLandmark(id: id, position: position, covariance: .zero)
    }

    /// A point at that distance along the ray, aside of it by that angle in degrees.
    private func landmark(_ id: UInt64, along distance: Double, aside degrees: Double) -> EstimatedLandmark {
        landmark(id, at: Point3(distance * tan(degrees * .pi / 180), 0, -distance))
    }

    @Test func theConeHasNineDegreesToEitherSide() {
        let features = [landmark(1, along: 1, aside: 8.99), landmark(2, along: 1.5, aside: -9.01)]
        let results = FeatureSearch(features).results(along: forward, in: .drawing, maximumCount: 9)
        #expect(results.map(\.feature.id) == [1])
    }

    @Test func theConeBeginsAtTwentyCentimetresAndEndsAtTwoMetres() {
        let distances = [0.199, 0.2, 1, 2, 2.001, -1]
        let features = distances.enumerated().map { landmark(UInt64($0), along: $1, aside: 0) }
        let results = FeatureSearch(features).results(along: forward, in: .drawing, maximumCount: 9)
        #expect(results.map(\.distance) == [0.2, 1, 2])
    }

    @Test func resultsLieOnTheRayNearestFirstAndAreCapped() throws {
        var random = TestRandom()
        let features = (0..<50).map { landmark($0, along: random.uniform(0.3...1.8), aside: random.uniform(-8...8)) }
        let all = FeatureSearch(features).results(along: forward, in: .drawing, maximumCount: 99)
        #expect(all.count == 50)
        #expect(all.map(\.distance) == all.map(\.distance).sorted())
        for result in all {
            #expect(result.position == forward.point(at: result.distance))
            #expect(abs((result.feature.position - result.position).dot(forward.direction)) < 1e-15)
            #expect(abs((result.feature.position - result.position).length - result.distanceFromRay) < 1e-15)
        }
        let capped = FeatureSearch(features).results(along: forward, in: .drawing, maximumCount: 3)
        #expect(capped == Array(all.prefix(3)))
        let nearest = try #require(FeatureSearch(features).nearest(to: forward))
        #expect(nearest.distanceFromRay == all.map(\.distanceFromRay).min())
    }

    @Test func raysThatHardlyFallMeetNoInfinitePlane() throws {
        func hit(_ direction: Vector3, height: Double = 0) -> Point3? {
            WorldSnapshot.infinitePlaneHit(
                Ray(origin: Point3(0, 1, 0), unitDirection: direction), through: Point3(7, height, 7))
        }
        func falling(_ y: Double) -> Vector3 { Vector3((1 - y * y).squareRoot(), y, 0) }
        #expect(hit(falling(-0.0299)) == nil)
        #expect(hit(falling(0.5)) == nil)
        #expect(hit(falling(-0.5), height: 2) == nil, "the plane is above")
        let grazing = try #require(hit(falling(-0.03)))
        expectClose(grazing, Point3((1 - 0.0009).squareRoot() / 0.03, 0, 0), tolerance: 1e-12)
    }

    // MARK: The steps

    private let viewport = Viewport(size: ViewSize(width: 640, height: 480), orientation: .landscapeRight)
    private let center = ViewPoint(321.5, 238.5)

    /// A camera a metre above the ground that looks straight down.
    private func snapshot(_ planes: [PlaneAnchor] = [], features: [EstimatedLandmark] = []) -> WorldSnapshot {
        var frame = sampleFrame(worldFromCamera: lookingDown(from: 1))
        frame.featurePoints = features
        return WorldSnapshot(frame: frame, planes: planes)
    }

    @Test func anExistingPlaneIsTheFirstChoice() throws {
        let world = snapshot([samplePlane("table")], features: [landmark(1, at: Point3(0, 0.3, 0))])
        let placement = try #require(
            world.placement(at: center, in: viewport, ofThingAt: Point3(0, -1, 0), prefersInfinitePlane: true))
        #expect(placement.source == .existingPlane && placement.plane?.name == "table")
        expectClose(placement.position, .zero, tolerance: 1e-12)
    }

    @Test func aTrustedFeatureComesBeforeTheInfinitePlaneUnlessTheThingPrefersThat() throws {
        let world = snapshot(features: [landmark(1, at: Point3(0.02, 0.3, 0))])
        let thing = Point3(3, -0.5, 3)
        let byFeature = try #require(world.placement(at: center, in: viewport, ofThingAt: thing))
        #expect(byFeature.source == .featureInCone && byFeature.plane == nil)
        expectClose(byFeature.position, Point3(0, 0.3, 0), tolerance: 1e-12)
        let dragged = try #require(
            world.placement(at: center, in: viewport, ofThingAt: thing, prefersInfinitePlane: true))
        #expect(dragged.source == .infinitePlane)
        expectClose(dragged.position, Point3(0, -0.5, 0), tolerance: 1e-12)
        // Without a place of its own there is no plane through it.
        let homeless = try #require(world.placement(at: center, in: viewport, prefersInfinitePlane: true))
        #expect(homeless.source == .featureInCone)
    }

    @Test func anyFeatureIsTheLastResort() throws {
        // 45° aside: far outside of the cone.
        let world = snapshot(features: [landmark(1, at: Point3(1, 0, 0))])
        let onPlane = try #require(world.placement(at: center, in: viewport, ofThingAt: Point3(0, -0.5, 0)))
        #expect(onPlane.source == .infinitePlane)
        let last = try #require(world.placement(at: center, in: viewport))
        #expect(last.source == .anyFeature)
        expectClose(last.position, .zero, tolerance: 1e-12)
        #expect(snapshot().placement(at: center, in: viewport) == nil)
    }
}
