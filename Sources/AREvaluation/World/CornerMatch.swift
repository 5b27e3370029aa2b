// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// Four corners laid over four true ones, the first on any of them: what remains, and by how many corners they are turned.
struct CornerMatch {
    /// The corner of the answer that lies on the first true one.
    let turn: Int
    /// The distance of each corner, in the order of the true ones.
    let distances: [Double]

    var meanDistance: Double { distances.reduce(0, +) / 4 }

    /// The turn among these for which the corners are nearest.
    init<Corner>(
        _ corners: [Corner], on truth: [Corner], turns: Range<Int> = 0..<4, distance: (Corner, Corner) -> Double
    ) {
        let candidates = turns.map { turn in
            CornerMatch(turn: turn, distances: (0..<4).map { distance(corners[($0 + turn) % 4], truth[$0]) })
        }
        self = candidates.dropFirst().reduce(candidates[0]) { $1.meanDistance < $0.meanDistance ? $1 : $0 }
    }

    private init(turn: Int, distances: [Double]) { (self.turn, self.distances) = (turn, distances) }
}

extension CornersTruth {
    /// The corners' pixels; `nil` where nothing of what they bound is seen, or one of them lies behind the camera.
    var visibleQuad: PixelQuad? {
        let known = pixels.compactMap { $0 }
        guard visibleFraction > 0, known.count == 4 else { return nil }
        return PixelQuad(corners: known)
    }
}

extension PixelQuad {
    /// The length of the shortest side, in pixels.
    var shortestSide: Double {
        let corners = self.corners
        return (0..<4).map { corners[$0].distance(to: corners[($0 + 1) % 4]) }.min() ?? 0
    }

    /// How large it is: the side of the square with its area, in pixels.
    var scale: Double { abs(signedArea).squareRoot() }

    /// A gain that is larger the nearer the corners are, and zero where they are more than a part of the size away.
    func gain(of match: CornerMatch, within part: Double) -> Double {
        let distance = match.meanDistance / max(scale, 1e-9)
        return distance <= part ? 1 / (1 + distance) : 0
    }
}
