// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// By how much a picture was exposed too little.
///
/// What is brightest in a picture is nearly white, or the picture is dark. Colours and edges are judged as those of a picture that
/// was exposed as long as that takes: all values times a gain, which changes no ratio of two channels.
struct Exposure: Sendable {
    let gain: Double

    /// The exposure of a picture of format `rgb8`.
    init(of image: ImageBuffer) {
        precondition(
            image.format == .rgb8, "fingers are found by their colours: the picture must be rgb8, not \(image.format)")
        var counts = [Int](repeating: 0, count: 256)
        image.bytes.withUnsafeBufferPointer { bytes in
            for y in stride(from: 0, to: image.size.height, by: Self.sampling) {
                for x in stride(from: 0, to: image.size.width, by: Self.sampling) {
                    let at = y * image.bytesPerRow + 3 * x
                    counts[Int(max(bytes[at], bytes[at + 1], bytes[at + 2]))] += 1
                }
            }
        }
        var brighter = counts.reduce(0, +) / Self.brightest
        var value = 255
        while value > 1, brighter >= counts[value] {
            brighter -= counts[value]
            value -= 1
        }
        gain = min(max(Self.nearlyWhite / Double(value), 1), Self.largestGain)
    }

    private init(gain: Double) { self.gain = gain }

    /// The same for a picture that may have become brighter: what is brightened past white has no colour.
    func limited(for image: ImageBuffer) -> Exposure { Exposure(gain: min(gain, Exposure(of: image).gain)) }

    /// A picture as it would be if it had been exposed enough.
    func applied(to image: ImageBuffer) -> ImageBuffer {
        // In steps that leave room in 16 bits: 255 · 8 · 32 is less than 2¹⁶.
        let factor = UInt16((gain * 32).rounded())
        guard factor > 32 else { return image }
        var brighter = image
        brighter.bytes = image.bytes.withUnsafeBufferPointer { from in
            [UInt8](unsafeUninitializedCapacity: from.count) { to, count in
                for at in 0..<from.count {
                    to[at] = UInt8(truncatingIfNeeded: min((UInt16(from[at]) &* factor &+ 16) &>> 5, 255))
                }
                count = from.count
            }
        }
        return brighter
    }

    /// One in so many of a picture's pixels may be brighter than what is nearly white: lamps and glare.
    private static let brightest = 100
    private static let nearlyWhite = 250.0
    /// A picture that is darker shows its noise.
    private static let largestGain = 8.0
    /// Every so many columns and rows are looked at.
    private static let sampling = 8
}
