// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

/// The anchors of a session over time.
///
/// ```swift
/// var world = World()
/// let snapshot = world.update(with: frame)
/// if let hit = snapshot.hitTest(tap, in: viewport, types: .existingPlaneUsingExtent).first {
///     world.addAnchor(named: "lamp", at: hit.worldFromHit, on: hit.anchor)
/// }
/// ```
///
/// As in ARKit, what is added or removed between frames takes effect with the next frame, and nothing changes while
/// tracking is not normal. Law: `WorldTests.changesTakeEffectInTheNextTrackedFrame`.
public struct World: Sendable {
    private var anchors = AnchorList()
    private var pendingAnchors: [Anchor] = []
    private var pendingRemovals: Set<UUID> = []
    private var pendingCorrection: WorldCorrection?
    private var userAnchorCount = 0
    private var planeIndex = PlaneIndex()
    private var mesh: WorldMesh?
    private var pendingMesh: WorldMesh??
    private var planeFinder: PlaneFinder?
    /// The finder stays in the world as it was before all corrections.
    private var worldFromFinder = RigidTransform.identity

    /// A world without anchors.
    ///
    /// - Parameter planeFinder: finds planes in what the frames show; without it, planes come from the app alone.
    public init(findingPlanesWith planeFinder: PlaneFinder? = nil) { self.planeFinder = planeFinder }

    /// Adds an anchor, or replaces the one with the same identifier, in the next frame.
    public mutating func add(_ anchor: Anchor) {
        pendingRemovals.remove(anchor.identifier)
        pendingAnchors.append(anchor)
    }

    /// Adds an anchor at a place that the app chose, in the next frame. The same calls in the same order give the same
    /// identifiers.
    ///
    /// - Parameter plane: the plane on which the anchor lies, for example that of a hit: what is learned of the plane's
    ///   place moves the anchor along.
    @discardableResult
    public mutating func addAnchor(
        named name: String? = nil, at worldFromAnchor: RigidTransform, on plane: PlaneAnchor? = nil
    ) -> UserAnchor {
        userAnchorCount += 1
        let anchor = UserAnchor(
            identifier: UUID(name: "user anchor \(userAnchorCount)"), name: name, worldFromAnchor: worldFromAnchor,
            on: plane)
        add(.user(anchor))
        return anchor
    }

    /// Removes the anchor with that identifier in the next frame.
    public mutating func remove(_ identifier: UUID) {
        pendingAnchors.removeAll { $0.identifier == identifier }
        pendingRemovals.insert(identifier)
    }

    /// Makes a mesh what rays meet, in place of the one before, or forgets that one, in the next frame.
    public mutating func setMesh(_ mesh: WorldMesh?) { pendingMesh = .some(mesh) }

    /// Gives everything that was added so far its coordinates in the corrected world, in the next frame: to be called when
    /// the frames' poses have begun to mean that world. What is added afterwards is taken to be in it.
    ///
    /// The tracker keeps its world where it began, so that sessions have no occasion to call this; apps do that lay the world
    /// over a map of their own.
    ///
    /// A correction turns about gravity only; one that tilts would bend the planes that are found from then on.
    public mutating func correct(by correction: WorldCorrection) {
        worldFromFinder = correction.worldFromOldWorld * worldFromFinder
        pendingAnchors = pendingAnchors.map { $0.moved(by: correction) }
        pendingMesh = pendingMesh.map { $0?.moved(by: correction) }
        pendingCorrection = pendingCorrection.map(correction.after) ?? correction
    }

    /// The world as it is known at that frame.
    ///
    /// - Parameters:
    ///   - picture: what the frame shows: planes are seen farther in pictures than points are followed. Where rows are
    ///     exposed one after the other, only pictures of frames less than 0.2 s apart count: the motion is known there.
    ///   - findings: what is known about planes beside what the world finds itself.
    public mutating func update(
        with frame: TrackedFrame, picture: FramePicture? = nil, findings: PlaneFindings = PlaneFindings()
    ) -> WorldSnapshot {
        if let found = planeFinder?.update(with: worldFromFinder.inverse * frame, picture: picture) {
            take(worldFromFinder * found)
        }
        take(findings)
        var (changes, correction) = (AnchorChanges(), WorldCorrection?.none)
        if frame.trackingState == .normal {
            correction = pendingCorrection
            let before = anchors
            changes = settle()
            if changes.touchesPlanes(of: before, anchors) { planeIndex = planeIndex.updated(with: anchors.planes) }
        }
        return WorldSnapshot(
            frame: frame, list: anchors, planeIndex: planeIndex, mesh: mesh, changes: changes, correction: correction)
    }

    private mutating func take(_ findings: PlaneFindings) {
        for plane in findings.added + findings.updated { add(.plane(plane)) }
        for identifier in findings.removed { remove(identifier) }
    }

    /// Lets everything that waits take effect.
    private mutating func settle() -> AnchorChanges {
        settleMesh()
        guard pendingCorrection != nil || !pendingAnchors.isEmpty || !pendingRemovals.isEmpty else {
            return AnchorChanges()
        }
        let before = anchors
        if let pendingCorrection { anchors.move(by: pendingCorrection) }
        anchors.remove(pendingRemovals)
        for anchor in pendingAnchors { anchors.put(anchor) }
        anchors.followPlanes()
        pendingCorrection = nil
        pendingAnchors.removeAll()
        pendingRemovals.removeAll()
        return anchors.changes(from: before)
    }

    private mutating func settleMesh() {
        if let pendingCorrection { mesh = mesh?.moved(by: pendingCorrection) }
        if let pendingMesh { mesh = pendingMesh }
        pendingMesh = nil
    }
}

extension AnchorChanges {
    /// Whether planes are among what changed from one list of anchors to another.
    fileprivate func touchesPlanes(of before: AnchorList, _ after: AnchorList) -> Bool {
        removed.contains { before.plane($0) != nil } || (added + updated).contains { after.plane($0) != nil }
    }
}
