// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A C² curve through points at whole parameters: a uniform cubic B-spline whose ends have no curvature.
///
/// - Reference: de Boor 1978, "A Practical Guide to Splines"; the basis is that of uniform knots.
/// - Domain: 0 to the number of points less one; beyond, the curve stays at its end.
struct UniformCubicSpline<Vector: SIMD>: Hashable, Sendable where Vector.Scalar == Double, Vector: Sendable {
    /// One control point more at either end than there are points.
    let controls: [Vector]

    /// The curve through at least two points.
    init(through points: [Vector]) {
        precondition(points.count >= 2, "a curve needs two points, not \(points.count)")
        let inner = Self.innerControls(through: points)
        controls = [2 * inner[0] - inner[1]] + inner + [2 * inner[inner.count - 1] - inner[inner.count - 2]]
    }

    /// The curve of at least four controls.
    init(controls: [Vector]) {
        precondition(controls.count >= 4, "a cubic curve needs four controls, not \(controls.count)")
        self.controls = controls
    }

    /// The largest parameter.
    var end: Double { Double(controls.count - 3) }

    /// The point and its first and second derivative with respect to the parameter.
    func derivatives(at parameter: Double) -> (value: Vector, first: Vector, second: Vector) {
        let (segment, u) = UniformCubicBasis.segment(of: parameter, count: controls.count - 3)
        let (c0, c1, c2, c3) = (
            controls[segment], controls[segment + 1], controls[segment + 2], controls[segment + 3]
        )
        // Differences of neighbours, weighted by the cumulative basis.
        let basis = UniformCubicBasis(u)
        let (d0, d1, d2) = (c1 - c0, c2 - c1, c3 - c2)
        return (
            c0 + basis.value.0 * d0 + basis.value.1 * d1 + basis.value.2 * d2,
            basis.first.0 * d0 + basis.first.1 * d1 + basis.first.2 * d2,
            basis.second.0 * d0 + basis.second.1 * d1 + basis.second.2 * d2
        )
    }

    /// The point.
    func value(at parameter: Double) -> Vector { derivatives(at: parameter).value }

    /// Solves (c[i−1] + 4 c[i] + c[i+1]) / 6 = p[i] with the end controls at the end points: Thomas's elimination.
    static func innerControls(through points: [Vector]) -> [Vector] {
        var controls = points
        let last = points.count - 1
        guard last >= 2 else { return controls }
        var upper = [Double](repeating: 0, count: points.count)
        for index in 1..<last {
            let pivot = 4 - upper[index - 1]
            upper[index] = 1 / pivot
            let right = 6 * points[index] - controls[index - 1]
            controls[index] = right / pivot
        }
        for index in stride(from: last - 1, through: 1, by: -1) {
            controls[index] -= upper[index] * controls[index + 1]
        }
        return controls
    }
}

/// The cumulative basis of a uniform cubic B-spline at 0 ≤ u ≤ 1, with its derivatives.
///
/// - Reference: Sommer, Usenko, Schubert, Demmel, Cremers 2020, "Efficient derivative computation for cumulative
///   B-splines on Lie groups", eq. 14.
struct UniformCubicBasis {
    let value: (Double, Double, Double)
    let first: (Double, Double, Double)
    let second: (Double, Double, Double)

    init(_ u: Double) {
        value = ((5 + u * (3 + u * (-3 + u))) / 6, (1 + u * (3 + u * (3 - 2 * u))) / 6, u * u * u / 6)
        first = ((1 - u) * (1 - u) / 2, (1 + u * (2 - 2 * u)) / 2, u * u / 2)
        second = (u - 1, 1 - 2 * u, u)
    }

    /// The segment in which a parameter lies and its place there; parameters outside are moved to the nearest end.
    static func segment(of parameter: Double, count: Int) -> (index: Int, u: Double) {
        let clamped = min(max(parameter, 0), Double(count))
        let index = min(Int(clamped), count - 1)
        return (index, clamped - Double(index))
    }
}
