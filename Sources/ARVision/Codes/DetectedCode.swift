// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CCodes

/// The kinds of codes that are read, by the names of Vision's `VNBarcodeSymbology`.
public enum CodeSymbology: String, Hashable, Sendable, CaseIterable {
    case aztec, codabar, code39, code93, code128, dataMatrix, ean8
    /// UPC-A too, which is EAN-13 with a leading zero.
    case ean13
    case gs1DataBar, gs1DataBarExpanded
    /// Interleaved two of five, ITF-14 too.
    case i2of5
    case microQR, pdf417, qr, upce

    /// Whether it is made of bars that are read along one line.
    public var isLinear: Bool {
        switch self {
        case .aztec, .dataMatrix, .microQR, .pdf417, .qr: false
        default: true
        }
    }

    /// Whether errors in its modules are corrected, whichever size it has. Bars at most detect them, and so do the smallest Micro
    /// QR codes.
    public var correctsErrors: Bool {
        switch self {
        case .aztec, .dataMatrix, .pdf417, .qr: true
        default: false
        }
    }

    /// The reader's name for it.
    var inC: CCodesSymbology {
        switch self {
        case .aztec: CCODES_AZTEC
        case .codabar: CCODES_CODABAR
        case .code39: CCODES_CODE_39
        case .code93: CCODES_CODE_93
        case .code128: CCODES_CODE_128
        case .dataMatrix: CCODES_DATA_MATRIX
        case .ean8: CCODES_EAN_8
        case .ean13: CCODES_EAN_13
        case .gs1DataBar: CCODES_DATA_BAR
        case .gs1DataBarExpanded: CCODES_DATA_BAR_EXPANDED
        case .i2of5: CCODES_ITF
        case .microQR: CCODES_MICRO_QR
        case .pdf417: CCODES_PDF_417
        case .qr: CCODES_QR
        case .upce: CCODES_UPC_E
        }
    }
}

/// A code that was read in a picture.
public struct DetectedCode: Hashable, Sendable {
    /// The payload as text, decoded as the code says or, where it does not, as its bytes suggest.
    public var payload: String
    /// The payload as the code holds it.
    public var payloadBytes: [UInt8]
    /// The kind of code.
    public var symbology: CodeSymbology
    /// The corners of its modules or bars, without the quiet zone, in the code's own order: `topLeft` is where its top
    /// begins when one reads it upright, whichever way it lies in the picture. Clockwise, unless it is mirrored.
    public var quad: PixelQuad
    /// Whether it is seen from behind or in a mirror: its corners then go anticlockwise in the picture.
    public var isMirrored: Bool

    /// A code's payload and place.
    public init(
        payload: String, payloadBytes: [UInt8], symbology: CodeSymbology, quad: PixelQuad, isMirrored: Bool = false
    ) {
        self.payload = payload
        self.payloadBytes = payloadBytes
        self.symbology = symbology
        self.quad = quad
        self.isMirrored = isMirrored
    }

    /// The code with its corners elsewhere; `nil` where they have no image.
    func moved(by image: (PixelQuad) -> PixelQuad?) -> DetectedCode? {
        image(quad).map { quad in
            var code = self
            code.quad = quad
            return code
        }
    }
}
