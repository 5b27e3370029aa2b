// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct RotationTests {
    @Test(arguments: 0..<200) func expLogRoundTrip(number: Int) {
        var random = TestRandom(case: number)
        let rotation = random.rotation()
        #expect(rotation.angle(to: Rotation(rotationVector: rotation.rotationVector)) < 1e-14)
    }
}
