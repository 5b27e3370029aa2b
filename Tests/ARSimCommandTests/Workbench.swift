// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A folder with inputs for the program, good and bad, and the program itself.
final class Workbench: Sendable {
    /// The workbench of the suite that runs.
    @TaskLocal static var current: Workbench?

    let folder: TemporaryFolder

    /// How a run of the program ended.
    struct Ending {
        var exitCode: Int32
        var output: String
        var errors: String
    }

    /// A bright rectangle of 100×70 pixels on a dark ground, as a PGM file.
    private static var sheet: Data {
        var pixels = [UInt8](repeating: 40, count: 200 * 150)
        for row in 40..<110 { for column in 50..<150 { pixels[row * 200 + column] = 200 } }
        return Data("P5 200 150 255\n".utf8) + pixels
    }

    /// Makes `scene.yaml`, in which the screen's centre draws on a floor, and `recording`, which is made of it; the same with
    /// an inertial sensor; then damaged copies of the first two.
    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.scene(seconds: 2), to: "scene.yaml")
        try folder.write(
            Self.scene(seconds: 2).replacingOccurrences(of: "seed: 1", with: "seed: one"), to: "bad scene.yaml")
        try folder.write(Self.scene(seconds: 2) + "imu: {preset: phone}\n", to: "inertial scene.yaml")
        try folder.write("o stroke", to: "no scene.yaml")
        try Data([0xff, 0xfe, 0x00]).write(to: folder("bytes.yaml"))
        try folder.write("faults:\n  - darkness: {from_s: 0.5, to_s: 1}\n", to: "faults.yaml")
        try folder.write("- flash:\n- darkness: {light: much}\n", to: "bad faults.yaml")
        try folder.write(
            Self.scene(seconds: 2) + "faults: [{interruption: {from_s: 1, to_s: 1.5}}]\n", to: "faulty scene.yaml")
        try folder.write("1.5 0 0 0 0 0 0 1\n", to: "poses.tum")
        try folder.write("1.5 0 0 0 0 0 0 1\n1.6 0 0 zero 0 0 0 1\n", to: "bad poses.tum")
        try folder.write("9.5 0 0 0 0 0 0 1\n", to: "late poses.tum")
        try folder.write("format: arsim-budget/1\nate_rmse_m: 1e-6\nmatched_frames_min: 20\n", to: "budget.yaml")
        try folder.write("format: arsim-budget/1\nate_rmse_m: 1e-6\nmatched_frames_min: 21\n", to: "tight budget.yaml")
        try folder.write("format: arsim-budget/1\nate_rmse_cm: 1\n", to: "bad budget.yaml")
        for name in ["empty", "sheets"] {
            try FileManager.default.createDirectory(at: folder(name), withIntermediateDirectories: true)
        }
        // The same picture several times, once with the name that a copy's drawing might take.
        for name in ["sheet.pgm", "sheet-2.pgm", "sheets/sheet.pgm", "sheets/drawn.png"] {
            try Self.sheet.write(to: folder(name))
        }
        try (Data("P5 16385 2 255\n".utf8) + Data(count: 2 * 16385)).write(to: folder("wide.pgm"))
        _ = try run(["simulate", "scene.yaml", "-o", "recording"])
        _ = try run(["simulate", "inertial scene.yaml", "-o", "inertial recording"])
        _ = try run(["replay", "recording", "-o", "pinned"])
        _ = try run([
            "mutate", "recording", "-o", "late", "--fault", "doubled: {sensor: camera, from_s: 1, delay_s: 0.05}",
        ])
        for copy in ["no frames", "one frame", "no poses", "cut picture", "Größe äußerst"] {
            try FileManager.default.copyItem(at: folder("recording"), to: folder(copy))
        }
        try FileManager.default.createSymbolicLink(at: folder("link"), withDestinationURL: folder("recording"))
        try keepRows(1, of: "no frames/mav0/cam0/data.csv")
        try keepRows(2, of: "one frame/mav0/cam0/data.csv")
        for file in ["truth.jsonl", "mav0/state_groundtruth_estimate0"] {
            try FileManager.default.removeItem(at: folder("no poses/\(file)"))
        }
        let picture = folder("cut picture/mav0/cam0/data/1500000000.png")
        try Data(contentsOf: picture).prefix(60).write(to: picture)
    }

    private func keepRows(_ count: Int, of table: String) throws {
        let lines = try String(contentsOf: folder(table), encoding: .utf8).split(separator: "\n")
        try folder.write(lines.prefix(count).joined(separator: "\n") + "\n", to: table)
    }

    /// A camera over a floor, ten frames a second.
    static func scene(seconds: Int) -> String {
        """
        format: arsim-scene/1
        name: tiny
        summary: A camera moves over a floor.
        seed: 1
        duration_s: \(seconds)
        camera: {size_px: [32, 24], rate_hz: 10, focal_px: [30, 30], principal_point_px: [15.5, 11.5]}
        camera_path:
          interval_s: \(seconds)
          waypoints:
            - {position_m: [0, 1, 1], look_at_m: [0, 0, 0]}
            - {position_m: [0.5, 1, 1], look_at_m: [0.3, 0, 0.1]}
        light: {direction: [0, 1, 0]}
        materials: [{name: grey, kind: plain, color_srgb: [0.5, 0.5, 0.5]}]
        quads: [{name: floor, center_m: [0, 0, 0], size_m: [4, 4], material: grey}]
        planes: [{name: floor, surface: floor, classification: floor}]

        """
    }

    /// Starts the program in the folder; what it prints goes to these files.
    func start(_ arguments: [String], output: URL, errors: URL) throws -> Process {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("arsim")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        return process
    }

    /// Runs the program in the folder to its end.
    func run(_ arguments: [String]) throws -> Ending {
        let (output, errors) = (folder("\(UUID()).output"), folder("\(UUID()).errors"))
        let process = try start(arguments, output: output, errors: errors)
        process.waitUntilExit()
        return Ending(
            exitCode: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }
}

/// Gives a suite one workbench, which is removed when the suite ends.
struct AtWorkbench: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Workbench.$current.withValue(try Workbench()) { try await function() }
    }
}

extension Trait where Self == AtWorkbench {
    static var atWorkbench: Self { Self() }
}
