// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARVision
import Testing

/// Pictures of the means of squares of pixels.
@Suite struct ImageReductionTests {
    private static func randomPicture(_ size: ImageSize, _ format: PixelFormat, seed: UInt64) -> ImageBuffer {
        var random = SeededRandom(seed: seed, purpose: "pictures to be reduced")
        var image = ImageBuffer(size: size, format: format)
        for index in image.bytes.indices { image.bytes[index] = UInt8.random(in: 0...255, using: &random) }
        return image
    }

    /// To within the rounding of the mean and, of colours, of the grey before it; columns and rows that fill no square are left out.
    @Test(arguments: [PixelFormat.gray8, .rgb8], 1...5)
    func aPixelIsTheMeanOfItsSquare(format: PixelFormat, side: Int) {
        for size in [
            ImageSize(width: 40, height: 30), ImageSize(width: 131, height: 67), ImageSize(width: side, height: side),
        ] {
            let picture = Self.randomPicture(size, format, seed: UInt64(size.width))
            let gray = picture.gray
            let reduced = picture.grayMeans(ofSquaresOf: side)
            #expect(reduced.format == .gray8)
            #expect(reduced.size == ImageSize(width: size.width / side, height: size.height / side))
            for row in 0..<reduced.size.height {
                for column in 0..<reduced.size.width {
                    var sum = 0
                    for y in row * side..<(row + 1) * side {
                        for x in column * side..<(column + 1) * side { sum += Int(gray.bytes[y * size.width + x]) }
                    }
                    let mean = Double(sum) / Double(side * side)
                    let found = Double(reduced.bytes[row * reduced.size.width + column])
                    #expect(
                        abs(found - mean) <= (format == .gray8 ? 0.5 : 1.5), "\(size), row \(row), column \(column)")
                }
            }
        }
    }
}
