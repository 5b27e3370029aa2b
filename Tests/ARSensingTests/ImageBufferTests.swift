// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@Suite struct ImageBufferTests {
    static let size = ImageSize(width: 7, height: 3)

    @Test func grayOfGrayIsItself() {
        let picture = ImageBuffer(size: Self.size, format: .gray8, bytes: (0..<21).map { UInt8($0 * 12) })
        #expect(picture.gray == picture)
        #expect(picture.rgb.rgb == picture.rgb)
        // The three weights add up to one, so that grey survives colour.
        #expect(picture.rgb.gray == picture)
        #expect(picture.rgb.bytesPerRow == 3 * picture.bytesPerRow)
    }

    @Test(arguments: 0..<20) func luminanceIsTheRoundedSum(number: Int) {
        var random = TestRandom(case: number)
        let bytes = (0..<63).map { _ in UInt8.random(in: 0...255, using: &random) }
        let gray = ImageBuffer(size: Self.size, format: .rgb8, bytes: bytes).gray
        for (pixel, value) in gray.bytes.enumerated() {
            let rgb = bytes[3 * pixel..<3 * pixel + 3].map(Double.init)
            #expect(abs(Double(value) - (0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2])) <= 0.5 + 1e-12)
        }
    }

    @Test func picturesWithoutPixels() {
        let empty = ImageBuffer(size: ImageSize(width: 0, height: 5), format: .gray8)
        #expect(empty.bytes.isEmpty && empty.rgb.bytes.isEmpty && empty.rgb.gray == empty)
    }

    /// Both factors of a negative size's area may be negative: the number of bytes alone does not give it away.
    @Test func sizesBelowZeroAreRefused() async {
        await #expect(processExitsWith: .failure) {
            _ = ImageBuffer(
                size: ImageSize(width: -2, height: -3), format: .gray8, bytes: [UInt8](repeating: 0, count: 6))
        }
    }

    @Test func arkitAxesDifferFromOpticalOnesByTheirSigns() {
        var random = TestRandom()
        let calibration = CameraCalibration(
            camera: SampleCamera.phone.camera, imageSize: SampleCamera.phone.imageSize,
            imuFromOptical: random.rigidTransform(), rateInHertz: 30)
        let p = random.vector3()
        expectClose(
            calibration.imuFromCamera * p, calibration.imuFromOptical * Vector3(p.x, -p.y, -p.z), tolerance: 1e-12)
    }
}
