// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import TestSupport
import Testing

@testable import ARTracking

/// Where the followed points are found to be, among points instead of pictures: the estimator's poses with all their errors.
@Suite struct FollowedPointsTests {
    /// How far a point is from where it was believed to be.
    private struct PointError {
        var id: UInt64
        /// Along the line of sight, as a share of the distance, and in standard deviations.
        var share: Double
        var deviations: Double
    }

    /// The errors at a frame: for a camera that is where it is believed to be.
    private static func errors(_ run: PointCloudRun, _ frame: PointCloudSession.Frame) -> [PointError]? {
        guard let odometry = run.odometry, !odometry.isProvisional else { return nil }
        let truth = run.session.state(at: frame.seconds).worldFromBody * run.session.calibration.imuFromOptical
        let found = odometry.filter.worldFromOptical
        let places = Dictionary(uniqueKeysWithValues: zip(frame.points.map(\.id), frame.places))
        return run.followed.places(odometry).map { point in
            let offset = found * (truth.inverse * places[point.id]!) - found.translation
            let ray = offset.normalized()!
            let error = ray.dot(point.position - found.translation - offset)
            let deviation = ray.dot(point.covariance * ray).squareRoot()
            return PointError(id: point.id, share: error / offset.length, deviations: error / deviation)
        }
    }

    /// From when the velocity is known as well as a normal frame asks for, more than half of the points have a place, half of
    /// these are off by less than 1.5 % of their distance and nine in ten by less than 6 %, and few by more than three times
    /// what they are said to be: the poses' own errors, which points of a frame share, make them more than the 0.3 % of
    /// independent ones.
    @Test(.tags(.slow), .whenSlowTestsRun, arguments: OdometryTests.paths, [1, 2]) func areManyAccurateAndKnowHowMuch(
        path: String, seed: Int
    ) throws {
        let session = try OdometryTests.session(path, seconds: 8, seed: UInt64(seed))
        var run = PointCloudRun(session)
        var (errors, seen): ([PointError], Int) = ([], 0)
        session.forEachFrame { frame, history in
            run.step(frame, history: history)
            guard let found = Self.errors(run, frame),
                run.odometry!.filter.deviation.velocity < TrackingThresholds().velocityDeviation
            else { return }
            errors += found
            seen += frame.points.count
        }
        #expect(Double(errors.count) > 0.5 * Double(seen))
        let shares = errors.map { abs($0.share) }.sorted()
        #expect(shares[shares.count / 2] < 0.015)
        #expect(shares[shares.count * 9 / 10] < 0.06)
        #expect(Double(errors.count { abs($0.deviations) > 3 }) < 0.15 * Double(errors.count))
    }

    /// Nothing is given before the motion is known, and then in the order of ids, only of points that the frame shows.
    @Test func areThoseOfTheFrame() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 3)
        var run = PointCloudRun(session)
        var given = 0
        session.forEachFrame { frame, history in
            run.step(frame, history: history)
            guard let odometry = run.odometry, !odometry.isProvisional else { return }
            let ids = run.followed.places(odometry).map(\.id)
            #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
            #expect(Set(ids).isSubset(of: frame.points.map(\.id)))
            given += ids.count
        }
        #expect(given > 1000)
    }
}
