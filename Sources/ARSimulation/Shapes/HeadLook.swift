// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import CRaycast

/// What a head looks like all around: the face's picture in front, which fades into skin of its own colour, and hair.
struct HeadLook: Sendable {
    /// The width and height of the texture around the head, in metres, at the equator.
    static let textureExtent = Vector2(2 * .pi * 0.085, .pi * 0.1)

    /// The width and height, in metres, over which a face's picture is spread.
    static let pictureExtent = Vector2(
        HeadShape.faceBox.right - HeadShape.faceBox.left, HeadShape.faceBox.top - HeadShape.faceBox.bottom)

    private let face: MipTexture
    /// The face's box on the picture: left, top, right, bottom, as fractions.
    private let faceBox: [Double]
    private let skin: Vector3
    private let hair: Vector3
    private let clothes: Vector3
    private let noise: LatticeNoise

    /// The look of a head with a face that is seen on a picture.
    init(_ head: Scene.Head, face: MipTexture, seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "head \(head.name)")
        noise = LatticeNoise(seed: random.next())
        self.face = face
        faceBox = head.faceBox
        hair = ColorTransfer.linear(fromSRGB: head.hairColor)
        clothes = ColorTransfer.linear(fromSRGB: head.clothesColor)
        // The skin where the picture fades out: the mean of both cheeks' and the chin's.
        let places = [(-0.72, 0.62), (0.72, 0.62), (-0.5, 0.3), (0.5, 0.3), (0, 0.93)]
        skin = places.reduce(Vector3.zero) { sum, place in
            sum + Self.picture(face, box: head.faceBox, x: place.0, y: place.1, texels: 0.1) / Double(places.count)
        }
    }

    /// The picture's mean light around a place of the face's box, −1…1 from left to right and 0…1 from top to bottom.
    private static func picture(_ face: MipTexture, box: [Double], x: Double, y: Double, texels: Double) -> Vector3 {
        let size = Vector2(Double(face.size.width), Double(face.size.height))
        let place = Vector2(box[0] + (box[2] - box[0]) * (x + 1) / 2, box[1] + (box[3] - box[1]) * y)
        let width = Float(texels * (box[2] - box[0]) * size.x)
        return Vector3(
            face.view.light(
                of: CRaycastFootprint(
                    place: SIMD2<Float>(place * size), acrossColumns: SIMD2(width, 0), acrossRows: SIMD2(0, width))))
    }

    /// The albedo of a place of the texture.
    func albedo(at place: Point2, texel: Vector2) -> Vector3 {
        let (u, v) = (place.x / Self.textureExtent.x, place.y / Self.textureExtent.y)
        let direction = SurfaceMesh.sphereNormal(u: u, v: v)
        let position = HeadShape.meshPoint(u: u, v: v)
        let box = HeadShape.faceBox
        let x = (position.x - box.left) / (box.right - box.left) * 2 - 1
        let y = (position.y - box.top) / (box.bottom - box.top)
        let mottling = 1 + 0.05 * noise.fractal(u * 90, v * 60, octaves: 4, finest: 0)
        var albedo = skin * mottling
        let cover = HeadShape.faceCover(at: position, towards: direction)
        if cover > 0 {
            let texels = texel.x / (box.right - box.left)
            let picture = Self.picture(face, box: faceBox, x: x, y: y, texels: texels)
            albedo = mix(albedo, picture, cover)
        }
        let hairCover = HeadShape.hairCover(at: position, towards: direction, softness: 0.004)
        return mix(albedo, hairColor(u: u, v: v), hairCover)
    }

    /// Strands that run from the crown down.
    private func hairColor(u: Double, v: Double) -> Vector3 {
        let bend = 0.02 * noise.value(u * 14, v * 9)
        let strands = noise.fractal((u + bend) * 260, v * 9, octaves: 3, finest: 0)
        let locks = noise.fractal((u + bend) * 40 + 31, v * 4, octaves: 2, finest: 0)
        return hair * (1 + 0.55 * strands + 0.35 * locks)
    }

    /// The colour of a place of the neck, linear RGB, and how glossy it is.
    func neckColor(at place: Point3) -> SIMD4<Float> {
        let mottling = 1 + 0.04 * noise.fractal(place.x / 0.02, place.y / 0.02, octaves: 3, finest: 0)
        return SIMD4(skin * mottling, 0.1)
    }

    /// The colour of a place of the clothes, linear RGB: matt.
    func clothesColor(at place: Point3) -> SIMD4<Float> {
        let threads = noise.value(place.x / 0.006, place.y / 0.006)
        let folds = noise.value(place.x / 0.03, place.y / 0.05)
        return SIMD4(clothes * (1 + 0.12 * threads + 0.1 * folds), 0)
    }
}
