// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTargets
import Foundation
import TestSupport
import Testing

/// Targets in photographs.
@Suite(.tags(.slow), .whenSlowTestsRun) struct RealTargetTests {
    private static func image(_ path: String) throws -> ImageBuffer { try ImageFile.read(RealData.url(path)) }

    private static func recognizer(_ pictures: [String: String]) throws -> TargetRecognizer {
        let references = try pictures.sorted { $0.key < $1.key }.map {
            ReferenceImage(name: $0.key, picture: try image($0.value))
        }
        var recognizer = TargetRecognizer()
        recognizer.activate(try TargetDatabase(building: references), as: "targets")
        return recognizer
    }

    /// The numbers of the `<data>` of an OpenCV matrix.
    private static func homography(_ path: String) throws -> Matrix3x3 {
        let text = try String(contentsOf: RealData.url(path), encoding: .utf8)
        let data = try #require(text.components(separatedBy: "<data>").last?.components(separatedBy: "</data>").first)
        let m = data.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try #require(m.count == 9)
        return (1 / m[8])
            * Matrix3x3(rows: Vector3(m[0], m[1], m[2]), Vector3(m[3], m[4], m[5]), Vector3(m[6], m[7], m[8]))
    }

    /// Of the fifth and sixth pictures, those that OpenCV's SIFT with RANSAC places within five pixels, too.
    @Test(
        .enabled(if: RealData.has("oxford_affine/graf"), "oxford_affine is absent"),
        arguments: [("graf", 2...4), ("boat", 2...5), ("bikes", 2...5), ("leuven", 2...6)])
    func wholePhotographsAreFoundAgain(set: String, numbers: ClosedRange<Int>) throws {
        let first = try Self.image("oxford_affine/\(set)/img1.png")
        var recognizer = try Self.recognizer([set: "oxford_affine/\(set)/img1.png"])
        let (right, bottom) = (Double(first.size.width) - 0.5, Double(first.size.height) - 0.5)
        let frame = PixelQuad(
            topLeft: PixelPoint(-0.5, -0.5), topRight: PixelPoint(right, -0.5), bottomRight: PixelPoint(right, bottom),
            bottomLeft: PixelPoint(-0.5, bottom))
        for number in numbers {
            let truth = try #require(try Self.homography("oxford_affine/\(set)/H1to\(number)p.xml").image(of: frame))
            let found = recognizer.recognize(in: try Self.image("oxford_affine/\(set)/img\(number).png")).first
            let error = found.map { found in
                zip(found.corners.corners, truth.corners).map { $0.distance(to: $1) }.max() ?? .infinity
            }
            #expect((error ?? .infinity) < 5, "1 to \(number)")
        }
    }

    @Test(.enabled(if: RealData.has("mindar_cards"), "mindar_cards is absent")) func cardsAreFound() throws {
        var cards = try Self.recognizer(["card": "mindar_cards/card-example/card.png"])
        let card = try cards.recognize(in: Self.image("mindar_cards/card-example/test-card.png")).map(\.target.name)
        #expect(card == ["card"])
        var boxes = try Self.recognizer(["box": "opencv_planar/box.png"])
        #expect(try boxes.recognize(in: Self.image("opencv_planar/box_in_scene.png")).map(\.target.name) == ["box"])
    }

    @Test(.enabled(if: RealData.has("opencv_planar/box.png"), "opencv_planar is absent"))
    func nothingIsNamedWhereNothingIs() throws {
        var recognizer = try Self.recognizer([
            "card": "mindar_cards/card-example/card.png", "box": "opencv_planar/box.png",
            "chicken": "boofcv_fiducial/image/patterns/chicken.png", "dog": "boofcv_fiducial/image/patterns/dog.png",
            "ke": "boofcv_fiducial/image/patterns/ke.png", "yinyang": "boofcv_fiducial/image/patterns/yinyang.png",
        ])
        var count = 0
        for folder in ["faces_dlib", "fingertip_ti1k", "qr_zxing"] {
            let files = FileManager.default.enumerator(at: RealData.url(folder), includingPropertiesForKeys: nil)
            for case let file as URL in files ?? FileManager.DirectoryEnumerator()
            where ["png", "jpg"].contains(file.pathExtension.lowercased()) {
                guard let image = try? ImageFile.read(file) else { continue }
                count += 1
                #expect(recognizer.recognize(in: image).isEmpty, "\(file.lastPathComponent)")
            }
        }
        #expect(count == 0 || count > 100)
    }
}
