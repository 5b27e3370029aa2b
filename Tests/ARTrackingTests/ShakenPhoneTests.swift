// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CSolve
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// A real iPhone's samples, as it is shaken by a robot at 6 Hz (Ham, Lucey & Singh 2014, "Hand Waving Away Scale").
@Suite(
    .enabled(
        if: RealData.has("imu_iphone_robot_arm/imu.txt"),
        "the public recording is not here: set ARSIM_DATA to the folder that holds imu_iphone_robot_arm"))
struct ShakenPhoneTests {
    /// A phone that is turned to and fro about a point feels gravity and what that turn makes, (α× + ω×ω×) r at r from the point. With α and ω
    /// from the gyroscope, that explains the accelerometer best where it is taken to be some milliseconds late, in the whole and in each
    /// third of the recording.
    @Test func anAccelerometerIsLate() throws {
        let history = try Self.history()
        let span = try #require(history.span)
        let milliseconds = span.upperBound.nanoseconds(since: span.lowerBound) / 1_000_000
        let (from, to) = (Int64(50), milliseconds - 50)
        let third = (to - from) / 3
        let parts = [from..<to] + (0..<3).map { from + $0 * third..<from + ($0 + 1) * third }
        for (part, range) in parts.enumerated() {
            let lags = (-10...15).map { 0.001 * Double($0) }
            let errors = try lags.map { try Self.error(in: range, of: history, accelerometerLag: $0) }
            let best = try #require(lags.indices.min { errors[$0] < errors[$1] })
            #expect((0.0015...0.009).contains(lags[best]), "part \(part): \(lags[best]) s")
            if part == 0 { #expect((0.003...0.006).contains(lags[best]), "\(lags[best]) s") }
        }
    }

    /// The samples, of which one line names the sensor, three values and the instant in nanoseconds.
    private static func history() throws -> ImuHistory {
        let text = try String(contentsOf: RealData.url("imu_iphone_robot_arm/imu.txt"), encoding: .utf8)
        var readings: [String: [(instant: Int64, value: Vector3)]] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: ",")
            guard fields.count == 5, let instant = Int64(fields[4]) else { continue }
            let numbers = try fields[1...3].map { try #require(Double($0)) }
            readings[String(fields[0]), default: []].append((instant, Vector3(numbers[0], numbers[1], numbers[2])))
        }
        let (rates, forces) = (try #require(readings["Gyroscope"]), try #require(readings["Accelerometer"]))
        #expect(rates.count == 358 && rates.map(\.instant) == forces.map(\.instant))
        var history = ImuHistory(
            calibration: ImuCalibration(
                rateInHertz: 100, gyroscopeNoiseDensity: 1e-4, gyroscopeRandomWalk: 1e-6,
                accelerometerNoiseDensity: 1e-3, accelerometerRandomWalk: 1e-4))
        for (rate, force) in zip(rates, forces) {
            history.insert(
                ImuSample(
                    timestamp: Timestamp(nanoseconds: rate.instant), angularVelocity: rate.value,
                    specificForce: force.value))
        }
        return history
    }

    /// How far the forces, on the average, are from those of the turn about the point, and of the gravity, that explain them best: the root of the
    /// mean square, in m/s².
    private static func error(
        in milliseconds: Range<Int64>, of history: ImuHistory, accelerometerLag: Double
    ) throws -> Double {
        let first = try #require(history.span).lowerBound
        func instant(_ milliseconds: Int64) -> Timestamp { first.advanced(byNanoseconds: milliseconds * 1_000_000) }
        let instants = stride(from: milliseconds.lowerBound, to: milliseconds.upperBound, by: 4).map(instant)
        let turns = history.motions(from: instants[0], to: instants, errors: ImuErrors()).map(\.rotation)
        var (matrix, right, squares) = ([Double](repeating: 0, count: 36), [Double](repeating: 0, count: 6), 0.0)
        for (instant, turn) in zip(instants, turns) {
            let reading = history.reading(at: instant, accelerometerLag: accelerometerLag)
            let spin = Matrix3x3.crossProduct(reading.angularVelocity)
            let byArm = Matrix3x3.crossProduct(history.angularAcceleration(at: instant)) + spin * spin
            let byGravity = turn.inverse.matrix
            for axis in 0..<3 {
                let row = (0..<3).map { byArm[$0][axis] } + (0..<3).map { byGravity[$0][axis] }
                let force = reading.specificForce[axis]
                squares += force * force
                for i in 0..<6 {
                    right[i] += row[i] * force
                    for j in 0..<6 { matrix[6 * i + j] += row[i] * row[j] }
                }
            }
        }
        var solution = right
        #expect(csolve_solve_positive_definite(matrix, 6, &solution, 1) == CSOLVE_OK)
        let explained = zip(right, solution).reduce(0) { $0 + $1.0 * $1.1 }
        return ((squares - explained) / Double(instants.count)).squareRoot()
    }
}
