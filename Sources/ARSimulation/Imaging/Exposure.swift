// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How much light a picture is made of.
struct Exposure: Hashable, Sendable {
    /// How long each row collects light.
    var seconds: Double
    /// The factor between the sensor's charge and the value, at least 1.
    var gain: Double
}
