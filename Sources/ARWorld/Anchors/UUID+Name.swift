// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension UUID {
    /// An identifier that follows from a name alone, so that two runs of a session agree: the name's 128-bit FNV-1a
    /// hash, marked as version 8 (RFC 9562: vendor-specific).
    package init(name: String) {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in name.utf8 { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        let b = (0..<16).map { UInt8(truncatingIfNeeded: hash >> (8 * (15 - $0))) }
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], (b[6] & 0x0f) | 0x80, b[7], (b[8] & 0x3f) | 0x80, b[9], b[10],
                b[11], b[12], b[13], b[14], b[15]
            ))
    }
}
