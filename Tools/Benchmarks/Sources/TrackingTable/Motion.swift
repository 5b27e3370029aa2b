// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// A recorded motion, the scene in which it is replayed, and the accuracy that is asked for.
struct Motion: Sendable {
    /// What the table calls it: the motion's file without its ending.
    let name: String
    /// How long it lasts, in whole seconds.
    let seconds: Double
    /// The largest root of the mean square position error that is asked for, in metres.
    let positionLimit: Double
    /// The same of the rotation, in radians.
    let rotationLimit: Double

    private let sceneName: String
    private let body: String
    private let device: [String]

    /// What the scene shows of the motion.
    /// - Parameters:
    ///   - start: seconds after the motion's beginning at which the scene begins.
    ///   - seed: what the sensors' noise and errors are drawn from.
    ///   - ownSurfaces: whether the surfaces' patterns are drawn from it, too; otherwise what there is to see is the same
    ///     with every seed.
    func scene(
        folder: URL, from start: Double = 0, seconds: Double, seed: UInt64, ownSurfaces: Bool = false
    ) throws -> Scene {
        let file = folder.appendingPathComponent(name + ".txt").resolvingSymlinksInPath().path
        let settings =
            [
                "camera_path.file='\(file)'", "camera_path.body=\(body)", "camera_path.start_s=\(start)",
                "duration_s=\(seconds)", "sensor_seed=\(seed)",
            ] + (ownSurfaces ? ["seed=\(seed)"] : []) + device
        return try Scene(
            contentsOf: URL(fileURLWithPath: "Scenes/\(sceneName).yaml"),
            settings: settings.map { try SceneSetting($0) })
    }
}

extension Motion {
    /// Every motion of the table, in its order.
    static let all = [
        handHeldTable("table_01", seconds: 81), handHeldTable("table_02", seconds: 95),
        handHeldTable("table_03", seconds: 231), handHeldRoom("dataset-room1_512_16", seconds: 141),
        handHeldRoom("dataset-room2_512_16", seconds: 144),
        flight("V1_01_easy", seconds: 144, scene: "replayed-motion", centimetres: 1.5),
        flight("V1_02_medium", seconds: 83, scene: "replayed-motion", centimetres: 1.5),
        flight("MH_03_medium", seconds: 131, scene: "replayed-flight", centimetres: 5),
    ]

    /// An AR session around a table. The file's poses look down at it along +Z with the picture upright, as a camera's do.
    private static func handHeldTable(_ name: String, seconds: Double) -> Motion {
        Motion(
            name, seconds: seconds, centimetres: 1, degrees: 0.5, scene: "replayed-motion", body: "optical",
            device: ["imu={preset: phone, rate_hz: 200}"])
    }

    /// A device that is carried through a room. The file's poses are those of TUM-VI's inertial sensor, along whose −Y the
    /// cameras look and whose +Z is their up; the phone's camera is mounted in the same way, and as near to its sensor as
    /// ever.
    private static func handHeldRoom(_ name: String, seconds: Double) -> Motion {
        let mounting = "[-1, 0, 0, 0.005, 0, 0, -1, 0.006, 0, -1, 0, -0.002, 0, 0, 0, 1]"
        return Motion(
            name, seconds: seconds, centimetres: 2, degrees: 0.7, scene: "replayed-motion", body: "imu",
            device: ["imu={preset: phone, rate_hz: 200, imu_from_optical: \(mounting)}"])
    }

    /// A flight of EuRoC's drone, whose inertial sensor's poses the file holds.
    private static func flight(_ name: String, seconds: Double, scene: String, centimetres: Double) -> Motion {
        Motion(
            name, seconds: seconds, centimetres: centimetres, degrees: 0.5, scene: scene, body: "imu",
            device: ["camera={preset: euroc}", "imu={preset: euroc}"])
    }

    private init(
        _ name: String, seconds: Double, centimetres: Double, degrees: Double, scene: String, body: String,
        device: [String]
    ) {
        self.name = name
        self.seconds = seconds
        positionLimit = centimetres / 100
        rotationLimit = degrees * .pi / 180
        sceneName = scene
        self.body = body
        self.device = device
    }
}
