// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRecording
import ARSensing
import ARVision
import Foundation

/// A sequence of pictures, and what is to be followed in it.
struct Footage {
    var name: String
    var pictures: [ImageBuffer]
    var start: PatchBox
    /// How far the box of each picture is from the truth, if the truth is known: in pixels, or as one minus the overlap.
    var error: ((_ index: Int, _ box: PatchBox) -> Double)?
}

extension Footage {
    /// A clip of fingertip_ti1k: a square around the tip of the index finger is followed.
    static func fingertip(_ kind: String, _ number: Int, side: Double, in data: URL) throws -> Footage {
        let folder = data.appendingPathComponent("fingertip_ti1k/evaluation/\(kind)")
        let reader = try VideoReader(
            folder.appendingPathComponent("\(number).mp4"), name: "\(kind)/\(number).mp4", format: .rgb8)
        var pictures: [ImageBuffer] = []
        while let picture = try reader.next() { pictures.append(picture) }
        let size = pictures[0].size
        let tips = try String(contentsOf: folder.appendingPathComponent("\(kind)_\(number).txt"), encoding: .utf8)
            .split(separator: "\n").map { line in
                let numbers = line.split(separator: " ").compactMap { Double($0) }
                return PixelPoint(NormalizedImagePoint(numbers[6], numbers[7]), imageSize: size)
            }
        let start = PatchBox(center: tips[0], width: side, height: side)
        return Footage(name: "\(kind) \(number)", pictures: pictures, start: start) { index, box in
            box.center.distance(to: tips[index])
        }
    }

    /// A face in twenty pictures.
    static func dudek(in data: URL) throws -> Footage {
        let folder = data.appendingPathComponent("track_dudek20")
        let boxes = try String(contentsOf: folder.appendingPathComponent("groundtruth_rect.txt"), encoding: .utf8)
            .split { $0.isNewline }.map { line in
                let numbers = line.split { !"-.0123456789".contains($0) }.compactMap { Double($0) }
                return PatchBox(left: numbers[0], top: numbers[1], width: numbers[2], height: numbers[3])
            }
        return Footage(name: "dudek", pictures: try pictures(in: folder.appendingPathComponent("img")), start: boxes[0])
        {
            1 - $1.overlap(with: boxes[$0])
        }
    }

    /// A carton on a table, seen by a camera that moves. No truth is known.
    static func juiceBox(in data: URL) throws -> Footage {
        let start = PatchBox(center: PixelPoint(93, 110), width: 38, height: 86)
        let frames = data.appendingPathComponent("track_dlib_juicebox/frames")
        return Footage(name: "juice box", pictures: try pictures(in: frames), start: start)
    }

    private static func pictures(in folder: URL) throws -> [ImageBuffer] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".jpg") }.sorted()
            .map { try ImageFile.read(folder.appendingPathComponent($0)) }
    }
}

extension PatchBox {
    /// A box as OpenCV counts it, from the picture's corner.
    init(left: Double, top: Double, width: Double, height: Double) {
        self.init(
            center: PixelPoint(left + width / 2 - 0.5, top + height / 2 - 0.5), width: width, height: height)
    }

    var left: Double { center.x - width / 2 + 0.5 }
    var top: Double { center.y - height / 2 + 0.5 }

    /// Intersection over union, as if both boxes were upright.
    func overlap(with other: PatchBox) -> Double {
        let across = min(left + width, other.left + other.width) - max(left, other.left)
        let down = min(top + height, other.top + other.height) - max(top, other.top)
        let common = max(across, 0) * max(down, 0)
        return common / (width * height + other.width * other.height - common)
    }
}
