// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

extension RoomScan {
    /// What ARKit calls a thing of that label.
    static func classification(of label: String) -> PlaneClassification {
        switch label {
        case "FLOOR": .floor
        case "CEILING": .ceiling
        case "WALL_FACE", "INVISIBLE_WALL_FACE": .wall
        case "TABLE", "DESK": .table
        case "COUCH", "BED", "SEAT": .seat
        case "DOOR_FRAME": .door
        case "WINDOW_FRAME": .window
        default: .none
        }
    }

    /// The rectangles as declared planes: `scan.floor`, or with a number where a label occurs more than once,
    /// `scan.wall-face-2`.
    func declaredPlanes(name: String, worldFromRoom: RigidTransform) -> [DeclaredPlane] {
        var counts: [String: Int] = [:]
        return rectangles.map { rectangle in
            let word = rectangle.label.lowercased().replacing("_", with: "-")
            counts[word, default: 0] += 1
            let isOnly = rectangles.count { $0.label == rectangle.label } == 1
            let half = rectangle.size / 2
            return DeclaredPlane(
                name: "\(name).\(word)" + (isOnly ? "" : "-\(counts[word] ?? 0)"),
                worldFromPlane: worldFromRoom * rectangle.roomFromRectangle,
                boundary: [
                    Point2(-half.x, half.y), Point2(half.x, half.y), Point2(half.x, -half.y), Point2(-half.x, -half.y),
                ],
                classification: Self.classification(of: rectangle.label))
        }
    }
}
