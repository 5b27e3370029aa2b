// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A value that is a list of numbers: what matchers compare entry by entry and numeric derivatives vary one by one.
public protocol Coordinates {
    /// The numbers, in a fixed order.
    var coordinates: [Double] { get }

    /// The value with these numbers, as many as ``coordinates`` has.
    init(coordinates: [Double])
}

extension Double: Coordinates {
    public var coordinates: [Double] { [self] }
    public init(coordinates: [Double]) { self = coordinates[0] }
}

extension Array: Coordinates where Element == Double {
    public var coordinates: [Double] { self }
    public init(coordinates: [Double]) { self = coordinates }
}

extension SIMD where Scalar == Double {
    public var coordinates: [Double] { indices.map { self[$0] } }
    public init(coordinates: [Double]) { self.init(coordinates) }
}

extension SIMD2: Coordinates where Scalar == Double {}
extension SIMD3: Coordinates where Scalar == Double {}
extension SIMD4: Coordinates where Scalar == Double {}

extension PixelPoint: Coordinates {
    public var coordinates: [Double] { [x, y] }
    public init(coordinates: [Double]) { self.init(coordinates[0], coordinates[1]) }
}

extension Matrix3x3: Coordinates {
    /// Column by column.
    public var coordinates: [Double] { (0..<3).flatMap { self[$0].coordinates } }

    public init(coordinates: [Double]) {
        self.init(
            Vector3(coordinates: Array(coordinates[0..<3])), Vector3(coordinates: Array(coordinates[3..<6])),
            Vector3(coordinates: Array(coordinates[6..<9])))
    }
}

extension NormalizedImagePoint: Coordinates {
    public var coordinates: [Double] { [x, y] }
    public init(coordinates: [Double]) { self.init(coordinates[0], coordinates[1]) }
}

extension VisionPoint: Coordinates {
    public var coordinates: [Double] { [x, y] }
    public init(coordinates: [Double]) { self.init(coordinates[0], coordinates[1]) }
}

extension ViewPoint: Coordinates {
    public var coordinates: [Double] { [x, y] }
    public init(coordinates: [Double]) { self.init(coordinates[0], coordinates[1]) }
}

extension AffineTransform2D: Coordinates {
    public var coordinates: [Double] { [a, b, c, d, tx, ty] }

    public init(coordinates: [Double]) {
        self.init(
            a: coordinates[0], b: coordinates[1], c: coordinates[2], d: coordinates[3], tx: coordinates[4],
            ty: coordinates[5])
    }
}
