// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A curve through values at any increasing times, once continuously differentiable, that never swings beyond them: what
/// has the same value at two neighbouring times rests between them.
///
/// A cubic between each two times, whose slopes at the times are the harmonic means of those of the chords, and zero
/// where the chords disagree; each component for itself. Before the first time and after the last it rests.
/// - Reference: Fritsch and Butland 1984, "A method for constructing local monotone piecewise cubic interpolants".
///   Laws: `MonotoneCurveTests`.
struct MonotoneCurve<Vector: SIMD>: Hashable, Sendable where Vector.Scalar == Double, Vector: Sendable {
    private let times: [Double]
    private let values: [Vector]
    private let slopes: [Vector]

    /// The curve through at least one value; times must increase.
    init(through values: [Vector], at times: [Double]) {
        precondition(!values.isEmpty && values.count == times.count, "\(values.count) values at \(times.count) times")
        precondition(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "times must increase: \(times)")
        self.times = times
        self.values = values
        let chords = times.indices.dropLast().map { (values[$0 + 1] - values[$0]) / (times[$0 + 1] - times[$0]) }
        slopes = times.indices.map { index in
            // At either end the curve comes to rest.
            guard index > 0, index < times.count - 1 else { return Vector.zero }
            let (before, after) = (times[index] - times[index - 1], times[index + 1] - times[index])
            return Self.slope(chords[index - 1], chords[index], before: before, after: after)
        }
    }

    private static func slope(_ a: Vector, _ b: Vector, before: Double, after: Double) -> Vector {
        var slope = Vector.zero
        for axis in a.indices where a[axis] * b[axis] > 0 {
            let (weightA, weightB) = (before + 2 * after, 2 * before + after)
            slope[axis] = (weightA + weightB) / (weightA / a[axis] + weightB / b[axis])
        }
        return slope
    }

    /// The value.
    func value(at time: Double) -> Vector {
        guard let next = times.firstIndex(where: { $0 > time }) else { return values[values.count - 1] }
        guard next > 0 else { return values[0] }
        let length = times[next] - times[next - 1]
        let u = (time - times[next - 1]) / length
        // Hermite's basis.
        let (a, b) = ((1 + 2 * u) * (1 - u) * (1 - u), u * u * (3 - 2 * u))
        let (c, d) = (u * (1 - u) * (1 - u) * length, -u * u * (1 - u) * length)
        let ends = a * values[next - 1] + b * values[next]
        return ends + c * slopes[next - 1] + d * slopes[next]
    }
}
