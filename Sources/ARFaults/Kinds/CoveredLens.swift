// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRandom
import ARSensing

/// A finger lies over the lens: it lets through a little even light, reddish in colour, without any detail.
public struct CoveredLens: Hashable, Sendable {
    /// How much of the picture's height is covered, from below.
    public var fraction = 1.0
    /// How bright the cover is, as a part of the whole scale.
    public var level = 0.05
    /// The standard deviation of the noise on the cover, as a part of the whole scale.
    public var noise = 0.01

    /// A lens that is covered altogether.
    public init() {}
}

extension CoveredLens: FaultParameters {
    static let name = "covered_lens"
    static let isRandom = true
    var kind: Fault.Kind { .coveredLens(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("fraction", &fraction, in: 0...1)
        try fields.number("level", &level, in: 0...1)
        try fields.number("noise", &noise, in: 0...1)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        PictureStage(setting: setting) { rows, random in cover(rows, &random) }
    }

    /// The rim of the cover is out of focus: it fades over this part of the picture's height.
    private static let rim = 0.15
    /// What skin lets through of red, green and blue.
    private static let skin: [Double] = [1, 0.4, 0.3]

    private func cover(_ rows: PixelRows, _ random: inout SeededRandom) {
        let height = Double(rows.size.height)
        let edge = fraction >= 1 ? -Self.rim : (1 - fraction) * (1 + Self.rim) - Self.rim
        for row in 0..<rows.size.height {
            let depth = min(max(((Double(row) + 0.5) / height - edge) / Self.rim, 0), 1)
            let opacity = depth * depth * (3 - 2 * depth)
            guard opacity > 0 else { continue }
            for column in 0..<rows.size.width {
                for channel in 0..<rows.channels {
                    let light = level * (rows.channels == 1 ? 1 : Self.skin[channel])
                    let index = row * rows.pitch + column * rows.channels + channel
                    let value = Double(rows.bytes[index]) * (1 - opacity) + light * 255 * opacity
                    rows.bytes[index] = UInt8((min(max(value, 0), 255)).rounded())
                }
            }
            let covered = PixelRows(
                bytes: UnsafeMutableBufferPointer(
                    rebasing: rows.bytes[row * rows.pitch..<(row + 1) * rows.pitch]),
                size: ImageSize(width: rows.size.width, height: 1), channels: rows.channels)
            covered.addNoise(standardDeviation: noise * 255 * opacity, &random)
        }
    }
}
