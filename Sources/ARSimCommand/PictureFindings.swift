// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// What was found in a picture, as it is printed.
struct PictureFindings: Encodable {
    struct Rectangle: Encodable {
        let corners: [[Double]]
        let confidence: Double
        let deviation: Double
        let payloads: [String]

        enum CodingKeys: String, CodingKey {
            case corners = "corners_px"
            case deviation = "corner_deviation_px"
            case confidence, payloads
        }
    }

    struct Code: Encodable {
        let corners: [[Double]]
        let symbology: String
        let payload: String

        enum CodingKeys: String, CodingKey {
            case corners = "corners_px"
            case symbology, payload
        }
    }

    struct Target: Encodable {
        let corners: [[Double]]
        let database: String
        let name: String
        let confidence: Double

        enum CodingKeys: String, CodingKey {
            case corners = "corners_px"
            case database, name, confidence
        }
    }

    struct Face: Encodable {
        let box: [Double]
        let confidence: Double
        let roll: Double?
        let yaw: Double?
        let pitch: Double?

        enum CodingKeys: String, CodingKey {
            case box = "box_px"
            case roll = "roll_rad"
            case yaw = "yaw_rad"
            case pitch = "pitch_rad"
            case confidence
        }
    }

    let picture: String
    let size: [Int]
    let rectangles: [Rectangle]
    let codes: [Code]
    let targets: [Target]?
    let faces: [Face]?

    enum CodingKeys: String, CodingKey {
        case picture, rectangles, codes, targets, faces
        case size = "size_px"
    }

    init(_ found: DetectionSketch, picture: String) {
        self.picture = picture
        size = [found.image.size.width, found.image.size.height]
        rectangles = found.rectangles.map { rectangle in
            Rectangle(
                corners: rounded(rectangle.quad), confidence: rounded(rectangle.confidence),
                deviation: rounded(rectangle.cornerDeviationPixels),
                payloads: rectangle.codes(among: found.codes).map(\.payload))
        }
        codes = found.codes.map {
            Code(corners: rounded($0.quad), symbology: $0.symbology.rawValue, payload: $0.payload)
        }
        targets = found.targets?.map {
            Target(
                corners: rounded($0.corners), database: $0.target.database, name: $0.target.name,
                confidence: rounded($0.confidence))
        }
        faces = found.faces?.map { face in
            Face(
                box: [face.box.minimum.x, face.box.minimum.y, face.box.maximum.x, face.box.maximum.y].map(rounded),
                confidence: rounded(face.confidence), roll: face.angles.roll.map(rounded),
                yaw: face.angles.yaw.map(rounded), pitch: face.angles.pitch.map(rounded))
        }
    }

    static func print(_ findings: [PictureFindings], asJSON: Bool) throws {
        guard asJSON else { return findings.forEach { $0.printLines() } }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        Swift.print(String(decoding: try encoder.encode(findings), as: UTF8.self))
    }

    private func printLines() {
        let counts =
            counted(rectangles.count, "rectangle") + ", " + counted(codes.count, "code")
            + (targets.map { ", " + counted($0.count, "target") } ?? "")
            + (faces.map { ", " + counted($0.count, "face") } ?? "")
        Swift.print("\(picture): \(counts)")
        for rectangle in rectangles {
            let payloads = rectangle.payloads.isEmpty ? "" : "  " + rectangle.payloads.joined(separator: " | ")
            Swift.print("  rectangle \(text(rectangle.corners))  confidence \(rectangle.confidence)\(payloads)")
        }
        for target in targets ?? [] {
            Swift.print("  target \(target.name) \(text(target.corners))  confidence \(target.confidence)")
        }
        for face in faces ?? [] {
            func degrees(_ angle: Double?) -> String {
                angle.map { "\(($0 * 1800 / .pi).rounded() / 10)°" } ?? "unknown"
            }
            Swift.print(
                "  face (\(face.box[0]), \(face.box[1])) to (\(face.box[2]), \(face.box[3]))  confidence "
                    + "\(face.confidence)  roll \(degrees(face.roll)) yaw \(degrees(face.yaw))")
        }
        for code in codes { Swift.print("  \(code.symbology) \(text(code.corners))  \(code.payload)") }
    }

    private func text(_ corners: [[Double]]) -> String {
        corners.map { "(\($0[0]), \($0[1]))" }.joined(separator: " ")
    }
}

/// To a thousandth: no digit more is meant.
private func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

private func rounded(_ quad: PixelQuad) -> [[Double]] { quad.corners.map { [rounded($0.x), rounded($0.y)] } }
