// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A picture that is painted figure by figure, with smooth edges.
///
/// Places are in the design's own units, x to the right and y down from the picture's top-left corner; its width is
/// ``width``. Colours are sRGB 0…1; they are mixed as light, as a printed edge is by an eye that cannot resolve it.
struct VectorCanvas {
    /// Columns and rows.
    let size: ImageSize
    /// The picture's width in the design's units.
    let width: Double
    private var light: [SIMD4<Float>]

    private var pixelsPerUnit: Double { Double(size.width) / width }

    /// A picture of one colour.
    init(size: ImageSize, width: Double, ground: Vector3) {
        self.size = size
        self.width = width
        light = [SIMD4<Float>](repeating: Self.light(of: ground), count: size.width * size.height)
    }

    /// How much of each pixel a figure covers.
    func coverage(of path: VectorPath) -> Coverage {
        Coverage(of: path.transformed(by: .placing(at: .zero, scale: pixelsPerUnit)), size: size)
    }

    /// Fills a figure, or its part within another one.
    mutating func fill(_ path: VectorPath, _ color: Vector3, within clip: Coverage? = nil) {
        let coverage = coverage(of: path)
        paint(color, through: clip.map(coverage.intersection) ?? coverage)
    }

    /// Goes along a path with a round pen.
    mutating func stroke(_ path: VectorPath, width: Double, _ color: Vector3, within clip: Coverage? = nil) {
        fill(path.stroked(width: width, tolerance: 0.05 / pixelsPerUnit), color, within: clip)
    }

    /// Lays a colour over the picture where a coverage lets it.
    mutating func paint(_ color: Vector3, through coverage: Coverage) {
        precondition(coverage.size == size, "a coverage of \(coverage.size) on a picture of \(size)")
        let color = Self.light(of: color)
        for (index, value) in coverage.values.enumerated() where value > 0 {
            light[index] += (color - light[index]) * min(value, 1)
        }
    }

    /// Multiplies the light around a place by a factor a channel: wholly in the middle of an ellipse, not at all at its
    /// rim, smoothly between; under a coverage only, where one is given.
    mutating func tint(_ center: Point2, radii: Vector2, _ factor: Vector3, within clip: Coverage? = nil) {
        let factor = SIMD4<Float>(Float(factor.x), Float(factor.y), Float(factor.z), 1)
        func pixels(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
            let first = min(max(Int((low * pixelsPerUnit).rounded(.down)), 0), count)
            return first..<max(first, min(Int((high * pixelsPerUnit).rounded(.up)), count))
        }
        for row in pixels(center.y - radii.y, center.y + radii.y, size.height) {
            for column in pixels(center.x - radii.x, center.x + radii.x, size.width) {
                let way = (place(ofColumn: column, row: row) - center) / radii
                let share = max(0, 1 - way.squaredLength)
                let index = row * size.width + column
                light[index] *= 1 + (factor - 1) * Float(share * share) * (clip?.values[index] ?? 1)
            }
        }
    }

    /// Multiplies the light under a coverage by a factor that depends on the place.
    mutating func shade(within coverage: Coverage, _ factor: (Point2) -> Double) {
        for row in 0..<size.height {
            for column in 0..<size.width {
                let index = row * size.width + column
                let value = Double(coverage.values[index])
                guard value > 0 else { continue }
                light[index] *= Float(1 + value * (factor(place(ofColumn: column, row: row)) - 1))
            }
        }
    }

    private func place(ofColumn column: Int, row: Int) -> Point2 {
        Point2(Double(column) + 0.5, Double(row) + 0.5) / pixelsPerUnit
    }

    /// The picture as sRGB bytes.
    var image: ImageBuffer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * light.count)
        for value in light {
            let steps = value.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 1)) * 65535 + 0.5
            bytes.append(Self.encoding[Int(steps.x)])
            bytes.append(Self.encoding[Int(steps.y)])
            bytes.append(Self.encoding[Int(steps.z)])
        }
        return ImageBuffer(size: size, format: .rgb8, bytes: bytes)
    }

    private static func light(of color: Vector3) -> SIMD4<Float> {
        let light = ColorTransfer.linear(fromSRGB: color)
        return SIMD4(Float(light.x), Float(light.y), Float(light.z), 0)
    }

    /// The byte for each 65535th of the light.
    private static let encoding: [UInt8] = (0...65535).map { step in
        UInt8((ColorTransfer.sRGB(fromLinear: Double(step) / 65535) * 255).rounded())
    }
}
