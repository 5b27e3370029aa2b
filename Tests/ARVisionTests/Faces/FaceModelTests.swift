// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFaces
import Foundation
import TestSupport
import Testing

@testable import ARVision

@Suite struct FaceModelTests {
    /// What is missing, where it was looked for, and what to install.
    @Test func missingCascadesAreNamed() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: FaceModelError.self) { try FaceModels(folder: folder.url.path) }
        #expect(
            error
                == .missingCascade(
                    name: "haarcascades/haarcascade_frontalface_alt2.xml", searched: [folder.url.path]))
        #expect(error?.description.contains("opencv-data") == true)
    }

    @Test(arguments: ["", "no XML", "<?xml version=\"1.0\"?><opencv_storage></opencv_storage>"])
    func brokenCascadesAreRefused(text: String) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder("haarcascades"), withIntermediateDirectories: true)
        try folder.write(text, to: "haarcascades/haarcascade_frontalface_alt2.xml")
        #expect(
            throws: FaceModelError.brokenCascade(
                path: "\(folder.url.path)/haarcascades/haarcascade_frontalface_alt2.xml")
        ) {
            try FaceModels(folder: folder.url.path)
        }
    }

    @Test(.enabled(if: FaceModels.areInstalled, "opencv-data is absent"))
    func networksThatCannotRunAreRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder("network.onnx").path
        #expect(throws: FaceModelError.missingNetwork(path: path)) { try FaceModels(network: path) }
        try folder.write("no network", to: "network.onnx")
        #expect(throws: FaceModelError.brokenNetwork(path: path)) { try FaceModels(network: path) }
    }

    /// The façade refuses what it cannot use, and says so.
    @Test func badArgumentsAreRefused() {
        var count: Int32 = 0
        var scan = CFacesScan(scale_step: 1, least_side_px: 0, greatest_side_px: 0, least_neighbors: 0)
        var picture = CFacesPicture(pixels: nil, width: 10, height: 10, bytes_per_row: 10, channels: 1)
        #expect(cfaces_open_cascade(nil, nil) == CFACES_INVALID_ARGUMENT)
        #expect(cfaces_scan(nil, &picture, &scan, nil, 0, &count) == CFACES_INVALID_ARGUMENT)
        #expect(cfaces_shrink(&picture, 5, 5, nil) == CFACES_INVALID_ARGUMENT)
        #expect(cfaces_detect(nil, &picture, nil, 0, &count) == CFACES_INVALID_ARGUMENT)
        cfaces_close_cascade(nil)
        cfaces_close_network(nil)
    }

    /// Five points of a head tell its pose.
    @Test(arguments: 0..<10)
    func landmarksTellThePose(number: Int) throws {
        var random = TestRandom(case: number)
        let truth = HeadPose(
            center: random.vector2(100...300), side: random.uniform(40...160),
            cameraFromHead: Rotation(
                EulerAngles(
                    pitch: random.uniform(-0.3...0.3), yaw: random.uniform(-0.5...0.5),
                    roll: random.uniform(-0.6...0.6))))
        let pixels = HeadModel.landmarks.map { truth.pixel(of: $0) }
        let face = CFacesFace(
            box: CFacesWindow(), left_eye_px: (pixels[0].x, pixels[0].y), right_eye_px: (pixels[1].x, pixels[1].y),
            nose_px: (pixels[2].x, pixels[2].y), mouth_left_px: (pixels[3].x, pixels[3].y),
            mouth_right_px: (pixels[4].x, pixels[4].y), score: 0.9)
        let pose = try #require(HeadPose(face))
        #expect(pose.cameraFromHead.angle(to: truth.cameraFromHead) < 0.02)
        #expect(abs(log(pose.side / truth.side)) < 0.02)
    }
}

extension FaceModels {
    /// Whether the cascades lie where they are looked for.
    static let areInstalled = (try? FaceModels()) != nil
}
