// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

/// The unrest of a hand that holds a phone: a slow sway, and the physiological tremor of 8 to 12 Hz.
///
/// Above a corner the displacement's power falls with the fourth power of the frequency, and between 8 and 12 Hz it is
/// four times what that says. So it is in the hand-held AR table-top trajectories of the University of Delaware (RPNG, 2022):
/// their acceleration and angular velocity in bands from 2 to 20 Hz are met within a factor of about two at 2 mm and 4 mrad,
/// where the position's corner lies at 0.6 Hz and the rotation's at 1.5 Hz. Amplitudes that fall so, with a rise around
/// 10 Hz, were found in outstretched hands long ago. Law: `HandTremorTests.spectrum`.
/// - Reference: Stiles 1976, "Frequency and displacement amplitude relations for normal hand tremor"; Elble, McNames
///   2016, "Using portable transducers to measure tremor severity", for the band.
struct HandTremor {
    /// Knots that carry the fastest wave, 14 Hz, with more than five to each of its periods.
    static let knotSeconds = 0.0125

    private let position: WaveSum
    private let rotation: WaveSum

    /// Tremor with those standard deviations on each axis.
    init(meters: Double, radians: Double, seed: UInt64) {
        func waves(_ purpose: String, deviation: Double, corner: Double) -> WaveSum {
            var random = SeededRandom(seed: seed, purpose: purpose)
            return WaveSum(deviation: deviation, bandsInHertz: 0.15..<14, random: &random) { frequency in
                let falling = corner * corner + frequency * frequency
                return ((8...12).contains(frequency) ? 4 : 1) / (falling * falling)
            }
        }
        position = waves("camera tremor position", deviation: meters, corner: 0.6)
        rotation = waves("camera tremor rotation", deviation: radians, corner: 1.5)
    }

    /// Where the tremor has taken the camera.
    func steadyFromCamera(at seconds: Double) -> RigidTransform {
        RigidTransform(
            rotation: Rotation(rotationVector: rotation.value(at: seconds)),
            translation: position.value(at: seconds))
    }
}
