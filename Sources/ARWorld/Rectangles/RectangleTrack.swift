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
    /// Whether views told its size without a plane.
    private var isSizeSeen = false
    /// Where the code's corners are, the rectangle's being those of the unit square, and whether the frame shows them.
    private var codeCorners: [Vector2]?
    private var isCodeSeen = false
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
            lastSeen: lastSeen, quad: isSeen ? lastQuad : nil, codeAnchor: codeAnchor(on: rectangle))
    }

    private func codeAnchor(on rectangle: WorldRectangle) -> CodeAnchor? {
        guard let code, let place = codeCorners.flatMap({ WorldRectangle($0, onRectangleOf: rectangle.size) }) else {
            return nil
        }
        return CodeAnchor(
            identifier: UUID(name: "code on \(identifier.uuidString)"), name: code.payload,
            worldFromAnchor: rectangle.worldFromRectangle * place.worldFromRectangle, payload: code.payload,
            symbology: code.symbology, size: place.size, isTracked: isCodeSeen)
    }

    mutating func beginFrame() { (isSeen, isCodeSeen) = (false, false) }

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
        if let read = sighting.code, isKnown(by: read), let corners = view.corners(of: read) {
            (codeCorners, isCodeSeen) = (corners, true)
        }
        sightingCount += 1
        isSeen = true
        lastSeen = view.timestamp
        lastQuad = view.quad
        var isAway = isElsewhere || outcome.map { isBeside($0.shape, view) } ?? false
        if isAway, let place = placeAtRest(with: view, isElsewhere: isElsewhere) {
            outcome = place
            isAway = false
        }
        mismatchCount = isAway ? mismatchCount + 1 : 0
        if isAway, isElsewhere || mismatchCount > 1 {
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
        codeCorners = nil
        if turn % 2 != 0 { memory.turnByQuarter() }
        // Its numbers count otherwise now: it follows from the views again, from where it is.
        if let shape = outcome?.shape { outcome?.shape = shape.turned(by: turn) }
        rectangle = rectangle?.turned(by: turn)
    }

    /// Whether a view shows the corners elsewhere than a shape has them, by more than all errors.
    private func isBeside(_ shape: RectangleShape, _ view: RectangleView) -> Bool {
        guard let error = view.error(of: shape) else { return true }
        // From one picture to the next, poses err less against each other than in the long run.
        let pose = view.isPoseEstimated ? 0.2 * settings.poseDeviation * pixelsPerMetre(view, at: shape) : 0
        return error > 1.5 + 4 * hypot(hypot(view.deviation, settings.commonCornerDeviation), pose)
    }

    /// Where it may be if it never moved, while only a plane has told its size: on a table above the floor that it was believed
    /// to lie on, it seems to glide when the camera moves.
    ///
    /// What is seen at another place altogether must show its size that way; it may be another thing.
    private func placeAtRest(with view: RectangleView, isElsewhere: Bool) -> RectangleFit.Outcome? {
        guard !isSizeSeen, let shape = outcome?.shape else { return nil }
        let views = views + [view]
        let fit = RectangleFit(views: views.map { weighed($0, beside: view) })
        let guesses = [RectangleShape(triangulating: views), shape].compactMap { $0 }
        return guesses.compactMap { fit.solved(from: $0, precision: 1e-4) }
            .filter { found in
                found.shape.facesCamera(of: view) && !views.contains { isBeside(found.shape, $0) }
                    && (!isElsewhere || found.sizeDeviation < 2 * settings.largestSizeDeviation)
            }.min { $0.cost < $1.cost }
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
        if !isSizeSeen { isSizeSeen = isSizeToldByViews }
        if let measured = best(knownSize: nil, planes: planes, frame: snapshot.frame),
            measured.sizeDeviation < 2 * settings.largestSizeDeviation, isRectangle(measured, in: newest)
        {
            memory.remember(
                measured.shape.size, deviation: measured.sizeDeviation, from: Stand(of: newest, at: measured.shape),
                standDifference: settings.sizeMemoryTurn)
            outcome = memory.trusted.flatMap { measured.knowing($0.size, deviation: $0.deviation) } ?? measured
        } else {
            outcome = best(knownSize: memory.known, planes: planes, frame: snapshot.frame)
        }
        guard let outcome, outcome.sizeDeviation <= settings.largestSizeDeviation else { return }
        if sightingCount >= settings.leastSightings, isRectangle(outcome, in: newest) { isConfirmed = true }
        rectangle = WorldRectangle(outcome.shape, errors: outcome.errors) ?? rectangle
    }

    /// Whether the views alone tell the size.
    private var isSizeToldByViews: Bool {
        guard views.count >= 2, let newest = views.last, let shape = outcome?.shape else { return false }
        let fit = RectangleFit(views: views.map { weighed($0, beside: newest) })
        return fit.solved(from: shape, precision: 1e-4).map { $0.sizeDeviation < settings.largestSizeDeviation }
            ?? false
    }

    /// Of planes under the rectangle, those that are not far behind where it is: rays go on to the floor beneath a table.
    private func plausible(_ planes: [PlaneAnchor], from view: RectangleView) -> [PlaneAnchor] {
        guard let center = outcome?.shape.worldFromRectangle.translation else { return planes }
        let eye = view.worldFromOptical.translation
        let reach = 0.25 * (center - eye).length
        return planes.filter { anchor in
            let plane = Plane(worldFromPlane: anchor.worldFromAnchor)
            let side = plane.signedDistance(to: eye) < 0 ? -1.0 : 1
            return side * plane.signedDistance(to: center) < reach
        }
    }

    /// The shape that agrees best with the views and with the plane that it lies on: the first of the planes, unless another
    /// explains the views decisively better. From one stand, all parallel planes explain them equally well.
    ///
    /// It lies on none where views that tell its size themselves speak against all of them.
    private func best(
        knownSize: (size: RectangleSize, deviation: Double)?, planes: [PlaneAnchor], frame: TrackedFrame
    ) -> RectangleFit.Outcome? {
        guard let newest = views.last else { return nil }
        var fit = RectangleFit(views: views.map { weighed($0, beside: newest) })
        fit.knownSize = knownSize
        func solved(on plane: PlaneAnchor?) -> RectangleFit.Outcome? {
            fit.plane = plane.map { (Plane(worldFromPlane: $0.worldFromAnchor), settings.planeDeviation) }
            let known = outcome.flatMap { isFar($0.shape, from: plane) ? nil : [$0.shape] }
            let guesses = known ?? guesses(newest, size: knownSize?.size, on: plane, frame: frame)
            return guesses.compactMap { fit.solved(from: $0, precision: 1e-4) }
                .filter { $0.shape.facesCamera(of: newest) }.min { $0.cost < $1.cost }
        }
        func isDecisivelyBetter(_ other: RectangleFit.Outcome, than best: RectangleFit.Outcome?) -> Bool {
            best.map { other.cost + RectangleSolutions.decisiveDifference < $0.cost } ?? true
        }
        var best: RectangleFit.Outcome?
        for plane in planes {
            if let other = solved(on: plane), isDecisivelyBetter(other, than: best) { best = other }
        }
        guard best == nil || views.count >= 2 || knownSize != nil, let free = solved(on: nil) else { return best }
        let isSizeTold = free.sizeDeviation < 2 * settings.largestSizeDeviation
        return isDecisivelyBetter(free, than: best) && (best == nil || isSizeTold) ? free : best
    }

    /// Whether a fit to that plane is to begin elsewhere than where the rectangle was believed to be.
    private func isFar(_ shape: RectangleShape, from plane: PlaneAnchor?) -> Bool {
        guard let plane else { return false }
        let height = Plane(worldFromPlane: plane.worldFromAnchor).signedDistance(
            to: shape.worldFromRectangle.translation)
        return abs(height) > 10 * settings.planeDeviation.offset
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
        let stands = views.map { Stand(offset: $0.worldFromOptical.translation - center) }
        let gaps = stands.indices.dropLast().map { old in
            stands[(old + 1)...].map { stands[old].difference(from: $0) }.min() ?? 0
        }
        return gaps.indices.min { gaps[$0] < gaps[$1] } ?? 0
    }
}
