// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import ARSensing
import Foundation
import TestSupport
import Testing

/// The recipes that come with arsim, on the data that they are for.
@Suite(.tags(.slow), .whenSlowTestsRun) struct ShippedRecipeTests {
    private static let recipes = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Tools/recipes")
        .standardizedFileURL

    private func convert(_ recipe: String, _ folder: TemporaryFolder) throws -> Recording {
        let recipe = try Recipe(reading: Self.recipes.appendingPathComponent(recipe))
        try recipe.makeRecording(from: RealData.folder, to: folder("recording"))
        return try Recording(opening: folder("recording"))
    }

    @Test(.enabled(if: RealData.has("boofcv_fiducial/chessboard/movie.mjpeg"), "boofcv_fiducial is absent"))
    func theChessboardLiesUnderTheCamera() throws {
        let folder = try TemporaryFolder()
        let recording = try convert("boofcv-chessboard.yaml", folder)
        #expect(recording.frameCount == 142)
        #expect(recording.rig.camera.camera.distortion == [0.05587710526409107, -0.16596851121196668, 0, 0, 0])
        let truths = try recording.allTruths()
        #expect(truths.count == 104)
        #expect(truths.first?.timestamp == Timestamp(nanoseconds: 700_000_000))
        let plane = try #require(recording.declaredPlanes.first)
        for truth in truths {
            let cameraInPlane = plane.worldFromPlane.inverse * truth.worldFromCamera
            #expect((0.1...0.7).contains(cameraInPlane.translation.y))
            // The camera looks down at the board.
            #expect((cameraInPlane.rotation * Vector3(0, 0, -1)).y < -0.4)
        }
    }

    // The inner corners that the reference lists, against those of the plane seen by the recording's poses.
    @Test(.enabled(if: RealData.has("boofcv_fiducial/chessboard/movie.mjpeg"), "boofcv_fiducial is absent"))
    func cornersOfTheBoardProjectOntoTheDetectedOnes() throws {
        let folder = try TemporaryFolder()
        let recording = try convert("boofcv-chessboard.yaml", folder)
        let detected = try referenceCorners()
        var truths = try recording.makeTruthStream()
        var distances: [Double] = []
        var frame = 0
        for case .frame(let cameraFrame) in try recording.allEvents() {
            defer { frame += 1 }
            guard let truth = try truths.truth(at: cameraFrame.timestamp) else { continue }
            for (index, corner) in try #require(detected[frame]).enumerated() {
                let pointInWorld = Point3(0.03 * Double(index % 4), 0, 0.03 * Double(index / 4))
                let pointInOptical = .opticalFromCamera * (truth.worldFromCamera.inverse * pointInWorld)
                let pixel = try #require(recording.rig.camera.camera.project(pointInOptical))
                distances.append(pixel.distance(to: corner))
            }
        }
        #expect(distances.count == 104 * 24)
        distances.sort()
        // The reference's own residual is 0.09 px.
        #expect(distances[distances.count / 2] < 0.15)
    }

    private func referenceCorners() throws -> [Int: [PixelPoint]] {
        let url = RealData.url("boofcv_fiducial/reference/chessboard_movie_pose.csv")
        var corners: [Int: [PixelPoint]] = [:]
        for line in try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst() {
            let parts = line.split(separator: "\"")
            guard parts.count == 2, let frame = Int(line.prefix { $0 != "," }) else { continue }
            corners[frame] = parts[1].split(separator: " ").map { pair in
                let numbers = pair.split(separator: ",").map { Double($0) ?? .nan }
                return PixelPoint(numbers[0], numbers[1])
            }
        }
        return corners
    }

    @Test(.enabled(if: RealData.has("euroc_mh01_clip/sample_video/img.avi"), "euroc_mh01_clip is absent"))
    func theMachineHallHasFramesSamplesPosesAndPlanks() throws {
        let folder = try TemporaryFolder()
        let recording = try convert("euroc-mh01.yaml", folder)
        let events = try recording.allEvents()
        #expect(recording.frameCount == 51)
        #expect(events.count == 51 + 503)
        let truths = try recording.allTruths()
        #expect(truths.count == 29)

        // Gravity: the mean specific force, turned into the world, is close to +g along Y although the camera flies.
        let imuFromCamera = recording.rig.camera.imuFromCamera
        var truthStream = try recording.makeTruthStream()
        var worldFromImu: Rotation?
        var sum = Vector3.zero
        var count = 0.0
        for event in events {
            switch event {
            case .frame(let frame):
                if let truth = try truthStream.truth(at: frame.timestamp) {
                    worldFromImu = (truth.worldFromCamera * imuFromCamera.inverse).rotation
                }
            case .imu(let sample):
                if let worldFromImu {
                    sum += worldFromImu * sample.specificForce
                    count += 1
                }
            case .user: break
            }
        }
        #expect((sum / count - Vector3(0, 9.81, 0)).length < 1)

        // The planks lie below the camera, and the screen's centre looks down at them.
        let plane = try #require(recording.declaredPlanes.first)
        for truth in truths {
            let planeFromCamera = plane.worldFromPlane.inverse * truth.worldFromCamera
            #expect((0.1...0.7).contains(planeFromCamera.translation.y))
            #expect((planeFromCamera.rotation * Vector3(0, 0, -1)).y < -0.1)
        }
    }
}
