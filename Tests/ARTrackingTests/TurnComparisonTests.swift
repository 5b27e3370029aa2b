// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Testing

@testable import ARTracking

/// A gyroscope's bias by pictures.
@Suite struct TurnComparisonTests {
    /// As that of EuRoC's device: within a second it turns by 5°.
    private static let bias = Vector3(-0.0022, 0.0215, 0.077)
    private static let samples = """
        rate_hz: 200, gyroscope_bias_rad_per_s: [\(bias.x), \(bias.y), \(bias.z)], gyroscope_bias_deviation_rad_per_s: 0
        """

    private static func found(_ session: PointCloudSession) -> Vector3 {
        let (frames, history) = session.take()
        return TurnComparison(
            frames, history: history, calibration: CameraState(session.calibration), settings: InitialisationSettings()
        ).gyroscopeBias
    }

    /// A device that stands, one that goes at 0.3 m/s, and one that a hand turns about a table: the bias is found to within a fraction of it.
    @Test(arguments: [
        ("{kind: standstill, position_m: [0, 1.2, 0], look_at_m: [0, 1.2, -2]}", 0.004),
        ("{kind: walk, points_m: [[1.35, 1.5], [-0.2, 1.35], [-1.5, 0.9]], height_m: 1.45, speed_m_per_s: 0.3}", 0.02),
        (OdometryTests.paths[0], 0.02),
    ])
    func slowPicturesTellTheBias(path: String, tolerance: Double) throws {
        let session = try OdometryTests.session(path, seconds: 2, seed: 3, imu: Self.samples)
        #expect((Self.found(session) - Self.bias).length < tolerance)
    }

    /// A search for the beginning of a slow flight with such samples ends at the bias in every window of so many frames; one that begins
    /// as if there were none is lost in some.
    @Test(arguments: [20, 30]) func aFlightBeginsInSpiteOfItsBias(frameCount: Int) throws {
        let session = try OdometryTests.session(
            "{kind: walk, points_m: [[1.35, 1.5], [-0.2, 1.35], [-1.5, 0.9]], height_m: 1.45, speed_m_per_s: 0.3}",
            seconds: 5, seed: 3, imu: Self.samples, camera: "preset: euroc")
        let (frames, history) = session.take()
        let settings = InitialisationSettings()
        var (tried, right) = (0, 0)
        for start in stride(from: 10, to: frames.count - frameCount, by: 10) {
            let window = Array(frames[start..<(start + frameCount)])
            tried += 1
            guard
                let found = MotionAlignment(
                    frames: window, history: history, calibration: CameraState(session.calibration), settings: settings)
            else { continue }
            right += (found.motion.errors.gyroscopeBias - Self.bias).length < 0.003 ? 1 : 0
        }
        #expect(right == tried && tried >= 6)
    }

    /// Without pictures there is no bias.
    @Test func noPointsTellNothing() throws {
        let session = try OdometryTests.session(OdometryTests.paths[0], seconds: 1, seed: 3, imu: Self.samples)
        let (frames, history) = session.take()
        let empty = frames.map { MotionAlignment.Frame(timestamp: $0.timestamp, points: []) }
        let found = TurnComparison(
            empty, history: history, calibration: CameraState(session.calibration), settings: InitialisationSettings())
        #expect(found.gyroscopeBias == .zero)
    }
}
