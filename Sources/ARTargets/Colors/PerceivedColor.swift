// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A colour in coordinates whose distances are about as large as the differences that people see: Oklab.
///
/// x is the lightness 0 … 1, y leads from green to red and z from blue to yellow.
/// - Reference: Ottosson 2020, "A perceptual color space for image processing", the matrices of 2021-01-25.
struct PerceivedColor: Hashable, Sendable {
    let coordinates: Vector3

    init(coordinates: Vector3) { self.coordinates = coordinates }

    init(_ color: TargetColor) {
        let rgb = Vector3(
            Self.light(of: color.red), Self.light(of: color.green), Self.light(of: color.blue))
        let cones = Vector3(
            cbrt(rgb.dot(Vector3(0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9))),
            cbrt(rgb.dot(Vector3(0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6))),
            cbrt(rgb.dot(Vector3(0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5))))
        coordinates = Vector3(
            cones.dot(Vector3(0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8)),
            cones.dot(Vector3(1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9)),
            cones.dot(Vector3(0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0)))
    }

    /// How far the colour is from grey.
    var chroma: Double { Vector2(coordinates.y, coordinates.z).length }

    func distance(to other: PerceivedColor) -> Double { (coordinates - other.coordinates).length }

    /// The light of a channel, 0 … 1 (IEC 61966-2-1).
    private static func light(of channel: UInt8) -> Double {
        let value = Double(channel) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
