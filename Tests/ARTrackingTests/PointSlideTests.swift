// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// Points whose places in the picture wander when they are seen from elsewhere.
@Suite struct PointSlideTests {
    private static let layout = StateLayout(cloneCapacity: 5, landmarkCapacity: 1)
    private static let deviation = 0.3
    /// A slide along a slanting edge, in pixels² a pixel of parallax.
    private static let slide = PixelCovariance(xx: 0.02, xy: 0.011, yy: 0.008)
    private static let reach = VisualInertialFilter.slideReachPixels

    /// A camera that has taken pictures on its way past a landmark.
    private static func filter() -> VisualInertialFilter {
        let calibration = CameraState(
            CameraCalibration(
                camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 480, fy: 480, cx: 320, cy: 240))),
                imageSize: ImageSize(width: 640, height: 480), imuFromOptical: .identity, rateInHertz: 30))
        let start = NavigationState(
            timestamp: Timestamp(nanoseconds: 1_000_000_000), worldFromImu: .identity, velocity: .zero,
            errors: ImuErrors())
        var filter = VisualInertialFilter(
            navigation: start, covariance: DenseMatrix(rows: StartLayout.count, columns: StartLayout.count),
            calibration: calibration,
            layout: layout, gravity: .zero, measurementCapacity: layout.count)
        for slot in 0..<layout.cloneCapacity {
            filter.navigation.worldFromImu.translation = Vector3(0.03, 0.01, 0) * Double(slot)
            filter.addClone(slot, frame: start.timestamp, angularVelocity: .zero, readout: .global)
        }
        filter.landmarks[0] = Landmark(
            id: 1, anchor: 0, coordinates: Vector3(0.1, -0.05, 0.5), imuFromAnchorAxes: .identity)
        return filter
    }

    /// Where the clones see the landmark.
    private static func observations(_ filter: VisualInertialFilter) throws -> [FeatureTrack.Observation] {
        let point = filter.anchored(try #require(filter.landmarks[0])).point
        return try (0..<layout.cloneCapacity).map { slot in
            let pose = try #require(filter.clones[slot]).worldFromImu
            let pixel = try #require(Reprojection(point, rowPose: pose, calibration: filter.calibration)).pixel
            return FeatureTrack.Observation(clone: slot, pixel: pixel, deviationPixels: deviation, slide: slide)
        }
    }

    /// By how many pixels the camera's way from one observation to the next shifts the landmark.
    private static func parallaxes(
        _ filter: VisualInertialFilter, _ observations: [FeatureTrack.Observation]
    ) throws -> [Double] {
        let point = filter.anchored(try #require(filter.landmarks[0])).point
        let views = observations.map { filter.view(of: point, in: $0) }
        return zip(views, views.dropFirst()).map { ($1 - $0).length * 480 }
    }

    /// Places that wander as the camera passes, and noise: what is written of them is as independent as it says, to within
    /// what four thousand tracks tell; by their noise alone the first would be off twice as far as stated, for the
    /// place is meant as the last sees it.
    @Test func slidesAreWhitened() throws {
        let filter = Self.filter()
        let observations = try Self.observations(filter)
        let parallaxes = try Self.parallaxes(filter, observations)
        var random = SeededRandom(seed: 1, purpose: "sliding points")
        var firstSquares = 0.0
        try Self.expectIndependentRows(of: observations, filter) { track in
            let newest = Self.farAside(random.normalPair())
            var place = newest
            for index in observations.indices.reversed() {
                if index < parallaxes.count { place = Self.further(place, parallaxes[index], random.normalPair()) }
                let noise = random.normalPair()
                let error = place - newest + Self.deviation * Vector2(noise.0, noise.1)
                track.observations[index].pixel = PixelPoint(observations[index].pixel.vector + error)
                if index == 0 { firstSquares += error.squaredLength }
            }
        }
        #expect(firstSquares / Double(2 * Self.trials) > 4 * Self.deviation * Self.deviation)
    }

    private static let trials = 4000

    /// Writes what a track says again and again, with errors that `move` adds to its pixels, and expects rows that are independent and
    /// of unit variance.
    private static func expectIndependentRows(
        of observations: [FeatureTrack.Observation], _ filter: VisualInertialFilter,
        moving move: (inout FeatureTrack) -> Void
    ) throws {
        let landmark = try #require(filter.landmarks[0])
        let clones = layout.cameraAndClones
        let rows = 2 * observations.count
        var block = Measurements(of: clones.lowerBound - 3..<clones.upperBound, capacity: rows)
        var sums = [[Double]](repeating: [Double](repeating: 0, count: rows), count: rows)
        for _ in 0..<trials {
            var track = FeatureTrack(id: 1, observations: observations)
            move(&track)
            let isWritten = filter.write(track, as: landmark, into: &block)
            #expect(isWritten)
            for i in 0..<rows {
                for j in 0..<rows { sums[i][j] += block[residual: i] * block[residual: j] / Double(trials) }
            }
        }
        for i in 0..<rows {
            for j in 0..<rows { #expect(abs(sums[i][j] - (i == j ? 1 : 0)) < 0.1) }
        }
    }

    /// Where a patch is found that is seen from anywhere, of normal numbers: half of what two far apart slide.
    private static func farAside(_ normal: (Double, Double)) -> Vector2 {
        let first = slide.xx.squareRoot()
        let common = slide.xy / first
        let second = (slide.yy - common * common).squareRoot()
        return (reach / 2).squareRoot() * Vector2(first * normal.0, common * normal.0 + second * normal.1)
    }

    /// Where it is found some pixels further on.
    private static func further(_ place: Vector2, _ pixels: Double, _ normal: (Double, Double)) -> Vector2 {
        let remains = exp(-pixels / reach)
        return remains * place + (1 - remains * remains).squareRoot() * farAside(normal)
    }

    /// Places that err by how the picture is blurred, and noise: what is written of them is as independent as it says.
    @Test func blurIsWhitened() throws {
        let filter = Self.filter()
        // In growing order, and the order in which the frames have them; as variances along a slanting way.
        let (amounts, order) = ([0.0, 4, 9, 25, 60], [1, 4, 0, 3, 2])
        var observations = try Self.observations(filter)
        for index in observations.indices {
            observations[index].slide = .zero
            observations[index].blur = PixelCovariance(
                along: amounts[order[index]], of: Vector2(0.6, 0.8), across: 0)
        }
        var random = SeededRandom(seed: 2, purpose: "blurred points")
        var secondSquares = 0.0
        try Self.expectIndependentRows(of: observations, filter) { track in
            var errors = [Vector2.zero]
            for (less, more) in zip(amounts, amounts.dropFirst()) {
                let normal = random.normalPair()
                // Along the way three times as much as across.
                let along = (1.5 * VisualInertialFilter.blurShare * (more - less)).squareRoot() * normal.0
                let across = (0.5 * VisualInertialFilter.blurShare * (more - less)).squareRoot() * normal.1
                errors.append(errors[errors.count - 1] + along * Vector2(0.6, 0.8) + across * Vector2(-0.8, 0.6))
            }
            for index in observations.indices {
                let noise = random.normalPair()
                let error =
                    errors[order[index]] - errors[order[order.count - 1]] + Self.deviation * Vector2(noise.0, noise.1)
                track.observations[index].pixel = PixelPoint(observations[index].pixel.vector + error)
                if index == 1 { secondSquares += error.squaredLength }
            }
        }
        #expect(secondSquares / Double(2 * Self.trials) > 4 * Self.deviation * Self.deviation)
    }

    /// Whatever the way of a blur is, places err along it by three times the variance by which they err across, and as much for more blur
    /// as for less.
    @Test func blurPlacesAlongItsWay() {
        for degrees in stride(from: 0.0, to: 180, by: 7.5) {
            let way = Vector2(cos(degrees * .pi / 180), sin(degrees * .pi / 180))
            let usual = PixelCovariance(xx: 3, xy: 1, yy: 2)
            let more = usual + PixelCovariance(along: 10, of: way, across: 0)
            for placed in [more.placeCovariance(blurredAs: usual), usual.placeCovariance(blurredAs: more)] {
                let along = way.x * way.x * placed.xx + 2 * way.x * way.y * placed.xy + way.y * way.y * placed.yy
                #expect(abs(along - 15 * VisualInertialFilter.blurShare) < 1e-12)
                #expect(abs(placed.trace - 20 * VisualInertialFilter.blurShare) < 1e-12)
            }
        }
    }

    /// A landmark's sight that is blurred as it is meant counts as its noise says, and one that is not by as much less as it and those
    /// that follow are found aside, along the way of the blur above all.
    @Test(arguments: [false, true]) func aLandmarkCountsLessInAnotherBlur(isMeantSo: Bool) throws {
        let filter = Self.filter()
        let layout = Self.layout
        var observation = try Self.observations(filter)[0]
        observation.blur = PixelCovariance(along: 25, of: Vector2(0, 1), across: 0)
        let errors = [Vector2(1, 0), Vector2(0, 1)]
        let squares = try errors.map { error in
            var pair = Measurements(of: layout.visual, capacity: 2)
            _ = pair.appendRows(2)
            (pair[residual: 0], pair[residual: 1]) = (error.x / Self.deviation, error.y / Self.deviation)
            try #require(
                filter.whitenBlur(of: observation, meantAs: isMeantSo ? observation.blur : .zero, in: &pair))
            return pair[residual: 0] * pair[residual: 0] + pair[residual: 1] * pair[residual: 1]
        }
        let placed = isMeantSo ? 0 : 25 * VisualInertialFilter.blurShare * VisualInertialFilter.sightsBlurredAlike
        let noise = Self.deviation * Self.deviation
        #expect(abs(1 / squares[0] - noise - placed / 2) < 1e-9)
        #expect(abs(1 / squares[1] - noise - placed * 1.5) < 1e-9)
    }

    /// A landmark that is known exactly is where its picture shows it, to within what it has slid: nothing at first and while the
    /// camera stands, then by the slide's covariance times the way, less the further it is; its distance stays known.
    @Test func aLandmarkSlidesAsItsTrackWould() throws {
        var filter = Self.filter()
        let observations = try Self.observations(filter)
        let own = Self.layout.landmark(0)
        for axis in 0..<3 { filter.covariance.reset(own + axis, variance: 0) }
        let point = filter.anchored(try #require(filter.landmarks[0])).point
        let first = filter.view(of: point, in: observations[0])
        for observation in observations {
            for _ in 0..<2 { filter.slide(landmark: 0, to: observation) }
            let pixels = 480 * (filter.view(of: point, in: observation) - first).length
            let anchored = filter.anchored(try #require(filter.landmarks[0]))
            let pose = try #require(filter.clones[observation.clone]).worldFromImu
            let seen = try #require(Reprojection(anchored.point, rowPose: pose, calibration: filter.calibration))
            let byPlace = [seen.byScaledPoint * anchored.columnAxis, seen.byScaledPoint * anchored.rowAxis]
            var found = PixelCovariance.zero
            for i in 0..<2 {
                for j in 0..<2 {
                    let variance = filter.covariance[own + i, own + j]
                    found.xx += variance * byPlace[i].x * byPlace[j].x
                    found.xy += variance * byPlace[i].x * byPlace[j].y
                    found.yy += variance * byPlace[i].y * byPlace[j].y
                }
            }
            let expected = Self.reach * (1 - exp(-pixels / Self.reach)) * Self.slide
            #expect(abs(found.xx - expected.xx) < 1e-3 * (expected.xx + 1e-9))
            #expect(abs(found.xy - expected.xy) < 1e-3 * (expected.xx + 1e-9))
            #expect(abs(found.yy - expected.yy) < 1e-3 * (expected.xx + 1e-9))
            #expect(filter.covariance[own + 2, own + 2] == 0)
        }
    }

    /// A camera that goes and comes back ten times has gone one way: what it saw a landmark from before is no news.
    @Test func whoComesBackHasNoWay() throws {
        var filter = Self.filter()
        let observations = try Self.observations(filter)
        let own = Self.layout.landmark(0)
        for axis in 0..<3 { filter.covariance.reset(own + axis, variance: 0) }
        for observation in observations { filter.slide(landmark: 0, to: observation) }
        let once = filter.covariance[own, own]
        for observation in (1...10).flatMap({ _ in observations.reversed() + observations }) {
            filter.slide(landmark: 0, to: observation)
        }
        #expect(once > 0)
        #expect(filter.covariance[own, own] == once)
    }

    /// A hand that trembles about a place for twenty seconds is no way: a landmark slides by no more than a pixel or two of it.
    @Test func tremorIsNoWay() throws {
        var filter = Self.filter()
        let observation = try Self.observations(filter)[1]
        let own = Self.layout.landmark(0)
        for axis in 0..<3 { filter.covariance.reset(own + axis, variance: 0) }
        var random = SeededRandom(seed: 1, purpose: "tremor")
        for _ in 0..<600 {
            let shift = random.normalPair()
            // A tenth of a pixel at two metres.
            filter.clones[1]!.worldFromImu.translation = 0.0004 * Vector3(shift.0, shift.1, 0)
            filter.slide(landmark: 0, to: observation)
        }
        #expect(480 * 480 * filter.covariance[own, own] < 3 * Self.slide.xx)
    }

    /// Among points that slide the camera is lost by no more than it says: over three sessions the mean of the normalised squared
    /// error, six for a perfect estimator, stays below twenty; by an estimator that is not told it is more than four times that.
    @Test(.tags(.slow), .whenSlowTestsRun) func slidesAreInTheCovariance() throws {
        let errors = try [true, false].map { isStated in
            try (1...3).reduce(0.0) { sum, seed in
                var session = try OdometryTests.session(OdometryTests.paths[0], seconds: 12, seed: UInt64(seed))
                (session.pixelNoise, session.pixelDeviation) = (0.07, 0.1)
                session.slidePerParallaxPixel = 0.003
                session.isSlideStated = isStated
                var run = PointCloudRun(session)
                session.forEachFrame { frame, history in run.step(frame, history: history) }
                return sum + run.meanNormalizedError / 3
            }
        }
        #expect(errors[0] < 20)
        #expect(errors[1] > 4 * errors[0])
    }
}
