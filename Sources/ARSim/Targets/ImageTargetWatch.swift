// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTargets
import ARTracking
import ARWorld
import Foundation

/// Looks for image targets in a session's pictures, and gives those that it finds a place in the world.
struct ImageTargetWatch: Sendable {
    private let search: ImageTargetSearch
    /// What databases hold of the targets that were seen.
    private var targets: [TargetIdentity: ImageTarget] = [:]
    private var lookout: TargetLookout
    private var places: [Int: PlacedThing] = [:]

    init(_ search: ImageTargetSearch) {
        self.search = search
        lookout = TargetLookout(maximumCount: search.maximumCount, interval: search.interval)
        for (name, database) in search.databases { lookout.activate(database, as: name) }
    }

    /// What is known of targets at a frame: those that it shows, and those whose place in the world is known, in the order
    /// in which they were first seen.
    mutating func look(at frame: FoundFrame, in snapshot: WorldSnapshot) -> [SessionTarget] {
        let placed = Set(places.filter { $0.value.isPlaced }.keys)
        _ = lookout.look(at: frame.image, camera: frame.tracked.camera, keeping: placed)
        let known = Set(lookout.watch.targets.map(\.identifier))
        places = places.filter { known.contains($0.key) }
        for thing in lookout.watch.targets where targets[thing.sighting.target] == nil {
            targets[thing.sighting.target] = search.target(thing.sighting.target)
        }
        if let correction = snapshot.correction {
            for key in places.keys { places[key]?.move(by: correction.worldFromOldWorld) }
        }
        return lookout.watch.targets.compactMap { thing in
            guard let target = targets[thing.sighting.target] else { return nil }
            let sighting = thing.status.isTracked ? thing.sighting : nil
            if let sighting, snapshot.frame.trackingState == .normal {
                places[thing.identifier, default: PlacedThing(target)]
                    .see(sighting, in: snapshot, estimatingScale: search.estimatesScale)
            }
            let identifier = UUID(
                name: "image target \(thing.identifier) \(thing.sighting.target.database) \(target.name)")
            let anchor = places[thing.identifier]?
                .anchor(identifier, isTracked: thing.status.isTracked)
            guard sighting != nil || anchor != nil else { return nil }
            return SessionTarget(
                identifier: identifier, identity: thing.sighting.target, target: target,
                status: thing.status, sighting: sighting,
                cameraFromTarget: sighting.flatMap { sighting in
                    (places[thing.identifier] ?? PlacedThing(target)).pose(of: sighting, camera: frame.tracked.camera)
                }, anchor: anchor)
        }
    }
}

/// The place and the size of one thing.
private struct PlacedThing: Sendable {
    private let target: ImageTarget
    private var scale = TargetScale()
    private var placement: TargetPlacement?
    /// How large the print is taken for, by its stated or unit size.
    private var appliedScale: Double?

    init(_ target: ImageTarget) {
        self.target = target
        appliedScale = target.physicalSize == nil ? nil : 1
    }

    /// Whether its place is known.
    var isPlaced: Bool { placement != nil }

    /// Height by width.
    private var aspectRatio: Double {
        target.physicalSize.map { $0.y / $0.x } ?? Double(target.pictureSize.height) / Double(target.pictureSize.width)
    }

    mutating func see(_ sighting: TargetSighting, in snapshot: WorldSnapshot, estimatingScale: Bool) {
        let frame = snapshot.frame
        guard let cameraFromTarget = statedPose(of: sighting, camera: frame.camera) else { return }
        if estimatingScale || target.physicalSize == nil { measureScale(cameraFromTarget, in: snapshot) }
        guard let scaled = pose(of: sighting, camera: frame.camera) else { return }
        let observation = TargetPlacement.Observation(
            worldFromCamera: frame.worldFromCamera, cameraFromTarget: scaled,
            covariance: appliedScale.flatMap { sighting.covariance?.ofPrint(timesAsLarge: $0) })
        if placement == nil {
            placement = TargetPlacement(observation)
        } else {
            placement?.update(with: observation)
        }
    }

    /// The pose that a sighting tells of a print of the size that it is taken for.
    func pose(of sighting: TargetSighting, camera: Camera) -> RigidTransform? {
        guard let appliedScale, var pose = statedPose(of: sighting, camera: camera) else { return nil }
        pose.translation *= appliedScale
        return pose
    }

    /// The pose that a sighting tells of a print of its stated size, or of one that is a metre wide.
    private func statedPose(of sighting: TargetSighting, camera: Camera) -> RigidTransform? {
        sighting.cameraFromTarget ?? sighting.cameraFromUnitTarget(camera: camera, aspectRatio: aspectRatio)
    }

    private mutating func measureScale(_ cameraFromTarget: RigidTransform, in snapshot: WorldSnapshot) {
        let frame = snapshot.frame
        let offset = frame.worldFromCamera.rotation * cameraFromTarget.translation
        scale.add(
            camera: frame.worldFromCamera.translation, offset: offset,
            planeScale: snapshot.distance(
                along: offset,
                toPlaneWithNormal: frame.worldFromCamera.rotation * (cameraFromTarget.rotation * [0, 1, 0])
            ).map { $0 / offset.length })
        guard let estimate = scale.estimate else { return }
        // A stated size is right until much speaks against it.
        let stands = target.physicalSize != nil && abs(estimate.scale - 1) < max(0.05, 4 * estimate.deviation)
        let new = stands ? 1 : estimate.scale
        if let appliedScale, abs(new / appliedScale - 1) > 0.02 { placement = nil }
        if placement == nil { appliedScale = new }
    }

    func anchor(_ identifier: UUID, isTracked: Bool) -> ImageAnchor? {
        guard let placement, let appliedScale else { return nil }
        let stated = target.physicalSize ?? Vector2(1, aspectRatio) * appliedScale
        return ImageAnchor(
            identifier: identifier, name: target.name, worldFromAnchor: placement.worldFromTarget,
            physicalSize: RectangleSize(width: stated.x, height: stated.y),
            estimatedScaleFactor: target.physicalSize == nil ? 1 : appliedScale, isTracked: isTracked)
    }

    mutating func move(by newFromOld: RigidTransform) {
        placement?.move(by: newFromOld)
        // Views in the old coordinates say nothing in the new ones.
        scale = TargetScale()
    }
}

extension Matrix6x6 {
    /// The covariance of a pose's twist, were the print so many times as large: its translation grows with it, its rotation
    /// does not.
    func ofPrint(timesAsLarge scale: Double) -> Matrix6x6 {
        Matrix6x6(
            translationByTranslation: scale * scale * translationByTranslation,
            translationByRotation: scale * translationByRotation,
            rotationByTranslation: scale * rotationByTranslation, rotationByRotation: rotationByRotation)
    }
}

extension WorldSnapshot {
    /// How far a plane is along a direction that faces a print as that normal says; `nil` where none lies there.
    fileprivate func distance(along offset: Vector3, toPlaneWithNormal normal: Vector3) -> Double? {
        let camera = frame.worldFromCamera.translation
        guard let ray = Ray(from: camera, through: camera + offset) else { return nil }
        return hitTest(ray, types: .existingPlaneUsingExtent).first { hit in
            (hit.worldFromHit.rotation * Vector3(0, 1, 0)).dot(normal) > 0.94
        }?.distance
    }
}
