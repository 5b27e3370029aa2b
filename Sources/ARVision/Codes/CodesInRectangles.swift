// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension DetectedRectangle {
    /// The codes that lie inside the rectangle, the largest first: what identifies it.
    ///
    /// A code lies inside when all its corners do, or are at most a fiftieth of the rectangle's shorter side outside:
    /// a print may fill its card to the edge, and both are measured with errors.
    public func codes(among codes: [DetectedCode]) -> [DetectedCode] {
        let margin = 0.02 * min(quad.width, quad.height)
        return codes.filter { code in code.quad.corners.allSatisfy { quad.distanceOutside(of: $0) <= margin } }
            .sorted { a, b in
                let (first, second) = (abs(a.quad.signedArea), abs(b.quad.signedArea))
                return first == second ? a.payload < b.payload : first > second
            }
    }
}

extension PixelQuad {
    /// How far a place is beyond the side that it is farthest beyond, in pixels; negative inside.
    fileprivate func distanceOutside(of point: PixelPoint) -> Double {
        let corners = self.corners.map(\.vector)
        return (0..<4).map { corner in
            let side = corners[(corner + 1) % 4] - corners[corner]
            return -(side.normalized() ?? .zero).cross(point.vector - corners[corner])
        }.max() ?? .infinity
    }
}
