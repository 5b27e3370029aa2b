// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision
import Foundation

/// A picture in which places are to be described.
public struct PlacePicture: Sendable {
    private let pyramid: ImagePyramid
    /// Corners and descriptors are taken of the half-sized picture, where noise counts a quarter.
    private let level: Int

    /// Takes a picture in.
    public init(_ image: ImageBuffer) {
        var pyramid = ImagePyramid(size: image.size, levelCount: 2)
        pyramid.fill(with: image)
        self.pyramid = pyramid
        level = pyramid.levelCount - 1
    }

    /// How one sees a point otherwise than it was seen.
    public struct Variant: Hashable, Sendable {
        /// How much larger the point's surroundings are in the picture.
        public var scale: Double
        /// By how much they are turned, from +x to +y of the picture, in radians.
        public var turn: Double

        /// Surroundings so much larger and so much turned.
        public init(scale: Double = 1, turn: Double = 0) {
            self.scale = scale
            self.turn = turn
        }

        /// As it was seen.
        public static let same = Variant()
    }

    /// The picture's corners, the strongest first: at most one in each of `count` cells of it.
    public func corners(count: Int) -> [PixelPoint] {
        let grid = FeatureGrid(size: pyramid.size, cellCount: count, margin: Self.margin)
        return pyramid.corners(
            in: grid.cells(holding: 0, of: []), awayFrom: [], spacing: grid.spacing / 2,
            leastStrength: Self.leastStrength
        )
        .filter { $0.strength > 0 }
        .enumerated().sorted { ($0.element.strength, $1.offset) > ($1.element.strength, $0.offset) }
        .map { PixelPoint($0.element.x_px, $0.element.y_px) }
    }

    /// How far corners keep from the picture's edge, in pixels.
    private static let margin = 12
    /// As weak as a corner may be, in squared grey levels per pixel of the half-sized picture. Noise of 3 grey levels
    /// alone gives 0.5.
    private static let leastStrength = 4.0

    /// Describes points, upright: each is turned so that what is up in the world is up in its surroundings, where the
    /// lens shows that direction.
    ///
    /// - upInOptical: the direction against gravity, in optical axes.
    /// - variants: at least one.
    public func descriptors(
        of pixels: [PixelPoint], camera: Camera, upInOptical: Vector3, variants: [Variant] = [.same]
    ) -> PlaceDescriptors {
        precondition(!variants.isEmpty, "points are described in at least one variant")
        let warps = pixels.flatMap { pixel in
            let up = Self.direction(ofUp: upInOptical, at: pixel, camera: camera)
            return variants.map { variant in
                let turned = Vector2(
                    cos(variant.turn) * up.x - sin(variant.turn) * up.y,
                    sin(variant.turn) * up.x + cos(variant.turn) * up.y)
                return CVisionWarp(at: pixel, up: turned * variant.scale)
            }
        }
        return PlaceDescriptors(
            PlacePattern.shared.describe(warps, in: pyramid, level: level), variantCount: variants.count)
    }

    /// Where something at a pixel moves that rises; of length one.
    private static func direction(ofUp upInOptical: Vector3, at pixel: PixelPoint, camera: Camera) -> Vector2 {
        guard let direction = camera.unproject(pixel), let projection = camera.projectWithJacobians(direction)
        else { return Vector2(0, -1) }
        return (projection.pixelByPoint * upInOptical).normalized() ?? Vector2(0, -1)
    }
}

extension CVisionWarp {
    /// Puts a patch upright into the picture: its −y goes along `up`, scaled by its length.
    fileprivate init(at pixel: PixelPoint, up: Vector2) {
        self.init(
            x: pixel.x, y: pixel.y, xx: Float(-up.y), xy: Float(-up.x), yx: Float(up.x), yy: Float(-up.y))
    }
}
