// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct Gray16ImageTests {
    private static func random(width: Int, height: Int) -> Gray16Image {
        var random = TestRandom(case: width)
        let values = (0..<width * height).map { _ in UInt16.random(in: 0 ... .max, using: &random) }
        return Gray16Image(size: ImageSize(width: width, height: height), values: values)
    }

    // Noise is the worst case of compression, so it also tries the bound on the buffer.
    @Test(arguments: [(1, 1), (3, 5), (257, 3), (300, 200)]) func roundTrip(_ size: (Int, Int)) throws {
        let image = Self.random(width: size.0, height: size.1)
        let folder = try TemporaryFolder()
        try image.writePNG(to: folder("image.png"))
        #expect(try Gray16Image(contentsOf: folder("image.png")) == image)
        #expect(image.encodePNG() == image.encodePNG())
        #expect(try folder.names() == ["image.png"])
    }

    /// Others read the same numbers: reduced to 8 bits, a picture keeps its high bytes, rounded.
    @Test func theHighByteComesFirst() throws {
        let image = Gray16Image(size: ImageSize(width: 4, height: 1), values: [0, 257, 0x1234, 65535])
        #expect(try ImageFile.decode(Data(image.encodePNG()), name: "test").bytes == [0, 1, 18, 255])
    }

    @Test func otherPicturesAreRefused() {
        for format in PixelFormat.allCases {
            let image = ImageBuffer(size: ImageSize(width: 2, height: 2), format: format)
            #expect(
                throws: ImageFileError.unsupported(file: "x", kind: .png, feature: "not grey with 16 bits")
            ) {
                try Gray16Image(decoding: Data(ImageFile.encodePNG(image)), name: "x")
            }
        }
        #expect(throws: ImageFileError.unsupported(file: "x", kind: .netpbm, feature: "not grey with 16 bits")) {
            try Gray16Image(decoding: Data("P5 1 1 65535 AB".utf8), name: "x")
        }
    }

    @Test func everyTruncationIsSaidWithItsLength() {
        let whole = Data(Self.random(width: 9, height: 9).encodePNG())
        for length in 0..<whole.count {
            #expect(throws: ImageFileError.truncated(file: "cut", atByte: length)) {
                try Gray16Image(decoding: whole.prefix(length), name: "cut")
            }
        }
    }
}
