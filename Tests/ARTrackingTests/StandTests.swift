// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// What two pictures tell of how an inertial sensor swayed that is mounted beside the camera.
@Suite struct StandTests {
    /// In a room as far away as rooms are, the sway is what it was, wherever the camera sits on the device: nearer than half of
    /// it in nine of ten, and not further off than is said.
    @Test func swaysAsTheSensorDid() throws {
        var random = TestRandom()
        let imuFromOptical = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0.4, -1.1, 0.7)), translation: Vector3(0.3, -0.2, 0.25))
        var (shares, normalised): ([Double], [Double]) = ([], [])
        for _ in 0..<100 {
            let motion = RigidTransform(
                rotation: Rotation(rotationVector: random.vector3() * 0.02),
                translation: random.vector3(-0.03...0.03))
            let firstFromSecond = imuFromOptical.inverse * motion * imuFromOptical
            let sights: [TwoViewMotion.Sight] = (0..<100).compactMap { _ in
                let direction = Vector3(random.uniform(-0.6...0.6), random.uniform(-0.45...0.45), 1)
                let point = direction * (OdometrySettings.restDistance.metres * random.uniform(0.6...1.8))
                guard let before = point.normalized(), let after = (firstFromSecond.inverse * point).normalized()
                else { return nil }
                return TwoViewMotion.Sight(before: before, after: after, deviation: 0.0006)
            }
            let stand = Stand(try #require(TwoViewMotion(sights)), imuFromOptical, noise: 0.0002)
            let error = stand.shift - motion.translation
            shares.append(error.length / (firstFromSecond.translation.length + 0.001))
            normalised.append(error.squaredLength / (stand.positionDeviation * stand.positionDeviation))
        }
        #expect(shares.sorted()[90] < 0.5)
        #expect(normalised.sorted()[90] < ChiSquare.quantile95(degreesOfFreedom: 3))
    }
}
