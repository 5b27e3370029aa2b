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
    /// What was known of its size before it was moved.
    private var knownSize: (size: RectangleSize, deviation: Double)?
    /// Whether the frame shows it.
    private var isSeen = false
    private var lastQuad: PixelQuad?
    private var rectangle: WorldRectangle?

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
        if sighting.isNamedByCode, code == nil {
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
        if turn % 2 != 0, let known = knownSize {
            knownSize = (RectangleSize(width: known.size.height, height: known.size.width), known.deviation)
        }
        // Its numbers count otherwise now: it follows from the views again, from where it is.
        if let shape = outcome?.shape { outcome?.shape = shape.turned(by: turn) }
    }

    /// Whether a view shows the corners elsewhere than a shape has them, by more than all errors.
    private func isBeside(_ shape: RectangleShape, _ view: RectangleView) -> Bool {
        guard let error = view.error(of: shape), let newest = views.last else { return true }
        let deviation = aged(newest, seenBeforeNanoseconds: view.timestamp.nanoseconds - newest.timestamp.nanoseconds)
            .deviation
        return error > 4 * deviation + 1.5
    }

    /// It has left its place: only its size is still known.
    private mutating func startAgain() {
        if isConfirmed, let outcome { knownSize = (outcome.shape.size, max(outcome.sizeDeviation, 0.005)) }
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
        let now = newest.timestamp.nanoseconds
        var fit = RectangleFit(
            views: views.map { aged($0, seenBeforeNanoseconds: now - $0.timestamp.nanoseconds) })
        fit.knownSize = knownSize
        let plane = snapshot.plane(under: newest.quad)
        fit.plane = plane.map { (Plane(worldFromPlane: $0.worldFromAnchor), settings.planeDeviation) }
        let guesses = outcome.map { [$0.shape] } ?? self.guesses(newest, on: plane, frame: snapshot.frame)
        let solved = guesses.compactMap { fit.solved(from: $0) }.min { $0.cost < $1.cost }
        guard let solved, solved.shape.facesCamera(of: newest) else {
            outcome = nil
            return
        }
        outcome = solved
        let diagonal = newest.quad.topLeft.distance(to: newest.quad.bottomRight)
        let isRectangle = solved.errorPixels <= 1 + 0.01 * diagonal
        let isKnown = solved.sizeDeviation <= settings.largestSizeDeviation
        if sightingCount >= settings.leastSightings, isRectangle, isKnown { isConfirmed = true }
        if isKnown { rectangle = WorldRectangle(solved.shape, errors: solved.errors) ?? rectangle }
    }

    /// Where the fit may begin when nothing is known of the place.
    private func guesses(_ view: RectangleView, on plane: PlaneAnchor?, frame: TrackedFrame) -> [RectangleShape] {
        var guesses: [RectangleShape] = []
        if let plane, let hit = WorldRectangle(view.quad, in: frame, on: plane.worldFromCenter) {
            guesses.append(RectangleShape(worldFromRectangle: hit.worldFromRectangle, size: hit.size))
        }
        if let knownSize {
            let directions = view.quad.corners.compactMap { view.camera.unproject($0) }
            guesses += PlanarPose.candidates(size: knownSize.size, directions: directions).map {
                RectangleShape(
                    worldFromRectangle: view.worldFromOptical * $0.opticalFromRectangle, size: knownSize.size)
            }
        }
        if let triangulated = RectangleShape(triangulating: views) { guesses.append(triangulated) }
        return guesses
    }

    /// A view as much less certain as its pose has become beside the newest one's.
    private func aged(_ view: RectangleView, seenBeforeNanoseconds age: Int64) -> RectangleView {
        guard view.isPoseEstimated, age > 0, let center = outcome?.shape.worldFromRectangle.translation else {
            return view
        }
        let distance = max((center - view.worldFromOptical.translation).length, 1e-3)
        let drift = settings.poseDriftPerRootSecond * (Double(age) * 1e-9).squareRoot() / distance
        let pixels = drift * view.camera.intrinsics.fx
        var aged = view
        aged.deviation = (view.deviation * view.deviation + pixels * pixels).squareRoot()
        return aged
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

// MARK: - Recognition

extension RectangleTrack {
    /// Where a frame should show it; `nil` where its place is unknown, and behind the camera.
    func expectedQuad(in frame: TrackedFrame) -> PixelQuad? {
        guard let shape = outcome?.shape else { return nil }
        let pixels = shape.corners.compactMap { frame.project($0) }
        guard pixels.count == 4 else { return nil }
        let quad = PixelQuad(corners: pixels)
        return quad.isConvex ? quad : nil
    }

    /// Where a picture showed it a moment ago.
    func recentQuad(before now: Timestamp) -> PixelQuad? {
        nanoseconds(since: now) <= settings.patienceNanoseconds ? lastQuad : nil
    }

    /// Whether codes do not speak against it.
    func mayBe(_ sighting: RectangleSighting) -> Bool {
        guard code != nil, let read = sighting.code else { return true }
        return isKnown(by: read)
    }

    /// Whether its code is this one.
    func isKnown(by read: DetectedCode) -> Bool {
        code == TrackedRectangle.Code(payload: read.payload, symbology: read.symbology)
    }

    /// Whether a rectangle of its size, anywhere, can look like that; and, where a plane tells its size, whether that is it.
    func hasSize(of sighting: RectangleSighting, turn: Int) -> Bool {
        guard let size = outcome?.shape.size ?? rectangle?.size else { return true }
        let quad = sighting.view.quad.turned(by: turn)
        if let hit = sighting.sizeOnPlane {
            let found = turn % 2 == 0 ? hit : RectangleSize(width: hit.height, height: hit.width)
            guard max(abs(log(found.width / size.width)), abs(log(found.height / size.height))) < 0.07 else {
                return false
            }
        }
        let directions = quad.corners.compactMap { sighting.view.camera.unproject($0) }
        let limit = 1.5 + 0.02 * quad.topLeft.distance(to: quad.bottomRight)
        var view = sighting.view
        view.quad = quad
        view.worldFromOptical = .identity
        return PlanarPose.candidates(size: size, directions: directions).contains { pose in
            let shape = RectangleShape(worldFromRectangle: pose.opticalFromRectangle, size: size)
            return view.error(of: shape).map { $0 < limit } ?? false
        }
    }

    /// Whether two are the same thing, found twice.
    func isTwin(of other: RectangleTrack) -> Bool {
        guard let mine = outcome?.shape, let others = other.outcome?.shape,
            code == nil || other.code == nil || code == other.code
        else { return false }
        // Rectangles in a picture that are closer than this are one to the detector, too.
        let limit = min(mine.size.width, mine.size.height, others.size.width, others.size.height) / 12
        return (0..<4).contains { turn in
            zip(mine.turned(by: turn).corners, others.corners).allSatisfy { ($0 - $1).length < limit }
        }
    }
}

extension RectangleFit.Outcome {
    /// The larger deviation of the two sides' logarithms.
    var sizeDeviation: Double { max(covariance[6, 6], covariance[7, 7]).squareRoot() }
}

extension RectangleShape {
    /// Whether a view shows its front.
    func facesCamera(of view: RectangleView) -> Bool {
        normal.dot(view.worldFromOptical.translation - worldFromRectangle.translation) > 0
    }

    /// The rectangle whose corners lie where views' rays come closest to each other; `nil` where the stands are too close
    /// together.
    init?(triangulating views: [RectangleView]) {
        guard views.count >= 2 else { return nil }
        var corners: [Point3] = []
        for corner in 0..<4 {
            var (system, right, widest) = (Matrix3x3.zero, Vector3.zero, 0.0)
            var first: Vector3?
            for view in views {
                guard
                    let direction = view.camera.unproject(view.quad.corners[corner]).flatMap({
                        (view.worldFromOptical.rotation * $0).normalized()
                    })
                else { return nil }
                let across = .identity - Matrix3x3.outerProduct(direction, direction)
                system = system + across
                right += across * view.worldFromOptical.translation
                widest = max(widest, direction.cross(first ?? direction).length)
                first = first ?? direction
            }
            // Rays that part by less than 1° leave the distance open by more than a tenth of it.
            guard widest > 0.017, let point = system.inverse.map({ $0 * right }) else { return nil }
            corners.append(point)
        }
        guard let normal = (corners[3] - corners[1]).cross(corners[2] - corners[0]).normalized(),
            let measured = WorldRectangle(corners: corners, normal: normal, errors: .none)
        else { return nil }
        self.init(worldFromRectangle: measured.worldFromRectangle, size: measured.size)
    }
}
