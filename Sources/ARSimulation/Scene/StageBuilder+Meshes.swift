// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARTruth

extension StageBuilder {
    /// Adds a mesh from a file. A pattern lies on it along the six directions of the axes; anything else lies where the
    /// file's texture coordinates say, if it has any.
    mutating func add(_ mesh: Scene.Mesh, model: OBJModel, isPattern: Bool) {
        let first = surfaces.count
        let motion = ObjectMotion(worldFromRest: mesh.worldFromMesh, mesh.motion)
        let isMoving = mesh.motion != nil
        let sampled: SurfaceMesh
        if !isPattern, let textured = SurfaceMesh(textured: model) {
            sampled = textured.scaled(by: mesh.scale)
            add(
                sampled, at: motion, isMoving: isMoving,
                look: .material(mesh.material, extent: Vector2(1, 1), pattern: mesh.name))
        } else {
            var bare = model.triangleMesh
            bare.positions = bare.positions.map { mesh.scale * $0 }
            let charts = ProjectedChart.alongAxes(of: bare, cornerNormals: model.cornerNormals)
            for (number, chart) in charts.enumerated() {
                add(
                    chart.mesh, at: motion, isMoving: isMoving,
                    look: .material(mesh.material, extent: chart.extent, pattern: "\(mesh.name).\(number)"))
            }
            sampled = charts.reduce(SurfaceMesh()) { $0 + $1.mesh }
        }
        add(
            { numbers in
                StagedObject(
                    name: mesh.name, kind: .mesh, material: mesh.material, objectNumbers: numbers,
                    motion: .thing(motion), samples: sampled.samples(count: Self.sampleCount))
            }, from: first)
    }

    /// Adds a scanned room.
    mutating func add(_ scan: Scene.Scan, room: RoomScan, seed: UInt64) {
        let first = surfaces.count
        let motion = ObjectMotion(worldFromRest: scan.worldFromRoom)
        var sampled = SurfaceMesh()
        for part in RoomScanLook(room, name: scan.name, seed: seed).parts {
            add(
                part.chart.mesh, at: motion, isMoving: false,
                look: .painted(
                    extent: part.chart.extent, texelMeters: part.texelMeters, gloss: part.gloss, albedo: part.paint))
            sampled = sampled + part.chart.mesh
        }
        add(
            { numbers in
                StagedObject(
                    name: scan.name, kind: .scan, objectNumbers: numbers, motion: .thing(motion),
                    samples: sampled.samples(count: 4 * Self.sampleCount))
            }, from: first)
    }

    /// Adds the hand of a finger.
    mutating func add(_ hand: PointingHand, finger: WritingFinger) {
        let first = surfaces.count
        guard case .colors(let colors) = hand.mesh.coat else { preconditionFailure("a hand has colours") }
        let mesh = SurfaceMesh(
            positions: hand.mesh.positions.map { Point3($0) }, normals: hand.mesh.normals.map { Vector3($0) },
            triangles: hand.mesh.triangles)
        addMoving(mesh, by: .hand(finger), look: .colors(colors), translucency: hand.mesh.translucency)
        add(
            { numbers in
                StagedObject(
                    name: "finger", kind: .hand, objectNumbers: numbers, motion: .hand(finger),
                    samples: mesh.samples(count: Self.sampleCount))
            }, from: first)
    }
}

extension OBJModel {
    /// The unit normals at each triangle's corners: the file's, or smooth ones where it has none; `nil` for a triangle
    /// without area.
    var cornerNormals: [(Vector3, Vector3, Vector3)?] {
        let smooth = triangleMesh.cornerNormals
        return triangles.indices.map { index in
            guard let own = smooth[index] else { return nil }
            guard let given = triangles[index].normals else { return own }
            func normal(_ number: Int32, _ instead: Vector3) -> Vector3 { normals[Int(number)].normalized() ?? instead }
            return (normal(given.x, own.0), normal(given.y, own.1), normal(given.z, own.2))
        }
    }
}

extension SurfaceMesh {
    /// A model with its own texture coordinates, or `nil` when a corner has none.
    ///
    /// Coordinates outside the texture repeat it as long as each triangle lies within one copy.
    init?(textured model: OBJModel) {
        let cornerNormals = model.cornerNormals
        for (triangle, corners) in zip(model.triangles, cornerNormals) {
            guard let places = triangle.textureCoordinates else { return nil }
            guard let corners else { continue }
            let first = UInt32(positions.count)
            let texture = (0..<3).map { model.textureCoordinates[Int(places[$0])] }
            let middle = (texture[0] + texture[1] + texture[2]) / 3
            let copy = Vector2(middle.x.rounded(.down), middle.y.rounded(.down))
            for (corner, normal) in [corners.0, corners.1, corners.2].enumerated() {
                positions.append(model.positions[Int(triangle.positions[corner])])
                normals.append(normal)
                let place = texture[corner] - copy
                textureCoordinates.append(Point2(place.x, 1 - place.y))
            }
            triangles.append(SIMD3(first, first + 1, first + 2))
        }
    }
}
