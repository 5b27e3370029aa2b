// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Testing

@testable import ARTargets

@Suite struct PixelQuadOverlapTests {
    @Test func overlapIsTheSharedAreaByTheWhole() {
        func square(_ x: Double, _ side: Double) -> PixelQuad {
            PixelQuad(
                topLeft: PixelPoint(x, 0), topRight: PixelPoint(x + side, 0), bottomRight: PixelPoint(x + side, side),
                bottomLeft: PixelPoint(x, side))
        }
        #expect(abs(square(0, 2).overlap(with: square(1, 2)) - 1.0 / 3) < 1e-12)
        #expect(abs(square(0, 4).overlap(with: square(1, 1)) - 1.0 / 16) < 1e-12)
        #expect(square(0, 1).overlap(with: square(5, 1)) == 0)
        #expect(abs(square(3, 2).overlap(with: square(3, 2)) - 1) < 1e-12)
    }
}
