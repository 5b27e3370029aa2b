// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import Testing

@testable import ARVision

/// What is a finger's outline, and what is not.
@Suite struct FingerOutlineTests {
    private static let size = ImageSize(width: 240, height: 160)
    private static let center = Vector2(180, 80)
    private static let radius = 8.0

    /// Skin before grey: half a circle about the centre, pointing right, and sides that part by so much.
    private static func isSkin(_ x: Int, _ y: Int, taper: Double) -> Bool {
        let offset = Vector2(Double(x), Double(y)) - center
        return offset.x < 0 ? abs(offset.y) <= radius - taper * offset.x : offset.length <= radius
    }

    private static func picture(taper: Double) -> ImageBuffer {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width { bytes += isSkin(x, y, taper: taper) ? [196, 140, 112] : [120, 128, 135] }
        }
        return ImageBuffer(size: size, format: .rgb8, bytes: bytes)
    }

    /// Law: a finger's sides part by less than a third of a pixel for each pixel; what is wider behind its end is none, unless
    /// it is known how wide the finger is.
    @Test(arguments: [0.0, 0.1, 0.2, 0.6, 0.8]) func aConeIsNoFinger(taper: Double) {
        let image = Self.picture(taper: taper)
        let picture = ReducedPicture(image, factor: 1)
        let colors = HandColors(picture) { Self.isSkin($0 % picture.width, $0 / picture.width, taper: taper) }
        var outline = FingerOutline(
            FingerShape(center: Self.center, direction: Vector2(1, 0), radius: Self.radius, length: 60, way: 60),
            in: picture)
        #expect((outline.fitted(to: image, colors: colors) == nil) == (taper > 0.35))
        guard taper < 0.35 else { return }
        outline.rememberedRadius = Self.radius
        #expect(outline.fitted(to: image, colors: colors) != nil)
    }
}

/// The colours of a hand.
@Suite struct HandColorsTests {
    /// Law: of a picture to come the light is not known, so that a hand's hue is evidence at a brightness far from any that was seen,
    /// and what is beside the hand is none; within one picture the unseen is neither.
    @Test(arguments: [0.4, 1.6]) func aHueIsEvidenceInOtherLight(gain: Double) {
        let (skin, ground) = (SIMD3<Float>(120, 84, 64), SIMD3<Float>(80, 90, 110))
        var bytes: [UInt8] = []
        for y in 0..<60 {
            for x in 0..<80 {
                let color = x < 30 ? skin : ground
                bytes += (0..<3).map { UInt8(color[$0]) + UInt8((x + y) % 2) }
            }
        }
        let image = ImageBuffer(size: ImageSize(width: 80, height: 60), format: .rgb8, bytes: bytes)
        var colors = HandColors(ReducedPicture(image, factor: 1)) { $0 % 80 < 30 }
        // What is added in the dark (8) shifts the hue a little, by less than a step.
        let (litSkin, litGround) = (Float(gain) * skin, Float(gain) * ground)
        #expect(abs(colors.evidence(of: litSkin)) < 0.1)
        colors.expectOtherLight()
        #expect(colors.evidence(of: litSkin) > 0.5)
        #expect(colors.evidence(of: litGround) < -0.5)
        #expect(colors.evidence(of: skin) > 2)
    }
}

/// Whether a finger goes on where its hand's colours end.
@Suite struct FingerContinuationTests {
    /// Law: where a plain finger ends, nothing goes on, at any size and any way round.
    @Test(arguments: [7.0, 10, 14, 20]) func aRoundEndDoesNotGoOn(radius: Double) {
        for step in 0..<12 {
            let angle = 0.1 + Double(step) * .pi / 6
            let direction = Vector2(cos(angle), sin(angle))
            let center = Vector2(160, 120)
            func isSkin(_ index: Int) -> Bool {
                let offset = Vector2(Double(index % 320), Double(index / 320)) - center
                let (along, aside) = (offset.dot(direction), offset.dot(Vector2(-direction.y, direction.x)))
                return along < 0 ? abs(aside) <= radius : offset.length <= radius
            }
            let bytes = (0..<320 * 240).flatMap { isSkin($0) ? [UInt8](arrayLiteral: 196, 140, 112) : [120, 128, 135] }
            let image = ImageBuffer(size: ImageSize(width: 320, height: 240), format: .rgb8, bytes: bytes)
            let colors = HandColors(ReducedPicture(image, factor: 1), isHand: isSkin)
            let fingertip = Fingertip(
                tip: PixelPoint(center + radius * direction), direction: direction, radius: radius,
                covariance: TipCovariance(xx: 0.1, xy: 0, yy: 0.1), confidence: 0.9)
            for turn in [0, -0.3, 0.3] {
                let pointing = Vector2(cos(angle + turn), sin(angle + turn))
                #expect(
                    FingerContinuation(of: fingertip, pointing: pointing, in: image, handColors: colors).end() == nil,
                    "radius \(radius), angle \(angle), turn \(turn)")
            }
        }
    }
}
