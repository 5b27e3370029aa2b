// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Testing

// Comparisons that print both values. Every one is written as "not within", so that NaN fails.

/// Expects every coordinate to differ by at most `tolerance` times `scale`.
///
/// `scale` is the magnitude of the numbers that the value was computed from, where that is far from one.
public func expectClose<Value: Coordinates>(
    _ actual: Value, _ expected: Value, tolerance: Double, scale: Double = 1,
    _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    let differences = zip(actual.coordinates, expected.coordinates).map { abs($0 - $1) }
    guard
        actual.coordinates.count == expected.coordinates.count,
        differences.allSatisfy({ $0 <= tolerance * scale })
    else {
        let worst = differences.contains { $0.isNaN } ? .nan : differences.max() ?? .nan
        Issue.record(
            """
            \(comment()) differs by \(worst), more than \(tolerance * scale)
              actual   \(actual)
              expected \(expected)
            """, sourceLocation: sourceLocation)
        return
    }
}

/// Expects two rotations to differ by at most `tolerance` radians.
public func expectClose(
    _ actual: Rotation, _ expected: Rotation, tolerance: Double,
    _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    let angle = actual.angle(to: expected)
    let lengthError = abs(actual.coefficients.length - 1)
    guard angle <= tolerance, lengthError <= tolerance else {
        Issue.record(
            """
            \(comment()) differs by \(angle) rad (quaternion's length off by \(lengthError)), more than \(tolerance)
              actual   \(actual)
              expected \(expected)
            """, sourceLocation: sourceLocation)
        return
    }
}

/// Expects two rigid transforms to differ by at most `radians` in rotation and by at most `metres` in translation.
public func expectClose(
    _ actual: RigidTransform, _ expected: RigidTransform, radians: Double, metres: Double,
    _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    expectClose(
        actual.rotation, expected.rotation, tolerance: radians, "\(comment()) rotation",
        sourceLocation: sourceLocation)
    expectClose(
        actual.translation, expected.translation, tolerance: metres, "\(comment()) translation",
        sourceLocation: sourceLocation)
}

/// Expects two similarities to differ by at most `radians` in rotation, by `metres` in translation, and in scale by the
/// factor 1 ± `scale`.
public func expectClose(
    _ actual: Similarity, _ expected: Similarity, radians: Double, metres: Double, scale: Double,
    _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    expectClose(
        actual.scale, expected.scale, tolerance: scale, scale: expected.scale, "\(comment()) scale",
        sourceLocation: sourceLocation)
    expectClose(
        RigidTransform(rotation: actual.rotation, translation: actual.translation),
        RigidTransform(rotation: expected.rotation, translation: expected.translation),
        radians: radians, metres: metres, comment(), sourceLocation: sourceLocation)
}
