// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The bytes of a file on their way to a sink: text with decimal numbers, and binary numbers, gathered in one block of
/// memory that is handed on whenever it is full. No locale, no formatter, no allocation for each number.
final class OutputBuffer<Failure: Error> {
    /// Takes bytes, which are gone when it returns.
    typealias Sink = (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void

    private let bytes: UnsafeMutablePointer<UInt8>
    private var count = 0
    private let sink: Sink
    private static var capacity: Int { 1 << 16 }
    /// More than any number takes.
    private static var reserve: Int { 512 }

    init(_ sink: @escaping Sink) {
        bytes = .allocate(capacity: Self.capacity)
        self.sink = sink
    }

    deinit { bytes.deallocate() }

    /// Hands on what is left.
    func finish() throws(Failure) {
        try sink(UnsafeBufferPointer(start: bytes, count: count))
        count = 0
    }

    /// Makes room for a number.
    @inline(__always)
    private func makeRoom() throws(Failure) {
        if count > Self.capacity - Self.reserve { try finish() }
    }

    // MARK: Text

    func append(_ text: StaticString) throws(Failure) {
        try makeRoom()
        precondition(text.utf8CodeUnitCount <= Self.reserve, "a longer text is appended as a String")
        (bytes + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    func append(_ text: String) throws(Failure) {
        for byte in text.utf8 {
            try makeRoom()
            put(byte)
        }
    }

    /// Appends a keyword and three numbers as a line.
    @inline(__always)
    func append(_ keyword: StaticString, _ vector: Vector3, decimals: Decimals) throws(Failure) {
        try append(keyword)
        for component in 0..<3 {
            put(UInt8(ascii: " "))
            try append(vector[component], decimals: decimals)
        }
        put(UInt8(ascii: "\n"))
    }

    /// Appends a whole number that is not negative.
    @inline(__always)
    func append(_ number: Int) throws(Failure) {
        try makeRoom()
        putDigits(UInt64(number))
    }

    /// Appends one character.
    @inline(__always)
    func append(_ character: Unicode.Scalar) throws(Failure) {
        try makeRoom()
        put(UInt8(ascii: character))
    }

    /// Appends a number rounded to that many decimals, without trailing zeros.
    ///
    /// Numbers too large for that are printed as the shortest text that reads back as the same number.
    @inline(__always)
    func append(_ number: Double, decimals: Decimals) throws(Failure) {
        precondition(number.isFinite, "only numbers can be printed, not \(number)")
        let units = (number * decimals.unitsPerOne).rounded()
        guard abs(units) < 0x1p62 else { return try append(number.description) }
        try makeRoom()
        if units < 0 { put(UInt8(ascii: "-")) }
        let (whole, fraction) = UInt64(abs(units)).quotientAndRemainder(dividingBy: UInt64(decimals.unitsPerOne))
        putDigits(whole)
        if fraction > 0 { putFraction(fraction, places: decimals.count) }
    }

    @inline(__always)
    private func put(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    @inline(__always)
    private func putDigits(_ number: UInt64) {
        var length = 1
        var power: UInt64 = 10
        while length < 19, number >= power {
            length += 1
            power &*= 10
        }
        var rest = number
        for place in stride(from: count + length - 1, through: count, by: -1) {
            let quotient = rest / 10
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest &- quotient &* 10)
            rest = quotient
        }
        count += length
    }

    @inline(__always)
    private func putFraction(_ fraction: UInt64, places: Int) {
        put(UInt8(ascii: "."))
        var rest = UInt32(truncatingIfNeeded: fraction)
        for place in stride(from: count + places - 1, through: count, by: -1) {
            let quotient = rest / 10
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest &- quotient &* 10)
            rest = quotient
        }
        count += places
        while bytes[count - 1] == UInt8(ascii: "0") { count -= 1 }
    }

    // MARK: Binary, little endian

    @inline(__always)
    func append(littleEndian number: some FixedWidthInteger) throws(Failure) {
        try makeRoom()
        var rest = number.littleEndian
        withUnsafeBytes(of: &rest) { source in
            for byte in source { put(byte) }
        }
    }

    @inline(__always)
    func append(littleEndian number: Float) throws(Failure) { try append(littleEndian: number.bitPattern) }

    @inline(__always)
    func append(littleEndian vector: Vector3) throws(Failure) {
        for component in 0..<3 { try append(littleEndian: Float(vector[component])) }
    }
}

/// How many decimals numbers have, at most nine.
struct Decimals {
    let count: Int
    let unitsPerOne: Double

    init(_ count: Int) {
        precondition((0...9).contains(count), "numbers have up to nine decimals, not \(count)")
        self.count = count
        unitsPerOne = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9][count]
    }
}
