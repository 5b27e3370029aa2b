// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension FingerMemory {
    /// What costs more is not the finger that is followed.
    static let costLimit = 7.5
    /// What costs less is the finger, and no other need be looked for: it is as unlike as one measure that is 2.4 standard
    /// deviations off.
    static let sureCost = 3.0

    /// What costs less close to where it is expected is the finger: as unlike as one measure that is two standard deviations off.
    static let expectedCost = 2.0

    /// How unlike a fingertip is to the one that is expected, whose shape has this contrast.
    func cost(of seen: Fingertip, contrast: Float, handMotion: Vector2? = nil) -> Double {
        cost(center: seen.center.vector, direction: seen.direction, width: seen.radius, handMotion: handMotion)
            + 3 * (1 - seen.confidence) + 4 * Double(1 - contrast / TipSearch.greatestContrast)
    }

    /// How unlike the finger is to what is expected: half the squares of its distances in standard deviations; as for its place,
    /// what Student's distribution with two degrees of freedom gives, since hands move by little or by much.
    ///
    /// A finger moves on as before, or as its hand does.
    func cost(center: Vector2, direction: Vector2, width: Double, handMotion: Vector2?) -> Double {
        let patience = Double(1 + lostCount).squareRoot()
        let motion = center - fingertip.center.vector
        let distance = min((motion - velocity).length, (motion - (handMotion ?? velocity)).length)
        let far = distance / (radius + 0.3 * velocity.length) / patience
        let turned = acos(min(max(direction.dot(fingertip.direction), -1), 1)) / 0.45 / patience
        let wider = log(width / radius) / 0.3 / patience
        // No finger doubles its width between two pictures; what appears elsewhere must be nearly as wide.
        guard abs(wider) < 2 else { return .infinity }
        let isOther = far > 3 && abs(wider) > 1.5
        return 1.5 * log(1 + 0.5 * far * far) + min(0.5 * turned * turned, 3) + 0.5 * wider * wider + (isOther ? 5 : 0)
    }
}
