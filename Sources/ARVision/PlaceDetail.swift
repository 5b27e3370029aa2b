// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision

/// What is kept of a picture so that its points can be found again in another one, to a fraction of a pixel: half as wide and
/// high, in grey.
///
/// Descriptors tell which points two pictures have in common, corners where they are to a pixel or two; how the surroundings
/// fit on each other tells it ten times better.
public struct PlaceDetail: Sendable {
    /// One level: the half-sized picture.
    private let pyramid: ImagePyramid

    /// Keeps a picture.
    public init(_ image: ImageBuffer) {
        let half = image.gray.halved
        var pyramid = ImagePyramid(size: half.size, levelCount: 1)
        pyramid.fill(with: half)
        self.pyramid = pyramid
    }

    /// A point of this picture, and where another one is expected to show it.
    public struct Expectation: Sendable {
        /// Where this picture shows it.
        public var pixel: PixelPoint
        /// Where the other one does.
        public var expected: PixelPoint
        /// How far one goes there for a pixel to the right, and for a pixel down.
        public var byColumn, byRow: Vector2

        /// A point and where it is expected.
        public init(pixel: PixelPoint, expected: PixelPoint, byColumn: Vector2, byRow: Vector2) {
            (self.pixel, self.expected, self.byColumn, self.byRow) = (pixel, expected, byColumn, byRow)
        }
    }

    /// Where another picture shows points of this one: what surrounds each is shifted, turned, scaled and sheared from where it
    /// is expected until it fits. `nil` where it does not, or is worse than `leastCorrelation`, and outside the pictures.
    ///
    /// Law: `PlaceDetailTests.pointsAreFoundToAFractionOfAPixel`.
    public func find(
        _ points: [Expectation], in other: PlaceDetail, leastCorrelation: Double = 0.85
    ) -> [PixelPoint?] {
        var patches = PatchStore()
        var warps: [CVisionWarp] = []
        let areInside = points.map { shows($0.pixel) && other.shows($0.expected) }
        for point in zip(points, areInside).filter(\.1).map(\.0) {
            _ = patches.add(at: Self.half(point.pixel), onLevel: 0, of: pyramid)
            let start = Self.half(point.expected)
            warps.append(
                CVisionWarp(
                    x: start.x, y: start.y, xx: Float(point.byColumn.x), xy: Float(point.byRow.x),
                    yx: Float(point.byColumn.y), yy: Float(point.byRow.y)))
        }
        var flows = patches.align(&warps, in: other.pyramid).makeIterator()
        return areInside.map { isInside in
            guard isInside, let flow = flows.next(), flow.outcome == CVISION_FLOW_FOLLOWED,
                Double(flow.correlation) >= leastCorrelation
            else { return nil }
            return PixelPoint(2 * flow.x_px + 0.5, 2 * flow.y_px + 0.5)
        }
    }

    /// Whether a pixel of the picture lies within the half-sized one.
    private func shows(_ pixel: PixelPoint) -> Bool {
        let half = Self.half(pixel)
        return (0...Double(pyramid.size.width - 1)).contains(half.x)
            && (0...Double(pyramid.size.height - 1)).contains(half.y)
    }

    /// A pixel of the picture in the half-sized one: both share their upper left corner.
    private static func half(_ pixel: PixelPoint) -> PixelPoint {
        PixelPoint((pixel.x + 0.5) / 2 - 0.5, (pixel.y + 0.5) / 2 - 0.5)
    }
}

extension ImageBuffer {
    /// A grey picture of half the width and height, rounded down: each pixel the mean of four.
    fileprivate var halved: ImageBuffer {
        precondition(format == .gray8, "only grey pictures are halved")
        let halfSize = ImageSize(width: max(size.width / 2, 1), height: max(size.height / 2, 1))
        var half = ImageBuffer(size: halfSize, format: .gray8, filledWith: 0)
        let (lastColumn, lastRow) = (size.width - 1, size.height - 1)
        bytes.withUnsafeBufferPointer { bytes in
            for row in 0..<halfSize.height {
                let (upper, lower) = (2 * row * bytesPerRow, min(2 * row + 1, lastRow) * bytesPerRow)
                for column in 0..<halfSize.width {
                    let (left, right) = (2 * column, min(2 * column + 1, lastColumn))
                    let sum =
                        Int(bytes[upper + left]) + Int(bytes[upper + right]) + Int(bytes[lower + left])
                        + Int(bytes[lower + right])
                    half.bytes[row * half.bytesPerRow + column] = UInt8((sum + 2) / 4)
                }
            }
        }
        return half
    }
}
