// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARSimulation
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// Cameras whose pictures are tracked in fewer pixels than they have.
@Suite struct PictureReductionTests {
    private static func calibration(focal: Double, width: Int, height: Int) -> CameraCalibration {
        let intrinsics = PinholeIntrinsics(
            fx: focal, fy: 1.01 * focal, cx: 0.49 * Double(width), cy: 0.52 * Double(height))
        var calibration = CameraCalibration(
            camera: .radialTangential(RadialTangentialCamera(intrinsics, k1: 0.03, k2: -0.02, p1: 1e-3, p2: -2e-3)),
            imageSize: ImageSize(width: width, height: height), rateInHertz: 30, readoutNanoseconds: 15_000_000,
            imuFromCameraTimeOffsetNanoseconds: 3_000_000)
        calibration.uncertainty.principalPointPixels = 6
        calibration.uncertainty.focalShare = 0.01
        return calibration
    }

    /// Focal lengths come to lie next to 480 pixels; narrow views keep enough of them.
    @Test(arguments: [
        (458.0, 752, 480, 1), (190, 512, 512, 1), (480, 640, 480, 1), (710, 960, 540, 1), (960, 1280, 720, 2),
        (1450, 1920, 1440, 3), (1450, 1920, 1080, 3), (2900, 4032, 3024, 6), (5000, 1280, 720, 2), (5000, 320, 240, 1),
        (50, 16, 12, 1),
    ])
    func focalLengthsComeToLieNextToThoseOfATrackedPicture(focal: Double, width: Int, height: Int, factor: Int) {
        #expect(PictureReduction(for: Self.calibration(focal: focal, width: width, height: height)).factor == factor)
    }

    /// The middle of a tracked pixel is that of the square whose mean it is.
    @Test func aPixelIsInTheMiddleOfItsSquare() {
        let reduction = PictureReduction(for: Self.calibration(focal: 1450, width: 1920, height: 1440))
        #expect(reduction.original(PixelPoint(0, 0)) == PixelPoint(1, 1))
        #expect(reduction.original(PixelPoint(639, 479)) == PixelPoint(1918, 1438))
        let halving = PictureReduction(for: Self.calibration(focal: 960, width: 1280, height: 720))
        #expect(halving.original(PixelPoint(7, 3)) == PixelPoint(14.5, 6.5))
    }

    /// A point's pixel in the tracked picture is, in the camera's own, where the camera sees it.
    @Test func theReducedCameraSeesWhatTheCameraSees() throws {
        let calibration = Self.calibration(focal: 1450, width: 1920, height: 1440)
        let reduction = PictureReduction(for: calibration)
        let reduced = reduction.reduced(calibration)
        #expect(reduced.imageSize == ImageSize(width: 640, height: 480))
        #expect(reduced.uncertainty.principalPointPixels == 2)
        #expect(reduced.uncertainty.focalShare == 0.01)
        var random = SeededRandom(seed: 1, purpose: "points before a camera")
        for _ in 0..<100 {
            let point = Point3(
                .random(in: -0.6...0.6, using: &random), .random(in: -0.4...0.4, using: &random), 1)
            let pixel = try #require(calibration.camera.project(point))
            let found = reduction.original(try #require(reduced.camera.project(point)))
            #expect(found.distance(to: pixel) < 1e-9)
        }
    }

    /// A row of the tracked picture was exposed when the rows whose mean it is were, in the mean.
    @Test func aRowIsExposedWhenItsRowsAre() {
        let calibration = Self.calibration(focal: 1450, width: 1920, height: 1440)
        let reduction = PictureReduction(for: calibration)
        let (own, reduced) = (CameraState(calibration), CameraState(reduction.reduced(calibration)))
        for row in stride(from: 0, to: 480, by: 13) {
            let pixel = PixelPoint(300, Double(row))
            let expected = own.secondsAfterInstant(of: reduction.original(pixel))
            #expect(abs(reduced.secondsAfterInstant(of: pixel) - expected) < 2e-9)
        }
    }

    /// What is estimated of the reduced camera says what the camera's own is.
    @Test(arguments: [(458.0, 752, 480), (960.0, 1280, 720), (1450.0, 1921, 1441)])
    func aCalibrationComesBack(focal: Double, width: Int, height: Int) {
        let calibration = Self.calibration(focal: focal, width: width, height: height)
        let reduction = PictureReduction(for: calibration)
        let back = reduction.original(reduction.reduced(calibration))
        if reduction.factor == 1 { #expect(back == calibration) }
        #expect(back.imageSize == calibration.imageSize)
        #expect(abs(back.readoutNanoseconds - calibration.readoutNanoseconds) <= 1)
        #expect(back.camera.distortion == calibration.camera.distortion)
        let (found, expected) = (back.camera.intrinsics, calibration.camera.intrinsics)
        #expect(abs(found.fx - expected.fx) < 1e-9 && abs(found.fy - expected.fy) < 1e-9)
        #expect(abs(found.cx - expected.cx) < 1e-9 && abs(found.cy - expected.cy) < 1e-9)
        #expect(back.imuFromOptical == calibration.imuFromOptical)
        #expect(abs(back.uncertainty.principalPointPixels! - 6) < 1e-9)
    }

    /// A session with fine pictures is tracked as one whose camera gives their means, and is told in its own pixels.
    @Test(.tags(.slow), .whenSlowTestsRun) func finePicturesAreTrackedAsTheirMeans() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Scenes/table-top.yaml").standardized
        var scene = try Scene(contentsOf: file, settings: [SceneSetting("camera.size_px=[1280,720]")])
        scene.durationSeconds = 2.5
        let session = try SceneSession(scene: scene)
        let reduction = PictureReduction(for: session.rig.camera)
        #expect(reduction.factor == 2)
        var rig = session.rig
        rig.camera = reduction.reduced(rig.camera)

        var (fine, coarse) = (VisualInertialTracker(rig: session.rig), VisualInertialTracker(rig: rig))
        var stream = session.makeStream()
        var compared = 0
        while let event = try stream.next() {
            var reduced = event
            if case .frame(let frame) = event { reduced = .frame(reduction.reduced(frame)) }
            for (found, expected) in zip(fine.process(event), coarse.process(reduced)) {
                #expect(found.trackingState == expected.trackingState)
                #expect(found.worldFromCamera == expected.worldFromCamera)
                #expect(found.motion?.poseCovariance == expected.motion?.poseCovariance)
                #expect(found.featurePoints == expected.featurePoints)
                #expect(found.imageSize == session.rig.camera.imageSize)
                #expect(found.sightings.map(\.id) == expected.sightings.map(\.id))
                for (sighting, other) in zip(found.sightings, expected.sightings) {
                    #expect(sighting.pixel == reduction.original(other.pixel))
                }
                for point in found.featurePoints {
                    let pixel = try #require(expected.project(point.position))
                    #expect(try #require(found.project(point.position)).distance(to: reduction.original(pixel)) < 1e-6)
                }
                if let motion = found.motion {
                    #expect(motion.calibration.imageSize == session.rig.camera.imageSize)
                    #expect(motion.calibration.camera == found.camera)
                    compared += found.trackingState == .normal ? 1 : 0
                }
            }
        }
        #expect(compared > 20)
    }
}
