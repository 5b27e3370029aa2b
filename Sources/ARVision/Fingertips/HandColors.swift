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
    private static let stepsPerUnit = 28.0
    /// What is added to each channel, so that noise in the dark is no colour.
    private static let darkOffset = 8.0
    /// The logarithm of each channel's value, in 65,536ths of a step.
    private static let logarithms: [Int32] = (0..<256).map {
        Int32((65_536 * stepsPerUnit * log(Double($0) + darkOffset)).rounded())
    }
    /// Where the first step of red to green begins.
    private static let firstWarm = Int32(65_536 * stepsPerUnit * -0.3)
    /// Where the first step of green to blue begins.
    private static let firstYellow = Int32(65_536 * stepsPerUnit * -0.4)
    /// No single pixel says more than this.
    private static let evidenceLimit: Float = 4

    private static let textureSteps = 20
    private static let textureWeight: Float = 0.6

    /// The part of a hue's share that may come at any brightness.
    private var hueWeight: Float = 0
    private static let hueWeightInOtherLight: Float = 0.02

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

    /// From now on a hue is evidence at any brightness: of pictures to come, the light and the exposure are not known.
    mutating func expectOtherLight() {
        hueWeight = Self.hueWeightInOtherLight
        weighColors()
    }

    /// Lets what was known fade to `1 − rate` and adds what another picture shows.
    mutating func learn(_ picture: ReducedPicture, rate: Float, isHand: (Int) -> Bool?) {
        let (newHand, newOther) = Self.count(picture, isHand: isHand)
        hand.move(to: newHand, rate: rate)
        other.move(to: newOther, rate: rate)
        weighColors()
        textureEvidence = Self.evidence(hand.textures, other.textures).map { Self.textureWeight * $0 }
    }

    /// Moves what is known of the colours of some pixels, and of those like them, towards how often they were seen now.
    ///
    /// Other colours stay as they are: what a few pixels do not show may be elsewhere on the hand, or beside it.
    mutating func learn(hand handPixels: [SIMD3<UInt8>], other otherPixels: [SIMD3<UInt8>], rate: Float) {
        var seen = SeenBins(count: Self.binCount)
        Self.logarithms.withUnsafeBufferPointer { logarithms in
            for (pixels, unit) in [(handPixels, SIMD2<Float>(1, 0)), (otherPixels, SIMD2<Float>(0, 1))] {
                let share = unit / Float(max(pixels.count, 1))
                for pixel in pixels {
                    let bin = Self.bin(pixel.x, pixel.y, pixel.z, logarithms)
                    seen.add(0.4 * share, to: bin)
                    for (stride, steps) in Self.measures {
                        let place = bin / stride % steps
                        if place > 0 { seen.add(0.1 * share, to: bin - stride) }
                        if place < steps - 1 { seen.add(0.1 * share, to: bin + stride) }
                    }
                }
            }
        }
        for (bin, share) in seen.shares {
            hand.colors[bin] += rate * (share.x - hand.colors[bin])
            other.colors[bin] += rate * (share.y - other.colors[bin])
        }
        // A hue's share is evidence at each of its brightnesses, seen or not.
        for first in seen.hues { weighHue(from: first) }
    }

    /// How far apart bins are that differ by a step of one of a colour's measures, and how many steps there are.
    private static let measures: [(stride: Int, steps: Int)] = [
        (1, brightnessSteps), (brightnessSteps, hueSteps), (brightnessSteps * hueSteps, hueSteps),
    ]

    /// The bin of a colour.
    @inline(__always)
    private static func bin(
        _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ logarithms: UnsafeBufferPointer<Int32>
    ) -> Int {
        let middle = logarithms[Int(green)]
        func step(_ ratio: Int32) -> Int { Int(min(max(ratio &>> 16, 0), Int32(hueSteps - 1))) }
        let warm = step(logarithms[Int(red)] &- middle &- firstWarm)
        let yellow = step(middle &- logarithms[Int(blue)] &- firstYellow)
        let brightness = (Int(red) &+ 2 &* Int(green) &+ Int(blue)) &>> 6
        return (warm &* hueSteps &+ yellow) &* brightnessSteps &+ brightness
    }

    /// The evidence of colours, for loops over many of them.
    struct Table {
        fileprivate let values: UnsafeBufferPointer<Float>
        fileprivate let logarithms: UnsafeBufferPointer<Int32>

        /// The evidence of one colour.
        @inline(__always)
        func evidence(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Float {
            values[HandColors.bin(red, green, blue, logarithms)]
        }
    }

    /// Calls a function with the evidence of all colours.
    func withTable<Result>(_ body: (Table) -> Result) -> Result {
        evidence.withUnsafeBufferPointer { values in
            Self.logarithms.withUnsafeBufferPointer { body(Table(values: values, logarithms: $0)) }
        }
    }

    /// The evidence of one colour.
    func evidence(of color: SIMD3<Float>) -> Float {
        Self.logarithms.withUnsafeBufferPointer {
            evidence[Self.bin(UInt8(color.x), UInt8(color.y), UInt8(color.z), $0)]
        }
    }

    /// The evidence of each pixel, averaged over 3 × 3 pixels.
    func evidence(of picture: ReducedPicture) -> [Float] {
        let plane = withTable { table in
            picture.bytes.withUnsafeBufferPointer { bytes in
                picture.roughness.withUnsafeBufferPointer { roughness in
                    textureEvidence.withUnsafeBufferPointer { textureEvidence in
                        [Float](unsafeUninitializedCapacity: picture.count) { plane, count in
                            var at = 0
                            for pixel in 0..<picture.count {
                                plane[pixel] =
                                    table.evidence(bytes[at], bytes[at &+ 1], bytes[at &+ 2])
                                    + textureEvidence[Self.textureBin(roughness[pixel])]
                                at &+= 3
                            }
                            count = picture.count
                        }
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
        let textures = [(stride: 1, steps: textureSteps)]
        return (
            Counts(colors: smoothedShares(hand, measures), textures: smoothedShares(handTexture, textures)),
            Counts(colors: smoothedShares(other, measures), textures: smoothedShares(otherTexture, textures))
        )
    }

    /// Counts smoothed by ¼ ½ ¼ along each measure, twice, as shares of their sum.
    private static func smoothedShares(_ counts: [Float], _ measures: [(stride: Int, steps: Int)]) -> [Float] {
        var (from, to) = (counts, counts)
        for (stride, steps) in measures + measures {
            from.withUnsafeBufferPointer { from in
                to.withUnsafeMutableBufferPointer { to in
                    for at in stride..<from.count - stride {
                        to[at] = 0.5 * from[at] + 0.25 * (from[at &- stride] + from[at &+ stride])
                    }
                    // The first step and the last have one neighbour and themselves.
                    for first in Swift.stride(from: 0, to: from.count, by: stride * steps) {
                        let last = first + (steps - 1) * stride
                        for offset in 0..<stride {
                            let (head, tail) = (first + offset, last + offset)
                            to[head] = 0.5 * from[head] + 0.25 * (from[head] + from[head + stride])
                            to[tail] = 0.5 * from[tail] + 0.25 * (from[tail - stride] + from[tail])
                        }
                    }
                }
            }
            swap(&from, &to)
        }
        let sum = max(from.reduce(0, +), 1)
        return from.map { $0 / sum }
    }

    private mutating func weighColors() {
        for first in stride(from: 0, to: Self.binCount, by: Self.brightnessSteps) { weighHue(from: first) }
    }

    /// Renews the evidence of a hue at every brightness, the darkest of which has this bin.
    private mutating func weighHue(from first: Int) {
        let bins = first..<first + Self.brightnessSteps
        func sum(_ shares: [Float]) -> Float { shares[bins].reduce(0, +) }
        let (handSum, otherSum) = (sum(hand.colors), sum(other.colors))
        // Most hues are never seen: nothing speaks for either kind.
        guard handSum + otherSum > 0 else {
            for bin in bins { evidence[bin] = 0 }
            return
        }
        let weight = hueWeight / Float(Self.brightnessSteps)
        let (handShare, otherShare) = (weight * handSum, weight * otherSum)
        for bin in bins {
            evidence[bin] = Self.evidence(
                hand.colors[bin] + handShare, other.colors[bin] + otherShare, floor: 1 / Float(Self.binCount))
        }
    }

    /// The bin of a bin's hue where it is darkest.
    fileprivate static func firstBin(_ bin: Int) -> Int { bin / brightnessSteps * brightnessSteps }

    private static func evidence(_ hand: [Float], _ other: [Float]) -> [Float] {
        // The share that a bin never seen is given: one bin of a flat distribution.
        let floor = 1 / Float(hand.count)
        return zip(hand, other).map { evidence($0, $1, floor: floor) }
    }

    private static func evidence(_ hand: Float, _ other: Float, floor: Float) -> Float {
        min(max(logf((hand + floor) / (other + floor)), -evidenceLimit), evidenceLimit)
    }
}

/// The few of many bins that were seen, and how often on the hand (x) and beside it (y).
private struct SeenBins {
    /// In the order in which they were first seen.
    private(set) var shares: [(bin: Int, share: SIMD2<Float>)] = []
    /// Where each bin stands among them, or −1.
    private var places: [Int16]
    /// The darkest bin of each hue that was seen.
    private(set) var hues: [Int] = []
    private var isHueSeen: [Bool]

    init(count: Int) {
        places = [Int16](repeating: -1, count: count)
        isHueSeen = [Bool](repeating: false, count: count)
    }

    mutating func add(_ share: SIMD2<Float>, to bin: Int) {
        if places[bin] < 0 {
            places[bin] = Int16(shares.count)
            shares.append((bin, .zero))
            let hue = HandColors.firstBin(bin)
            if !isHueSeen[hue] {
                isHueSeen[hue] = true
                hues.append(hue)
            }
        }
        shares[Int(places[bin])].share += share
    }
}
