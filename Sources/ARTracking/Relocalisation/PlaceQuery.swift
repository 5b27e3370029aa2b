// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision

/// A picture whose place is looked for: its corners, as they may look from elsewhere.
struct PlaceQuery {
    let pixels: [PixelPoint]
    let directions: [Vector3]
    /// The corners in all variants.
    private let descriptors: PlaceDescriptors
    /// The strongest corners in several sizes: they find the views that are worth a closer look.
    let voters: PlaceDescriptors
    let refinement: PlaceRefinement
    /// The angle that a pixel spans, in radians.
    let pixelAngle: Double
    let width: Int

    private static let cornerCount = 400
    private static let voterCount = 200
    /// From nearer, as far, and from farther away.
    private static let sizes = [0.72, 1, 1.4]
    /// What lies flat turns as one goes around it.
    private static let turns = [-0.35, 0, 0.35]
    /// Gravity is known to about 1°.
    private static let gravityDeviation = 0.015

    init(_ image: ImageBuffer, camera: Camera, levelFromOptical: Rotation) {
        let picture = PlacePicture(image)
        let corners = picture.corners(count: Self.cornerCount).compactMap { pixel in
            camera.unproject(pixel).map { (pixel, $0) }
        }
        pixels = corners.map(\.0)
        directions = corners.map(\.1)
        let up = levelFromOptical.inverse * Vector3(0, 1, 0)
        voters = picture.descriptors(
            of: Array(pixels.prefix(Self.voterCount)), camera: camera, upInOptical: up,
            variants: Self.sizes.map { PlacePicture.Variant(scale: $0) })
        descriptors = picture.descriptors(
            of: pixels, camera: camera, upInOptical: up,
            variants: Self.sizes.flatMap { size in Self.turns.map { PlacePicture.Variant(scale: size, turn: $0) } })
        refinement = PlaceRefinement(
            camera: camera, upInOptical: up, gravityDeviation: Self.gravityDeviation, pixelDeviation: 1)
        pixelAngle = 1 / camera.intrinsics.fx
        width = image.size.width
    }

    /// The corners that look like points of the views, each paired with the point that it is most like.
    func sights(of views: [PlaceView]) -> [PlaceSight] {
        var best: [(distance: Int, pointInWorld: Point3)?] = pixels.map { _ in nil }
        for view in views {
            for match in descriptors.matches(with: view.descriptors, mostDifferentBits: 64, ratio: 0.85)
            where match.distance < best[match.index]?.distance ?? .max {
                best[match.index] = (match.distance, view.positions[match.other])
            }
        }
        return best.indices.compactMap { index in best[index].map { sight(index, $0.pointInWorld) } }
    }

    /// The corners that are near to where the pose sees a point of the views, and look somewhat like it.
    func sights(of views: [PlaceView], near worldFromOptical: RigidTransform, within limit: Double) -> [PlaceSight] {
        let opticalFromWorld = worldFromOptical.inverse
        var best: [(distance: Int, pointInWorld: Point3)?] = pixels.map { _ in nil }
        for view in views {
            for (number, position) in view.positions.enumerated() {
                guard let expected = refinement.camera.project(opticalFromWorld * position) else { continue }
                for index in pixels.indices where pixels[index].distance(to: expected) < limit {
                    let distance = descriptors.distance(of: index, to: number, of: view.descriptors)
                    if distance < min(best[index]?.distance ?? .max, Self.mostDifferentBitsNearby) {
                        best[index] = (distance, position)
                    }
                }
            }
        }
        return best.indices.compactMap { index in best[index].map { sight(index, $0.pointInWorld) } }
    }

    /// Unrelated points differ in 128 ± 8 bits.
    private static let mostDifferentBitsNearby = 80

    private func sight(_ index: Int, _ pointInWorld: Point3) -> PlaceSight {
        PlaceSight(pixel: pixels[index], direction: directions[index], pointInWorld: pointInWorld)
    }
}
