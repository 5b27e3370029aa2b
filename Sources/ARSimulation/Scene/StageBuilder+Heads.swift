// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension StageBuilder {
    /// Adds a head with its bust; the face is seen on the texture that `face` is.
    mutating func add(_ head: Scene.Head, face: MipTexture, seed: UInt64) {
        let first = surfaces.count
        let motion = HeadMotion(head)
        let scale = head.heightMeters / HeadShape.height
        let look = HeadLook(head, face: face, seed: seed)
        addMoving(
            HeadShape.mesh.scaled(by: scale), by: .head(motion),
            look: .painted(
                extent: HeadLook.textureExtent, texelMeters: 0.0004, gloss: 0.12,
                albedo: { place, texel in look.albedo(at: place, texel: texel) }),
            translucency: 0.12)
        let (neck, shoulders) = (SurfaceMesh(HeadShape.neck), SurfaceMesh(HeadShape.shoulders))
        addMoving(
            (neck + shoulders).scaled(by: scale), by: .bust(motion),
            look: .colors(neck.positions.map(look.neckColor) + shoulders.positions.map(look.clothesColor)),
            translucency: 0.1)
        let samples = HeadShape.faceSamples.map {
            SurfaceSample(position: scale * $0.position, normal: $0.normal, area: scale * scale * $0.area)
        }
        add(
            { numbers in
                StagedObject(
                    name: head.name, kind: .head, material: head.material, objectNumbers: numbers,
                    motion: .head(motion), samples: samples, faceOutline: HeadShape.faceOutline.map { scale * $0 })
            }, from: first)
    }
}

extension SurfaceMesh {
    /// The surface of a signed distance, without a texture.
    init(_ net: SurfaceNet) {
        positions = net.positions
        normals = net.normals
        textureCoordinates = [Point2](repeating: .zero, count: net.positions.count)
        triangles = net.triangles
    }
}
