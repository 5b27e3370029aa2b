// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A clock that starts from rest: it stands, gathers speed as a hand does, and then goes as time goes.
///
/// Its speed is the minimum-jerk polynomial of Flash and Hogan 1985, its reading the integral of that.
struct EasedStart {
    /// How long it stands.
    let restSeconds: Double
    /// How long it takes to reach full speed.
    let rampSeconds: Double

    /// How much of the full speed it has, 0…1.
    func speed(at seconds: Double) -> Double {
        FingerTimeline.minimumJerk(min(max((seconds - restSeconds) / rampSeconds, 0), 1))
    }

    /// What it shows: half the ramp behind the time, once it goes.
    func progress(at seconds: Double) -> Double {
        let part = min(max((seconds - restSeconds) / rampSeconds, 0), 1)
        let ramped = part * part * part * part * (2.5 + part * (part - 3)) * rampSeconds
        return ramped + max(0, seconds - restSeconds - rampSeconds)
    }
}
