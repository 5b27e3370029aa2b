// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Where things lie in a database's bytes: see the page Image targets. All numbers are little-endian.
enum TargetFileLayout {
    static let magic: [UInt8] = Array("ARTARGET".utf8)
    static let version: UInt32 = 4
    static let headerSize = 128
    static let entrySize = Entry.look + TargetLook.byteCount
    static let postingSize = 32
    static let alignment = 64

    /// Where the header's numbers are.
    enum Header {
        static let version = 8
        static let headerSize = 12
        static let fileSize = 16
        static let targetCount = 24
        static let keyBits = 28
        static let postingCount = 32
        static let directory = 40
        static let text = 48
        static let textSize = 56
        static let templates = 64
        static let starts = 72
        static let postings = 80
        static let places = 88
        static let checksum = 96
    }

    /// Where the numbers of an entry of the directory are.
    enum Entry {
        static let name = 0
        static let nameSize = 4
        static let record = 8
        static let recordSize = 12
        static let physicalWidth = 16
        static let pictureWidth = 24
        static let pictureHeight = 28
        static let templateWidth = 32
        static let templateHeight = 34
        static let featureCount = 36
        static let template = 40
        static let colorSide = 48
        static let look = 64
    }

    static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }

    /// 64 bits of FNV-1a.
    static func checksum(_ parts: [UnsafeRawBufferPointer]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in parts {
            for byte in part { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        }
        return hash
    }
}

extension UnsafeRawBufferPointer {
    /// A little-endian number.
    func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
