// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension PixelQuad {
    /// The area that two convex quadrilaterals share, by the area that they cover: 0…1.
    func overlap(with other: PixelQuad) -> Double {
        // The edges of one cut the other (Sutherland and Hodgman 1974).
        var shared = other.corners.map(\.vector)
        let side = signedArea < 0 ? -1.0 : 1.0
        for (index, corner) in corners.enumerated() {
            let start = corner.vector
            let edge = corners[(index + 1) % 4].vector - start
            var kept: [Vector2] = []
            for (number, point) in shared.enumerated() {
                let next = shared[(number + 1) % shared.count]
                let (depth, nextDepth) = (side * edge.cross(point - start), side * edge.cross(next - start))
                if depth >= 0 { kept.append(point) }
                if (depth > 0 && nextDepth < 0) || (depth < 0 && nextDepth > 0) {
                    kept.append(point + (depth / (depth - nextDepth)) * (next - point))
                }
            }
            shared = kept
        }
        let area =
            abs(shared.indices.reduce(0) { $0 + shared[$1].cross(shared[($1 + 1) % shared.count]) }) / 2
        let whole = abs(signedArea) + abs(other.signedArea) - area
        return whole > 0 ? area / whole : 0
    }

    /// Whether two prints cannot both be there: they lie in one place, and are of one size.
    func disputes(_ other: PixelQuad) -> Bool { overlap(with: other) > 0.3 }
}
