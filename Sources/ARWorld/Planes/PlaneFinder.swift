// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARTracking
import Foundation

/// Finds level and plumb planes in the points that tracked frames show, and in their pictures.
///
/// Gravity is known, so that a level plane is a height at which many points lie, and a plumb one a line in the plan.
/// Points are remembered by their latest estimates (``EvidenceMemory``), and so are places that pictures show where no surface
/// explains them (``PicturePoint``); each either lies on a surface or is free. Free
/// points make new surfaces (`search…`), points on a surface make its plane (``SurfaceFit``) and its outline
/// (``SurfaceOutline``), and points behind it, seen through it, open it. A frame costs the same in a session's first minute as in its
/// last: the points of the frame are sorted in, in every other frame one surface is looked after, and now and then new ones are
/// searched for.
///
/// Nothing is learned and nothing changes while tracking is not normal.
public struct PlaneFinder: Sendable {
    let settings: PlaneFinderSettings
    var memory: EvidenceMemory
    /// In the order of their numbers.
    var surfaces: [Surface] = []
    var random: SeededRandom
    var cameraPlace = Point3.zero
    /// How well the tracker knew its world when.
    var worldErrors = WorldErrors()
    /// The pictures that surfaces are looked at in.
    var pictures = PictureMemory()
    var comparison = PatchComparison()
    /// What the newest key picture has shown first, and what is left of that of the one before.
    var pendingLooks: [PendingLook] = []
    var looksToConfirm: [PendingLook] = []
    /// The places of the newest key picture that no surface explains and whose depth has not been looked for.
    var unexplainedPlaces: [(column: Int, row: Int)] = []
    /// What is asked of pictures: whether surfaces go on where they are not known yet, whether they still are where they were seen, and
    /// where the things lie that no surface explains.
    var newPlaces = Attention(most: 64, fewest: 12)
    var knownPlaces = Attention(most: 64, fewest: 8)
    var depths = Attention(most: 16, fewest: 3)
    /// The number of the newest key picture that was looked at.
    var lastPicture = 0
    /// When that was taken: all its places err with the tracker's world of then.
    var lastPictureMoment = Moment()
    /// The newest frame's instant.
    private(set) var now = Timestamp(nanoseconds: 0)
    /// When the newest frame was seen.
    var moment: Moment { Moment(span: worldErrors.span, instant: now) }
    private var frame = 0
    /// The surfaces that this frame gave up.
    private var removed: [Surface] = []
    private var surfacesFound = 0

    /// A finder that has seen nothing.
    public init(settings: PlaneFinderSettings = PlaneFinderSettings()) {
        self.settings = settings
        memory = EvidenceMemory(capacity: settings.memory)
        random = SeededRandom(seed: settings.seed, purpose: "vertical planes")
    }

    /// Learns from a frame. What it changes is told once.
    ///
    /// - Parameter picture: what the frame shows. Without pictures a plane ends where its points end.
    public mutating func update(with trackedFrame: TrackedFrame, picture: FramePicture? = nil) -> PlaneFindings {
        guard trackedFrame.trackingState == .normal else {
            pictures.pause()
            return PlaneFindings()
        }
        frame += 1
        now = trackedFrame.timestamp
        cameraPlace = trackedFrame.worldFromCamera.translation
        learnErrors(of: trackedFrame)
        for point in trackedFrame.featurePoints where isPlausible(point) { observe(point) }
        if let picture {
            pictures.take(trackedFrame, picture)
            lookAtPictures()
        }
        switch frame % Self.searchInterval {
        case 0: searchLevelPlanes()
        case Self.searchInterval / 2: searchPlumbPlanes()
        case let place where place.isMultiple(of: 2): break
        default: lookAfterNextSurface()
        }
        return takeFindings()
    }

    /// What is new since this was asked last, in the order of the surfaces' numbers.
    private mutating func takeFindings() -> PlaneFindings {
        var findings = PlaneFindings()
        findings.removed = removed.sorted { $0.number < $1.number }.compactMap(\.reported?.identifier)
        removed = []
        for index in surfaces.indices {
            guard let news = surfaces[index].news else { continue }
            let isNew = surfaces[index].reported == nil
            if isNew { findings.added.append(news) } else { findings.updated.append(news) }
            surfaces[index].reported = news
            if isNew { noteSeams(with: surfaces[index]) }
            surfaces[index].news = nil
        }
        return findings
    }

    /// In how many frames each kind of plane is searched for once; in every other frame one surface is looked after.
    private static let searchInterval = 8

    // MARK: - Points

    /// Learns how well the tracker knows its world: what was seen when it knew less says less of where surfaces are.
    private mutating func learnErrors(of frame: TrackedFrame) {
        let covariance = frame.motion?.poseCovariance ?? .zero
        guard worldErrors.learn(covariance, at: frame.worldFromCamera.translation) else { return }
        for index in surfaces.indices {
            surfaces[index].isSeenAnew = true
            let wander = worldErrors.wander(
                ofPlaneIn: surfaces[index].levelFromWorld, since: surfaces[index].refinement.span)
            if surfaces[index].fit.isMoved(by: wander) { surfaces[index].wake() }
        }
        for slot in memory.slots {
            memory[slot].shared = worldErrors.movement(of: memory[slot].position, since: memory[slot].span)
        }
    }

    /// Whether a point has a place, within 100 m.
    private func isPlausible(_ point: EstimatedLandmark) -> Bool {
        (point.position - cameraPlace).length <= 100 && point.covariance.maximumMagnitude.isFinite
    }

    private mutating func observe(_ landmark: EstimatedLandmark) {
        let known = memory.slot(of: landmark.id)
        let formerPosition = known.map { memory[$0].position }
        let former = known.flatMap { withdraw($0) }
        let (slot, forgotten) = memory.remember(landmark, at: moment)
        if let forgotten { keepWhatWasSaid(by: forgotten) }
        let point = memory[slot]
        let best = bestSurface(for: point)
        if let best {
            place(slot, on: best)
            surfaces[best].grid.close(surfaces[best].place(of: landmark.position))
            surfaces[best].isSeenAnew = true
        }
        if former != best {
            for index in [former, best].compactMap({ $0 }) { surfaces[index].changes += 1 }
        } else if let best, let formerPosition, surfaces[best].hasMoved(point, from: formerPosition) {
            surfaces[best].changes += 1
        }
        for index in surfaces.indices {
            surfaces[index].countPassage(from: cameraPlace, to: point, besides: &memory.passages[slot])
        }
    }

    /// Learns a place that pictures show. It opens no surface before it: one picture may err, and no other frame corrects it.
    mutating func observe(_ point: PicturePoint) {
        let (slot, forgotten) = memory.remember(point, of: lastPicture, at: lastPictureMoment)
        if let forgotten { keepWhatWasSaid(by: forgotten) }
        if let index = bestSurface(for: memory[slot]) { assign(slot, to: index) }
    }

    private mutating func keepWhatWasSaid(by forgotten: Evidence) {
        guard let index = forgotten.owner.flatMap(index(ofSurface:)) else { return }
        surfaces[index].keepWhatWasSaid(by: forgotten, under: worldErrors)
    }

    /// The surface that a point lies on. Of two that cross each other there, the one that has more evidence about it: a point on a wall is on
    /// the plane of a top before it, too. Else the one from which it is least far beside its standard deviation. Law:
    /// `PlaneFinderTests.whereSurfacesCrossEvidenceDecides`.
    private func bestSurface(for point: Evidence) -> Int? {
        var best: PointOnSurface?
        for index in surfaces.indices {
            let plane = surfaces[index].fitted
            let place = plane.place(of: point.position)
            guard let ratio = plane.squaredDistance(of: point, settings: settings),
                surfaces[index].outline.isNear(place)
            else { continue }
            let candidate = PointOnSurface(index: index, place: place, ratio: ratio)
            if best.map({ isBetter(candidate, than: $0) }) ?? true { best = candidate }
        }
        return best?.index
    }

    /// A surface that a point may lie on.
    private struct PointOnSurface {
        var index: Int
        var place: Point2
        /// The square of the distance beside its variance.
        var ratio: Double
    }

    private func isBetter(_ one: PointOnSurface, than other: PointOnSurface) -> Bool {
        func evidence(about point: PointOnSurface) -> Int {
            surfaces[point.index].grid.evidence(within: 3, of: point.place)
        }
        guard surfaces[one.index].mayMeet(surfaces[other.index]) else { return one.ratio < other.ratio }
        return (evidence(about: one), other.ratio) > (evidence(about: other), one.ratio)
    }

    /// Makes a free point speak for a surface.
    mutating func assign(_ slot: Int, to index: Int) {
        place(slot, on: index)
        surfaces[index].changes += 1
    }

    private mutating func place(_ slot: Int, on index: Int) {
        precondition(
            memory[slot].owner == nil,
            "point \(memory[slot].id) speaks for surface \(memory[slot].owner ?? 0); it must be released first")
        memory[slot].owner = surfaces[index].number
        surfaces[index].grid.support(surfaces[index].place(of: memory[slot].position))
    }

    /// Makes a point free.
    mutating func release(_ slot: Int) {
        if let index = withdraw(slot) { surfaces[index].changes += 1 }
    }

    /// Makes a point free; says which surface it spoke for.
    private mutating func withdraw(_ slot: Int) -> Int? {
        guard let owner = memory[slot].owner else { return nil }
        memory[slot].owner = nil
        guard let index = index(ofSurface: owner) else { return nil }
        surfaces[index].grid.withdraw(surfaces[index].place(of: memory[slot].position))
        return index
    }

    // MARK: - Surfaces

    /// Where the surface with that number is kept. Asked by index, because a closure's argument would be a copy of each.
    func index(ofSurface number: Int) -> Int? { surfaces.indices.first { surfaces[$0].number == number } }

    /// Takes in what free points made: a new surface, or a new place of one that is known. This is where one belongs that
    /// was seen again after a while, when the tracker's world has moved meanwhile.
    ///
    /// Returns whether they made one: not where the known one is seen at its place, too.
    @discardableResult mutating func take(_ candidate: SurfaceCandidate) -> Bool {
        let (surface, members) = (candidate.surface, candidate.members)
        guard let index = surfaces.firstIndex(where: { $0.isSame(as: surface, settings: settings) }) else {
            add(candidate)
            return true
        }
        let number = surfaces[index].number
        let rivals = memory.slots(of: number).count { slot in
            isRecent(memory[slot])
                && surface.outline.contains(surface.place(of: memory[slot].position))
        }
        guard 2 * rivals < members.count(where: { isRecent(memory[$0]) }) else { return false }
        surfaces[index].move(to: surface.plane)
        noteSeams(with: surfaces[index])
        for slot in members { assign(slot, to: index) }
        lookAfter(index)
        return true
    }

    /// Whether a point was seen lately: others may have moved off their places.
    func isRecent(_ point: Evidence, within seconds: Double = 1) -> Bool {
        now.seconds(since: point.lastSeen) <= seconds
    }

    private mutating func add(_ candidate: SurfaceCandidate) {
        surfacesFound += 1
        var surface = candidate.surface
        surface.number = surfacesFound
        surface.grid = SurfaceGrid(cellSize: settings.cellSize)
        surfaces.append(surface)
        for slot in candidate.members { assign(slot, to: surfaces.count - 1) }
        lookAfter(surfaces.count - 1)
    }

    /// Takes a point of a cloud in, which belongs to nothing yet.
    mutating func remember(_ point: EstimatedLandmark) { _ = memory.remember(point, at: Moment(instant: now)) }

    /// Looks after the surfaces that changed.
    mutating func lookAfterAll() {
        for _ in surfaces { lookAfterNextSurface() }
    }

    private mutating func lookAfterNextSurface() {
        let due = surfaces.indices.filter { surfaces[$0].changes > 0 || surfaces[$0].isSeenAnew }
        guard
            let index = surfaces.indices.first(where: { isOverdue(surfaces[$0]) })
                ?? due.min(by: { surfaces[$0].lastUpkeep < surfaces[$1].lastUpkeep })
        else { return }
        surfaces[index].lastUpkeep = frame
        if surfaces[index].isResting(at: now) {
            if isRefuted(index) { remove(index) }
        } else {
            lookAfter(index)
        }
    }

    /// Fits a surface anew and traces its outline; lets go of what does not belong to it; and of the surface itself where
    /// too little is left or where it is a part of an older one.
    private mutating func lookAfter(_ index: Int) {
        let former = (fit: surfaces[index].fit, outline: surfaces[index].outline)
        refit(index)
        guard let outline = outline(of: surfaces[index]),
            2 * outline.supportedCells >= settings.fewestPoints, 2 * outline.width >= settings.minimumSize
        else { return remove(index) }
        surfaces[index].outline = outline
        for slot in members(of: surfaces[index], outside: outline) { release(slot) }
        surfaces[index].noteRefinement(after: former, at: now, in: worldErrors.span)
        guard !isRefuted(index) else { return remove(index) }
        if let (older, newer) = surfaceToMerge(with: index) { return merge(newer, into: older) }
        report(index)
    }

    /// The outline of a surface's evidence, as far as no surface that it meets hides it.
    private func outline(of surface: Surface) -> SurfaceOutline? {
        let others = surfaces.filter { $0.reported != nil && $0.mayMeet(surface) }
        let seams = others.compactMap { Seam(of: $0, with: surface) }
        let known = KnownCells(of: surface.grid, reach: settings.reach, endingAt: seams)
        guard let outline = SurfaceOutline(known, reach: settings.reach) else { return nil }
        let reach = max(outline.width / 3, 4 * outline.spacing, Self.leastReach)
        return reach < settings.reach ? SurfaceOutline(known, reach: reach) : outline
    }

    /// Gaps in a small thing's evidence are bridged that are narrower than two thirds of it, than eight times the evidence's spacing, and
    /// than 30 cm in any case: of a wall's length between two marks there is likely a wall, of a stool's width beside a stool hardly
    /// any of the stool. Law: `PlaneFinderTests.whatIsBesideASmallThingIsNotBridged`.
    private static let leastReach = 0.15

    /// Has the surfaces that may meet one looked after: it came, went or moved, and they end elsewhere now.
    private mutating func noteSeams(with surface: Surface) {
        for index in surfaces.indices where surfaces[index].mayMeet(surface) { surfaces[index].wake() }
    }

    /// Whether what is seen contradicts a surface for half a second. Until then it waits for a better place: where the
    /// tracker corrects itself, a surface moves rather than goes.
    ///
    /// Patches speak, not points: a book on a desk shows many points close above the desk, but in few patches. They speak
    /// where the surface was seen: what stands where it was only bridged stands on it. And where no point lies, the latest
    /// pictures speak: of a plain wall behind a chest they see more than points do.
    private mutating func isRefuted(_ index: Int) -> Bool {
        let surface = surfaces[index]
        var sides = sidesByPatch(of: surface, seenWithin: 1, knownWithin: settings.thickness) { place in
            surface.outline.contains(place)
                && surface.grid.hasSupport(within: Int(2 * settings.cellSize / surface.grid.cellSize), of: place)
        }
        let count = sides.values.reduce(0) { $0 + $1.on + $1.beside }
        for place in surface.grid.placesShown(byLatest: Self.latestPictures, upTo: lastPicture)
        where surface.outline.contains(place) {
            let patch = patch(at: place)
            if sides[patch] == nil { sides[patch] = SideCounts(on: 1) }
        }
        guard count >= settings.fewestPoints,
            2 * sides.values.count(where: { $0.beside > $0.on }) > sides.count
        else {
            surfaces[index].contestedSince = nil
            return false
        }
        surfaces[index].contestedSince = surface.contestedSince ?? now
        return isOverdue(surfaces[index])
    }

    /// Whether a surface was contested for half a second: it goes, unless what is seen now agrees with it.
    private func isOverdue(_ surface: Surface) -> Bool {
        surface.contestedSince.map { now.seconds(since: $0) >= 0.5 } ?? false
    }

    /// How many key pictures count as the latest.
    private static let latestPictures = 4

    private mutating func refit(_ index: Int) {
        let surface = surfaces[index]
        let groups = groups(of: memory.slots(of: surface.number), on: surface)
        // Fewer points than make a plane do not move one.
        surfaces[index].refinement.points = groups.reduce(0) { $0 + $1.samples.count }
        if surfaces[index].refinement.points >= settings.fewestPoints,
            let fit = surface.fit.refined(to: groups, slopeErrors: slopeErrors(of: surface))
        {
            surfaces[index].fit = fit
        }
        let (leaving, joining) = changingPoints(of: surfaces[index])
        for slot in leaving { release(slot) }
        for slot in joining { assign(slot, to: index) }
    }

    private func members(of surface: Surface, outside outline: SurfaceOutline) -> [Int] {
        memory.slots(of: surface.number).filter { !outline.contains(surface.place(of: memory[$0].position)) }
    }

    /// What was said of a surface, earlier before later, by its points and by those that are forgotten, and by how much its plane may have
    /// moved from each to the next. Law: `DepthSweepTests.pointsAreGroupedByWhatErrsTogether`.
    func groups(of slots: [Int], on surface: Surface) -> [SurfaceFit.Group] {
        var groups = groupsByMoment(of: slots, on: surface)
        let former = surface.former
        let place = groups.firstIndex { $0.moment > former.moment } ?? groups.endIndex
        groups.insert((former.moment, SurfaceFit.Group(known: former.equations)), at: place)
        let followers = groups.dropFirst().map(\.moment) + [moment]
        return zip(groups, followers).map { known, next in
            var group = known.group
            group.wander = worldErrors.wander(ofPlaneIn: surface.levelFromWorld, from: known.moment, to: next)
            return group
        }
    }

    /// Points of a surface, those together that were seen in one second while the tracker's world was about as sure, and those that
    /// one picture shows, with when they were seen last.
    private func groupsByMoment(of slots: [Int], on surface: Surface) -> [(moment: Moment, group: SurfaceFit.Group)] {
        let samples = SurfaceFit.sharingRelief(slots.map { surface.sample(memory[$0]) }, seenFrom: pictures.distance)
        let sightings = zip(slots, samples).map { slot, sample in
            let point = memory[slot]
            return (
                span: point.span, second: point.lastSeen.nanoseconds / 1_000_000_000, picture: point.picture ?? 0,
                slot: slot, sample: sample
            )
        }.sorted { ($0.span, $0.second, $0.picture, $0.slot) < ($1.span, $1.second, $1.picture, $1.slot) }
        let runs = sightings.runs { ($0.span, $0.second, $0.picture) == ($1.span, $1.second, $1.picture) }
        return runs.map { run in
            let points = run.map { memory[$0.slot] }
            var group = SurfaceFit.Group(samples: run.map(\.sample))
            let shared = points.reduce(0) { $0 + $1.parts(ofOwnVarianceAlong: surface.plane.normal).together }
            group.share(variance: shared / Double(points.count))
            return (points.map(\.moment).max() ?? moment, group)
        }
    }

    /// What gravity leaves open of the slopes, as standard deviations: of a level surface little, of a plumb one's heading all;
    /// the more, the less the tracker knows how its world hangs.
    func slopeErrors(of surface: Surface) -> Vector2 {
        let levelError = (settings.levelError * settings.levelError + worldErrors.tiltVariance).squareRoot()
        return surface.isHorizontal ? Vector2(levelError, levelError) : Vector2(1, levelError)
    }

    /// The slots of a surface's points that do not lie on its plane, and of the free points that do and belong to it.
    private func changingPoints(of surface: Surface) -> (leaving: [Int], joining: [Int]) {
        let plane = surface.fitted
        func isOnPlane(_ slot: Int) -> Bool { plane.squaredDistance(of: memory[slot], settings: settings) != nil }
        let leaving = memory.slots(of: surface.number).filter { !isOnPlane($0) }
        let joining = memory.slots(of: nil).filter { slot in
            guard isOnPlane(slot) else { return false }
            let place = plane.place(of: memory[slot].position)
            return !(surface.grid[place]?.isOpen ?? false) && surface.outline.isNear(place)
        }
        return (leaving, joining)
    }

    private mutating func merge(_ newer: Int, into older: Int) {
        let (source, target) = (surfaces[newer], surfaces[older])
        let members = memory.slots(of: source.number)
        for slot in members { release(slot) }
        // What is left in the grid came from points that are forgotten.
        surfaces[older].grid.add(surfaces[newer].grid) { place in
            target.place(of: source.worldFromLevel * source.pointInLevel(place))
        }
        for slot in members { assign(slot, to: older) }
        remove(newer)
        lookAfter(older)
    }

    private mutating func remove(_ index: Int) {
        for slot in memory.slots(of: surfaces[index].number) { memory[slot].owner = nil }
        let surface = surfaces.remove(at: index)
        removed.append(surface)
        if surface.reported != nil { noteSeams(with: surface) }
    }
}

extension Array {
    /// The array in parts whose neighbours belong together.
    fileprivate func runs(ofThoseTogether areTogether: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices where index + 1 == endIndex || !areTogether(self[index], self[index + 1]) {
            runs.append(self[start...index])
            start = index + 1
        }
        return runs
    }
}
