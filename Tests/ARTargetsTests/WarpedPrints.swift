// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation
import Testing

/// A picture of prints before a mottled ground, by homographies, with a little noise.
struct WarpedPrints {
    private(set) var image: ImageBuffer
    private var random: SeededRandom

    init(size: ImageSize = ImageSize(width: 640, height: 480), seed: UInt64) {
        image = ImageBuffer(size: size, format: .gray8)
        random = SeededRandom(seed: seed, purpose: "warped prints")
        for y in 0..<size.height {
            for x in 0..<size.width {
                let patch = SeededRandom.mix(UInt64(x / 40 + 100 * (y / 40)) &+ seed &* 7919) % 90
                image.bytes[y * size.width + x] = UInt8(80 + Int(patch) + Int(random.uniform(0..<8)))
            }
        }
    }

    /// Lays a print into the picture; its corners are given. Where it waves, it is shifted by up to that share of its sides.
    mutating func add(
        _ print: ImageBuffer, at corners: PixelQuad, isInverse: Bool = false, wave: Double = 0
    ) throws {
        guard let printFromPixel = corners.pixelFromUnitSquare?.inverse else { return }
        let gray = print.gray
        for y in 0..<image.size.height {
            for x in 0..<image.size.width {
                var (sum, count) = (0, 0)
                for (dx, dy) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
                    let place = printFromPixel * Vector3(Double(x) + dx, Double(y) + dy, 1)
                    let (u, v) = Vector2(place.x / place.z, place.y / place.z).waved(by: wave)
                    guard u >= 0, v >= 0, u < 1, v < 1 else { continue }
                    let column = Int(u * Double(gray.size.width))
                    let row = Int(v * Double(gray.size.height))
                    let light = Int(gray.bytes[row * gray.size.width + column])
                    sum += 20 + (isInverse ? 255 - light : light) * 8 / 10
                    count += 1
                }
                let pixel = y * image.size.width + x
                if count > 0 { image.bytes[pixel] = UInt8((sum + (4 - count) * Int(image.bytes[pixel])) / 4) }
            }
        }
        for index in image.bytes.indices where random.happens(0.3) {
            image.bytes[index] = UInt8(min(max(Int(image.bytes[index]) + Int(random.uniform(-5..<5)), 0), 255))
        }
    }
}

extension Vector2 {
    /// Where a print that waves by so much has what a flat one has here.
    fileprivate func waved(by wave: Double) -> (Double, Double) {
        let v = y + wave * sin(7 * x)
        return (x + 0.5 * wave * sin(6 * x + 1), v)
    }
}

extension ImageBuffer {
    /// The print in colour before grey, without noise, its channels stretched as by light of another colour. Where it waves, it is
    /// shifted by up to that share of its sides.
    static func colored(
        _ print: ImageBuffer, at corners: PixelQuad, light: (Double, Double, Double) = (1, 1, 1), wave: Double = 0
    ) throws -> ImageBuffer {
        var image = ImageBuffer(size: ImageSize(width: 640, height: 480), format: .rgb8, filledWith: 110)
        let printFromPixel = try #require(corners.pixelFromUnitSquare?.inverse)
        for y in 0..<480 {
            for x in 0..<640 {
                let place = printFromPixel * Vector3(Double(x), Double(y), 1)
                let (u, v) = Vector2(place.x / place.z, place.y / place.z).waved(by: wave)
                guard u >= 0, v >= 0, u < 1, v < 1 else { continue }
                let (column, row) = (Int(u * Double(print.size.width)), Int(v * Double(print.size.height)))
                let from = 3 * (row * print.size.width + column)
                for (channel, gain) in [light.0, light.1, light.2].enumerated() {
                    image.bytes[3 * (y * 640 + x) + channel] = UInt8(
                        min(20 + 0.8 * gain * Double(print.bytes[from + channel]), 255))
                }
            }
        }
        return image
    }

    /// The picture as a camera shows it whose tone curve is a power.
    func toned(by power: Double) -> ImageBuffer {
        var picture = self
        picture.bytes = bytes.map { UInt8((255 * pow(Double($0) / 255, power)).rounded()) }
        return picture
    }

    /// The picture with the red light as blue and the blue as red.
    var withColorsSwapped: ImageBuffer {
        var twin = self
        for pixel in stride(from: 0, to: bytes.count, by: 3) { twin.bytes.swapAt(pixel, pixel + 2) }
        return twin
    }
}

/// The corners of a print of that size before a camera: turned about its middle, tilted, and that far from the middle of
/// the picture.
func corners(
    side: Double, turn: Double, tilt: Double = 0, at center: PixelPoint = PixelPoint(320, 240)
) throws -> (quad: PixelQuad, opticalFromTarget: RigidTransform) {
    let facing = try #require(Rotation(Matrix3x3(Vector3(1, 0, 0), Vector3(0, 0, -1), Vector3(0, 1, 0))))
    let rolled = try #require(Rotation(angle: turn, axis: Vector3(0, 0, 1)))
    let turned = try #require(Rotation(angle: tilt, axis: Vector3(0.6, 0.8, 0)))
    let distance = testCamera.intrinsics.fx * 0.2 / side
    let direction = try #require(testCamera.unproject(center))
    let pose = RigidTransform(
        rotation: turned * rolled * facing, translation: direction * (distance / direction.z))
    let corners = try [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)].map {
        try #require(testCamera.project(pose * Vector3($0.0, 0, $0.1)))
    }
    return (PixelQuad(corners: corners), pose)
}

/// The camera of ``corners(side:turn:tilt:at:)``, whose prints are 0.2 m wide.
let testCamera = Camera.pinhole(PinholeCamera(PinholeIntrinsics(fx: 560, fy: 560, cx: 319.5, cy: 239.5)))
