// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRandom
import ARSensing
import Foundation

/// Grounds in colour before which prints are laid, painted once: for thousands of pictures.
struct ColorGrounds {
    private(set) var pictures: [ImageBuffer]

    /// Painted ones, and the photographs of a folder.
    init(count: Int, photographs folder: URL?) throws {
        pictures = (0..<count).map { Self.painted(seed: UInt64($0)) }
        guard let folder else { return }
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { ["png", "jpg", "jpeg"].contains($0.pathExtension.lowercased()) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        for file in files {
            let picture = try ImageFile.read(file)
            pictures.append(Self.fitted(picture))
        }
    }

    /// Soft light and figures of all sizes and colours.
    private static func painted(seed: UInt64) -> ImageBuffer {
        var random = SeededRandom(seed: seed, purpose: "colour ground")
        let size = PosedPrint.imageSize
        var picture = ImageBuffer(size: size, format: .rgb8)
        let base = (0..<3).map { _ in random.uniform(60..<190) }
        let waves = (0..<6).map { step in
            let frequency = 0.005 * pow(1.8, Double(step))
            let angle = random.uniform(0..<2 * .pi)
            return (frequency * cos(angle), frequency * sin(angle), random.uniform(0..<6.3), random.uniform(2..<14))
        }
        for y in 0..<size.height {
            for x in 0..<size.width {
                let light = waves.reduce(0) { $0 + $1.3 * sin($1.0 * Double(x) + $1.1 * Double(y) + $1.2) }
                for channel in 0..<3 {
                    picture.bytes[3 * (y * size.width + x) + channel] = UInt8(min(max(base[channel] + light, 0), 255))
                }
            }
        }
        for _ in 0..<45 {
            let radius = 5 * pow(16, random.uniform(0..<1))
            let center = Vector2(random.uniform(0..<640), random.uniform(0..<480))
            let (turn, sides) = (random.uniform(0..<6.3), Double(Int(random.uniform(3..<9))))
            let ink = (0..<3).map { _ in UInt8(random.uniform(10..<245)) }
            for y in max(0, Int(center.y - radius))..<min(size.height, max(0, Int(center.y + radius))) {
                for x in max(0, Int(center.x - radius))..<min(size.width, max(0, Int(center.x + radius))) {
                    let offset = Vector2(Double(x), Double(y)) - center
                    let angle = (atan2(offset.y, offset.x) + turn) * sides / (2 * .pi)
                    let share = (angle - floor(angle) - 0.5) * 2 * .pi / sides
                    guard offset.length * cos(share) < radius * cos(.pi / sides) else { continue }
                    for channel in 0..<3 { picture.bytes[3 * (y * size.width + x) + channel] = ink[channel] }
                }
            }
        }
        return picture
    }

    /// A photograph as large as a frame.
    private static func fitted(_ picture: ImageBuffer) -> ImageBuffer {
        let size = PosedPrint.imageSize
        var fitted = ImageBuffer(size: size, format: .rgb8)
        let channels = picture.format == .rgb8 ? 3 : 1
        for y in 0..<size.height {
            for x in 0..<size.width {
                let place =
                    (y * picture.size.height / size.height) * picture.size.width + x * picture.size.width / size.width
                for channel in 0..<3 {
                    fitted.bytes[3 * (y * size.width + x) + channel] =
                        picture.bytes[channels * place + (channels == 3 ? channel : 0)]
                }
            }
        }
        return fitted
    }
}

/// Pictures in colour of prints at random places: warped, lit, moved while they are taken, and noisy.
struct ColorFrame {
    private(set) var image: ImageBuffer
    private let size = PosedPrint.imageSize

    init(ground: ImageBuffer) { image = ground }

    /// Lays a print into the picture; what moves is it alone.
    mutating func add(_ print: ImageBuffer, posed: PosedPrint, random: inout SeededRandom) {
        guard let printFromPixel = posed.pixelFromPrint.inverse else { return }
        let columns = posed.corners.corners.map(\.x), rows = posed.corners.corners.map(\.y)
        let box = (
            left: max(0, Int(columns.min() ?? 0) - 3), right: min(size.width - 1, Int(columns.max() ?? 0) + 4),
            top: max(0, Int(rows.min() ?? 0) - 3), bottom: min(size.height - 1, Int(rows.max() ?? 0) + 4)
        )
        // Light of a colour, brighter to one side.
        let gains = (0..<3).map { _ in Float(random.uniform(0.62..<0.95)) }
        let slope = (Float(random.uniform(-0.25..<0.25)), Float(random.uniform(-0.25..<0.25)))
        let direction = random.uniform(0..<2 * .pi)
        let blur = posed.conditions.motionBlur
        // Samples over the pixel, and along the motion.
        let sampleCount = max(3, Int(blur.rounded(.up)) * 2 + 1)
        let offsets = (0..<sampleCount).flatMap { step in
            let share = (Double(step) + 0.5) / Double(sampleCount) - 0.5
            return [-0.25, 0.25].flatMap { dx in
                [-0.25, 0.25].map { dy in
                    (dx + (blur + 0.5) * share * cos(direction), dy + (blur + 0.5) * share * sin(direction))
                }
            }
        }
        let (printWidth, printHeight) = (print.size.width, print.size.height)
        let channels = print.format == .rgb8 ? 3 : 1
        let bytes = print.bytes
        for y in box.top...box.bottom {
            for x in box.left...box.right {
                var (red, green, blue, covered): (Float, Float, Float, Float) = (0, 0, 0, 0)
                for (dx, dy) in offsets {
                    let place = printFromPixel * Vector3(Double(x) + dx, Double(y) + dy, 1)
                    let (u, v) = (place.x / place.z, place.y / place.z)
                    guard u >= 0, v >= 0, u < 1, v < 1 else { continue }
                    let from =
                        channels * (Int(v * Double(printHeight)) * printWidth + Int(u * Double(printWidth)))
                    let light = 1 + slope.0 * (Float(u) - 0.5) + slope.1 * (Float(v) - 0.5)
                    red += light * Float(bytes[from])
                    green += light * Float(bytes[from + (channels == 3 ? 1 : 0)])
                    blue += light * Float(bytes[from + (channels == 3 ? 2 : 0)])
                    covered += 1
                }
                guard covered > 0 else { continue }
                let pixel = 3 * (y * size.width + x)
                let rest = Float(offsets.count) - covered
                for (channel, sum) in [red, green, blue].enumerated() {
                    let print = 14 * covered + gains[channel] * sum
                    let value = (print + rest * Float(image.bytes[pixel + channel])) / Float(offsets.count)
                    image.bytes[pixel + channel] = UInt8(min(value, 255))
                }
            }
        }
    }

    /// Noise of three grey levels.
    mutating func addNoise(random: inout SeededRandom) {
        let noise = Self.noise
        image.bytes.withUnsafeMutableBufferPointer { bytes in
            for start in stride(from: 0, to: bytes.count, by: 960) {
                let offset = Int(random.uniform(0..<Double(noise.count)))
                for index in start..<min(start + 960, bytes.count) {
                    let value = Int(bytes[index]) + Int(noise[(index - start + offset) % noise.count])
                    bytes[index] = UInt8(min(max(value, 0), 255))
                }
            }
        }
    }

    private static let noise: [Int8] = {
        var random = SeededRandom(seed: 0, purpose: "noise")
        return (0..<(1 << 15)).map { _ in Int8(max(min((3 * random.normalPair().0).rounded(), 100), -100)) }
    }()
}
