// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Numbers in text files, whatever the locale: `.` is the decimal point, nothing groups digits.
public enum NumberText {
    /// The number that the bytes spell, correctly rounded, or `nil` when they spell none.
    ///
    /// Decimal notation with an optional sign and exponent, and `nan`, `inf`, `infinity` in any case; no blanks.
    public static func double(_ bytes: ArraySlice<UInt8>) -> Double? {
        shortDouble(bytes) ?? exactDouble(bytes)
    }

    /// The whole number that the bytes spell, or `nil` when they spell none or do not fit into 64 bits.
    public static func int64(_ bytes: ArraySlice<UInt8>) -> Int64? {
        var digits = bytes
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard let digit = decimalDigit(byte) else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                isNegative
                ? product.subtractingReportingOverflow(Int64(digit)) : product.addingReportingOverflow(Int64(digit))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }

    /// Nanoseconds from decimal seconds, exactly: `1403636579.763556` is 1403636579763556000. Digits beyond the ninth
    /// place round to the nearest. `nil` when the bytes spell no number in plain or scientific notation, or do not fit.
    public static func nanoseconds(fromSeconds bytes: ArraySlice<UInt8>) -> Int64? {
        nanoseconds(bytes, decimalPlacesOfUnit: 9)
    }

    /// Nanoseconds from a decimal number of a unit that is 10 to the power of `decimalPlacesOfUnit` nanoseconds.
    public static func nanoseconds(_ bytes: ArraySlice<UInt8>, decimalPlacesOfUnit: Int) -> Int64? {
        guard var number = DecimalNumber(bytes) else { return nil }
        number.exponent += decimalPlacesOfUnit
        while number.exponent > 0 {
            let (product, overflow) = number.mantissa.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            number.mantissa = product
            number.exponent -= 1
        }
        var remainderDigit: UInt64 = 0
        while number.exponent < 0, number.mantissa > 0 {
            remainderDigit = number.mantissa % 10
            number.mantissa /= 10
            number.exponent += 1
        }
        if number.exponent < 0 { remainderDigit = 0 }
        let magnitude = number.mantissa + (remainderDigit >= 5 ? 1 : 0)
        guard magnitude <= UInt64(Int64.max) else { return nil }
        return number.isNegative ? -Int64(magnitude) : Int64(magnitude)
    }

    /// The shortest text that reads back as the same number; `-0` becomes `0`, whole numbers lose their `.0`.
    public static func string(_ value: Double) -> String {
        guard value != 0 else { return "0" }
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Decimal seconds from nanoseconds, exactly, with nine places: 1403636579763556000 is `1403636579.763556000`.
    public static func seconds(fromNanoseconds nanoseconds: Int64) -> String {
        let (whole, part) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        let digits = String(part)
        let padding = String(repeating: "0", count: 9 - digits.count)
        return "\(nanoseconds < 0 ? "-" : "")\(whole).\(padding)\(digits)"
    }

    /// Numbers of at most 19 digits whose mantissa and power of ten are both exact: one rounding, hence correct.
    /// (Clinger 1990, "How to read floating point numbers accurately".)
    private static func shortDouble(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard let number = DecimalNumber(bytes), number.mantissa <= 1 << 53, abs(number.exponent) <= 22 else {
            return nil
        }
        let power = exactPowersOfTen[abs(number.exponent)]
        let magnitude = number.exponent < 0 ? Double(number.mantissa) / power : Double(number.mantissa) * power
        return number.isNegative ? -magnitude : magnitude
    }

    private static let exactPowersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The standard library's parser, which knows no locale; it reads hexadecimal too, which text files here do not use.
    private static func exactDouble(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard !bytes.contains(UInt8(ascii: "x")), !bytes.contains(UInt8(ascii: "X")) else { return nil }
        return Double(String(decoding: bytes, as: UTF8.self))
    }

    @inline(__always)
    static func decimalDigit(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }
}

/// A number as it is written: ± mantissa · 10^exponent.
private struct DecimalNumber {
    var isNegative = false
    var mantissa: UInt64 = 0
    var exponent = 0

    /// `nil` when the bytes are no decimal number of at most 19 significant digits.
    init?(_ bytes: ArraySlice<UInt8>) {
        var position = bytes.startIndex
        if position < bytes.endIndex, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
            isNegative = bytes[position] == UInt8(ascii: "-")
            position += 1
        }
        var hasDigits = false
        var isFraction = false
        while position < bytes.endIndex {
            if let digit = NumberText.decimalDigit(bytes[position]) {
                guard mantissa < 1_000_000_000_000_000_000 else { return nil }
                mantissa = mantissa * 10 + UInt64(digit)
                if isFraction { exponent -= 1 }
                hasDigits = true
            } else if bytes[position] == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else {
                break
            }
            position += 1
        }
        guard hasDigits else { return nil }
        guard position < bytes.endIndex else { return }
        guard bytes[position] | 0x20 == UInt8(ascii: "e"),
            let power = NumberText.int64(bytes[(position + 1)...]), abs(power) < 1000
        else { return nil }
        exponent += Int(power)
    }
}
