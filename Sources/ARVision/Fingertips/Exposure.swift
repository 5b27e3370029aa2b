// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import Foundation

/// What a picture's values are multiplied by before they are judged.
///
/// Where what is brightest in a picture is far from white, the picture is dark: colours and edges are judged as those of one that
/// was exposed as long as white takes. Pictures that miss little of white are left as they are. All values are multiplied by one
/// gain, which changes no ratio of two channels. Laws: `ExposureTests`.
struct Exposure: Sendable {
    let gain: Double

    /// The exposure of a picture of format `rgb8`.
    init(of image: ImageBuffer) {
        let missing = Self.missing(image)
        gain = missing < Self.leastGain ? 1 : min(missing, Self.largestGain)
    }

    /// The gain that would make what is brightest in a picture of format `rgb8` nearly white: less than 1 where it is whiter.
    static func missing(_ image: ImageBuffer) -> Double {
        precondition(
            image.format == .rgb8, "fingers are found by their colours: the picture must be rgb8, not \(image.format)")
        var counts = [Int](repeating: 0, count: 256)
        image.bytes.withUnsafeBufferPointer { bytes in
            for y in stride(from: 0, to: image.size.height, by: sampling) {
                for x in stride(from: 0, to: image.size.width, by: sampling) {
                    let at = y * image.bytesPerRow + 3 * x
                    counts[Int(max(bytes[at], bytes[at + 1], bytes[at + 2]))] += 1
                }
            }
        }
        var brighter = counts.reduce(0, +) / brightest
        var value = 255
        while value > 1, brighter >= counts[value] {
            brighter -= counts[value]
            value -= 1
        }
        return nearlyWhite / Double(value)
    }

    private init(gain: Double) { self.gain = gain }

    /// The same for a picture that may have become brighter: what is brightened past white has no colour.
    func limited(for image: ImageBuffer) -> Exposure {
        gain > 1 ? Exposure(gain: min(gain, max(Self.missing(image), 1))) : self
    }

    /// The same, or what makes a picture as bright as an earlier one was, where the camera's exposure has changed since.
    ///
    /// Cameras change their exposure by steps when something bright or dark comes in. A step multiplies hand and ground alike by one
    /// factor (of light; of values, a power of it): where most places have become brighter by one factor, they may show another
    /// ground as well, but then the hand has kept its brightness. Of the two, that is taken in which there is as much of the hand's
    /// colours as in the earlier picture, which was judged as it is. After a step that was seen (`isStepped`), the camera stays at
    /// the new exposure for a while, and the hand is not asked again. What is known of colours is known of the earlier picture; a
    /// little of the change is left for them to learn, so that they come back to this exposure.
    func matching(
        _ image: ImageBuffer, to earlier: ImageBuffer, colors: HandColors, isStepped: Bool = false
    ) -> Exposure {
        guard let ratio = Self.ratio(of: image, to: earlier) else { return self }
        let change = min(max(-log(ratio * gain), -Self.largestChange), Self.largestChange)
        guard abs(change) >= Self.leastChange else { return self }
        let matched = Exposure(gain: min(gain * exp(Self.kept * change), Self.largestGain))
        guard !isStepped else { return matched }
        let before = Exposure(gain: 1).handShare(of: earlier, colors: colors)
        func disagreement(_ exposure: Exposure) -> Double {
            abs(exposure.handShare(of: image, colors: colors) - before)
        }
        return disagreement(matched) <= disagreement(self) + Self.movingShare * before ? matched : self
    }

    /// How much of a hand's colours a picture times the gain has: the evidence for them, 0 where it is against them, in the mean over
    /// a grid of places.
    private func handShare(of image: ImageBuffer, colors: HandColors) -> Double {
        let factor = UInt16((gain * Self.fraction).rounded())
        var (sum, count) = (Float(0), 0)
        image.bytes.withUnsafeBufferPointer { bytes in
            colors.withTable { table in
                func value(_ at: Int) -> UInt8 { Self.scaled(bytes[at], by: factor) }
                for y in stride(from: 0, to: image.size.height, by: Self.sampling) {
                    for x in stride(from: 0, to: image.size.width, by: Self.sampling) {
                        let at = y * image.bytesPerRow + 3 * x
                        sum += max(table.evidence(value(at), value(at + 1), value(at + 2)), 0)
                        count += 1
                    }
                }
            }
        }
        return Double(sum) / Double(max(count, 1))
    }

    /// How much brighter a picture is than an earlier one of the same size: the median over places, most of which show the same
    /// as before; `nil` where too few are neither dark nor white in both, or where they do not agree. An exposure changes all that
    /// stays by one factor, another ground each place by its own.
    static func ratio(of image: ImageBuffer, to earlier: ImageBuffer) -> Double? {
        var counts = [Int](repeating: 0, count: 2 * ratioLimit + 1)
        let steps = logarithms
        image.bytes.withUnsafeBufferPointer { bytes in
            earlier.bytes.withUnsafeBufferPointer { earlierBytes in
                for y in stride(from: 0, to: image.size.height, by: 2 * sampling) {
                    for x in stride(from: 0, to: image.size.width, by: sampling) {
                        let green = y * image.bytesPerRow + 3 * x + 1
                        let (now, then) = (bytes[green], earlierBytes[green])
                        guard measurable.contains(now), measurable.contains(then) else { continue }
                        let step = Int((steps[Int(now)] &- steps[Int(then)] &+ 1 << 15) >> 16)
                        counts[min(max(step, -ratioLimit), ratioLimit) + ratioLimit] += 1
                    }
                }
            }
        }
        let count = counts.reduce(0, +)
        guard count >= fewestPlaces else { return nil }
        var below = 0
        let median = counts.firstIndex {
            below += $0
            return 2 * below >= count
        }
        guard let median else { return nil }
        let agreeing = counts[max(median - agreement, 0)...min(median + agreement, 2 * ratioLimit)].reduce(0, +)
        return agreeing * leastAgreeing < count ? nil : exp(Double(median - ratioLimit) / ratioSteps)
    }

    /// Greens that are neither lost in noise nor near white.
    private static let measurable: ClosedRange<UInt8> = 16...240
    /// Steps of a ratio's logarithm: each is 1.6 %.
    private static let ratioSteps = 64.0
    /// The logarithm of each value from 1 on, in 65,536ths of these steps.
    private static let logarithms: [Int32] = (0..<256).map {
        Int32((65_536 * ratioSteps * log(Double(max($0, 1)))).rounded())
    }
    /// Ratios are counted up to seven and down to a seventh.
    private static let ratioLimit = 128
    /// Ratios agree with their median that lie within so many steps of it, 4 % with rounding …
    private static let agreement = 2
    /// … and one in so many must: with a camera that moves while its exposure changes 22 % did, over another ground as rough as that
    /// of `anotherGroundIsNoOtherExposure` 18 % at most.
    private static let leastAgreeing = 5
    /// A median of so few says nothing of the whole picture.
    private static let fewestPlaces = 50
    /// The logarithm of a change that colours' steps of brightness do not show.
    private static let leastChange = 0.05
    /// Of a factor of three: what changed more is another picture.
    private static let largestChange = 1.1
    /// The part of its colours by which a hand that moves or turns is seen more or less of.
    private static let movingShare = 0.05
    /// The part of a change, in its logarithm, that is taken back.
    private static let kept = 0.9

    /// A picture times the gain, to a 32nd.
    func applied(to image: ImageBuffer) -> ImageBuffer {
        let factor = UInt16((gain * Self.fraction).rounded())
        guard Double(factor) != Self.fraction else { return image }
        var brighter = image
        brighter.bytes = image.bytes.withUnsafeBufferPointer { from in
            [UInt8](unsafeUninitializedCapacity: from.count) { to, count in
                for at in 0..<from.count { to[at] = Self.scaled(from[at], by: factor) }
                count = from.count
            }
        }
        return brighter
    }

    /// A gain is a whole number of these parts, which leaves room in 16 bits: 255 · 8 · 32 is less than 2¹⁶.
    private static let fraction = 32.0

    /// A value times a gain's parts.
    @inline(__always)
    private static func scaled(_ value: UInt8, by factor: UInt16) -> UInt8 {
        UInt8(truncatingIfNeeded: min((UInt16(value) &* factor &+ 16) &>> 5, 255))
    }

    /// One in so many of a picture's pixels may be brighter than what is nearly white: lamps and glare.
    private static let brightest = 100
    private static let nearlyWhite = 250.0
    /// Where no more is missing nothing white need be in view, and brightening moves edges of what it makes white.
    private static let leastGain = 1.5
    /// A picture that is darker shows its noise.
    private static let largestGain = 8.0
    /// Every so many columns and rows are looked at; of two pictures that are compared, every second of these rows.
    private static let sampling = 8
}
