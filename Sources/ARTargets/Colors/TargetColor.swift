// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A colour as screens show it: sRGB, 8 bits a channel.
public struct TargetColor: Hashable, Sendable {
    /// Red, 0 … 255.
    public var red: UInt8
    /// Green, 0 … 255.
    public var green: UInt8
    /// Blue, 0 … 255.
    public var blue: UInt8

    /// That colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour of six hexadecimal digits, with or without `#` before them; `nil` for any other text.
    public init?(hexadecimal text: some StringProtocol) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
            return nil
        }
        self.init(
            red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
    }

    /// Black.
    public static let black = TargetColor(red: 0, green: 0, blue: 0)
    /// White.
    public static let white = TargetColor(red: 255, green: 255, blue: 255)

    /// `#` and six hexadecimal digits; read back by ``init(hexadecimal:)``.
    public var hexadecimal: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// How bright the colour seems, 0 … 255: (299 R + 587 G + 114 B) / 1000 (W3C, Techniques For Accessibility Evaluation).
    public var brightness: Double {
        let thousandfold: Int = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
        return Double(thousandfold) / 1000
    }

    /// Black or white, whichever is read well on this colour: black from a brightness of 125 on.
    public var textColor: TargetColor { brightness >= 125 ? .black : .white }

    /// The square of the Euclidean distance between the three channels: a whole number, so that no rounding decides a tie.
    func squaredDistance(to other: TargetColor) -> Int {
        let (r, g, b) = (
            Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
        )
        return r * r + g * g + b * b
    }
}

extension TargetColor: CustomStringConvertible {
    public var description: String { hexadecimal }
}
