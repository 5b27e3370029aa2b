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

    private static let cornerCount = 400
    private static let voterCount = 200
    /// From nearer, as far, and from farther away.
    private static let sizes = [0.72, 1, 1.4]
    /// What lies flat turns as one goes around it.
    private static let turns = [-0.35, 0, 0.35]
    /// Corners are found to a pixel of the half-sized picture, and where exactly depends on the viewpoint. By
    /// experiment, so that covariances are honest: see `RememberedSceneTests`.
    private static let pixelDeviation = 1.4
    /// What is aligned errs by so much at least, in pixels, what the points' places err by aside: they share some of it.
    private static let leastAlignedDeviation = 0.4
    /// The median length of an error in the plane, in standard deviations of one coordinate (Rayleigh's distribution).
    private static let medianError = 1.1774

    init(_ image: ImageBuffer, camera: Camera, levelFromOptical: Rotation, levelDeviation: Double) {
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
            camera: camera, upInOptical: up, gravityDeviation: levelDeviation,
            pixelDeviation: Self.pixelDeviation)
        pixelAngle = 1 / camera.intrinsics.fx
    }

    /// The refinement of sights whose surroundings were aligned, and that are so many pixels from where they are expected: points
    /// that were remembered as soon as they were placed err by more than later ones, and half of all show by how much.
    func refinement(ofAlignedErring errors: [Double]) -> PlaceRefinement {
        var refinement = refinement
        refinement.pixelDeviation = max(
            errors.sorted()[errors.count / 2] / Self.medianError, Self.leastAlignedDeviation)
        return refinement
    }

    /// The corners that look like points of the views. A corner is paired with a point of each view that has one: what was
    /// seen in several views counts more, and what looks the same in two places speaks for both.
    func sights(of views: [PlaceView]) -> [PlaceSight] {
        views.flatMap { view in
            descriptors.matches(with: view.descriptors, mostDifferentBits: Self.mostDifferentBits, ratio: 0.8)
                .map { sight($0.index, of: view, $0.other) }
        }
    }

    /// What a pose is worth by the corners of the picture near to which it puts points of the views.
    struct Agreement {
        /// The corners that look somewhat like such a point, each with the one that it is most like.
        var sights: [PlaceSight]
        /// The share of them among all these corners: by chance few of them look like what the pose puts there.
        var share: Double
    }

    /// Looks at what a pose puts within so many pixels of the corners.
    func agreement(with worldFromOptical: RigidTransform, on views: [PlaceView], within limit: Double) -> Agreement {
        let opticalFromWorld = worldFromOptical.inverse
        var nearest: [(distance: Int, view: Int, point: Int)?] = pixels.map { _ in nil }
        for (number, view) in views.enumerated() {
            for point in view.points.indices {
                guard
                    let expected = refinement.expectation(
                        of: view.points[point].positionInWorld, view.deviationInWorld(ofPoint: point), opticalFromWorld)
                else { continue }
                for index in pixels.indices where expected.error(of: pixels[index]) < limit {
                    let distance = descriptors.distance(of: index, to: point, of: view.descriptors)
                    if distance < nearest[index]?.distance ?? .max { nearest[index] = (distance, number, point) }
                }
            }
        }
        let met = nearest.indices.compactMap { index in nearest[index].map { (index, $0) } }
        let sights = met.filter { $0.1.distance < Self.mostDifferentBitsNearby }
            .map { sight($0.0, of: views[$0.1.view], $0.1.point) }
        return Agreement(sights: sights, share: Double(sights.count) / Double(max(met.count, 1)))
    }

    /// The points of views whose surroundings fit within so many pixels of where a pose lets them be expected, whether they are
    /// corners of the picture or not. What several views remember counts once, at the mean of its places: they err together,
    /// but for what each view's picture added. In the mean a place weighs as much as it is known: what was remembered as soon as it
    /// was placed must not spoil what later views know.
    ///
    /// Law: `PlaceMemoryTests.whatIsKnownWellWeighsMore`.
    func aligned(
        _ views: some Sequence<PlaceView>, in detail: PlaceDetail, expectedFrom worldFromOptical: RigidTransform,
        within limit: Double
    ) -> [PlaceSight] {
        var groups: [[PlaceSight]] = []
        for one in views.flatMap({ aligned($0, in: detail, expectedFrom: worldFromOptical, within: limit) }) {
            if let same = groups.firstIndex(where: { $0[0].pixel.distance(to: one.pixel) < Self.samePlacePixels }) {
                groups[same].append(one)
            } else {
                groups.append([one])
            }
        }
        return groups.compactMap { group in
            let weights = group.map { weight(of: $0, from: worldFromOptical) }
            let whole = weights.reduce(0, +)
            func mean(_ part: (PlaceSight) -> Vector3) -> Vector3 {
                zip(group, weights).reduce(.zero) { $0 + part($1.0) * $1.1 } / whole
            }
            let pixel = group.reduce(.zero) { $0 + $1.pixel.vector } / Double(group.count)
            return sight(PixelPoint(pixel), mean(\.pointInWorld), mean(\.deviationInWorld))
        }
    }

    /// How much is known of a sight's place, in 1/m²: of none more than to a pixel.
    private func weight(of sight: PlaceSight, from worldFromOptical: RigidTransform) -> Double {
        let pixel = pixelAngle * (sight.pointInWorld - worldFromOptical.translation).length
        return 1 / (pixel * pixel + sight.deviationInWorld.squaredLength)
    }

    /// Points that are aligned so near to each other are the same.
    private static let samePlacePixels = 2.0

    private func aligned(
        _ view: PlaceView, in detail: PlaceDetail, expectedFrom worldFromOptical: RigidTransform, within limit: Double
    ) -> [PlaceSight] {
        let expected = view.points.indices.compactMap { number in
            view.expectation(ofPoint: number, from: worldFromOptical, refinement.camera).map { (number, $0) }
        }
        return zip(view.detail.find(expected.map(\.1), in: detail), expected).compactMap { pixel, expected in
            guard let pixel,
                let sight = sight(
                    pixel, view.points[expected.0].positionInWorld, view.deviationInWorld(ofPoint: expected.0)),
                refinement.error(of: sight, from: worldFromOptical) < limit
            else { return nil }
            return sight
        }
    }

    /// Unrelated points differ in 128 bits on the average, but the likest of a thousand variants in some 60.
    private static let mostDifferentBits = 48
    /// Where only a few points come into question, less likeness will do.
    private static let mostDifferentBitsNearby = 80

    /// A corner that looks like a point of a view.
    private func sight(_ index: Int, of view: PlaceView, _ point: Int) -> PlaceSight {
        PlaceSight(
            pixel: pixels[index], direction: directions[index], pointInWorld: view.points[point].positionInWorld,
            deviationInWorld: view.deviationInWorld(ofPoint: point))
    }

    private func sight(_ pixel: PixelPoint, _ pointInWorld: Point3, _ deviationInWorld: Vector3) -> PlaceSight? {
        refinement.camera.unproject(pixel).map {
            PlaceSight(pixel: pixel, direction: $0, pointInWorld: pointInWorld, deviationInWorld: deviationInWorld)
        }
    }
}
