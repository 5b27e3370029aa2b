// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A square around a face.
struct Box {
    var center: Vector2
    var width: Double
    /// Counter-clockwise positive, in radians, where it is known.
    var roll: Double?
}

/// A picture with the faces that it shows.
struct Photograph {
    let file: URL
    let faces: [Box]
}

enum Photographs {
    /// dlib's pictures, with boxes and the rolls of the lines through the eyes; and one of dogs.
    static func dlib(in data: URL) throws -> [Photograph] {
        let folder = data.appendingPathComponent("faces_dlib")
        let table = try String(contentsOf: folder.appendingPathComponent("boxes_and_roll.csv"), encoding: .utf8)
        var faces: [String: [Box]] = ["dogs.jpg": []]
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            let numbers = (2...7).compactMap { Double(fields[$0]) }
            guard numbers.count == 6 else { continue }
            // The table's rolls are clockwise positive, in degrees.
            faces[String(fields[1]), default: []].append(
                Box(
                    center: Vector2(numbers[0] + numbers[2] / 2, numbers[1] + numbers[3] / 2), width: numbers[2],
                    roll: -numbers[5] * .pi / 180))
        }
        return try photographs(faces, in: folder)
    }

    /// OpenCV's test pictures, with the boxes that at least four of its seven detectors give.
    static func openCV(in data: URL) throws -> [Photograph] {
        let folder = data.appendingPathComponent("faces_opencv_extra")
        let text = try String(contentsOf: folder.appendingPathComponent("cascade.xml"), encoding: .utf8)
        let names =
            text.between("<image_filenames>", "</image_filenames>").first?.split(whereSeparator: \.isWhitespace)
            .filter { $0.hasSuffix(".png") }.map { String($0.split(separator: "/").last ?? "") } ?? []
        var faces: [String: [Box]] = [:]
        for (number, name) in names.enumerated() {
            let lists = text.between("<img_\(number)>", "</img_\(number)>").map { list -> [Box] in
                let numbers = list.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
                return stride(from: 0, to: numbers.count - 3, by: 4).map {
                    Box(
                        center: Vector2(numbers[$0] + numbers[$0 + 2] / 2, numbers[$0 + 1] + numbers[$0 + 3] / 2),
                        width: numbers[$0 + 2])
                }
            }
            faces[name] = agreed(lists)
        }
        return try photographs(faces, in: folder.appendingPathComponent("images"))
    }

    private static func photographs(_ faces: [String: [Box]], in folder: URL) throws -> [Photograph] {
        faces.sorted { $0.key < $1.key }.map {
            Photograph(file: folder.appendingPathComponent($0.key), faces: $0.value)
        }
        .filter { FileManager.default.fileExists(atPath: $0.file.path) }
    }

    /// The boxes of which at least four lists have one, each at the middle of those.
    private static func agreed(_ lists: [[Box]]) -> [Box] {
        var agreed: [Box] = []
        for box in lists.joined() {
            func isNear(_ other: Box) -> Bool {
                (other.center - box.center).length < 0.4 * max(other.width, box.width)
            }
            guard !agreed.contains(where: isNear) else { continue }
            let members = lists.compactMap { $0.first(where: isNear) }
            guard members.count >= 4 else { continue }
            func middle(_ value: (Box) -> Double) -> Double { members.map(value).sorted()[members.count / 2] }
            agreed.append(
                Box(center: Vector2(middle(\.center.x), middle(\.center.y)), width: middle(\.width)))
        }
        return agreed
    }
}

extension String {
    /// What stands between two marks, each time.
    fileprivate func between(_ start: String, _ end: String) -> [String] {
        components(separatedBy: start).dropFirst().compactMap { $0.components(separatedBy: end).first }
    }
}
