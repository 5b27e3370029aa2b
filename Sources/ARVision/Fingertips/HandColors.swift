// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How much likelier a colour is on the hand than beside it, learnt from pixels of both.
///
/// A colour is the logarithms of red to green and of green to blue, in 32 steps each, which shading leaves alone, and its
/// brightness in 16 steps. The colours of either kind are counted, the counts smoothed, and the logarithm of their ratio is
/// the evidence of a pixel. How rough the picture is there is counted in the same way and speaks with less weight, since it
/// is not independent of the colour. The counts can be carried from picture to picture and fade.
/// - Reference: Jones, Rehg 2002, "Statistical color models with application to skin detection", section 3.
struct HandColors: Sendable {
    private static let hueSteps = 32
    private static let brightnessSteps = 16
    private static let binCount = hueSteps * hueSteps * brightnessSteps
    /// Steps of a logarithm of two channels' ratio: the first begins at −0.3 (red to green) or −0.4 (green to blue).
    private static let stepsPerUnit: Float = 28
    /// What is added to each channel, so that noise in the dark is no colour.
    private static let darkOffset: Float = 8
    /// `stepsPerUnit` times the logarithm of each channel's value.
    private static let logarithms: [Float] = (0..<256).map { stepsPerUnit * logf(Float($0) + darkOffset) }
    /// No single pixel says more than this.
    private static let evidenceLimit: Float = 4

    private static let textureSteps = 20
    private static let textureWeight: Float = 0.6

    private var hand: Counts
    private var other: Counts
    /// ln p(colour | hand) − ln p(colour | other), for each bin.
    private(set) var evidence: [Float]
    /// The same of roughness, weighted.
    private var textureEvidence: [Float]

    /// The shares of one kind's pixels that have each colour, and each roughness.
    private struct Counts {
        var colors: [Float]
        var textures: [Float]

        mutating func move(to new: Counts, rate: Float) {
            for bin in colors.indices { colors[bin] += rate * (new.colors[bin] - colors[bin]) }
            for bin in textures.indices { textures[bin] += rate * (new.textures[bin] - textures[bin]) }
        }
    }

    /// Learns from a picture in which `isHand` names the hand's pixels; those of neither kind count for nothing.
    init(_ picture: ReducedPicture, isHand: (Int) -> Bool?) {
        (hand, other) = Self.count(picture, isHand: isHand)
        evidence = Self.evidence(hand.colors, other.colors)
        textureEvidence = Self.evidence(hand.textures, other.textures).map { Self.textureWeight * $0 }
    }

    /// Lets what was known fade to `1 − rate` and adds what another picture shows.
    mutating func learn(_ picture: ReducedPicture, rate: Float, isHand: (Int) -> Bool?) {
        let (newHand, newOther) = Self.count(picture, isHand: isHand)
        hand.move(to: newHand, rate: rate)
        other.move(to: newOther, rate: rate)
        evidence = Self.evidence(hand.colors, other.colors)
        textureEvidence = Self.evidence(hand.textures, other.textures).map { Self.textureWeight * $0 }
    }

    /// The bin of a colour.
    @inline(__always)
    private static func bin(
        _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ logarithms: UnsafeBufferPointer<Float>
    ) -> Int {
        let middle = logarithms[Int(green)]
        let warm = min(max(Int(logarithms[Int(red)] - middle + 0.3 * stepsPerUnit), 0), hueSteps - 1)
        let yellow = min(max(Int(middle - logarithms[Int(blue)] + 0.4 * stepsPerUnit), 0), hueSteps - 1)
        let brightness = (Int(red) + 2 * Int(green) + Int(blue)) >> 6
        return (warm * hueSteps + yellow) * brightnessSteps + brightness
    }

    /// The evidence of one colour.
    func evidence(of color: SIMD3<Float>) -> Float {
        Self.logarithms.withUnsafeBufferPointer {
            evidence[Self.bin(UInt8(color.x), UInt8(color.y), UInt8(color.z), $0)]
        }
    }

    /// The evidence of each pixel, averaged over 3 × 3 pixels.
    func evidence(of picture: ReducedPicture) -> [Float] {
        var plane = [Float](repeating: 0, count: picture.count)
        picture.bytes.withUnsafeBufferPointer { bytes in
            Self.logarithms.withUnsafeBufferPointer { logarithms in
                evidence.withUnsafeBufferPointer { table in
                    for pixel in 0..<picture.count {
                        plane[pixel] =
                            table[Self.bin(bytes[3 * pixel], bytes[3 * pixel + 1], bytes[3 * pixel + 2], logarithms)]
                            + textureEvidence[Self.textureBin(picture.roughness[pixel])]
                    }
                }
            }
        }
        return plane.averagedOverThree(width: picture.width, height: picture.height)
    }

    /// The bin of a roughness; each is 1.22 times the last.
    @inline(__always)
    private static func textureBin(_ roughness: Float) -> Int {
        // log2 is 0.2 of a bin off at most, by the float's exponent and mantissa.
        let bits = (roughness + 1).bitPattern
        let logarithm = Float(bits) * (1 / Float(1 << 23)) - 127
        return min(Int(3.5 * logarithm), textureSteps - 1)
    }

    private static func count(_ picture: ReducedPicture, isHand: (Int) -> Bool?) -> (hand: Counts, other: Counts) {
        var (hand, other) = ([Float](repeating: 0, count: binCount), [Float](repeating: 0, count: binCount))
        var (handTexture, otherTexture) = (
            [Float](repeating: 0, count: textureSteps), [Float](repeating: 0, count: textureSteps)
        )
        picture.bytes.withUnsafeBufferPointer { bytes in
            logarithms.withUnsafeBufferPointer { logarithms in
                for pixel in 0..<picture.count {
                    guard let isHand = isHand(pixel) else { continue }
                    let bin = bin(bytes[3 * pixel], bytes[3 * pixel + 1], bytes[3 * pixel + 2], logarithms)
                    let texture = textureBin(picture.roughness[pixel])
                    if isHand { hand[bin] += 1 } else { other[bin] += 1 }
                    if isHand { handTexture[texture] += 1 } else { otherTexture[texture] += 1 }
                }
            }
        }
        let (ratios, textures) = (
            [(1, brightnessSteps), (brightnessSteps, hueSteps), (brightnessSteps * hueSteps, hueSteps)],
            [(1, textureSteps)]
        )
        return (
            Counts(colors: smoothedShares(hand, ratios), textures: smoothedShares(handTexture, textures)),
            Counts(colors: smoothedShares(other, ratios), textures: smoothedShares(otherTexture, textures))
        )
    }

    /// Counts smoothed by ¼ ½ ¼ along each measure, twice, as shares of their sum.
    private static func smoothedShares(_ counts: [Float], _ measures: [(stride: Int, steps: Int)]) -> [Float] {
        var (from, to) = (counts, counts)
        for (stride, steps) in measures + measures {
            for bin in counts.indices {
                let place = (bin / stride) % steps
                let before = place > 0 ? from[bin - stride] : from[bin]
                let after = place < steps - 1 ? from[bin + stride] : from[bin]
                to[bin] = 0.5 * from[bin] + 0.25 * (before + after)
            }
            swap(&from, &to)
        }
        let sum = max(from.reduce(0, +), 1)
        return from.map { $0 / sum }
    }

    private static func evidence(_ hand: [Float], _ other: [Float]) -> [Float] {
        // The share that a bin never seen is given: one bin of a flat distribution.
        let floor = 1 / Float(hand.count)
        return zip(hand, other).map { min(max(logf(($0 + floor) / ($1 + floor)), -evidenceLimit), evidenceLimit) }
    }
}

extension [Float] {
    /// The least value of the 5 × 5 about each place of a plane.
    func leastOfFive(width: Int, height: Int) -> [Float] {
        var (rows, result) = (self, self)
        for y in 0..<height {
            let start = y * width
            for x in 0..<width {
                var least = self[start + x]
                for a in Swift.max(x - 2, 0)...Swift.min(x + 2, width - 1) { least = Swift.min(least, self[start + a]) }
                rows[start + x] = least
            }
        }
        for y in 0..<height {
            for b in Swift.max(y - 2, 0)...Swift.min(y + 2, height - 1) where b != y {
                for x in 0..<width { result[y * width + x] = Swift.min(result[y * width + x], rows[b * width + x]) }
            }
            for x in 0..<width { result[y * width + x] = Swift.min(result[y * width + x], rows[y * width + x]) }
        }
        return result
    }

    /// Each value of a plane averaged with its neighbours; at the border, with those that there are.
    func averagedOverThree(width: Int, height: Int) -> [Float] {
        guard width >= 3, height >= 3 else { return self }
        var rows = self
        for y in 0..<height {
            let start = y * width
            rows[start] = (self[start] + self[start + 1]) / 2
            for at in start + 1..<start + width - 1 { rows[at] = (self[at - 1] + self[at] + self[at + 1]) * (1 / 3) }
            rows[start + width - 1] = (self[start + width - 2] + self[start + width - 1]) / 2
        }
        var result = rows
        for x in 0..<width {
            result[x] = (rows[x] + rows[x + width]) / 2
            result[(height - 1) * width + x] = (rows[(height - 2) * width + x] + rows[(height - 1) * width + x]) / 2
        }
        for at in width..<(height - 1) * width {
            result[at] = (rows[at - width] + rows[at] + rows[at + width]) * (1 / 3)
        }
        return result
    }
}
