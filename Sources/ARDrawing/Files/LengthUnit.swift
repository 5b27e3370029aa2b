// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The unit of a file's lengths.
public enum LengthUnit: String, CaseIterable, Hashable, Sendable {
    /// Metres, as everywhere in arsim.
    case metres = "m"
    /// Millimetres, as printers expect.
    case millimetres = "mm"

    /// How many of the unit a metre has.
    public var perMetre: Double { self == .metres ? 1 : 1000 }

    /// The decimals with which positions are printed: down to a nanometre.
    var decimals: Decimals { self == .metres ? Decimals(9) : Decimals(6) }
}
