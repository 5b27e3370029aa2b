// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What one picture shows of a flat print: the pixels around it, and where its corners are.
struct PrintSight: Sendable {
    let quad: PixelQuad
    /// The column and row of the first pixel that is kept.
    private let origin: Vector2
    private let columns: Int
    private let light: [UInt8]

    /// How many pixels are kept at most, and how long the longest side is: what is larger costs too much to fuse.
    private static let pixelLimit = 112 * 112
    private static let longestSide = 224.0

    /// A quadrilateral of a grey picture; `nil` where it lies beside the picture in part, or is large.
    init?(of quad: PixelQuad, in image: ImageBuffer) {
        guard let window = Self.window(around: quad, in: image.size) else { return nil }
        columns = window.columns.count
        origin = Vector2(Double(window.columns.lowerBound), Double(window.rows.lowerBound))
        light = window.rows.flatMap { row in
            image.bytes[
                row * image.bytesPerRow + window.columns.lowerBound...row * image.bytesPerRow
                    + window.columns.upperBound]
        }
        self.quad = quad
    }

    /// Whether a picture of that size shows enough of a quadrilateral, and not too much.
    static func isPossible(of quad: PixelQuad, in size: ImageSize) -> Bool { window(around: quad, in: size) != nil }

    private static func window(
        around quad: PixelQuad, in size: ImageSize
    ) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
        let (xs, ys) = (quad.corners.map(\.x), quad.corners.map(\.y))
        guard quad.isConvex, let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
            left >= 1, top >= 1, right < Double(size.width - 2), bottom < Double(size.height - 2),
            quad.longestSide <= longestSide
        else { return nil }
        let (columns, rows) = (Int(left) - 1...Int(right) + 2, Int(top) - 1...Int(bottom) + 2)
        return columns.count * rows.count <= pixelLimit ? (columns, rows) : nil
    }

    /// Calls with each pixel's place in the picture and its light.
    func forEachPixel(_ body: (Vector2, Float) -> Void) {
        for (number, light) in light.enumerated() {
            body(origin + Vector2(Double(number % columns), Double(number / columns)), Float(light))
        }
    }
}

/// A flat print from the front, as several pictures show it together: finer than the pixels of each.
///
/// A hand is never still, so that each picture has its pixels elsewhere on the print. Every pixel is the mean of what it covers;
/// the print that explains all pixels best, and is otherwise smooth, is found by conjugate gradients.
///
/// - Reference: Irani, Peleg 1991, "Improving resolution by image registration" (the model); Hestenes, Stiefel 1952,
///   "Methods of conjugate gradients for solving linear systems".
struct FusedPrint: Sendable {
    let image: ImageBuffer
    private let unitFromCell, cellFromUnit: Matrix3x3

    /// How many cells there are along each side for a pixel of the longest side.
    private static let cellsPerPixel = 2.5
    /// How much is seen beyond the corners, in sides.
    private static let margin = 0.03
    /// A pixel is the mean of these places around its middle.
    private static let probes = [-1.0, 0, 1].flatMap { y in [-1.0, 0, 1].map { x in Vector2(x, y) / 3 } }
    /// At how many places along each side of a code it is compared with a picture.
    private static let comparedPlaces = 48
    /// How far neighbouring cells' light may differ, beside a pixel's error: a share.
    private static let smoothness: Float = 0.06
    private static let steps = 25

    /// The print in several pictures, the last of which decides how fine it becomes.
    init?(_ sights: [PrintSight]) {
        guard let quad = sights.last?.quad else { return nil }
        let inner = Self.cellsPerPixel * quad.longestSide
        let side = Int((inner * (1 + 2 * Self.margin)).rounded())
        let (scale, shift) = (1 / inner, 0.5 / inner - Self.margin)
        unitFromCell = Matrix3x3(
            rows: Vector3(scale, 0, shift), Vector3(0, scale, shift), Vector3(0, 0, 1))
        guard let cellFromUnit = unitFromCell.inverse else { return nil }
        self.cellFromUnit = cellFromUnit
        var equations = FootprintEquations(side: side, probes: Self.probes)
        for sight in sights {
            guard let unitFromPicture = sight.quad.pixelFromUnitSquare?.inverse else { continue }
            equations.add(sight, cellFromPicture: cellFromUnit * unitFromPicture)
        }
        let weight = Self.smoothness * Self.smoothness * Float(sights.count)
        let light = equations.solved(smoothness: weight, steps: Self.steps)
        image = ImageBuffer(
            size: ImageSize(width: side, height: side), format: .gray8,
            bytes: light.map { UInt8(min(max($0.rounded(), 0), 255)) })
    }

    /// A quadrilateral of the image in sides of the print, from its upper left corner.
    func inUnitSquare(_ quad: PixelQuad) -> PixelQuad? { unitFromCell.image(of: quad) }

    /// The correlation of a grey picture's light with what the print makes expect, −1 … 1; `nil` where a part lies beside the
    /// picture.
    ///
    /// - Parameters:
    ///   - quad: where the picture shows the print.
    ///   - part: what is compared, in sides of the print.
    func correlation(with picture: ImageBuffer, at quad: PixelQuad, over part: PixelQuad) -> Double? {
        guard let pictureFromUnit = quad.pixelFromUnitSquare, let unitFromPicture = pictureFromUnit.inverse,
            let unitFromPart = part.pixelFromUnitSquare
        else { return nil }
        let (pictureFromPart, cellFromPicture) = (pictureFromUnit * unitFromPart, cellFromUnit * unitFromPicture)
        var moments = LightMoments()
        let step = 1 / Double(Self.comparedPlaces)
        for row in 0..<Self.comparedPlaces {
            for column in 0..<Self.comparedPlaces {
                let place = Vector2(Double(column) + 0.5, Double(row) + 0.5) * step
                guard let pixel = pictureFromPart.image(of: place)?.rounded,
                    picture.size.contains(PixelPoint(pixel.x, pixel.y))
                else { return nil }
                var expected = 0.0
                for probe in Self.probes {
                    guard let cell = cellFromPicture.image(of: pixel + probe) else { return nil }
                    expected += image.light(at: cell)
                }
                moments.add(picture.light(at: pixel), expected / Double(Self.probes.count))
            }
        }
        return moments.correlation
    }
}

/// The pixels' light, each as the mean of some cells of a square print.
private struct FootprintEquations {
    let side: Int
    let probes: [Vector2]
    private var cells: [Int32] = []
    private var light: [Float] = []

    init(side: Int, probes: [Vector2]) {
        self.side = side
        self.probes = probes
    }

    /// Adds the pixels that lie on the print altogether.
    mutating func add(_ sight: PrintSight, cellFromPicture: Matrix3x3) {
        sight.forEachPixel { place, value in
            let count = cells.count
            for probe in probes {
                guard let cell = cellFromPicture.image(of: place + probe),
                    cell.x > -0.5, cell.y > -0.5, cell.x < Double(side) - 0.5, cell.y < Double(side) - 0.5
                else {
                    cells.removeLast(cells.count - count)
                    return
                }
                cells.append(Int32(Int(cell.y + 0.5) * side + Int(cell.x + 0.5)))
            }
            light.append(value)
        }
    }

    /// The cells' light that minimises the pixels' squared errors plus a weight times the squared differences of neighbours.
    func solved(smoothness: Float, steps: Int) -> [Float] {
        let mean = light.reduce(0, +) / Float(max(light.count, 1))
        var solution = [Float](repeating: 0, count: side * side)
        var residual = backProjected(light.map { $0 - mean })
        var direction = residual
        var energy = dot(residual, residual)
        for _ in 0..<steps where energy > 0 {
            let image = normal(direction, smoothness: smoothness)
            let curvature = dot(direction, image)
            guard curvature > 0 else { break }
            let length = Float(energy / curvature)
            for cell in solution.indices {
                solution[cell] += length * direction[cell]
                residual[cell] -= length * image[cell]
            }
            let next = dot(residual, residual)
            let share = Float(next / energy)
            for cell in direction.indices { direction[cell] = residual[cell] + share * direction[cell] }
            energy = next
        }
        return solution.map { $0 + mean }
    }

    /// The left side of the normal equations.
    private func normal(_ values: [Float], smoothness: Float) -> [Float] {
        var image = backProjected(projected(values))
        for row in 0..<side {
            for column in 0..<side {
                let cell = row * side + column
                if column + 1 < side { spread(cell, cell + 1) }
                if row + 1 < side { spread(cell, cell + side) }
            }
        }
        return image

        func spread(_ cell: Int, _ neighbor: Int) {
            let difference = smoothness * (values[cell] - values[neighbor])
            image[cell] += difference
            image[neighbor] -= difference
        }
    }

    /// What pixels would see of the cells.
    private func projected(_ values: [Float]) -> [Float] {
        let count = probes.count
        return light.indices.map { pixel in
            var sum: Float = 0
            for probe in pixel * count..<(pixel + 1) * count { sum += values[Int(cells[probe])] }
            return sum / Float(count)
        }
    }

    /// What pixels say of the cells: the transpose of ``projected(_:)``.
    private func backProjected(_ values: [Float]) -> [Float] {
        let count = probes.count
        var sums = [Float](repeating: 0, count: side * side)
        for (pixel, value) in values.enumerated() {
            for probe in pixel * count..<(pixel + 1) * count { sums[Int(cells[probe])] += value / Float(count) }
        }
        return sums
    }

    private func dot(_ a: [Float], _ b: [Float]) -> Double {
        var sum = 0.0
        for cell in a.indices { sum += Double(a[cell]) * Double(b[cell]) }
        return sum
    }
}

/// Sums over pairs of lights.
private struct LightMoments {
    private var count = 0.0
    private var (sumA, sumB, squaresA, squaresB, products) = (0.0, 0.0, 0.0, 0.0, 0.0)

    mutating func add(_ a: Double, _ b: Double) {
        count += 1
        sumA += a
        sumB += b
        squaresA += a * a
        squaresB += b * b
        products += a * b
    }

    /// 0 where one of them is the same everywhere.
    var correlation: Double {
        let (varianceA, varianceB) = (count * squaresA - sumA * sumA, count * squaresB - sumB * sumB)
        guard varianceA > 0, varianceB > 0 else { return 0 }
        return (count * products - sumA * sumB) / (varianceA * varianceB).squareRoot()
    }
}

extension PixelQuad {
    fileprivate var longestSide: Double {
        (0..<4).map { corners[$0].distance(to: corners[($0 + 1) % 4]) }.max() ?? 0
    }
}

extension Vector2 {
    fileprivate var rounded: Vector2 { Vector2(x.rounded(), y.rounded()) }
}
