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

    /// How many pixels are kept at most: what is larger shows its codes in one picture.
    private static let pixelLimit = 112 * 112

    /// A quadrilateral of a grey picture; `nil` where it lies beside the picture in part, or is large.
    init?(of quad: PixelQuad, in image: ImageBuffer) {
        let (xs, ys) = (quad.corners.map(\.x), quad.corners.map(\.y))
        guard quad.isConvex, let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
            left >= 1, top >= 1, right < Double(image.size.width - 2), bottom < Double(image.size.height - 2)
        else { return nil }
        let (firstColumn, lastColumn) = (Int(left) - 1, Int(right) + 2)
        let (firstRow, lastRow) = (Int(top) - 1, Int(bottom) + 2)
        columns = lastColumn - firstColumn + 1
        guard columns * (lastRow - firstRow + 1) <= Self.pixelLimit else { return nil }
        origin = Vector2(Double(firstColumn), Double(firstRow))
        light = (firstRow...lastRow).flatMap { row in
            image.bytes[row * image.bytesPerRow + firstColumn...row * image.bytesPerRow + lastColumn]
        }
        self.quad = quad
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
struct FusedPrint {
    let image: ImageBuffer
    private let unitFromCell: Matrix3x3

    /// How many cells there are along each side for a pixel of the longest side.
    private static let cellsPerPixel = 2.5
    /// How much is seen beyond the corners, in sides.
    private static let margin = 0.03
    /// A pixel is the mean of so many places along each of its sides.
    private static let probes = 3
    /// How far neighbouring cells' light may differ, beside a pixel's error: a share.
    private static let smoothness: Float = 0.06
    private static let steps = 25

    /// The print in several pictures, the last of which decides how fine it becomes.
    init?(_ sights: [PrintSight]) {
        guard let quad = sights.last?.quad else { return nil }
        let longest = (0..<4).map { quad.corners[$0].distance(to: quad.corners[($0 + 1) % 4]) }.max() ?? 0
        let inner = Self.cellsPerPixel * longest
        let side = Int((inner * (1 + 2 * Self.margin)).rounded())
        let (scale, shift) = (1 / inner, 0.5 / inner - Self.margin)
        unitFromCell = Matrix3x3(
            rows: Vector3(scale, 0, shift), Vector3(0, scale, shift), Vector3(0, 0, 1))
        guard let cellFromUnit = unitFromCell.inverse else { return nil }
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
}

/// The pixels' light, each as the mean of some cells of a square print.
private struct FootprintEquations {
    let side: Int
    let probes: Int
    private var cells: [Int32] = []
    private var light: [Float] = []

    init(side: Int, probes: Int) {
        self.side = side
        self.probes = probes
    }

    /// Adds the pixels that lie on the print altogether.
    mutating func add(_ sight: PrintSight, cellFromPicture: Matrix3x3) {
        sight.forEachPixel { place, value in
            let count = cells.count
            for row in 0..<probes {
                for column in 0..<probes {
                    let offset = Vector2(Double(2 * column + 1 - probes), Double(2 * row + 1 - probes))
                    guard let cell = cellFromPicture.image(of: place + offset / Double(2 * probes)),
                        cell.x > -0.5, cell.y > -0.5, cell.x < Double(side) - 0.5, cell.y < Double(side) - 0.5
                    else {
                        cells.removeLast(cells.count - count)
                        return
                    }
                    cells.append(Int32(Int(cell.y + 0.5) * side + Int(cell.x + 0.5)))
                }
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
        let count = probes * probes
        return light.indices.map { pixel in
            var sum: Float = 0
            for probe in pixel * count..<(pixel + 1) * count { sum += values[Int(cells[probe])] }
            return sum / Float(count)
        }
    }

    /// What pixels say of the cells: the transpose of ``projected(_:)``.
    private func backProjected(_ values: [Float]) -> [Float] {
        let count = probes * probes
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
