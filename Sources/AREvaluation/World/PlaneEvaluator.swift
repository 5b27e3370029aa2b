// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// Follows what a session knows of planes through its frames.
struct PlaneEvaluator: Sendable {
    /// A plane that the session knows.
    struct KnownPlane: Sendable {
        var answer: PlaneAnswer
        /// The place of the true plane that it can be, of several the one that it covers best.
        var truth: Int?
        /// What depth pictures show of its places, as it lies there.
        var places = PlaceCounts()
        /// The plane as it lay when that was counted first.
        var countedPlane: Plane?
        /// Since when it is none, if it is none now.
        var falseSince: Timestamp?
    }

    /// What was known when a true plane was last in sight.
    private struct Sight: Sendable {
        var known: [String: KnownPlane]
        var truthFromSession: Similarity
    }

    let truths: [TruePlane]
    private(set) var known: [String: KnownPlane] = [:]
    private let options: WorldEvaluationOptions
    private let camera: CameraCalibration
    /// The larger true plane of which each one is a part.
    private let wholes: [Int?]
    private var seen: [SeenPart]
    private var outcomes: [PlaneOutcome]
    private var lastSights: [Sight?]
    private var areInSight: [Bool]
    private var falsePlanes: [String: FalsePlane] = [:]
    private var lastInstant: Timestamp?
    /// What depth pictures have shown before a plane was told of.
    private var depthMemory = DepthMemory()

    init(_ planes: [DeclaredPlane], camera: CameraCalibration, options: WorldEvaluationOptions) {
        let truths = planes.map(TruePlane.init)
        let wholes = truths.map { part in
            truths.indices.filter { part.isPart(of: truths[$0], options) }.max { truths[$0].area < truths[$1].area }
        }
        (self.truths, self.wholes) = (truths, wholes)
        self.camera = camera
        self.options = options
        seen = truths.map(SeenPart.init)
        outcomes = zip(planes, wholes).map { plane, whole in
            PlaneOutcome(
                name: plane.name, classification: plane.classification, whole: whole.map { planes[$0].name },
                partSeen: 0)
        }
        lastSights = planes.map { _ in nil }
        areInSight = planes.map { _ in false }
    }

    /// Looks at a frame.
    /// - Parameters:
    ///   - truth: what is true at the frame; `nil` where that is not known.
    ///   - world: the session's world laid over the truth's.
    ///   - camera: the session's camera laid over the true one; `nil` where one of them is not known.
    mutating func follow(_ answers: FrameAnswers, truth: FrameTruth?, world: Similarity, camera: Similarity?) {
        if let lastInstant {
            let seconds = answers.timestamp.seconds(since: lastInstant)
            for index in outcomes.indices where areInSight[index] { outcomes[index].secondsInSight += seconds }
        }
        lastInstant = answers.timestamp
        areInSight = truths.indices.map { index in truth.map { look(at: index, $0, answers.isTracked) } ?? false }
        for index in truths.indices where areInSight[index] {
            outcomes[index].firstSight = outcomes[index].firstSight ?? answers.timestamp
            guard answers.isTracked else { continue }
            outcomes[index].firstTrackedSight = outcomes[index].firstTrackedSight ?? answers.timestamp
        }
        for identifier in answers.removedAnchors {
            known[identifier]?.falseSince.map { endOfFalsePlane(identifier, from: $0, to: answers.timestamp) }
            known[identifier] = nil
        }
        for plane in answers.changedPlanes {
            learn(plane, at: answers.timestamp, [world] + (camera.map { [$0] } ?? []))
        }
        if let truth, let camera { lookForUndeclared(truth, truthFromSession: camera) }
        noteFalsePlanes(at: answers.timestamp)
        guard let camera, answers.isTracked else { return }
        for index in truths.indices where areInSight[index] {
            lastSights[index] = Sight(known: known, truthFromSession: camera)
        }
    }

    /// Whether a true plane is in sight; remembers which part of it is.
    private mutating func look(at index: Int, _ truth: FrameTruth, _ isTracked: Bool) -> Bool {
        let told = truth.planes.first { $0.name == truths[index].declared.name }?.visibleFraction
        guard told != 0 else { return false }
        // A part hides nothing of its whole, nor that of it.
        let others = truths.indices.filter { ![index, wholes[index]].contains($0) && wholes[$0] != index }
            .map { truths[$0] }
        let look = SeenPart.Look(
            camera: camera, worldFromCamera: truth.worldFromCamera, others: others, depth: truth.pictures.depth,
            isTracked: isTracked)
        let inView = seen[index].look(look, onlyUnseen: told != nil)
        return (told ?? inView) >= options.leastPlaneInSight
    }

    private mutating func learn(_ plane: PlaneAnswer, at instant: Timestamp, _ truthsFromSession: [Similarity]) {
        let fits = truths.indices.compactMap { index in
            truthsFromSession.compactMap { overlap(of: plane, movedBy: $0, on: index) }.max().map { (index, $0) }
        }
        let best = fits.max { $0.1 < $1.1 }?.0
        if let best { outcomes[best].found = outcomes[best].found ?? instant }
        known[plane.identifier, default: KnownPlane(answer: plane)].answer = plane
        known[plane.identifier]?.truth = best
    }

    /// Looks in the depth picture for the planes that no declared one is: many surfaces are flat that nobody declares.
    private mutating func lookForUndeclared(_ truth: FrameTruth, truthFromSession: Similarity) {
        guard let depth = truth.pictures.depth else { return }
        let view = DepthView(depth: depth, camera: camera.camera, worldFromCamera: truth.worldFromCamera)
        for (identifier, plane) in known where plane.truth == nil {
            func places(in view: DepthView) -> PlaceCounts {
                view.places(
                    of: plane.answer, movedBy: truthFromSession, within: options.largestPlaneOffset,
                    largestTurn: options.largestPlaneTurn)
            }
            known[identifier]?.count(places(in: view), withinLimit: options.largestPlaneOffset) {
                depthMemory.views.map(places).reduce(PlaceCounts()) { $0 + $1 }
            }
        }
        depthMemory.keep(view)
    }

    private mutating func noteFalsePlanes(at instant: Timestamp) {
        for (identifier, plane) in known {
            let isFalse = plane.truth == nil && plane.places.there <= plane.places.behind
            if let since = plane.falseSince, !isFalse {
                endOfFalsePlane(identifier, from: since, to: instant)
                known[identifier]?.falseSince = nil
            } else if plane.falseSince == nil, isFalse {
                known[identifier]?.falseSince = instant
                guard falsePlanes[identifier] == nil else { continue }
                falsePlanes[identifier] = FalsePlane(identifier: identifier, start: instant, seconds: 0)
            }
        }
    }

    private mutating func endOfFalsePlane(_ identifier: String, from start: Timestamp, to end: Timestamp) {
        falsePlanes[identifier]?.seconds += end.seconds(since: start)
    }

    /// How well a plane covers the true one that it can be; `nil` where it cannot.
    private func overlap(of plane: PlaneAnswer, movedBy truthFromSession: Similarity, on index: Int) -> Double? {
        guard wholes[index] == nil, let fit = PlaneFit(plane, movedBy: truthFromSession, on: truths[index]),
            fit.isClose(options)
        else { return nil }
        return fit.overlapWithWhole
    }
}

extension PlaneEvaluator.KnownPlane {
    /// Counts what a depth picture shows; from the start, with what had been shown before, where the plane has moved by more than a third
    /// of a limit, in metres. A picture that shows nothing of it leaves a plane what it was while it has not moved by the whole of that.
    fileprivate mutating func count(
        _ places: PlaceCounts, withinLimit limit: Double, shownBefore: () -> PlaceCounts
    ) {
        let corners = answer.boundary.map { answer.worldFromPlane * Point3($0.x, 0, $0.y) }
        let tolerance = places.isEmpty ? limit : limit / 3
        if countedPlane.map({ plane in corners.contains { abs(plane.signedDistance(to: $0)) > tolerance } }) ?? true {
            self.places = shownBefore()
            countedPlane = answer.worldFromPlane * Plane(unitNormal: Vector3(0, 1, 0), offset: 0)
        }
        self.places = self.places + places
    }
}

extension PlaneEvaluator {
    /// What became of the planes up to the last frame.
    func outcomes(world: Similarity) -> PlaneOutcomes {
        var result = outcomes
        for index in result.indices {
            result[index].partSeen = seen[index].fraction
            result[index].areaSeenWell = seen[index].wellSeenArea
            result[index].partSeenWell = truths[index].area > 0 ? seen[index].wellSeenArea / truths[index].area : 0
            result[index].isSeenWell =
                seen[index].wellSeenArea >= min(options.leastPlaneAreaSeenWell, truths[index].area / 2)
                && result[index].secondsInSight >= options.leastPlaneSecondsInSight && wholes[index] == nil
        }
        // In an order of their own: whatever a session calls its anchors, and in whichever order it tells of them.
        let last = known.values.sorted { $0.answer.identifier < $1.answer.identifier }.map(\.answer)
        let gains = last.map { plane in truths.indices.map { gain(of: plane, on: $0, world: world) } }
        let assignment = Assignment(gains: gains)
        for (plane, index) in zip(last, assignment.columns) {
            guard let index else { continue }
            result[index].match = match(plane, on: index, world: world)
        }
        let duplicates = zip(gains, assignment.columns).count { gains, column in
            column == nil && gains.contains { $0 > 0 }
        }
        return PlaneOutcomes(planes: result, falsePlanes: allFalsePlanes, duplicateCount: duplicates)
    }

    private func gain(of plane: PlaneAnswer, on index: Int, world: Similarity) -> Double {
        let inWorld = overlap(of: plane, movedBy: world, on: index)
        let forCamera = lastSights[index].flatMap { sight in
            sight.known[plane.identifier].flatMap {
                overlap(of: $0.answer, movedBy: sight.truthFromSession, on: index)
            }
        }
        return max(inWorld ?? 0, forCamera ?? 0)
    }

    private func match(_ plane: PlaneAnswer, on index: Int, world: Similarity) -> PlaneMatch? {
        let inWorld = PlaneFit(plane, movedBy: world, on: truths[index])?.deviation(seen[index])
        let forCamera = lastSights[index].flatMap { sight in
            sight.known[plane.identifier].flatMap {
                PlaneFit($0.answer, movedBy: sight.truthFromSession, on: truths[index])?.deviation(seen[index])
            }
        }
        return inWorld.map {
            PlaneMatch(
                identifier: plane.identifier, world: $0, camera: forCamera, classification: plane.classification)
        }
    }

    private var allFalsePlanes: [FalsePlane] {
        var all = falsePlanes
        if let lastInstant {
            for (identifier, plane) in known {
                guard let start = plane.falseSince else { continue }
                all[identifier]?.seconds += lastInstant.seconds(since: start)
            }
        }
        return all.values.sorted { ($0.start, $0.identifier) < ($1.start, $1.identifier) }
    }
}
