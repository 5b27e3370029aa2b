// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation
import TestSupport

/// Points on a surface, as a tracker knows them.
struct SampleSurface {
    /// +Y is the normal.
    var worldFromSurface: RigidTransform
    /// From side to side, along X and Z.
    var size = Vector2(0.8, 0.8)
    var pointCount = 40
    /// How far the points' estimates are off, in metres, in each direction.
    var deviation = 0.003

    /// The points, with numbers from `firstID` on.
    func points(firstID: UInt64 = 0, _ random: inout TestRandom) -> [EstimatedLandmark] {
        (0..<pointCount).map { number in
            let place = Point3(random.uniform() * size.x / 2, 0, random.uniform() * size.y / 2)
            return EstimatedLandmark(
                id: firstID + UInt64(number),
                position: worldFromSurface * place + deviation * random.normalVector(),
                covariance: deviation * deviation * Matrix3x3.identity)
        }
    }
}

extension TestRandom {
    /// Three independent numbers, normally distributed with deviation one.
    mutating func normalVector() -> Vector3 {
        func sum(_ random: inout TestRandom) -> Double {
            // Twelve uniform numbers of variance 1/12.
            (0..<12).reduce(-6) { sum, _ in sum + random.uniform(0...1) }
        }
        return Vector3(sum(&self), sum(&self), sum(&self))
    }
}
