// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// How far hits are from where they should be.
public struct HitErrors: Hashable, Sendable {
    /// The kind of hit by ARKit's name.
    public var type: String
    /// How many hits there were.
    public var count: Int
    /// Metres from the true places; `nil` where no hit has one.
    public var metres: WorldAndCamera<ErrorQuantiles>?
    /// The same by the distance from the camera to the true place: metres a metre.
    public var metresPerMetre: WorldAndCamera<ErrorQuantiles>?

    /// The errors of hits of that type.
    init(type: String, count: Int, _ errors: [HitError]) {
        self.type = type
        self.count = count
        metres = WorldAndCamera(errors.map(\.metres))
        metresPerMetre = WorldAndCamera(errors.map { error in error.metres.map { $0 / error.distance } })
    }
}

extension WorldAndCamera where Figure == ErrorQuantiles {
    /// The quantiles of a list of errors, or `nil` of an empty one.
    init?(_ errors: [WorldAndCamera<Double>]) {
        guard let world = ErrorQuantiles(errors.map(\.world)), let camera = ErrorQuantiles(errors.map(\.camera)) else {
            return nil
        }
        self.init(world: world, camera: camera)
    }
}

/// The error of one hit.
struct HitError: Sendable {
    let metres: WorldAndCamera<Double>
    /// From the true camera to the true place, in metres.
    let distance: Double
}

/// Compares hits with what the true ray of the same pixel meets.
///
/// A hit on a plane that can be a true one is compared with that plane, without regard to its outline, because the hit
/// says nothing of things that stand before it. Any other hit is compared with the surface that the pixel sees: the
/// depth picture where there is one, else the nearest outline of a declared plane. A hit has no truth where the ray meets
/// none of these.
struct HitEvaluator: Sendable {
    private let camera: CameraCalibration
    private var counts: [String: Int] = [:]
    private var errors: [String: [HitError]] = [:]

    /// The types that do not count among all. Planes without bounds lead to anywhere along a wall or a floor; estimates are
    /// asked for in each frame, whether or not an app would have got one.
    private static let typesAside: Set = ["existingPlane", "estimatedHorizontalPlane", "estimatedVerticalPlane"]

    init(camera: CameraCalibration) { self.camera = camera }

    mutating func compare(
        _ hits: [HitAnswer], truth: FrameTruth, planes: PlaneEvaluator, world: Similarity, camera: Similarity
    ) {
        for hit in hits {
            counts[hit.type, default: 0] += 1
            guard let place = truePlace(of: hit, truth: truth, planes: planes) else { continue }
            let error = WorldAndCamera(world: world, camera: camera).map { ($0 * hit.position - place).length }
            let distance = (place - truth.worldFromCamera.translation).length
            guard distance > 0 else { continue }
            errors[hit.type, default: []].append(HitError(metres: error, distance: distance))
        }
    }

    /// The errors by type, in alphabetical order.
    var byType: [HitErrors] {
        counts.sorted { $0.key < $1.key }.map { HitErrors(type: $0.key, count: $0.value, errors[$0.key] ?? []) }
    }

    /// The errors of hits on planes within their bounds and of feature points together; `nil` where there was no such hit.
    var all: HitErrors? {
        let bounded = counts.filter { !Self.typesAside.contains($0.key) }
        guard !bounded.isEmpty else { return nil }
        return HitErrors(
            type: "all", count: bounded.values.reduce(0, +),
            errors.filter { bounded[$0.key] != nil }.sorted { $0.key < $1.key }.flatMap(\.value))
    }

    private func truePlace(of hit: HitAnswer, truth: FrameTruth, planes: PlaneEvaluator) -> Point3? {
        guard let directionInOptical = camera.camera.unproject(hit.pixel) else { return nil }
        let direction =
            truth.worldFromCamera.rotation * (RigidTransform.cameraFromOptical.rotation * directionInOptical)
        let ray = Ray(origin: truth.worldFromCamera.translation, unitDirection: direction)
        if let index = hit.anchor.flatMap({ planes.known[$0]?.truth }) {
            return ray.intersection(with: planes.truths[index].plane)
        }
        if let depth = truth.pictures.depth {
            let metres = depth.metres(at: hit.pixel) ?? 0
            return metres > 0 && directionInOptical.z > 0 ? ray.point(at: metres / directionInOptical.z) : nil
        }
        return planes.truths.compactMap { $0.distance(along: ray) }.min().map(ray.point)
    }
}
