// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

/// Rectangles and codes in photographs.
@Suite struct RealDetectionTests {
    private static func image(_ path: String) throws -> ImageBuffer { try ImageFile.read(RealData.url(path)) }

    private struct Sheet: Decodable {
        let width: Int
        let corners_TL_TR_BR_BL: [[Double]]
    }

    /// Every sheet, its corners to 1.5 % of the picture's width, and more prominent than what is printed on it.
    @Test(.enabled(if: RealData.has("rect_docscan/corners.json"), "rect_docscan is absent"))
    func sheetsOfPaperAreFound() throws {
        let truth = try JSONDecoder().decode(
            [String: Sheet].self, from: Data(contentsOf: RealData.url("rect_docscan/corners.json")))
        #expect(!truth.isEmpty)
        for (name, sheet) in truth.sorted(by: { $0.key < $1.key }) {
            let found = try RectangleDetector().detect(in: Self.image("rect_docscan/images/\(name)"))
            let quad = PixelQuad(corners: sheet.corners_TL_TR_BR_BL.map { PixelPoint($0[0], $0[1]) })
            let error = found.first.map { $0.quad.outlineError(to: quad) } ?? .infinity
            #expect(error < 0.015 * Double(sheet.width), "\(name): \(error) px")
        }
    }

    /// The outer edges of tags of more than 20 pixels, down to 21° between their sides. The list counts pixels from
    /// their corners, by half a pixel more.
    @Test(.enabled(if: RealData.has("apriltag_official"), "apriltag_official is absent"))
    func tagsAreFound() throws {
        var configuration = RectangleDetector.Configuration()
        configuration.maximumObservations = 0
        configuration.minimumSize = 0.015
        configuration.minimumAspectRatio = 0.2
        configuration.quadratureTolerance = 75 * .pi / 180
        let names = ["33369213973_9d9bb4cc96_c", "34085369442_304b6bafd9_c", "34139872896_defdb2f8d9_c"]
        var (listed, errors) = (0, [Double]())
        for name in names {
            let found = try RectangleDetector(configuration).detect(in: Self.image("apriltag_official/\(name).jpg"))
            let list = try String(contentsOf: RealData.url("apriltag_official/\(name).txt"), encoding: .utf8)
            for line in list.split(separator: "\n") {
                let numbers = line.split { !"-.0123456789".contains($0) }.dropFirst().compactMap { Double($0) }
                let tag = PixelQuad(
                    corners: (0..<4).map { PixelPoint(numbers[2 * $0] - 0.5, numbers[2 * $0 + 1] - 0.5) })
                guard (tag.width + tag.height) / 2 > 20 else { continue }
                listed += 1
                let error = found.map { $0.quad.outlineError(to: tag) }.min() ?? .infinity
                if error < 2.5 { errors.append(error) }
            }
        }
        #expect(listed == 21)
        #expect(Double(errors.count) >= 0.95 * Double(listed), "\(errors.count) of \(listed)")
        #expect(errors.sorted()[errors.count / 2] < 0.6)
    }

    /// The two cards that lie on top of all others, and most of those whose corners can be told.
    @Test(.enabled(if: RealData.has("opencv_planar/cards.png"), "opencv_planar is absent"))
    func cardsAreFound() throws {
        var configuration = RectangleDetector.Configuration()
        configuration.maximumObservations = 0
        configuration.minimumSize = 0.1
        configuration.minimumConfidence = 0.6
        let found = try RectangleDetector(configuration).detect(in: Self.image("opencv_planar/cards.png"))
        let onTop = [
            [(172.5, 76.2), (256.8, 76.2), (256.8, 203.4), (172.5, 203.4)],
            [(334.5, 125.5), (418.5, 125.5), (418.5, 250.2), (334.5, 250.2)],
        ].map { PixelQuad(corners: $0.map { PixelPoint($0.0, $0.1) }) }
        for card in onTop {
            let error = found.map { $0.quad.outlineError(to: card) }.min() ?? .infinity
            #expect(error < 2)
        }
        #expect((6...20).contains(found.count), "\(found.count)")
    }

    /// Photographs of QR codes, by a phone: all are read, and to the letter.
    @Test(
        .enabled(if: RealData.has("qr_zxing/qrcode-1"), "qr_zxing is absent"),
        arguments: [("qrcode-1", 20), ("qrcode-3", 42)])
    func codesInPhotographsAreRead(folder: String, count: Int) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: RealData.url("qr_zxing/\(folder)").path)
            .filter { $0.hasSuffix(".png") }.sorted()
        #expect(names.count == count)
        var configuration = CodeReader.Configuration()
        configuration.symbologies = [.qr]
        let reader = CodeReader(configuration)
        for name in names {
            let truth = RealData.url("qr_zxing/\(folder)/\(name.dropLast(4)).txt")
            let payload = try String(decoding: Data(contentsOf: truth), as: UTF8.self)
            let codes = try reader.read(in: Self.image("qr_zxing/\(folder)/\(name)"))
            #expect(codes.map(\.payload).contains(payload), "\(name)")
        }
    }
}
