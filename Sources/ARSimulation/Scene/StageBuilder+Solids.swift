// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension StageBuilder {
    mutating func add(_ quad: Scene.Quad) {
        let first = surfaces.count
        let motion = ObjectMotion(worldFromRest: quad.worldFromSurface, quad.motion)
        addRectangle(
            .identity, size: quad.size, at: motion, isMoving: quad.motion != nil,
            look: .material(quad.material, extent: quad.size, pattern: quad.name))
        add(
            { numbers in
                StagedObject(
                    name: quad.name, kind: .quad, material: quad.material, objectNumbers: numbers,
                    motion: .thing(motion),
                    samples: SurfaceMesh.rectangle(size: quad.size).samples(count: Self.sampleCount),
                    pictureSize: quad.size)
            }, from: first)
    }

    mutating func add(_ box: Scene.Box) {
        let first = surfaces.count
        let motion = ObjectMotion(worldFromRest: box.worldFromBox, box.motion)
        // Opposite faces are never seen together: they share a texture.
        var mesh = SurfaceMesh()
        let faces = box.faces
        for (index, face) in faces.enumerated() {
            let pattern = faces[index - index % 2].name
            let boxFromFace = box.worldFromBox.inverse * face.worldFromSurface
            addRectangle(
                boxFromFace, size: face.size, at: motion, isMoving: box.motion != nil,
                look: .material(box.material, extent: face.size, pattern: pattern))
            mesh = mesh + boxFromFace * .rectangle(size: face.size)
        }
        add(
            { numbers in
                StagedObject(
                    name: box.name, kind: .box, material: box.material, objectNumbers: numbers, motion: .thing(motion),
                    samples: mesh.samples(count: Self.sampleCount))
            }, from: first)
    }

    mutating func add(_ cylinder: Scene.Cylinder) {
        let first = surfaces.count
        let motion = ObjectMotion(worldFromRest: cylinder.worldFromCylinder, cylinder.motion)
        let (radius, height, isMoving) = (cylinder.radius, cylinder.height, cylinder.motion != nil)
        let sides = SurfaceMesh.cylinderSides(radius: radius, height: height)
        let ends = SurfaceMesh.cylinderEnds(radius: radius, height: height)
        add(
            sides, at: motion, isMoving: isMoving,
            look: .material(
                cylinder.material, extent: Vector2(2 * .pi * radius, height), pattern: cylinder.name + ".side"))
        add(
            ends, at: motion, isMoving: isMoving,
            look: .material(
                cylinder.material, extent: Vector2(2 * radius, 2 * radius), pattern: cylinder.name + ".end"))
        add(
            { numbers in
                StagedObject(
                    name: cylinder.name, kind: .cylinder, material: cylinder.material, objectNumbers: numbers,
                    motion: .thing(motion), samples: (sides + ends).samples(count: Self.sampleCount))
            }, from: first)
    }

    mutating func add(_ sphere: Scene.Sphere) {
        let first = surfaces.count
        let radius = sphere.radius
        let motion = ObjectMotion(worldFromRest: sphere.worldFromSphere, sphere.motion)
        let mesh = SurfaceMesh.sphere(radius: radius)
        let extent = Vector2(2 * .pi * radius, .pi * radius)
        add(
            mesh, at: motion, isMoving: sphere.motion != nil,
            look: .solid(sphere.material, extent: extent, pattern: sphere.name) { place in
                let normal = SurfaceMesh.sphereNormal(u: place.x / extent.x, v: place.y / extent.y)
                return SurfaceMesh.Vertex(position: radius * normal, normal: normal)
            })
        add(
            { numbers in
                StagedObject(
                    name: sphere.name, kind: .sphere, material: sphere.material, objectNumbers: numbers,
                    motion: .thing(motion), samples: mesh.samples(count: Self.sampleCount))
            }, from: first)
    }
}
