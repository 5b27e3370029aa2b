// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// The light goes out: values shrink, and the sensor's noise stands out as its gain rises.
public struct Darkness: Hashable, Sendable {
    /// What is left of the values.
    public var light = 0.1
    /// The standard deviation of the noise, as a part of the whole scale.
    public var noise = 0.02

    /// A tenth of the light, and noise.
    public init() {}
}

extension Darkness: FaultParameters {
    static let name = "darkness"
    static let isRandom = true
    var kind: Fault.Kind { .darkness(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("light", &light, in: 0...1)
        try fields.number("noise", &noise, in: 0...1)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        let table = byteTable { $0 * light }
        return PictureStage(setting: setting) { rows, random in
            rows.map(table)
            rows.addNoise(standardDeviation: noise * 255, &random)
        }
    }
}

/// Light bursts in: values grow, and the bright ones are cut off.
public struct Flash: Hashable, Sendable {
    /// By what the values are multiplied.
    public var gain = 3.0
    /// What is added to them, as a part of the whole scale.
    public var lift = 0.3

    /// A picture that is mostly white.
    public init() {}
}

extension Flash: FaultParameters {
    static let name = "flash"
    var kind: Fault.Kind { .flash(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("gain", &gain, in: 1...100)
        try fields.number("lift", &lift, in: 0...1)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        let table = byteTable { gain * $0 + lift }
        return PictureStage(setting: setting) { rows, _ in rows.map(table) }
    }
}
