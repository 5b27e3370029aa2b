// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What is wrong with an inertial sensor's readings: ω = (1 − Mω)(reading − bω), a = (1 − Ma)(reading − ba).
///
/// The matrices hold scale factors on their diagonals and misalignments beside them. Phones leave the factory with some
/// tenths of a per cent and some milliradians of both, which is a hundred times what white noise adds while one turns
/// around: a filter that does not estimate them believes its gyroscope too much.
struct ImuErrors: Hashable, Sendable {
    /// bω, in rad/s.
    var gyroscopeBias = Vector3.zero
    /// ba, in m/s².
    var accelerometerBias = Vector3.zero
    /// Mω.
    var gyroscopeDistortion = Matrix3x3.zero
    /// Ma.
    var accelerometerDistortion = Matrix3x3.zero

    /// A reading without its errors.
    func corrected(_ reading: ImuReading) -> ImuReading {
        let rate = reading.angularVelocity - gyroscopeBias
        let force = reading.specificForce - accelerometerBias
        return ImuReading(
            angularVelocity: rate - gyroscopeDistortion * rate, specificForce: force - accelerometerDistortion * force)
    }
}
