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
///
/// It is noise, as it is there: in a minute of those trajectories no frequency between 4 and 13 Hz stands out of the
/// periodogram's background by more than a factor of 10, and what two axes have in common there (Welch's mean coherence,
/// pieces of 4 s) is 0.03 to 0.11. Law: `HandTremorTests.hasNoLines`.
/// - Reference: Stiles 1976, "Frequency and displacement amplitude relations for normal hand tremor"; Elble, McNames
///   2016, "Using portable transducers to measure tremor severity", for the band.
struct HandTremor {
    /// Knots that carry the fastest waves, about 14 Hz, with more than five to each of its periods.
    static let knotSeconds = 0.0125

    private let position: BandNoise
    private let rotation: BandNoise

    /// Tremor with those standard deviations on each axis.
    init(meters: Double, radians: Double, seed: UInt64) {
        func noise(_ purpose: String, deviation: Double, corner: Double) -> BandNoise {
            BandNoise(deviation: deviation, hertz: 0.15..<14, seed: seed, purpose: purpose) { frequency in
                let falling = corner * corner + frequency * frequency
                return ((8...12).contains(frequency) ? 4 : 1) / (falling * falling)
            }
        }
        position = noise("camera tremor position", deviation: meters, corner: 0.6)
        rotation = noise("camera tremor rotation", deviation: radians, corner: 1.5)
    }

    /// Where the tremor has taken the camera.
    func steadyFromCamera(at seconds: Double) -> RigidTransform {
        RigidTransform(
            rotation: Rotation(rotationVector: rotation.value(at: seconds)),
            translation: position.value(at: seconds))
    }
}
