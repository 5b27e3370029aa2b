// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct ImageFileTests {
    static func randomImage(_ format: PixelFormat, width: Int, height: Int, case number: Int) -> ImageBuffer {
        var random = TestRandom(case: number)
        var image = ImageBuffer(size: ImageSize(width: width, height: height), format: format)
        for index in image.bytes.indices { image.bytes[index] = UInt8.random(in: 0...255, using: &random) }
        return image
    }

    // Noise is the worst case of compression, so it also tries the bound on the buffer.
    @Test(arguments: PixelFormat.allCases, [(1, 1), (3, 5), (257, 3), (300, 200)])
    func pngRoundTripIsExactAndRepeatable(_ format: PixelFormat, _ size: (Int, Int)) throws {
        let image = Self.randomImage(format, width: size.0, height: size.1, case: size.0)
        let bytes = ImageFile.encodePNG(image)
        #expect(ImageFile.encodePNG(image) == bytes)
        #expect(try ImageFile.decode(Data(bytes), name: "test") == image)
    }

    @Test func filesAreWrittenReadAndMeasured() throws {
        let folder = try TemporaryFolder()
        let image = Self.randomImage(.rgb8, width: 7, height: 4, case: 1)
        // The name lies on purpose: the content decides.
        try ImageFile.writePNG(image, to: folder("picture.jpg"))
        #expect(try ImageFile.read(folder("picture.jpg")) == image)
        #expect(try ImageFile.size(of: folder("picture.jpg")) == image.size)
        #expect(try folder.names() == ["picture.jpg"])
    }

    @Test(arguments: ImageFixture.pngs) func pngKindsDecode(_ fixture: ImageFixture) throws {
        let image = try ImageFile.decode(fixture.data, name: "test")
        #expect(image.format == fixture.format)
        #expect(image.bytes == fixture.pixels)
    }

    @Test func grayJpegDecodesWithinItsQuantisation() throws {
        let image = try ImageFile.decode(ImageFixture.grayJpeg, name: "test")
        #expect(image.format == .gray8)
        #expect(image.size == ImageSize(width: 8, height: 8))
        for (index, byte) in image.bytes.enumerated() { #expect(abs(Int(byte) - (index % 8 < 4 ? 200 : 50)) <= 1) }
    }

    @Test func colorJpegIsRedThenBlue() throws {
        let image = try ImageFile.decode(ImageFixture.colorJpeg, name: "test")
        #expect(image.format == .rgb8)
        #expect(image.size == ImageSize(width: 16, height: 8))
        #expect(image.bytes[0] > 240 && image.bytes[2] < 15)
        #expect(image.bytes[45] < 15 && image.bytes[47] > 240)
    }

    @Test(arguments: [
        ("P2\n# a comment\n3 1 # another\n100\n0 50 100\n", PixelFormat.gray8, [UInt8](arrayLiteral: 0, 128, 255)),
        ("P3 1 2 255 1 2 3 4 5 6", .rgb8, [1, 2, 3, 4, 5, 6]),
        ("P5 2 1 255 AB", .gray8, [65, 66]),
        ("P6\n1 1\n255\nabc", .rgb8, [97, 98, 99]),
        ("P5 1 1 16705 AA", .gray8, [255]),
    ])
    func netpbmKindsDecode(_ text: String, _ format: PixelFormat, _ pixels: [UInt8]) throws {
        let image = try ImageFile.decode(Data(text.utf8), name: "test")
        #expect(image.format == format)
        #expect(image.bytes == pixels)
    }

    @Test(arguments: [
        Data(ImageFile.encodePNG(randomImage(.gray8, width: 9, height: 9, case: 3))), ImageFixture.grayJpeg,
        ImageFixture.colorJpeg, Data("P5 # c\n 2 2 255\nABCD".utf8), Data("P6 1 1 65535 ABCDEF".utf8),
    ])
    func everyTruncationIsSaidWithItsLength(_ whole: Data) throws {
        for length in 0..<whole.count {
            #expect(throws: ImageFileError.truncated(file: "cut", atByte: length)) {
                try ImageFile.decode(whole.prefix(length), name: "cut")
            }
        }
        #expect(throws: Never.self) { try ImageFile.decode(whole, name: "whole") }
    }

    @Test func everyFlippedBitOfAPngIsNoticed() throws {
        let whole = ImageFile.encodePNG(Self.randomImage(.gray8, width: 4, height: 4, case: 4))
        for index in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << bit
                #expect(throws: ImageFileError.self) { try ImageFile.decode(Data(damaged), name: "damaged") }
            }
        }
    }

    @Test(arguments: [
        ("P5 0 1 255 A", "its size is 0×1"), ("P5 1 1 0 A", "its maxval is 0, not 1…65535"),
        ("P2 1 1 7 8", "a sample is 8, its maxval 7"), ("P5 1 x 255 A", "byte 5 is no digit of its height"),
    ])
    func damagedNetpbmIsExplained(_ text: String, _ reason: String) {
        #expect(throws: ImageFileError.damaged(file: "x", kind: .netpbm, reason: reason)) {
            try ImageFile.decode(Data(text.utf8), name: "x")
        }
    }

    @Test func aHugeSizeIsRefusedBeforeMemoryIsTaken() {
        #expect(throws: ImageFileError.tooLarge(file: "x", size: ImageSize(width: 100_000, height: 100_000))) {
            try ImageFile.decode(Data("P5 100000 100000 255 A".utf8), name: "x")
        }
    }

    @Test func otherFilesAreNamedByTheirFirstBytes() {
        #expect(throws: ImageFileError.unknownFormat(file: "x", firstBytes: Array("GIF89a".utf8))) {
            try ImageFile.decode(Data("GIF89a".utf8), name: "x")
        }
        #expect(ImageFileError.unknownFormat(file: "x", firstBytes: [0, 255]).description.contains("00 ff: x"))
    }

    @Test func aMissingFileIsNamed() throws {
        let folder = try TemporaryFolder()
        let error = ImageFileError.unreadable(file: folder("no.png").path, reason: "No such file or directory")
        #expect(throws: error) { try ImageFile.read(folder("no.png")) }
        #expect(error.description.contains("No such file or directory"))
    }
}

/// Tiny pictures of the kinds that our own writer does not make.
struct ImageFixture: CustomTestStringConvertible {
    let testDescription: String
    let data: Data
    let format: PixelFormat
    let pixels: [UInt8]

    init(_ name: String, _ base64: String, _ format: PixelFormat, _ pixels: [UInt8]) {
        testDescription = name
        data = Data(base64Encoded: base64) ?? Data()
        self.format = format
        self.pixels = pixels
    }

    static let pngs = [
        ImageFixture(
            "grey, 16 bits: 0, 65535, 32896, 256",
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACEAAAAAAHTY67AAAAEklEQVR42mNgYPj/n6GhgZEBABB/AwC/iPDvAAAAAElFTkSuQmCC",
            .gray8, [0, 255, 128, 1]),
        ImageFixture(
            "grey with alpha",
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAQAAABeK7cBAAAADUlEQVR42mPg+n+CAQAEugHSfk9NuAAAAABJRU5ErkJggg==",
            .gray8, [10, 200]),
        ImageFixture(
            "palette of two bits",
            "iVBORw0KGgoAAAANSUhEUgAAAAMAAAABAgMAAABmjvwnAAAACVBMVEUBAgMoMjz/AIA+FnwKAAAACklEQVR42mOQAAAAGgAZgACOuwAAAABJ"
                + "RU5ErkJggg==",
            .rgb8, [1, 2, 3, 40, 50, 60, 255, 0, 128]),
        ImageFixture(
            "colour with alpha",
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAYAAACZgbYnAAAAEklEQVR42mPg5GBnYGBjZfkPAAH6ASdJtG8FAAAAAElFTkSuQmCC",
            .rgb8, [9, 8, 7, 6, 5, 4]),
        ImageFixture(
            "one bit",
            "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABAQAAAADRRzJgAAAACklEQVR42mPYAAAAsgCx+IKSpwAAAABJRU5ErkJggg==",
            .gray8, [255, 0, 255, 255]),
    ]

    static let grayJpeg =
        Data(
            base64Encoded:
                "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
                + "AQEBAQEBAQEBAQEBAQEBAQH/wAALCAAIAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgED"
                + "AwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RF"
                + "RkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJ"
                + "ytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AMf/AIOIP+bQP+7gP/eJ1//Z") ?? Data()

    static let colorJpeg =
        Data(
            base64Encoded:
                "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
                + "AQEBAQEBAQEBAQEBAQEBAQH/2wBDAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
                + "AQEBAQEBAQEBAQEBAQH/wAARCAAIABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAn/xAAUEAEAAAAAAAAAAAAA"
                + "AAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAACf/EABkRAAIDAQAAAAAAAAAAAAAAAAAKSIfHiP/aAAwDAQACEQMRAD8Ai+kO"
                + "BUFl5sc3b2NQwzEO/sUP/9k=") ?? Data()
}
