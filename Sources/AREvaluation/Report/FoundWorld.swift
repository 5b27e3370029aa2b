// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a session knew of its world in the end, and the way of its camera.
struct FoundWorld {
    /// The planes that are left, the lowest first.
    let planes: [FlatOutline]
    /// Each rectangle as it was last known, in the order in which they were found.
    let rectangles: [FlatOutline]
    /// The camera's poses, frame by frame.
    let path: [RigidTransform]

    /// What the answers amount to, in another world.
    init(_ answers: SessionAnswers, movedBy newFromSession: Similarity) {
        var planes: [String: PlaneAnswer] = [:]
        var rectangles: [String: PlacedRectangleAnswer] = [:]
        var order: [String] = []
        for frame in answers.frames {
            for identifier in frame.removedAnchors { planes[identifier] = nil }
            for plane in frame.changedPlanes { planes[plane.identifier] = plane }
            for rectangle in frame.placedRectangles ?? [] {
                if rectangles.updateValue(rectangle, forKey: rectangle.identifier) == nil {
                    order.append(rectangle.identifier)
                }
            }
        }
        self.planes = planes.values.sorted { $0.identifier < $1.identifier }.map { plane in
            FlatOutline(
                classification: plane.classification,
                corners: plane.boundary.map { newFromSession * (plane.worldFromPlane * Point3($0.x, 0, $0.y)) },
                normal: newFromSession.rotation * (plane.worldFromPlane.rotation * Vector3(0, 1, 0)))
        }.sorted { $0.height < $1.height }
        self.rectangles = order.compactMap { rectangles[$0] }.map { rectangle in
            FlatOutline(name: rectangle.name, corners: rectangle.corners.map { newFromSession * $0 })
        }
        path = answers.frames.compactMap { frame in
            frame.worldFromCamera.map {
                RigidTransform(
                    rotation: newFromSession.rotation * $0.rotation, translation: newFromSession * $0.translation)
            }
        }
    }
}

/// Something flat in the world, with its corners.
struct FlatOutline {
    var name: String?
    var classification = PlaneClassification.none
    var corners: [Point3]
    var normal = Vector3(0, 1, 0)

    /// The mean height of the corners.
    var height: Double { corners.isEmpty ? 0 : corners.reduce(0) { $0 + $1.y } / Double(corners.count) }
    /// Whether one sees its surface from above.
    var isLevel: Bool { abs(normal.y) > 0.5 }
}
