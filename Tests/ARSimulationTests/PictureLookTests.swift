// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import Testing

@Suite struct PictureLookTests {
    /// A picture is like itself in any light and turned by a quarter, and hardly like its inverse.
    @Test(arguments: [0, 3, 17]) func lightAndTurnsChangeNothing(number: Int) {
        let picture = Emblem(number: number).image(width: 96)
        for inColor in [false, true] {
            let look = PictureLook(picture, inColor: inColor)
            #expect(look.likeness(to: look) > 0.9999)
            #expect(look.likeness(to: PictureLook(picture.mapped { 20 + $0 / 2 }, inColor: inColor)) > 0.999)
            #expect(look.likeness(to: PictureLook(picture.turned, inColor: inColor)) > 0.9999)
            #expect(look.likeness(to: PictureLook(picture.mapped { 255 - $0 }, inColor: inColor)) < 0.5)
        }
    }

    /// Two emblems with one drawing in other colours are twins in grey and are none in colours; others are none at all.
    @Test func twinsHaveOneDrawing() {
        // Three suns in white on blue, and in gold on green.
        let (blue, green) = (Emblem(number: 93), Emblem(number: 10_916))
        #expect(blue.likeness(to: green, inColor: false) >= Emblem.twinLikeness)
        #expect(blue.likeness(to: green, inColor: true) < Emblem.twinLikeness)
        // Three mountains in white on red, both.
        #expect(Emblem(number: 10).likeness(to: Emblem(number: 11_024), inColor: true) >= Emblem.twinLikeness)
        #expect(Emblem(number: 0).likeness(to: Emblem(number: 1), inColor: false) < 0.8)
    }

    @Test func aPixelHasALook() {
        let plain = ImageBuffer(size: ImageSize(width: 1, height: 1), format: .gray8, filledWith: 9)
        #expect(PictureLook(plain, inColor: true).likeness(to: PictureLook(plain, inColor: false)) == 0)
    }
}

extension ImageBuffer {
    fileprivate func mapped(_ value: (Int) -> Int) -> ImageBuffer {
        ImageBuffer(size: size, format: format, bytes: bytes.map { UInt8(value(Int($0))) })
    }

    /// A square picture in colours, turned by a quarter.
    fileprivate var turned: ImageBuffer {
        var turned = self
        for y in 0..<size.height {
            for x in 0..<size.width {
                for channel in 0..<3 {
                    turned.bytes[x * bytesPerRow + 3 * (size.width - 1 - y) + channel] =
                        bytes[y * bytesPerRow + 3 * x + channel]
                }
            }
        }
        return turned
    }
}
