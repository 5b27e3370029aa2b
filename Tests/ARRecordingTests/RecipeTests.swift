// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRecording
import ARSensing
import Foundation
import TestSupport
import Testing

/// Recipes over small generated logs of other teams' kinds.
@Suite struct RecipeTests {
    static let header = "recipe_version: 1\ncamera:\n"
    static let inlineCalibration = """
          calibration:
            resolution: [4, 2]
            intrinsics: [5, 5, 1.5, 0.5]
            rate_hz: 10

        """

    private func image(_ number: UInt8) -> ImageBuffer {
        var image = ImageBuffer(size: ImageSize(width: 6, height: 4), format: .gray8)
        for index in image.bytes.indices { image.bytes[index] = number &* 30 &+ UInt8(index) }
        return image
    }

    private func makePictures(_ names: [String], in folder: TemporaryFolder) throws {
        try FileManager.default.createDirectory(at: folder("data/pictures"), withIntermediateDirectories: true)
        for (index, name) in names.enumerated() {
            try ImageFile.writePNG(image(UInt8(index)), to: folder("data/pictures/\(name)"))
        }
    }

    private func convert(_ yaml: String, _ folder: TemporaryFolder) throws -> Recording {
        try folder.write(yaml, to: "recipe.yaml")
        try Recipe(reading: folder("recipe.yaml")).makeRecording(from: folder("data"), to: folder("recording"))
        return try Recording(opening: folder("recording"))
    }

    private func frames(_ recording: Recording) throws -> [CameraFrame] {
        try recording.allEvents().compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    @Test func aFolderWithStampsAsNamesIsCropped() throws {
        let folder = try TemporaryFolder()
        try makePictures(["1.5.png", "1.25.png", "2.png"], in: folder)
        let recording = try convert(
            Self.header + """
                  frames: { folder: pictures, crop_px: [1, 2, 4, 2], pixel_format: rgb8 }
                  stamps: { names_in: s }

                """ + Self.inlineCalibration, folder)
        let frames = try frames(recording)
        #expect(frames.map(\.timestamp.nanoseconds) == [1_250_000_000, 1_500_000_000, 2_000_000_000])
        let expected = image(1).bytes[13..<17] + image(1).bytes[19..<23]
        #expect(
            frames[0].image
                == ImageBuffer(size: ImageSize(width: 4, height: 2), format: .gray8, bytes: [UInt8](expected)).rgb)
        #expect(recording.rig.imu == nil)
        #expect(recording.session.madeBy == "arsim convert, recipe recipe.yaml")
        #expect(Recording.validate(recording.folder).findings == [])
    }

    @Test func aListGivesStampsAndPaths() throws {
        let folder = try TemporaryFolder()
        try makePictures(["b.png", "a.png"], in: folder)
        try folder.write("# stamp file\n100 pictures/b.png\n200 pictures/a.png\n", to: "data/list.txt")
        let recording = try convert(
            Self.header + """
                  frames:
                    list: { file: list.txt, columns: [time, file], time_unit: us, time_offset_ns: 7 }
                    crop_px: [0, 0, 4, 2]

                """ + Self.inlineCalibration, folder)
        #expect(try frames(recording).map(\.timestamp.nanoseconds) == [100_007, 200_007])
        #expect(try frames(recording).map { $0.image.bytes[0] } == [0, 30])
    }

    @Test func unitsAndNamedColumnsOfTheImuAreConverted() throws {
        let folder = try TemporaryFolder()
        try makePictures(["0.png"], in: folder)
        try folder.write(
            "#gz,gy,gx,\"note\",t,ax,ay,az\n90,180,360,x,1.5,1,0,-2\n0,0,0,,2.5,0,0,0,extra\n", to: "data/imu.csv")
        let recording = try convert(
            Self.header + """
                  frames: { folder: pictures, crop_px: [0, 0, 4, 2] }
                  stamps: { rate_hz: 10, start_ns: 5 }

                """ + Self.inlineCalibration + """
                    imu:
                      file: imu.csv
                      columns: { time: t, wx: gx, wy: gy, wz: gz, ax: ax, ay: ay, az: az }
                      time_unit: ms
                      acceleration_unit: g
                      angular_velocity_unit: deg/s
                      rate_hz: 100
                      gyroscope_noise_density: 1e-3
                      gyroscope_random_walk: 1e-4
                      accelerometer_noise_density: 1e-2
                      accelerometer_random_walk: 1e-3

                    """, folder)
        let samples = try recording.allEvents().compactMap { if case .imu(let sample) = $0 { sample } else { nil } }
        #expect(samples.map(\.timestamp.nanoseconds) == [1_500_000, 2_500_000])
        expectClose(samples[0].angularVelocity, Vector3(2 * .pi, .pi, .pi / 2), tolerance: 1e-14)
        expectClose(samples[0].specificForce, Vector3(9.80665, 0, -19.6133), tolerance: 1e-14)
        #expect(recording.rig.imu?.rateInHertz == 100)
    }

    // The same camera path told in each of the six ways must become the same poses.
    @Test(arguments: [
        "world_from_imu", "world_from_camera", "world_from_optical", "imu_from_world", "camera_from_world",
        "optical_from_world",
    ])
    func posesInAnyDirectionBecomeTheSame(_ meaning: String) throws {
        let folder = try TemporaryFolder()
        try makePictures(["0.png", "1.png", "2.png"], in: folder)
        var random = TestRandom()
        let imuFromOptical = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, 0, .pi / 2)), translation: Vector3(0.5, 0, -0.25))
        let worldFromImu = (0..<3).map { _ in random.rigidTransform() }
        let body: [String: RigidTransform] = [
            "imu": .identity, "camera": imuFromOptical * .opticalFromCamera, "optical": imuFromOptical,
        ]
        let words = meaning.components(separatedBy: "_from_")
        let imuFromBody = try #require(body[words[0] == "world" ? words[1] : words[0]])
        let rows = worldFromImu.enumerated().map { index, worldFromImu in
            let worldZUpFromBody = RigidTransform.yUpFromZUp.inverse * worldFromImu * imuFromBody
            let told = words[0] == "world" ? worldZUpFromBody : worldZUpFromBody.inverse
            let (q, t) = (told.rotation.coefficients, told.translation)
            return "\(index),\(t.x),\(t.y),\(t.z),\(q.w),\(q.x),\(q.y),\(q.z)"
        }
        try folder.write(rows.joined(separator: "\n"), to: "data/poses.csv")
        let recording = try convert(
            Self.header + """
                  frames: { folder: pictures, crop_px: [0, 0, 4, 2] }
                  stamps: { rate_hz: 1 }

                """ + Self.inlineCalibration + """
                        T_BS: [0, -1, 0, 0.5, 1, 0, 0, 0, 0, 0, 1, -0.25, 0, 0, 0, 1]
                    poses:
                      file: poses.csv
                      columns: [time, tx, ty, tz, qw, qx, qy, qz]
                      time_unit: s
                      gives: \(meaning)
                      world_axes: [x, z, -y]

                    """, folder)
        let truths = try recording.allTruths()
        #expect(truths.count == 3)
        for (truth, worldFromImu) in zip(truths, worldFromImu) {
            // Positions are up to 2 km from the origin; seven products.
            expectClose(
                truth.worldFromCamera, worldFromImu * imuFromOptical * .opticalFromCamera, radians: 1e-13, metres: 1e-11
            )
        }
        // EuRoC's rows say the same.
        try FileManager.default.removeItem(at: folder("recording/truth.jsonl"))
        let rebuilt = try recording.allTruths()
        for (a, b) in zip(rebuilt, truths) {
            expectClose(a.worldFromCamera, b.worldFromCamera, radians: 1e-13, metres: 1e-11)
        }
        #expect(rebuilt.count == 3)
    }

    @Test func gapsLongerThanAllowedStayUnknown() throws {
        let folder = try TemporaryFolder()
        try makePictures((0..<5).map { "\($0).png" }, in: folder)
        try folder.write(
            "0.5 0 0 0 0 0 0 1\n1.5 2 0 0 0 0 0 1\n1.9 0 0 0 0 0 0 1\n3.1 0 0 0 0 0 0 1\n", to: "data/poses.txt")
        let recording = try convert(
            Self.header + """
                  frames: { folder: pictures, crop_px: [0, 0, 4, 2] }
                  stamps: { rate_hz: 1 }

                """ + Self.inlineCalibration + """
                    poses:
                      file: poses.txt
                      columns: [time, tx, ty, tz, qx, qy, qz, qw]
                      time_unit: s
                      gives: world_from_imu
                      world_axes: [x, y, z]
                      longest_gap_ns: 1000000000

                    """, folder)
        // Frame 0 is before the first row, 1 between rows, 2 and 3 in a gap of 1.2 s, 4 after the last row.
        let truths = try recording.allTruths()
        #expect(truths.map(\.timestamp.nanoseconds) == [1_000_000_000])
        #expect(truths.first?.worldFromCamera.translation == Vector3(1, 0, 0))
    }

    @Test func posesAboveALimitStayUnknown() throws {
        let folder = try TemporaryFolder()
        try makePictures((0..<3).map { "\($0).png" }, in: folder)
        try folder.write(
            "frame,x,y,z,a,b,c,rms\n0,1,0,0,0,0,0,0.5\n1,2,0,0,0,0,0,0.51\n2,3,0,0,0,0,0,0\n", to: "data/poses.csv")
        func poses(limit: String) -> String {
            Self.header + """
                  frames: { folder: pictures, crop_px: [0, 0, 4, 2] }
                  stamps: { rate_hz: 1 }

                """ + Self.inlineCalibration + """
                    poses:
                      file: poses.csv
                      columns: { frame: frame, tx: x, ty: y, tz: z, rx: a, ry: b, rz: c, residual: rms }
                      gives: world_from_imu
                      world_axes: [x, y, z]
                      at_most: { \(limit): 0.5 }

                    """
        }
        let truths = try convert(poses(limit: "residual"), folder).allTruths()
        #expect(truths.map(\.worldFromCamera.translation.x) == [1, 3])

        try FileManager.default.removeItem(at: folder("recording"))
        #expect(throws: RecordingError.self) { try convert(poses(limit: "rms"), folder) }
    }

    @Test(arguments: ["center", "corner"]) func kalibrAndBoofcvFilesAreRead(_ origin: String) throws {
        let folder = try TemporaryFolder()
        try makePictures(["0.png"], in: folder)
        try folder.write(
            """
            cam0:
              camera_model: pinhole
              intrinsics: [5, 6, 3.25, 2.25]
              distortion_model: equidistant
              distortion_coeffs: [0.1, 0.01, 0.001, 0.0001]
              resolution: [6, 4]
              T_cam_imu:
              - [0, 1, 0, 0.5]
              - [-1, 0, 0, 0]
              - [0, 0, 1, 0.25]
              - [0, 0, 0, 1]
              timeshift_cam_imu: 0.0025
              rostopic: /cam0

            """, to: "data/chain.yaml")
        let frames =
            Self.header + """
                  frames: { folder: pictures }
                  stamps: { rate_hz: 10 }
                  calibration: { rate_hz: 10, pixel_origin: \(origin), 
                """
        let shift = origin == "corner" ? -0.5 : 0
        let kalibr = try convert(frames + "file: chain.yaml, format: kalibr }\n", folder)
        let camera = kalibr.rig.camera
        #expect(camera.camera.intrinsics == PinholeIntrinsics(fx: 5, fy: 6, cx: 3.25 + shift, cy: 2.25 + shift))
        #expect(camera.camera.distortion == [0.1, 0.01, 0.001, 0.0001])
        expectClose(camera.imuFromOptical * Point3(0.5, 0, 0.25), Point3(0, 0, 0), tolerance: 1e-15)
        expectClose(camera.imuFromOptical.rotation * Vector3(1, 0, 0), Vector3(0, 1, 0), tolerance: 1e-15)
        #expect(kalibr.appliedCameraTimeOffsetNanoseconds == 2_500_000)

        try FileManager.default.removeItem(at: folder("recording"))
        try folder.write(
            """
            pinhole: { fx: 5, fy: 6, cx: 3.25, cy: 2.25, width: 6, height: 4, skew: 0.0 }
            model: pinhole_radial_tangential
            radial_tangential: { radial: [0.1, 0.02, 0.003], t1: 0.01, t2: 0.001 }

            """, to: "data/intrinsic.yaml")
        let boofcv = try convert(frames + "file: intrinsic.yaml, format: boofcv }\n", folder)
        #expect(boofcv.rig.camera.camera.intrinsics == camera.camera.intrinsics)
        #expect(boofcv.rig.camera.camera.distortion == [0.1, 0.02, 0.01, 0.001, 0.003])
    }

    @Test func aPlainPinholeOfBoofcvIsRead() throws {
        let folder = try TemporaryFolder()
        try makePictures(["0.png"], in: folder)
        try folder.write("pinhole: { fx: 5, fy: 6, cx: 3, cy: 2, width: 6, height: 4, skew: 0.0 }\n", to: "data/i.yaml")
        let recording = try convert(
            Self.header + """
                  frames: { folder: pictures }
                  stamps: { rate_hz: 10 }
                  calibration: { rate_hz: 10, pixel_origin: corner, file: i.yaml, format: boofcv }

                """, folder)
        #expect(
            recording.rig.camera.camera == .pinhole(PinholeCamera(PinholeIntrinsics(fx: 5, fy: 6, cx: 2.5, cy: 1.5))))
    }

    // MARK: What is wrong with a recipe or its files

    /// A mistake in a recipe or in the files that it names.
    struct Mistake: CustomTestStringConvertible, Sendable {
        let yaml: String
        let rule: RecordingError.Rule
        let file: String
        let line: Int?

        var testDescription: String { "\(rule) in \(file)" }

        /// A mistake in a whole recipe.
        init(_ rule: RecordingError.Rule, _ file: String, _ line: Int?, recipe: String) {
            (yaml, self.rule, self.file, self.line) = (recipe, rule, file, line)
        }

        /// A mistake in the frames of an otherwise good recipe.
        init(
            _ rule: RecordingError.Rule, _ file: String, _ line: Int?, frames: String, stamps: String = "{ rate_hz: 1 }"
        ) {
            let lines = "  frames: \(frames)\n  stamps: \(stamps)\n"
            self.init(rule, file, line, recipe: RecipeTests.header + lines + RecipeTests.inlineCalibration)
        }

        /// A mistake in the calibration.
        init(_ rule: RecordingError.Rule, _ file: String, _ line: Int?, calibration: String) {
            let lines = "  frames: \(Mistake.goodFrames)\n  stamps: { rate_hz: 1 }\n  calibration: \(calibration)\n"
            self.init(rule, file, line, recipe: RecipeTests.header + lines)
        }

        /// A mistake in the poses.
        init(
            _ rule: RecordingError.Rule, _ file: String, _ line: Int?, poses: String = "table.csv",
            columns: String = "[frame, tx, ty, tz, rx, ry, rz]", axes: String = "[x, y, z]"
        ) {
            let lines = "  frames: \(Mistake.goodFrames)\n  stamps: { rate_hz: 1 }\n" + RecipeTests.inlineCalibration
            let table = "poses:\n  file: \(poses)\n  columns: \(columns)\n"
            let meaning = "  gives: world_from_imu\n  world_axes: \(axes)\n"
            self.init(rule, file, line, recipe: RecipeTests.header + lines + table + meaning)
        }

        static let goodFrames = "{ folder: pictures, crop_px: [0, 0, 4, 2] }"
    }

    static let mistakes: [Mistake] = [
        Mistake(.formatVersion, "recipe.yaml", 1, recipe: "recipe_version: 2\n"),
        Mistake(.malformedDocument, "recipe.yaml", 2, recipe: "recipe_version: 1\ncamra: 5\n"),
        Mistake(.malformedDocument, "recipe.yaml", 1, recipe: "recipe_version: 1\n"),
        Mistake(.malformedDocument, "recipe.yaml", 3, frames: "{ crop_px: [0, 0, 4, 2] }"),
        Mistake(.malformedDocument, "recipe.yaml", 3, frames: "{ folder: pictures, crop_px: [0, -1, 4, 2] }"),
        Mistake(.malformedDocument, "recipe.yaml", 4, frames: "{ folder: pictures }", stamps: "{ rate_hz: 0 }"),
        Mistake(
            .malformedDocument, "recipe.yaml", 4, frames: "{ folder: pictures }", stamps: "{ file: a, columns: [x] }"),
        Mistake(.missingFile, "no", nil, frames: "{ folder: no }"),
        Mistake(.missingFile, "no.avi", nil, frames: "{ video: no.avi }"),
        Mistake(.missingFile, "no.csv", nil, frames: "{ list: { file: no.csv, columns: [time, file] } }"),
        Mistake(.frameWithoutImage, "list.csv", 1, frames: "{ list: { file: list.csv, columns: [time, file] } }"),
        Mistake(.recipe, "0.png", nil, frames: "{ folder: pictures, crop_px: [3, 3, 4, 2] }"),
        Mistake(.imageSize, "mav0/cam0/data.csv", nil, frames: "{ folder: pictures }"),
        Mistake(
            .frameWithoutImage, "stamps.csv", 3, frames: Mistake.goodFrames,
            stamps: "{ file: stamps.csv, columns: [time] }"),
        Mistake(
            .recipe, "a.png", nil, frames: "{ folder: letters, crop_px: [0, 0, 4, 2] }", stamps: "{ names_in: s }"),
        Mistake(.recipe, "recipe.yaml", 10, columns: "[frame, tx, ty, tz, rx, ry, r]"),
        Mistake(.recipe, "recipe.yaml", 10, columns: "[_, tx, ty, tz, rx, ry, rz]"),
        Mistake(.malformedDocument, "recipe.yaml", 11, columns: "[frame, tx, ty]"),
        Mistake(.recipe, "recipe.yaml", 13, axes: "[x, z, y]"),
        Mistake(.recipe, "recipe.yaml", 13, axes: "[x, up, y]"),
        Mistake(.columnCount, "table.csv", 1, poses: "table.csv"),
        Mistake(
            .recipe, "table.csv", 1, columns: "{ frame: a, tx: b, ty: c, tz: d, rx: e, ry: f, rz: g }"),
        Mistake(
            .recipe, "empty.csv", 1, poses: "empty.csv",
            columns: "{ frame: a, tx: b, ty: c, tz: d, rx: e, ry: f, rz: g }"),
        Mistake(.stampOrder, "twice.csv", 2, poses: "twice.csv"),
        Mistake(.malformedDocument, "i.yaml", 1, calibration: "{ file: i.yaml, format: boofcv, rate_hz: 1 }"),
        Mistake(.missingFile, "none.yaml", nil, calibration: "{ file: none.yaml, rate_hz: 1 }"),
        Mistake(.malformedDocument, "recipe.yaml", 5, calibration: "{ rate_hz: 1 }"),
    ]

    @Test(arguments: mistakes) func mistakesAreSaidWithTheirPlace(_ mistake: Mistake) throws {
        let folder = try TemporaryFolder()
        try makePictures(["0.png", "1.png"], in: folder)
        try FileManager.default.createDirectory(at: folder("data/letters"), withIntermediateDirectories: true)
        try ImageFile.writePNG(image(0), to: folder("data/letters/a.png"))
        try folder.write("0\n", to: "data/table.csv")
        try folder.write("0\n1\n2\n", to: "data/stamps.csv")
        try folder.write("", to: "data/empty.csv")
        try folder.write("0 pictures/none.png\n", to: "data/list.csv")
        try folder.write("0,0,0,0,0,0,0\n0,0,0,0,0,0,0\n", to: "data/twice.csv")
        try folder.write("pinhole: { fx: 5, fy: 6, cx: 3, cy: 2, width: 6, height: 4, skew: 0.1 }\n", to: "data/i.yaml")
        let error = try #require(throws: RecordingError.self) { try convert(mistake.yaml, folder) }
        #expect(error.rule == mistake.rule, "\(error)")
        #expect(error.file == mistake.file, "\(error)")
        #expect(error.line == mistake.line, "\(error)")
    }
}
