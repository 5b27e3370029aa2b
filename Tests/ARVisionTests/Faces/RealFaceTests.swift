// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import CFaces
import Foundation
import TestSupport
import Testing

@testable import ARVision

/// Faces in photographs, and in pictures made of them.
@Suite(.enabled(if: FaceModels.areInstalled, "opencv-data is absent")) struct RealFaceTests {
    private static let group = "faces_dlib/2008_001009.jpg"

    /// Both faces of a photograph, in whichever orientation it was recorded; and their rolls, 10° and 12° by their eyes.
    @Test(
        .enabled(if: RealData.has(group), "faces_dlib is absent"), .tags(.slow), .whenSlowTestsRun,
        arguments: InterfaceOrientation.allCases)
    func facesInEveryOrientation(orientation: InterfaceOrientation) throws {
        let upright = try ImageFile.read(RealData.url(Self.group))
        let back: [InterfaceOrientation: InterfaceOrientation] = [
            .landscapeRight: .landscapeRight, .landscapeLeft: .landscapeLeft, .portrait: .portraitUpsideDown,
            .portraitUpsideDown: .portrait,
        ]
        let recorded = upright.turned(for: try #require(back[orientation]))
        let faces = try FaceDetector(FaceModels()).detect(in: recorded, turnedFor: orientation)
        #expect(faces.count == 2)
        for face in faces {
            let turned = VisionBox(face.box, imageSize: recorded.size, turnedFor: orientation)
            let x = (turned.origin.x + turned.width / 2) * Double(upright.size.width)
            let y = (1 - turned.origin.y - turned.height / 2) * Double(upright.size.height)
            let middles = [Vector2(183, 117), Vector2(170, 259)]
            #expect(middles.contains { ($0 - Vector2(x, y)).length < 20 }, "\(x) \(y)")
            let roll = try #require(face.angles(turnedFor: orientation).roll)
            #expect(abs(roll - 11 * .pi / 180) < 6 * .pi / 180)
        }
    }

    /// A black, a white and a tiny picture show nobody.
    @Test func emptyPictures() throws {
        let detector = try FaceDetector(FaceModels())
        for (side, value) in [(64, UInt8(0)), (64, 255), (21, 128), (3, 9)] {
            let image = ImageBuffer(size: ImageSize(width: side, height: side), format: .gray8, filledWith: value)
            #expect(detector.detect(in: image).isEmpty)
            var tracker = try FaceTracker(FaceModels())
            #expect(tracker.next(image, at: Timestamp(nanoseconds: 0)).isEmpty)
        }
    }

    /// Pictures of odd sizes are searched, or show nobody.
    @Test(arguments: [(16_400, 40), (40, 16_400), (32, 2000), (2000, 21), (33, 33), (25, 24)])
    func oddSizes(width: Int, height: Int) throws {
        let image = ImageBuffer(size: ImageSize(width: width, height: height), format: .gray8, filledWith: 90)
        #expect(try FaceDetector(FaceModels()).detect(in: image).isEmpty)
        var tracker = try FaceTracker(FaceModels())
        for number in 0..<8 {
            #expect(tracker.next(image, at: Timestamp(nanoseconds: Int64(number) * 50_000_000)).isEmpty)
        }
    }

    /// Faces larger than the picture are not looked for, and no window leaves the range that is asked for.
    @Test func windowsStayInTheRange() throws {
        let models = try FaceModels()
        var random = TestRandom()
        var image = ImageBuffer(size: ImageSize(width: 200, height: 150), format: .gray8)
        for index in image.bytes.indices { image.bytes[index] = UInt8(random.uniform(0...255)) }
        #expect(models.patterns.windows(in: image, sides: 151...400, step: 1.1).isEmpty)
        for sides in [24.0...26, 30...31, 50...150] {
            let windows = models.stumps.windows(in: image, sides: sides, step: 1.1)
            #expect(windows.allSatisfy { sides.contains($0.width_px) })
        }
    }

    /// A kernel that finds more than there was room for is asked again.
    @Test func roomGrows() {
        var calls = 0
        let numbers = [Int](startingWith: 0, room: 4) { numbers, count in
            calls += 1
            for index in 0..<min(9, numbers.count) { numbers[index] = index }
            count = 9
            return true
        }
        #expect(numbers == Array(0..<9) && calls == 2)
        #expect([Int](startingWith: 0, room: 4) { _, _ in false } == nil)
    }

    /// A grey photograph that is stored as colours shows the same faces.
    @Test(.enabled(if: RealData.has(group), "faces_dlib is absent"), .tags(.slow), .whenSlowTestsRun)
    func greyInThreeChannels() throws {
        let gray = try ImageFile.read(RealData.url(Self.group)).gray
        let detector = try FaceDetector(FaceModels())
        #expect(!gray.rgb.hasColor)
        #expect(detector.detect(in: gray.rgb) == detector.detect(in: gray))
    }

    @Test func coloursAreTold() {
        let size = ImageSize(width: 30, height: 20)
        let skin = ImageBuffer(size: size, format: .rgb8, bytes: [UInt8]((0..<600).flatMap { _ in [200, 150, 130] }))
        let gray = ImageBuffer(size: size, format: .rgb8, filledWith: 140)
        #expect(skin.hasColor && !gray.hasColor && !skin.gray.hasColor)
    }

    /// Two faces on a picture that moves to and fro keep their numbers; while one is covered for a second it is held, and
    /// the other goes on; and the same pictures give the same faces.
    @Test(.enabled(if: RealData.has(group), "faces_dlib is absent"), .tags(.slow), .whenSlowTestsRun)
    func numbersLastThroughOcclusion() throws {
        let photograph = try ImageFile.read(RealData.url(Self.group)).gray
        let models = try FaceModels()
        func run() -> [[TrackedFace]] {
            var tracker = FaceTracker(models)
            return (0..<90).map { number in
                let seconds = Double(number) / 20
                let shift = Int((20 * sin(2 * seconds)).rounded())
                var picture = photograph.cropped(
                    left: 30 + shift, top: 40, size: ImageSize(width: 300, height: 320))
                // The upper face is covered from 2 s to 3 s.
                if seconds >= 2, seconds < 3 { picture.cover(columns: 90 - shift..<220 - shift, rows: 20..<130) }
                return tracker.next(picture, at: Timestamp(nanoseconds: Int64(number) * 50_000_000))
            }
        }
        let faces = run()
        #expect(faces == run())
        let before = Set(faces[35].map(\.id))
        #expect(before.count == 2 && faces[35].allSatisfy(\.isSeen))
        #expect(Set(faces[50].map(\.id)) == before && faces[50].count { $0.isSeen } == 1)
        #expect(Set(faces[89].map(\.id)) == before && faces[89].allSatisfy(\.isSeen))
        #expect(Set(faces.flatMap { $0.map(\.id) }) == before)
    }
}

extension ImageBuffer {
    fileprivate mutating func cover(columns: Range<Int>, rows: Range<Int>) {
        for row in rows {
            for column in columns.clamped(to: 0..<size.width) { bytes[row * size.width + column] = 90 }
        }
    }
}
