// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// A flying sensor's real samples, carried from where motion capture saw it to where it saw it a second later.
@Suite(
    .enabled(
        if: RealData.has("euroc_imu_only/V102.txt") && RealData.has("motion/V1_02_medium.csv"),
        "the public flights are not here: set ARSIM_DATA to the folder that holds euroc_imu_only and motion"))
struct RealPropagationTests {
    /// How the samples between two instants are integrated.
    enum Order: CaseIterable {
        /// Each sample's values are held until the next.
        case held
        /// The means of neighbouring samples are held.
        case midpoint
        /// Values change linearly from sample to sample: what tracking does.
        case linear
    }

    /// What a second of samples gives is as good as they and the truth allow: 2.5 cm, mostly from the truth's own velocity,
    /// which no order of integration changes, and less than a tenth of a degree. Holding each sample turns half as far again
    /// astray.
    @Test func aSecondOfSamplesLeadsWhereTheFlightWent() throws {
        let samples = try Self.samples()
        let truth = try Self.truth()
        var errors: [Order: (position: [Double], rotation: [Double])] = [:]
        for start in stride(from: 0, to: truth.count - Self.windowSamples, by: 80) {
            let (first, last) = (truth[start], truth[start + Self.windowSamples])
            for order in Order.allCases {
                guard let end = Self.carried(first, to: last.timestamp, by: samples, order) else { continue }
                errors[order, default: ([], [])].position.append(
                    (end.worldFromImu.translation - last.worldFromImu.translation).length)
                errors[order, default: ([], [])].rotation.append(
                    end.worldFromImu.rotation.angle(to: last.worldFromImu.rotation))
            }
        }
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        let (held, midpoint, linear) = (
            try #require(errors[.held]), try #require(errors[.midpoint]), try #require(errors[.linear])
        )
        #expect(linear.position.count > 200)
        #expect(median(linear.rotation) < 0.0015)
        #expect(median(linear.rotation) < 0.75 * median(held.rotation))
        #expect(median(linear.rotation) <= 1.001 * median(midpoint.rotation))
        #expect(median(linear.position) < 0.03)
        #expect(median(linear.position) < median(held.position))
    }

    /// A second.
    private static let windowSamples = 200

    private static func carried(
        _ state: NavigationState, to end: Timestamp, by samples: [ImuSample], _ order: Order
    ) -> NavigationState? {
        // The same instants are stamped up to a microsecond apart.
        guard let first = samples.firstIndex(where: { $0.timestamp.nanoseconds(since: state.timestamp) > -1000 }),
            let last = samples.lastIndex(where: { $0.timestamp.nanoseconds(since: end) < 1000 }),
            last - first == windowSamples
        else { return nil }
        var motion = PreintegratedMotion(errors: state.errors)
        let densities = PreintegratedMotion.Densities(gyroscope: 2.9e-8, accelerometer: 4e-6)
        for (a, b) in zip(samples[first..<last], samples[(first + 1)...last]) {
            let (from, to) =
                switch order {
                case .held: (a.reading, a.reading)
                case .midpoint: (a.reading.mean(with: b.reading), a.reading.mean(with: b.reading))
                case .linear: (a.reading, b.reading)
                }
            motion.advance(from: from, to: to, seconds: b.timestamp.seconds(since: a.timestamp), densities: densities)
        }
        return state.advanced(by: motion, gravity: Vector3(0, 0, -9.81), to: end)
    }

    private static func samples() throws -> [ImuSample] {
        try rows(of: "euroc_imu_only/V102.txt").map { row in
            ImuSample(
                timestamp: row.timestamp, angularVelocity: Vector3(row.values[0], row.values[1], row.values[2]),
                specificForce: Vector3(row.values[3], row.values[4], row.values[5]))
        }
    }

    private static func truth() throws -> [NavigationState] {
        try rows(of: "motion/V1_02_medium.csv").map { row in
            let v = row.values
            func vector(_ first: Int) -> Vector3 { Vector3(v[first], v[first + 1], v[first + 2]) }
            return NavigationState(
                timestamp: row.timestamp,
                worldFromImu: try RigidTransform(
                    rotation: #require(Rotation(x: v[4], y: v[5], z: v[6], w: v[3])), translation: vector(0)),
                velocity: vector(7), errors: ImuErrors(gyroscopeBias: vector(10), accelerometerBias: vector(13)))
        }
    }

    /// The rows of a file of comma-separated numbers that begin with a stamp in nanoseconds.
    private static func rows(of file: String) throws -> [(timestamp: Timestamp, values: [Double])] {
        try String(contentsOf: RealData.url(file), encoding: .utf8).split(whereSeparator: \.isNewline).compactMap {
            line in
            let cells = line.split(separator: ",")
            guard let stamp = Int64(cells[0]) else { return nil }
            return (Timestamp(nanoseconds: stamp), cells.dropFirst().compactMap { Double($0) })
        }
    }
}

extension ImuSample {
    fileprivate var reading: ImuReading {
        ImuReading(angularVelocity: angularVelocity, specificForce: specificForce)
    }
}

extension ImuReading {
    fileprivate func mean(with other: ImuReading) -> ImuReading {
        ImuReading(
            angularVelocity: (angularVelocity + other.angularVelocity) / 2,
            specificForce: (specificForce + other.specificForce) / 2)
    }
}
