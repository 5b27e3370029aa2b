// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARRandom
import ARSensing

/// Pictures of prints at random places.
struct RandomFrames {
    private var random: SeededRandom

    init(seed: UInt64, purpose: String) { random = SeededRandom(seed: seed, purpose: purpose) }

    mutating func number(in numbers: ClosedRange<Int>) -> Int {
        numbers.lowerBound + Int(random.uniform(0..<Double(numbers.count)))
    }

    /// Any size, tilt and blur at which prints should be recognised.
    mutating func anyConditions() -> PosedPrint.Conditions {
        var conditions = PosedPrint.Conditions()
        conditions.fill = random.uniform(0.08..<0.35)
        conditions.tilt = random.uniform(0..<0.9)
        conditions.motionBlur = random.uniform(0..<3)
        return conditions
    }

    /// A print wholly inside the picture.
    mutating func frame(
        of print: ImageBuffer, conditions: PosedPrint.Conditions
    ) -> (picture: ImageBuffer, posed: PosedPrint) {
        while true {
            guard let posed = PosedPrint(conditions, random: &random) else { continue }
            var scene = SpoiledPicture(clutter: 30, random: &random)
            scene.add(print, posed: posed, random: &random)
            return (scene.taken(conditions, random: &random), posed)
        }
    }
}
