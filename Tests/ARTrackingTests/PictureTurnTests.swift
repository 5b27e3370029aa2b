// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@testable import ARTracking

@Suite struct PictureTurnTests {
    private static let directions = (0..<20).map { index -> Vector3 in
        let (column, row) = (Double(index % 5), Double(index / 5))
        return Vector3(column * 0.2 - 0.4, row * 0.2 - 0.3, 1)
    }

    /// A camera that turns by ω sees what was at a at Exp(−ω) a.
    @Test func findsSmallTurns() throws {
        for turn in [Vector3(0.002, -0.001, 0.003), Vector3(-0.004, 0, 0), .zero] {
            var picture = PictureTurn()
            for a in Self.directions { picture.add(a, Rotation(rotationVector: -1 * turn) * a) }
            let found = try #require(picture.rotationVector)
            #expect((found - turn).length < 2e-5)
        }
    }

    @Test func fewPointsTellNothing() {
        var picture = PictureTurn()
        #expect(picture.rotationVector == nil)
        picture.add(Vector3(0, 0, 1), Vector3(0, 0.001, 1))
        #expect(picture.rotationVector == nil)
    }
}
