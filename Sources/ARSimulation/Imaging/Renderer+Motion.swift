// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Renderer {
    /// How far the fastest point of the picture moves from one shot to another, in pixels; `middle` is the last shot
    /// that was rendered.
    ///
    /// What the picture shows is looked at in every 20th row and column; what moves, besides, at its origin and at the
    /// corners of the box around it, which `outlines` gives by object; what deforms at about a hundred vertices.
    func imageMotion(
        through camera: Camera, outlines: [[Point3]], in middle: Shot, from first: Shot, to last: Shot
    ) -> Double {
        let motion = ImageMotion(camera: camera, size: size)
        return max(
            shownMotion(motion, in: middle, from: first, to: last),
            objectMotion(motion, outlines: outlines, from: first, to: last))
    }

    private func shownMotion(_ motion: ImageMotion, in middle: Shot, from first: Shot, to last: Shot) -> Double {
        let placeByObject = Dictionary(
            uniqueKeysWithValues: model.objects(.moving).enumerated().map { ($0.element, $0.offset) })
        var fastest = 0.0
        for row in stride(from: 0, to: size.height, by: 20) {
            let pose = middle.worldFromCameraByRow[row]
            for column in stride(from: 0, to: size.width, by: 20) {
                let hit = firstHit(column: column, row: row)
                guard hit.object >= 0 else { continue }
                let inCamera = table.rays.direction(column: column, row: row, offset: middle.sample.offset)
                let direction = pose.rotation * inCamera
                let distance = surfaces[hit.object].distance(
                    to: hit, origin: pose.translation, direction: direction)
                let point = pose.translation + direction * distance
                // A moving thing carries its point along.
                func pointInCamera(_ shot: Shot) -> Point3 {
                    let cameraFromWorld = shot.worldFromCameraByRow[row].inverse
                    guard let place = placeByObject[hit.object] else { return cameraFromWorld * point }
                    let pointInObject = middle.movements[place].worldFromObject.inverse * point
                    return cameraFromWorld * (shot.movements[place].worldFromObject * pointInObject)
                }
                fastest = max(fastest, motion.pixels(from: pointInCamera(first), to: pointInCamera(last)))
            }
        }
        return fastest
    }

    private func objectMotion(
        _ motion: ImageMotion, outlines: [[Point3]], from first: Shot, to last: Shot
    ) -> Double {
        let row = size.height / 2
        let cameraFromWorld = first.worldFromCameraByRow[row].inverse
        let laterCameraFromWorld = last.worldFromCameraByRow[row].inverse
        var fastest = 0.0
        for (index, object) in movingObjects.enumerated() {
            let (place, laterPlace) = (first.movements[index].worldFromObject, last.movements[index].worldFromObject)
            for point in outlines[Int(object)] {
                fastest = max(
                    fastest,
                    motion.pixels(
                        from: cameraFromWorld * (place * point), to: laterCameraFromWorld * (laterPlace * point)))
            }
        }
        for (shape, laterShape) in zip(first.deformations, last.deformations) {
            for vertex in stride(from: 0, to: shape.positions.count, by: max(1, shape.positions.count / 100)) {
                fastest = max(
                    fastest,
                    motion.pixels(
                        from: cameraFromWorld * Point3(shape.positions[vertex]),
                        to: laterCameraFromWorld * Point3(laterShape.positions[vertex])))
            }
        }
        return fastest
    }
}

extension RenderSurface {
    /// Of a moving mesh its origin and the corners of the box around it, in its own frame; of others nothing.
    var movingOutline: [Point3] {
        guard case .mesh(let mesh, placement: .moving) = self else { return [] }
        return [.zero] + MeshBounds(mesh.positions).corners
    }
}
