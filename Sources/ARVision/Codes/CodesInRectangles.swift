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
            .largestFirst()
    }
}

extension [DetectedCode] {
    /// The codes by their areas in the picture; of equal ones, by what they hold and where they begin.
    func largestFirst() -> [DetectedCode] {
        func key(_ code: DetectedCode) -> (Double, String, String, Double, Double) {
            let start = code.quad.topLeft
            return (-abs(code.quad.signedArea), code.payload, code.symbology.rawValue, start.y, start.x)
        }
        return sorted { key($0) < key($1) }
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
