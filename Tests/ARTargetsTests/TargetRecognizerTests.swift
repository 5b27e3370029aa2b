// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTargets
import Testing

@Suite struct TargetRecognizerTests {
    @Test func withoutTargetsNothingIsRecognised() {
        var recognizer = TargetRecognizer()
        let picture = ImageBuffer(size: ImageSize(width: 64, height: 48), format: .gray8, filledWith: 90)
        #expect(recognizer.recognize(in: picture, camera: nil).isEmpty)
    }
}
