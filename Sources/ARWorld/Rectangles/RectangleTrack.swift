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
    /// Whether it was seen well enough to be reported while it is seen often.
    private(set) var isConfirmed = false
    private(set) var sightingCount = 0
    private var record = SightingRecord()
    /// How many pictures in a row have shown it somewhere else.
    private var mismatchCount = 0
    private(set) var memory = SizeMemory()
    /// Whether views told its size without a plane.
    private(set) var isSizeSeen = false
    /// Where the code's corners are, the rectangle's being those of the unit square, and whether the frame shows them.
    private(set) var codeCorners: [Vector2]?
    private var isCodeSeen = false
    /// What was seen around the same code in the same picture.
    private var codeSharers: Set<UUID> = []
    /// Whether the frame shows it.
    private var isSeen = false
    private(set) var lastQuad: PixelQuad?
    private(set) var rectangle: WorldRectangle?

    init(identifier: UUID, settings: RectangleTracker.Settings) {
        self.identifier = identifier
        self.settings = settings
    }

    /// Whether searches show it as often as what is really there.
    var isSeenOften: Bool { record.share >= settings.leastSightingShare }

    /// How long ago it was seen.
    func nanoseconds(since now: Timestamp) -> Int64 { now.nanoseconds - lastSeen.nanoseconds }

    /// What is told of it, once it is known well enough, and while it is seen often, or bears a code: that is no coincidence.
    ///
    /// - Parameter ownsCode: whether no other rectangle around the code is rather the one that it is on.
    func report(at now: Timestamp, ownsCode: Bool) -> TrackedRectangle? {
        guard isConfirmed, isSeenOften || ownsCode, let rectangle else { return nil }
        let isTracked = nanoseconds(since: now) <= settings.patienceNanoseconds
        return TrackedRectangle(
            identifier: identifier, rectangle: rectangle, code: ownsCode ? code : nil,
            state: isTracked ? .tracked : .remembered, lastSeen: lastSeen, quad: isSeen ? lastQuad : nil,
            codeAnchor: ownsCode ? codeAnchor(on: rectangle) : nil)
    }

    func codeAnchor(on rectangle: WorldRectangle) -> CodeAnchor? {
        guard let code, let place = codeCorners.flatMap({ WorldRectangle($0, onRectangleOf: rectangle.size) }) else {
            return nil
        }
        return CodeAnchor(
            identifier: UUID(name: "code on \(identifier.uuidString)"), name: code.payload,
            worldFromAnchor: rectangle.worldFromRectangle * place.worldFromRectangle, payload: code.payload,
            symbology: code.symbology, size: place.size, isTracked: isCodeSeen)
    }

    mutating func beginFrame() { (isSeen, isCodeSeen) = (false, false) }

    /// Counts whether a picture in which such rectangles were looked for shows it, if it should. What hides it is not asked for: what
    /// stands behind another thing for long is taken for gone.
    ///
    /// - Parameter mayBeLeftOut: whether the picture may show rectangles that were not reported.
    mutating func countSearch(
        for searched: RectangleDetector.Configuration, mayBeLeftOut: Bool, in frame: TrackedFrame
    ) {
        guard let place = isSeen ? lastQuad : expectedQuad(in: frame),
            searched.surelyAdmits(place, imageSize: frame.imageSize), isSeen || !mayBeLeftOut
        else { return }
        record.count(isSeen: isSeen)
    }

    /// A picture shows one code within both, each in its place.
    mutating func shareCode(with other: RectangleTrack) { codeSharers.insert(other.identifier) }

    /// Whether a picture showed one code within both since they lie where they are.
    func sharesCode(with other: RectangleTrack) -> Bool {
        codeSharers.contains(other.identifier) && other.codeSharers.contains(identifier)
    }

    /// Forgets what shares its code but for what is kept.
    mutating func keepSharers(among kept: Set<UUID>) { codeSharers.formIntersection(kept) }

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
        if let solution = solution(in: snapshot) { take(solution) }
    }

    /// Believes what follows from the views.
    private mutating func take(_ solution: Solution) {
        (outcome, memory, isSizeSeen) = (solution.outcome, solution.memory, solution.isSizeSeen)
        if solution.isConfirmed { isConfirmed = true }
        rectangle = solution.rectangle ?? rectangle
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
    func pixelsPerMetre(_ view: RectangleView, at shape: RectangleShape) -> Double {
        let distance = (shape.worldFromRectangle.translation - view.worldFromOptical.translation).length
        return view.camera.intrinsics.fx / max(distance, 1e-3)
    }

    /// It has left its place: only its size is still known.
    private mutating func startAgain() {
        views.removeAll()
        outcome = nil
        codeSharers.removeAll()
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
}

extension RectangleDetector.Configuration {
    /// Whether a rectangle is admitted wherever within its errors it is: wholly in the picture, and not close to a limit.
    fileprivate func surelyAdmits(_ quad: PixelQuad, imageSize: ImageSize) -> Bool {
        var tight = self
        tight.minimumSize = min(1.1 * minimumSize, 1)
        tight.minimumAspectRatio = min(1.1 * minimumAspectRatio, 1)
        tight.maximumAspectRatio = maximumAspectRatio < 1 ? 0.9 * maximumAspectRatio : 1
        tight.quadratureTolerance = max(quadratureTolerance - 0.05, 0)
        let margin = 0.1 * min(quad.width, quad.height)
        return tight.admits(quad, imageSize: imageSize)
            && quad.corners.allSatisfy {
                $0.x >= margin && $0.y >= margin && $0.x <= Double(imageSize.width - 1) - margin
                    && $0.y <= Double(imageSize.height - 1) - margin
            }
    }
}
