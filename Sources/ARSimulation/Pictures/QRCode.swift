// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CBarcode

/// A QR code: the square of dark and light modules that stands for a text (ISO/IEC 18004, model 2).
public struct QRCode: Hashable, Sendable {
    /// How much of a code may be lost.
    public enum ErrorCorrection: String, Hashable, Sendable, CaseIterable {
        /// About 7 % (level L).
        case low
        /// About 15 % (level M).
        case medium
        /// About 25 % (level Q).
        case quartile
        /// About 30 % (level H).
        case high
    }

    /// Why there is no code for a text.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The text is empty, or has a zero in it.
        case noText
        /// The text is longer than the largest code of that error correction holds.
        case tooLong(byteCount: Int, errorCorrection: ErrorCorrection)

        public var description: String {
            switch self {
            case .noText: "a text that is empty or has a zero in it; give at least one character"
            case .tooLong(let byteCount, let errorCorrection):
                "a text of \(byteCount) bytes, more than a code with \(errorCorrection.rawValue) error correction "
                    + "holds; shorten it, or lower the error correction"
            }
        }
    }

    /// The width of the light border that a code needs around itself, in modules.
    public static let quietModules = 4
    /// The versions of the standard: a code has 17 + 4 · version modules along a side.
    public static let versions = 1...Int(CBARCODE_LARGEST_VERSION)

    /// The text.
    public let payload: String
    /// How much of the code may be lost.
    public let errorCorrection: ErrorCorrection
    /// The number of modules along a side.
    public let side: Int
    private let modules: [UInt8]

    /// The code of a text in UTF-8: of the smallest version from `version` up that holds it.
    public init(
        payload: String, errorCorrection: ErrorCorrection = .medium, version: Int = 1
    ) throws(Failure) {
        precondition(Self.versions.contains(version), "versions are 1 to 40, not \(version)")
        guard !payload.isEmpty, !payload.utf8.contains(0) else { throw .noText }
        let largestSide = Int(CBARCODE_LARGEST_SIDE)
        var modules = [UInt8](repeating: 0, count: largestSide * largestSide)
        var side: Int32 = 0
        let status = cbarcode_qr(
            payload, errorCorrection.level, Int32(version), &modules, Int64(modules.count), &side)
        guard status != CBARCODE_TOO_LONG else {
            throw .tooLong(byteCount: payload.utf8.count, errorCorrection: errorCorrection)
        }
        precondition(status == CBARCODE_OK, "no code of \(payload.utf8.count) bytes: status \(status.rawValue)")
        self.payload = payload
        self.errorCorrection = errorCorrection
        self.side = Int(side)
        self.modules = Array(modules.prefix(self.side * self.side))
    }

    /// The version: how large the code is.
    public var version: Int { (side - 17) / 4 }

    /// Whether a module is dark; those outside are light.
    public func isDark(column: Int, row: Int) -> Bool {
        (0..<side).contains(column) && (0..<side).contains(row) && modules[row * side + column] != 0
    }
}

extension QRCode {
    /// The code in black on white with its quiet zone, that many pixels wide and high.
    public func image(width: Int) -> ImageBuffer { image(width: width, paper: Vector3(1, 1, 1)) }

    /// The code in black on paper of a colour, sRGB 0…1.
    public func image(width: Int, paper: Vector3) -> ImageBuffer {
        var canvas = VectorCanvas(
            size: ImageSize(width: width, height: width), width: Double(side + 2 * Self.quietModules),
            ground: paper)
        let origin = Point2(Double(Self.quietModules), Double(Self.quietModules))
        canvas.fill(outline.transformed(by: .placing(at: origin, scale: 1)), Vector3())
        return canvas.image
    }

    /// The outer corners of the outermost modules in ``image(width:)``: of the code's top left, top right, bottom right
    /// and bottom left.
    public var corners: [NormalizedImagePoint] {
        let width = Double(side + 2 * Self.quietModules)
        let (near, far) = (Double(Self.quietModules) / width, Double(Self.quietModules + side) / width)
        return [(near, near), (far, near), (far, far), (near, far)].map { NormalizedImagePoint($0, $1) }
    }

    /// The dark modules, each one unit wide, from (0, 0) to (side, side).
    var outline: VectorPath {
        var path = VectorPath()
        for row in 0..<side {
            var column = 0
            while column < side {
                let first = column
                while isDark(column: column, row: row) { column += 1 }
                if column > first {
                    path.append(
                        .rectangle(Point2(Double(first), Double(row)), Point2(Double(column), Double(row + 1))))
                }
                column += 1
            }
        }
        return path
    }
}

extension QRCode.ErrorCorrection {
    fileprivate var level: CBarcodeLevel {
        switch self {
        case .low: CBARCODE_LEVEL_L
        case .medium: CBARCODE_LEVEL_M
        case .quartile: CBARCODE_LEVEL_Q
        case .high: CBARCODE_LEVEL_H
        }
    }
}
