// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import ARVision
import Foundation

/// One rectangular thing: the views in which it was seen, and what follows from them.
struct RectangleTrack: Sendable {
    let identifier: UUID
    let settings: RectangleTracker.Settings
    private(set) var views: [RectangleView] = []
    private(set) var outcome: RectangleFit.Outcome?
    private(set) var code: TrackedRectangle.Code?
    private(set) var lastSeen = Timestamp(nanoseconds: 0)
    /// Whether it was seen well enough to be reported.
    private(set) var isConfirmed = false
    private var sightingCount = 0
    /// How many pictures in a row have shown it somewhere else.
    private var mismatchCount = 0
    private var memory = SizeMemory()
    /// Whether the frame shows it.
    private var isSeen = false
    private(set) var lastQuad: PixelQuad?
    private(set) var rectangle: WorldRectangle?

    init(identifier: UUID, settings: RectangleTracker.Settings) {
        self.identifier = identifier
        self.settings = settings
    }

    /// How long ago it was seen.
    func nanoseconds(since now: Timestamp) -> Int64 { now.nanoseconds - lastSeen.nanoseconds }

    /// What is told of it, once it is known well enough.
    func report(at now: Timestamp) -> TrackedRectangle? {
        guard isConfirmed, let rectangle else { return nil }
        let isTracked = nanoseconds(since: now) <= settings.patienceNanoseconds
        return TrackedRectangle(
            identifier: identifier, rectangle: rectangle, code: code, state: isTracked ? .tracked : .remembered,
            lastSeen: lastSeen, quad: isSeen ? lastQuad : nil)
    }

    mutating func beginFrame() { isSeen = false }

    // MARK: Sightings

    /// Takes in where a picture shows it.
    ///
    /// - Parameters:
    ///   - turn: by how many corners the sighting is to be turned, to be named as this is.
    ///   - isElsewhere: whether it has left its place.
    mutating func see(_ sighting: RectangleSighting, turn: Int, in snapshot: WorldSnapshot, isElsewhere: Bool) {
        var view = sighting.view.turned(by: turn)
        if sighting.isNamedByCode {
            rename(turn: -turn)
            view = sighting.view
        }
        if let read = sighting.code {
            code = code ?? TrackedRectangle.Code(payload: read.payload, symbology: read.symbology)
        }
        sightingCount += 1
        isSeen = true
        lastSeen = view.timestamp
        lastQuad = view.quad
        let isAway = isElsewhere || outcome.map { isBeside($0.shape, view) } ?? false
        mismatchCount = isAway ? mismatchCount + 1 : 0
        if isElsewhere || mismatchCount > 1 {
            startAgain()
        } else if isAway {
            return
        }
        views.append(view)
        if views.count > settings.viewLimit { views.remove(at: mostRedundantView) }
        solve(in: snapshot)
    }

    /// Calls the corners otherwise.
    private mutating func rename(turn: Int) {
        guard turn % 4 != 0 else { return }
        views = views.map { $0.turned(by: turn) }
        if turn % 2 != 0 { memory.turnByQuarter() }
        // Its numbers count otherwise now: it follows from the views again, from where it is.
        if let shape = outcome?.shape { outcome?.shape = shape.turned(by: turn) }
    }

    /// Whether a view shows the corners elsewhere than a shape has them, by more than all errors.
    private func isBeside(_ shape: RectangleShape, _ view: RectangleView) -> Bool {
        guard let error = view.error(of: shape) else { return true }
        // From one picture to the next, poses err less against each other than in the long run.
        let pose = view.isPoseEstimated ? 0.2 * settings.poseDeviation * pixelsPerMetre(view, at: shape) : 0
        return error > 1.5 + 4 * hypot(hypot(view.deviation, settings.commonCornerDeviation), pose)
    }

    /// How many pixels a metre across the ray to a shape has.
    private func pixelsPerMetre(_ view: RectangleView, at shape: RectangleShape) -> Double {
        let distance = (shape.worldFromRectangle.translation - view.worldFromOptical.translation).length
        return view.camera.intrinsics.fx / max(distance, 1e-3)
    }

    /// It has left its place: only its size is still known.
    private mutating func startAgain() {
        views.removeAll()
        outcome = nil
    }

    /// The world's coordinates have changed.
    mutating func correct(by correction: WorldCorrection) {
        let worldFromOldWorld = correction.worldFromOldWorld
        for index in views.indices {
            views[index].worldFromOptical = worldFromOldWorld * views[index].worldFromOptical
        }
        if var shape = outcome?.shape {
            shape.worldFromRectangle = worldFromOldWorld * shape.worldFromRectangle
            outcome?.shape = shape
        }
        rectangle = rectangle.map { worldFromOldWorld * $0 }
    }

    // MARK: The fit

    private mutating func solve(in snapshot: WorldSnapshot) {
        guard let newest = views.last else { return }
        let planes = plausible(snapshot.planes(under: newest.quad), from: newest)
        // What this moment says of the size, and then the place, with what all moments say.
        if let measured = best(knownSize: nil, planes: planes, frame: snapshot.frame),
            measured.sizeDeviation < 2 * settings.largestSizeDeviation, isRectangle(measured, in: newest)
        {
            memory.remember(
                measured.shape.size, deviation: measured.sizeDeviation, at: newest.timestamp,
                correlationSeconds: settings.sizeMemorySeconds)
            outcome = memory.known.flatMap { measured.knowing($0.size, deviation: $0.deviation) } ?? measured
        } else {
            outcome = best(knownSize: memory.known, planes: planes, frame: snapshot.frame)
        }
        guard let outcome, outcome.sizeDeviation <= settings.largestSizeDeviation else { return }
        if sightingCount >= settings.leastSightings, isRectangle(outcome, in: newest) { isConfirmed = true }
        rectangle = WorldRectangle(outcome.shape, errors: outcome.errors) ?? rectangle
    }

    /// Of planes under the rectangle, those that are about where it is: rays go on to the floor beneath a table.
    private func plausible(_ planes: [PlaneAnchor], from view: RectangleView) -> [PlaneAnchor] {
        guard planes.count > 1, let center = outcome?.shape.worldFromRectangle.translation else { return planes }
        let reach = 0.25 * (center - view.worldFromOptical.translation).length
        let near = planes.filter { abs(Plane(worldFromPlane: $0.worldFromAnchor).signedDistance(to: center)) < reach }
        return near.isEmpty ? planes : near
    }

    /// The shape that agrees best with the views, and with the plane that agrees best with them.
    private func best(
        knownSize: (size: RectangleSize, deviation: Double)?, planes: [PlaneAnchor], frame: TrackedFrame
    ) -> RectangleFit.Outcome? {
        guard let newest = views.last else { return nil }
        var fit = RectangleFit(views: views.map { weighed($0, beside: newest) })
        fit.knownSize = knownSize
        let candidates = planes.isEmpty ? [nil] : planes.map(Optional.some)
        return candidates.flatMap { plane -> [RectangleFit.Outcome] in
            fit.plane = plane.map { (Plane(worldFromPlane: $0.worldFromAnchor), settings.planeDeviation) }
            let guesses = outcome.map { [$0.shape] } ?? guesses(newest, size: knownSize?.size, on: plane, frame: frame)
            return guesses.compactMap { fit.solved(from: $0, precision: 1e-4) }
        }.filter { $0.shape.facesCamera(of: newest) }.min { $0.cost < $1.cost }
    }

    /// Whether right angles explain what is seen.
    private func isRectangle(_ outcome: RectangleFit.Outcome, in view: RectangleView) -> Bool {
        guard let error = view.error(of: outcome.shape) else { return false }
        return error <= 1 + 0.01 * view.quad.topLeft.distance(to: view.quad.bottomRight)
    }

    /// Where the fit may begin when nothing is known of the place.
    private func guesses(
        _ view: RectangleView, size: RectangleSize?, on plane: PlaneAnchor?, frame: TrackedFrame
    ) -> [RectangleShape] {
        var guesses: [RectangleShape] = []
        if let plane, let hit = WorldRectangle(view.quad, in: frame, on: plane.worldFromCenter) {
            guesses.append(RectangleShape(worldFromRectangle: hit.worldFromRectangle, size: hit.size))
        }
        if let size {
            let directions = view.quad.corners.compactMap { view.camera.unproject($0) }
            guesses += PlanarPose.candidates(size: size, directions: directions).map {
                RectangleShape(worldFromRectangle: view.worldFromOptical * $0.opticalFromRectangle, size: size)
            }
        }
        if let triangulated = RectangleShape(triangulating: views) { guesses.append(triangulated) }
        return guesses
    }

    /// A view as uncertain as it is beside the newest one and among all others.
    private func weighed(_ view: RectangleView, beside newest: RectangleView) -> RectangleView {
        // What is alike in n views is as little known by all as by one: each counts as if its variance were n times that.
        let common = settings.commonCornerDeviation * Double(views.count).squareRoot()
        var weighed = view
        weighed.deviation = hypot(view.deviation, common)
        let age = newest.timestamp.seconds(since: view.timestamp)
        if view.isPoseEstimated, age > 0, let shape = outcome?.shape {
            let pose = settings.poseDeviation * (1 + age).squareRoot() * pixelsPerMetre(view, at: shape)
            weighed.deviation = hypot(weighed.deviation, pose)
        }
        return weighed
    }

    /// The view that tells the least beside the others: from a stand that a newer one was taken close to.
    private var mostRedundantView: Int {
        guard let center = outcome?.shape.worldFromRectangle.translation else { return 0 }
        let stands = views.map { center - $0.worldFromOptical.translation }
        func difference(_ a: Vector3, _ b: Vector3) -> Double {
            let turn = atan2(a.cross(b).length, a.dot(b))
            let nearness = log(max(a.length, 1e-3) / max(b.length, 1e-3))
            return turn * turn + nearness * nearness
        }
        let gaps = stands.indices.dropLast().map { old in
            stands[(old + 1)...].map { difference(stands[old], $0) }.min() ?? 0
        }
        return gaps.indices.min { gaps[$0] < gaps[$1] } ?? 0
    }
}
