// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import Foundation
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
    /// these are off by less than 1.5 % of their distance and nine in ten by less than 6 %, and, over two sessions, few by more
    /// than three times what they are said to be.
    @Test(.tags(.slow), .whenSlowTestsRun, arguments: OdometryTests.paths) func areManyAccurateAndKnowHowMuch(
        path: String
    ) throws {
        var (errors, seen): ([PointError], Int) = ([], 0)
        for seed in 1...2 {
            let session = try OdometryTests.session(path, seconds: 8, seed: UInt64(seed))
            var run = PointCloudRun(session)
            session.forEachFrame { frame, history in
                run.step(frame, history: history)
                guard let found = Self.errors(run, frame), Self.isVelocityKnown(run) else { return }
                errors += found
                seen += frame.points.count
            }
        }
        #expect(Double(errors.count) > 0.5 * Double(seen))
        let shares = errors.map { abs($0.share) }.sorted()
        #expect(shares[shares.count / 2] < 0.015)
        #expect(shares[shares.count * 9 / 10] < 0.06)
        #expect(Double(errors.count { abs($0.deviations) > 3 }) < 0.05 * Double(errors.count))
    }

    /// Whether the velocity is known as well as a normal frame asks for.
    private static func isVelocityKnown(_ run: PointCloudRun) -> Bool {
        run.odometry.map { $0.filter.deviation.velocity < TrackingThresholds().velocityDeviation } ?? false
    }

    /// What is given is in the order of ids, only of points that the frame shows, and hardly ever moves between two frames by
    /// more than three times what its place was said to be known to, but for what all points move by when the pose is
    /// corrected: less than the pose was said to be known to, and mostly little, from when the velocity is known as well as a
    /// normal frame asks for.
    @Test func areThoseOfTheFrameAndStay() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 3)
        var run = PointCloudRun(session)
        var before: [UInt64: EstimatedLandmark] = [:]
        var (given, jumps) = (0, 0)
        var (corrections, surprises) = ([Double](), [Double]())
        var poseDeviation = (position: 0.0, rotation: 0.0)
        session.forEachFrame { frame, history in
            run.step(frame, history: history)
            guard let odometry = run.odometry, !odometry.isProvisional else { return }
            let points = run.followed.places(odometry)
            #expect(zip(points, points.dropFirst()).allSatisfy { $0.id < $1.id })
            #expect(Set(points.map(\.id)).isSubset(of: frame.points.map(\.id)))
            let stayed = points.compactMap { point in before[point.id].map { (last: $0, now: point) } }
            let moves = stayed.map { $0.now.position - $0.last.position }
            let common = Vector3(
                middle(of: moves.map(\.x)), middle(of: moves.map(\.y)), middle(of: moves.map(\.z)))
            // What a few do is not what all do.
            if stayed.count >= 5, Self.isVelocityKnown(run) {
                let device = odometry.filter.navigation.worldFromImu.translation
                let turned = poseDeviation.rotation * middle(of: points.map { ($0.position - device).length })
                corrections.append(common.length)
                surprises.append(common.length / hypot(poseDeviation.position, turned))
            }
            poseDeviation = (odometry.filter.deviation.position, odometry.filter.deviation.rotation)
            for (pair, move) in zip(stayed, moves) {
                guard let information = pair.last.covariance.inverse else { continue }
                let own = move - common
                given += 1
                if own.dot(information * own) > 14.2 { jumps += 1 }
            }
            before = Dictionary(uniqueKeysWithValues: points.map { ($0.id, $0) })
        }
        #expect(given > 1000)
        #expect(Double(jumps) < 0.05 * Double(given))
        // Soon after the start the heading still changes by a degree, and the scale by a per cent, two metres away.
        #expect(corrections.count > 20)
        #expect(surprises.allSatisfy { $0 < 1 }, "\(surprises.max() ?? 0) deviations")
        #expect(middle(of: corrections) < 0.005)
    }

    /// The value in the middle, or 0 without any.
    private func middle(of values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }

    /// In another world a point is elsewhere, as well known along each of the axes that turned with it.
    @Test(arguments: 0..<20) func movesWithTheWorld(number: Int) {
        var random = TestRandom(case: number)
        let axis = random.direction()
        let point = EstimatedLandmark(
            id: 7, position: random.vector3(), covariance: .identity + Matrix3x3.outerProduct(axis, axis),
            sharedPart: 0.3)
        let otherFromWorld = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let moved = point.moved(by: otherFromWorld)
        let turned = otherFromWorld.rotation * axis
        #expect(moved.id == 7 && moved.sharedPart == 0.3)
        expectClose(moved.position, otherFromWorld * point.position, tolerance: 1e-12)
        expectClose(turned.dot(moved.covariance * turned), 2, tolerance: 1e-9)
    }
}
