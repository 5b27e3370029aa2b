// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CBarcode
import Foundation
import TestSupport
import Testing

/// QR codes on paper.
enum PrintedCode {
    static let size = ImageSize(width: 640, height: 480)

    /// The modules of a QR code: true for dark.
    static func modules(_ payload: String) throws -> [[Bool]] {
        var bytes = [UInt8](repeating: 0, count: Int(CBARCODE_LARGEST_SIDE * CBARCODE_LARGEST_SIDE))
        var side: Int32 = 0
        let status = cbarcode_qr(payload, CBARCODE_LEVEL_M, 1, &bytes, Int64(bytes.count), &side)
        try #require(status == CBARCODE_OK)
        return (0..<Int(side)).map { row in (0..<Int(side)).map { bytes[row * Int(side) + $0] == 1 } }
    }

    /// A code on white paper with its quiet zone, and where its corners are.
    static func picture(
        _ modules: [[Bool]], quiet: Double = 4, unitPixels: Double, tilt: Double, _ random: inout TestRandom
    ) -> (image: ImageBuffer, corners: PixelQuad) {
        let (width, height) = (Double(modules[0].count), Double(modules.count))
        let plane = PrintedPlane(
            width: width + 2 * quiet, height: height + 2 * quiet, unitPixels: unitPixels, tilt: tilt,
            azimuth: random.uniform(0...2 * Double.pi), roll: random.uniform(0...2 * Double.pi),
            center: PixelPoint(319.5 + random.uniform(-20...20), 239.5 + random.uniform(-20...20)), focalLength: 700)
        var image = ImageBuffer(size: size, format: .gray8, filledWith: 110)
        plane.draw(on: &image) { place in
            let (column, row) = (Int((place.x - quiet).rounded(.down)), Int((place.y - quiet).rounded(.down)))
            let isDark = modules.indices.contains(row) && modules[0].indices.contains(column) && modules[row][column]
            return isDark ? 40 : 215
        }
        return (image.withNoise(1.5, &random), plane.quad(quiet...quiet + width, quiet...quiet + height))
    }
}
