// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Testing

@testable import ARTracking

@Suite struct PictureRepetitionTests {
    /// Whether frames every thirtieth of a second that show these pictures show old ones, for a device that turns at some of them.
    private static func areOld(_ pictures: [UInt8], turning: Range<Int>) -> [Bool] {
        var repetition = PictureRepetition()
        return pictures.enumerated().map { number, value in
            let timestamp = Timestamp(nanoseconds: Int64(number) * 33_333_333)
            let frame = CameraFrame(
                timestamp: timestamp,
                image: ImageBuffer(size: ImageSize(width: 4, height: 3), format: .gray8, filledWith: value))
            guard repetition.beginning(ofPictureOf: frame) != nil else { return false }
            return repetition.isOld(at: timestamp, whenTurned: turning.contains(number))
        }
    }

    /// New pictures are new, whatever the device does; each that comes twice is old once.
    @Test(arguments: [0..<6, 0..<0]) func whatComesTwiceIsOldOnce(turning: Range<Int>) {
        #expect(Self.areOld([1, 2, 3, 1], turning: turning) == [false, false, false, false])
        #expect(Self.areOld([1, 1, 2, 2, 1, 1], turning: turning) == [false, true, false, true, false, true])
    }

    /// A picture that stays while the device turns is old until another comes.
    @Test func aCameraThatStopsShowsOldPictures() {
        let pictures: [UInt8] = [1, 2] + Array(repeating: 2, count: 20) + [3]
        let areOld = [false, false] + Array(repeating: true, count: 20) + [false]
        #expect(Self.areOld(pictures, turning: 0..<pictures.count) == areOld)
    }

    /// A picture that stays while the device rests shows that nothing moves, after a tenth of a second; once the device turns, it is old, and
    /// stays so when the device rests again.
    @Test func aRestingCameraShowsTheSame() {
        let pictures = [UInt8](repeating: 1, count: 10)
        #expect(
            Self.areOld(pictures, turning: 8..<10)
                == [false, true, true, true, false, false, false, false, true, true])
        // Nor does a picture count that has stopped before another came.
        #expect(
            Self.areOld([1, 1, 2, 2, 2, 2, 2, 2], turning: 0..<2)
                == [false, true, false, true, true, true, false, false])
        var repetition = PictureRepetition()
        let image = ImageBuffer(size: ImageSize(width: 4, height: 3), format: .gray8)
        let stamps = (0..<5).map { Timestamp(nanoseconds: $0 * 200_000_000) }
        let begins = stamps.map { repetition.beginning(ofPictureOf: CameraFrame(timestamp: $0, image: image)) }
        #expect(begins == [nil] + Array(repeating: stamps[0], count: 4))
        let isOld = zip(stamps.dropFirst(), [false, true, false]).map { stamp, hasTurned in
            repetition.isOld(at: stamp, whenTurned: hasTurned)
        }
        #expect(isOld == [false, true, true])
    }
}
