// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A C² curve through points at any increasing parameters, whose ends have no curvature.
///
/// - Reference: de Boor 1978, "A Practical Guide to Splines", chapter IV.
/// - Domain: from the first parameter to the last; beyond, the curve stays at its end.
struct NaturalCubicSpline<Vector: SIMD> where Vector.Scalar == Double {
    private let parameters: [Double]
    private let points: [Vector]
    /// The second derivatives at the points.
    private let curvatures: [Vector]

    /// The curve through at least two points.
    init(through points: [Vector], at parameters: [Double]) {
        precondition(points.count >= 2, "a curve needs two points, not \(points.count)")
        precondition(points.count == parameters.count, "\(points.count) points, \(parameters.count) parameters")
        precondition(zip(parameters, parameters.dropFirst()).allSatisfy(<), "parameters must increase: \(parameters)")
        self.points = points
        self.parameters = parameters
        // Continuity of the first derivative: h₀ m₋ + 2 (h₀ + h₁) m + h₁ m₊ = 6 (s₁ − s₀), by Thomas's elimination.
        var (upper, right) = ([0.0], [Vector.zero])
        for index in 1..<max(1, points.count - 1) {
            let (h0, h1) = (parameters[index] - parameters[index - 1], parameters[index + 1] - parameters[index])
            let bend = (points[index + 1] - points[index]) / h1 - (points[index] - points[index - 1]) / h0
            let pivot = 2 * (h0 + h1) - h0 * upper[index - 1]
            upper.append(h1 / pivot)
            right.append((6 * bend - h0 * right[index - 1]) / pivot)
        }
        var curvatures = [Vector](repeating: .zero, count: points.count)
        for index in stride(from: points.count - 2, to: 0, by: -1) {
            curvatures[index] = right[index] - upper[index] * curvatures[index + 1]
        }
        self.curvatures = curvatures
    }

    /// The point.
    func value(at parameter: Double) -> Vector {
        let clamped = min(max(parameter, parameters[0]), parameters[parameters.count - 1])
        let index = max(1, parameters.firstIndex { $0 >= clamped } ?? 1)
        let h = parameters[index] - parameters[index - 1]
        let (a, b) = ((parameters[index] - clamped) / h, (clamped - parameters[index - 1]) / h)
        let bent = (a * a * a - a) * curvatures[index - 1] + (b * b * b - b) * curvatures[index]
        return a * points[index - 1] + b * points[index] + bent * (h * h / 6)
    }
}
