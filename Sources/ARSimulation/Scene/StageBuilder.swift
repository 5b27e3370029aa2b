// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Collects a scene's things: their surfaces, what moves them, and where their points are.
struct StageBuilder {
    /// The surfaces, in the order of their object numbers.
    private(set) var surfaces: [SurfacePlan] = []
    /// The things, in the order of their surfaces.
    private(set) var objects: [StagedObject] = []
    /// What moves the moving surfaces, in the order of those.
    private(set) var motions: [StagedMotion] = []
    /// The deforming surfaces, in the order of those.
    private(set) var cloths: [StagedCloth] = []

    /// The number of points at which a thing's surface is sampled.
    static let sampleCount = 256

    /// Adds a thing that consists of the surfaces that were added since `first`.
    mutating func add(_ object: (Range<Int32>) -> StagedObject, from first: Int) {
        objects.append(object(Int32(first)..<Int32(surfaces.count)))
    }

    /// Adds a surface that stays where it is.
    mutating func addFixed(_ mesh: SurfaceMesh, look: SurfacePlan.Look, translucency: Float = 0) {
        surfaces.append(
            SurfacePlan(shape: .mesh(mesh, placement: .fixed), look: look, translucency: translucency))
    }

    /// Adds a surface that something moves; its mesh is in that thing's frame.
    mutating func addMoving(
        _ mesh: SurfaceMesh, by motion: StagedMotion, look: SurfacePlan.Look, translucency: Float = 0
    ) {
        motions.append(motion)
        surfaces.append(
            SurfacePlan(shape: .mesh(mesh, placement: .moving), look: look, translucency: translucency))
    }

    /// Adds a surface of a thing, in the thing's frame; it moves when the thing does.
    mutating func add(
        _ mesh: SurfaceMesh, at motion: ObjectMotion, isMoving: Bool, look: SurfacePlan.Look
    ) {
        if isMoving {
            addMoving(mesh, by: .thing(motion), look: look)
        } else {
            addFixed(motion.worldFromRest * mesh, look: look)
        }
    }

    /// Adds a rectangle of a thing, in the thing's frame.
    mutating func addRectangle(
        _ objectFromSurface: RigidTransform, size: Vector2, at motion: ObjectMotion, isMoving: Bool,
        look: SurfacePlan.Look
    ) {
        if isMoving {
            addMoving(objectFromSurface * .rectangle(size: size), by: .thing(motion), look: look)
        } else {
            let worldFromSurface = motion.worldFromRest * objectFromSurface
            surfaces.append(
                SurfacePlan(shape: .rectangle(worldFromSurface: worldFromSurface, size: size), look: look))
        }
    }

    /// Adds a waving cloth.
    mutating func add(_ cloth: StagedCloth, look: SurfacePlan.Look) {
        cloths.append(cloth)
        surfaces.append(
            SurfacePlan(
                shape: .mesh(cloth.worldFromFlag * cloth.cloth.mesh(at: 0), placement: .deforming), look: look,
                translucency: 0.25))
    }
}

/// A waving cloth in the world.
struct StagedCloth: Sendable {
    let cloth: WavingCloth
    let worldFromFlag: RigidTransform

    /// The cloth's vertices from one instant to another.
    func deformation(from first: Double, to last: Double) -> Deformation {
        let start = worldFromFlag * cloth.mesh(at: first)
        let end = first == last ? nil : worldFromFlag * cloth.mesh(at: last)
        return Deformation(
            positions: start.positions.map { SIMD3<Float>($0) }, normals: start.normals.map { SIMD3<Float>($0) },
            positionsAtLastRow: end?.positions.map { SIMD3<Float>($0) })
    }
}
