// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CPatches
import Testing

/// The façade refuses what it cannot work on, and says so.
@Suite struct ArgumentTests {
    private static let pixels = [UInt8](repeating: 90, count: 64 * 48)
    private static let frame = CPatchesFrame(x_px: 30, y_px: 20, step_px: 1, turn_rad: 0)

    private static func withPicture<Result>(
        width: Int32 = 64, height: Int32 = 48, channels: Int32 = 1, _ body: (inout CPatchesPicture) -> Result
    ) -> Result {
        pixels.withUnsafeBufferPointer { pixels in
            var picture = CPatchesPicture(
                pixels: pixels.baseAddress, width: width, height: height, bytes_per_row: 64, channels: channels)
            return body(&picture)
        }
    }

    @Test func everyStatusHasItsMessage() {
        let messages = (0...4).map { String(cString: cpatches_status_message(CPatchesStatus(rawValue: $0))) }
        #expect(Set(messages).count == 5)
    }

    @Test func spectraHaveASizeForEachSide() {
        #expect([16, 32, 48, 64].allSatisfy { cpatches_spectra_floats($0) >= 18 * $0 * $0 })
        #expect([0, 17, 128, -16].allSatisfy { cpatches_spectra_floats($0) == 0 })
    }

    @Test func unusablePicturesAndFramesAreRefused() {
        var light = [Float](repeating: 0, count: Int(CPATCHES_TEMPLATE_PLACES))
        func take(_ picture: inout CPatchesPicture, _ frame: CPatchesFrame) -> CPatchesStatus {
            var frame = frame
            return cpatches_take_template(&picture, &frame, &light)
        }
        #expect(Self.withPicture { take(&$0, Self.frame) } == CPATCHES_OK)
        #expect(light.allSatisfy { $0 == 90 })
        #expect(Self.withPicture(width: 0) { take(&$0, Self.frame) } == CPATCHES_INVALID_ARGUMENT)
        #expect(Self.withPicture(channels: 2) { take(&$0, Self.frame) } == CPATCHES_INVALID_ARGUMENT)
        // Rows of three channels do not fit.
        #expect(Self.withPicture(channels: 3) { take(&$0, Self.frame) } == CPATCHES_INVALID_ARGUMENT)
        for (x, step, turn) in [(Double.nan, 1.0, 0.0), (1e9, 1, 0), (30, 0, 0), (30, 1e3, 0), (30, 1, .infinity)] {
            let frame = CPatchesFrame(x_px: x, y_px: 20, step_px: step, turn_rad: turn)
            #expect(Self.withPicture { take(&$0, frame) } == CPATCHES_INVALID_ARGUMENT)
        }
    }

    /// Far outside, the picture's edge is all that is seen; nothing is read beyond it.
    @Test func framesMayLieOutside() {
        var light = [Float](repeating: 0, count: Int(CPATCHES_TEMPLATE_PLACES))
        for (x, y) in [(-500.0, 20.0), (900, 20), (30, -900), (30, 900), (63.5, 47.5)] {
            for step in [0.3, 1, 7.5] {
                var frame = CPatchesFrame(x_px: x, y_px: y, step_px: step, turn_rad: 0.4)
                let status = Self.withPicture { cpatches_take_template(&$0, &frame, &light) }
                #expect(status == CPATCHES_OK)
                #expect(light.allSatisfy { $0 == 90 })
            }
        }
    }
}
