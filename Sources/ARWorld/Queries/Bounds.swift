// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A box along the axes in 48 bytes, which may be empty.
struct Bounds {
    private var lowX, lowY, lowZ, highX, highY, highZ: Double

    /// The box of no points.
    static let empty = Bounds(
        low: Point3(.infinity, .infinity, .infinity), high: Point3(-.infinity, -.infinity, -.infinity))

    init(low: Point3, high: Point3) {
        (lowX, lowY, lowZ) = (low.x, low.y, low.z)
        (highX, highY, highZ) = (high.x, high.y, high.z)
    }

    init(_ box: AxisAlignedBox) { self.init(low: box.minimum, high: box.maximum) }

    init(_ point: Point3) { self.init(low: point, high: point) }

    var low: Point3 { Point3(lowX, lowY, lowZ) }
    var high: Point3 { Point3(highX, highY, highZ) }
    var center: Point3 { 0.5 * (low + high) }

    /// The largest coordinate.
    var reach: Double { max(abs(lowX), abs(lowY), abs(lowZ), abs(highX), abs(highY), abs(highZ)) }

    /// The area of the six faces.
    var surface: Double {
        let (x, y, z) = (highX - lowX, highY - lowY, highZ - lowZ)
        return 2 * (x * y + y * z + z * x)
    }

    func union(_ other: Bounds) -> Bounds {
        Bounds(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
    }
}

/// A ray, prepared to be compared with many boxes.
///
/// - Reference: Kay, Kajiya 1986, "Ray Tracing Complex Scenes". A coordinate of the direction that is zero gives infinite
///   distances, whose comparison decides as it should; the one that is no number, of a ray that runs along a face, decides
///   nothing.
struct Slabs {
    private let origin: Point3
    private let inverse: Vector3
    private let tolerance: Double

    /// - Parameter tolerance: by how much every box is grown, in metres.
    init(_ ray: Ray, tolerance: Double) {
        origin = ray.origin
        inverse = Vector3(1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z)
        self.tolerance = tolerance
    }

    /// The distance at which the ray enters a box, zero inside of it, infinite where it misses.
    func entry(_ bounds: Bounds) -> Double {
        var (entry, exit) = (0.0, Double.infinity)
        narrow(&entry, &exit, bounds.low.x - origin.x, bounds.high.x - origin.x, inverse.x)
        narrow(&entry, &exit, bounds.low.y - origin.y, bounds.high.y - origin.y, inverse.y)
        narrow(&entry, &exit, bounds.low.z - origin.z, bounds.high.z - origin.z, inverse.z)
        return entry <= exit ? entry : .infinity
    }

    @inline(__always) private func narrow(
        _ entry: inout Double, _ exit: inout Double, _ low: Double, _ high: Double, _ inverse: Double
    ) {
        let first = (inverse < 0 ? high + tolerance : low - tolerance) * inverse
        let last = (inverse < 0 ? low - tolerance : high + tolerance) * inverse
        // NaN compares false with anything.
        if first > entry { entry = first }
        if last < exit { exit = last }
    }
}
