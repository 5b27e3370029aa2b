// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a renderer is asked for: where the camera is, and what has changed in the model.
///
/// A rolling shutter takes the rows one after the other: each has its own camera pose, and what moves is, in row `r` of
/// `n`, at the fraction `r / (n − 1)` of its way from the first row's place to the last row's.
struct Shot: Sendable {
    /// The camera's pose, one for each row of the picture.
    var worldFromCameraByRow: [RigidTransform]
    /// Where the moving meshes are, in the order of their surfaces.
    var movements: [Movement] = []
    /// How the deforming meshes are bent, in the order of their surfaces.
    var deformations: [Deformation] = []
    /// How bright the model's light is.
    var irradiance = Irradiance()
    /// Which part of each pixel is seen.
    var sample = PixelSample()
    /// Whether pixels that see several surfaces take a sample for each part; without, each pixel takes one.
    var hasSmoothEdges = true

    /// The fraction of the shot at which a row is taken.
    @inline(__always) func time(ofRow row: Int) -> Double {
        Double(row) / Double(max(worldFromCameraByRow.count - 1, 1))
    }
}

/// A moving mesh's way through a shot: even, and nothing to pay for when it rests.
struct Movement: Hashable, Sendable {
    /// The pose at the first row's instant.
    var worldFromObject: RigidTransform
    /// The pose at the last row's instant.
    var worldFromObjectAtLastRow: RigidTransform

    /// A mesh that moves from one pose to another.
    init(from worldFromObject: RigidTransform, to worldFromObjectAtLastRow: RigidTransform) {
        self.worldFromObject = worldFromObject
        self.worldFromObjectAtLastRow = worldFromObjectAtLastRow
    }

    /// A mesh that rests.
    init(at worldFromObject: RigidTransform) { self.init(from: worldFromObject, to: worldFromObject) }

    /// Whether the mesh moves within the shot.
    var isRest: Bool { worldFromObject == worldFromObjectAtLastRow }
}

/// A deforming mesh's vertices in a shot, in the world, in the order of the mesh's.
struct Deformation: Sendable {
    /// The places at the first row's instant, in metres.
    var positions: [SIMD3<Float>]
    /// The unit normals.
    var normals: [SIMD3<Float>]
    /// The places at the last row's instant; `nil` when the mesh rests within the shot.
    var positionsAtLastRow: [SIMD3<Float>]?

    init(
        positions: [SIMD3<Float>], normals: [SIMD3<Float>], positionsAtLastRow: [SIMD3<Float>]? = nil
    ) {
        self.positions = positions
        self.normals = normals
        self.positionsAtLastRow = positionsAtLastRow
    }
}

/// Factors on a model's light.
struct Irradiance: Hashable, Sendable {
    /// On the sun's.
    var sun = 1.0
    /// On that from everywhere else.
    var ambient = 1.0
}
