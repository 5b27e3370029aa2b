// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CVision
import Testing

/// What the reduction of a picture refuses.
@Suite struct ReductionTests {
    private static func status(
        width: Int32 = 6, height: Int32 = 4, bytesPerRow: Int32 = 6, channels: Int32 = 1, side: Int32 = 2
    ) -> CVisionStatus {
        let pixels = [UInt8](repeating: 7, count: 72)
        var means = [UInt8](repeating: 0, count: 24)
        return pixels.withUnsafeBufferPointer {
            var picture = CVisionPicture(
                pixels: $0.baseAddress, width: width, height: height, bytes_per_row: bytesPerRow, channels: channels)
            return cvision_reduce_picture(&picture, side, &means)
        }
    }

    @Test func squaresLieInThePicture() {
        #expect(Self.status() == CVISION_OK)
        #expect(Self.status(side: 4) == CVISION_OK)
        for side: Int32 in [-1, 0, 5] { #expect(Self.status(side: side) == CVISION_INVALID_ARGUMENT) }
    }

    @Test func picturesHaveAValidShape() {
        #expect(Self.status(width: 0) == CVISION_INVALID_ARGUMENT)
        #expect(Self.status(height: -4) == CVISION_INVALID_ARGUMENT)
        #expect(Self.status(bytesPerRow: 5) == CVISION_INVALID_ARGUMENT)
        #expect(Self.status(channels: 2) == CVISION_INVALID_ARGUMENT)
        #expect(Self.status(channels: 3) == CVISION_INVALID_ARGUMENT)
        #expect(Self.status(bytesPerRow: 18, channels: 3) == CVISION_OK)
        var means: UInt8 = 0
        #expect(cvision_reduce_picture(nil, 1, &means) == CVISION_INVALID_ARGUMENT)
        let withoutMeans = withUnsafePointer(to: &means) { pixel in
            var picture = CVisionPicture(pixels: pixel, width: 1, height: 1, bytes_per_row: 1, channels: 1)
            return cvision_reduce_picture(&picture, 1, nil)
        }
        #expect(withoutMeans == CVISION_INVALID_ARGUMENT)
    }
}
