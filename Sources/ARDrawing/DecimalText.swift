// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Text with decimal numbers, gathered as bytes: no locale, no formatter, no allocation for each number.
struct DecimalText {
    private var bytes: [UInt8] = []

    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends a keyword and three numbers as a line.
    mutating func append(_ keyword: StaticString, _ vector: Vector3, decimals: Int) {
        append(keyword)
        for component in 0..<3 {
            append(" ")
            append(vector[component], decimals: decimals)
        }
        append("\n")
    }

    /// Appends a whole number that is not negative.
    mutating func append(_ number: Int) { append(digits: UInt64(number), atLeast: 1) }

    /// Appends a number rounded to that many decimals, at most nine, without trailing zeros.
    ///
    /// Numbers too large for that are printed as the shortest text that reads back as the same number.
    mutating func append(_ number: Double, decimals: Int) {
        precondition(number.isFinite, "only numbers can be printed, not \(number)")
        let unitsPerOne = Self.powersOfTen[decimals]
        let units = (number * Double(unitsPerOne)).rounded()
        guard abs(units) < 0x1p62 else { return append(number.description) }
        if units < 0 { append("-") }
        let (whole, remainder) = UInt64(abs(units)).quotientAndRemainder(dividingBy: unitsPerOne)
        append(digits: whole, atLeast: 1)
        guard remainder > 0 else { return }
        append(".")
        var (fraction, places) = (remainder, decimals)
        while fraction % 10 == 0 {
            fraction /= 10
            places -= 1
        }
        append(digits: fraction, atLeast: places)
    }

    private static let powersOfTen: [UInt64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]

    /// Appends digits, with zeros before them up to that many places.
    private mutating func append(digits number: UInt64, atLeast places: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
            var rest = number
            var start = buffer.count
            while rest > 0 || buffer.count - start < places {
                start -= 1
                buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: buffer[start...])
        }
    }

    /// Hands the text on and forgets it, when it is longer than that many bytes.
    mutating func flush<Failure: Error>(ifAbove size: Int, to sink: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        guard bytes.count > size else { return }
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
