// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// On which side of the line from `a` to `b` the point `c` lies: positive to the left (the three turn counter-clockwise),
/// negative to the right, zero exactly when they are collinear.
///
/// The sign is exact, so that algorithms that decide by it can rely on the laws of geometry. The value itself is twice
/// the triangle's area, rounded. A first estimate with an error bound decides nearly always; the rest is summed without
/// rounding.
/// - Domain: finite coordinates whose non-zero magnitudes differ by less than 2⁴⁰⁰.
/// - Reference: Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
///   sections 2 and 4. Law: `OrientationTests.signIsExact`.
@inlinable public func orientation(_ a: Point2, _ b: Point2, _ c: Point2) -> Double {
    let left = (a.x - c.x) * (b.y - c.y)
    let right = (a.y - c.y) * (b.x - c.x)
    let estimate = left - right
    let magnitude = abs(left) + abs(right)
    // (3 + 16ε)ε with ε = 2⁻⁵³ bounds the relative rounding error; below 1e-280 products may have underflowed.
    if abs(estimate) > 3.330_669_073_875_471_6e-16 * magnitude, magnitude > 1e-280 { return estimate }
    if (a.x == c.x || b.y == c.y) && (a.y == c.y || b.x == c.x) { return 0 }
    return exactOrientation(a, b, c)
}

/// The determinant a×b + b×c + c×a, from exact products summed as an expansion of non-overlapping doubles.
@usableFromInline func exactOrientation(_ a: Point2, _ b: Point2, _ c: Point2) -> Double {
    let largest = max(abs(a).max(), abs(b).max(), abs(c).max())
    guard largest.isFinite else { return .nan }
    // A power of two keeps every digit and brings the products away from under- and overflow.
    let exponent = largest.exponent
    let scale = { (v: Point2) in
        Point2(
            Double(sign: .plus, exponent: -exponent, significand: v.x),
            Double(sign: .plus, exponent: -exponent, significand: v.y))
    }
    let (p, q, r) = (scale(a), scale(b), scale(c))
    var sum = ExactSum()
    sum.add(p.x, times: q.y)
    sum.add(-p.y, times: q.x)
    sum.add(q.x, times: r.y)
    sum.add(-q.y, times: r.x)
    sum.add(r.x, times: p.y)
    sum.add(-r.y, times: p.x)
    let sign = sum.leadingTerm
    let rescaled = Double(sign: .plus, exponent: 2 * exponent, significand: sign)
    return rescaled != 0 || sign == 0 ? rescaled : sign > 0 ? .leastNonzeroMagnitude : -.leastNonzeroMagnitude
}

/// A sum of doubles without rounding: its terms, in increasing magnitude, do not overlap.
private struct ExactSum {
    private var terms: [Double] = []

    /// Adds a product: the rounded product and its rounding error are both doubles.
    mutating func add(_ a: Double, times b: Double) {
        let product = a * b
        add((-product).addingProduct(a, b))
        add(product)
    }

    /// Adds a term: each step leaves the rounding error behind and carries the rounded sum on.
    private mutating func add(_ term: Double) {
        var carried = term
        for index in terms.indices {
            let sum = carried + terms[index]
            let virtual = sum - carried
            terms[index] = (carried - (sum - virtual)) + (terms[index] - virtual)
            carried = sum
        }
        terms.append(carried)
    }

    /// The largest term, whose sign is the sum's.
    var leadingTerm: Double { terms.last { $0 != 0 } ?? 0 }
}

private func abs(_ v: Point2) -> Point2 { Point2(Swift.abs(v.x), Swift.abs(v.y)) }
