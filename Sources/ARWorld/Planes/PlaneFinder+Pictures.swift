// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A place of a surface that one picture has shown, and that another one must confirm.
struct PendingLook: Sendable {
    /// The surface's number.
    var surface: Int
    var place: Point2
}

extension PlaneFinder {
    /// Lets pictures say where surfaces are: a patch that looks the same from two places only if it lies on a surface's plane
    /// speaks for the surface there, in the outline and around it. So surfaces reach where no corner can be followed.
    ///
    /// Each frame looks at some places of the newest key picture: first at those that an earlier one has shown. Where a surface is known
    /// already and where it is not are two kinds of questions, lest the known parts of one take all looks from what is new.
    mutating func lookAtPictures() {
        guard !pictures.isResuming, let newest = pictures.pictures.last, pictures.pictures.count >= 2
        else { return }
        var questions = Questions(new: newPlaces.questions, known: knownPlaces.questions)
        if newest.number > lastPicture {
            (lastPicture, lastPictureMoment) = (newest.number, moment)
            (looksToConfirm, pendingLooks) = (looksAtSmallSurfaces(in: newest) + pendingLooks, [])
            unexplainedPlaces = []
        }
        while questions.new > 0, let pending = looksToConfirm.popLast() {
            guard let index = index(ofSurface: pending.surface),
                let pixel = newest.pixelOfPatch(about: surfaces[index].shownPoint(at: pending.place))
            else { continue }
            look(at: index, inColumn: Int(pixel.x.rounded()), row: Int(pixel.y.rounded()), of: newest, &questions)
        }
        for _ in 0..<Self.visitsByFrame {
            guard questions.new > 0, let place = pictures.nextPlace() else { break }
            visit(column: place.column, row: place.row, of: newest, &questions)
        }
        findDepths()
    }

    /// Places on small surfaces and about them, which a picture is asked before all others: of those that are spread over the picture few
    /// lie there, and where a small thing ends matters most. Each picture is asked about others. Law: `PictureEvidenceTests.whatIsSmallIsAskedFirst`.
    func looksAtSmallSurfaces(in picture: KeyPicture) -> [PendingLook] {
        // The additive recurrence of the plastic number spreads phases evenly over a square (Roberts 2018).
        let turns = Double(picture.number) * Point2(0.7548776662466927, 0.5698402909980532)
        let phase = turns - turns.rounded(.down)
        return surfaces.indices.filter { isSmall($0, in: picture) }.flatMap { index in
            surfaces[index].outline.placesAbout(across: Self.placesAcrossSmall, phase: phase, rim: Self.smallRim)
                .filter { awaitsLook(at: $0, of: index, in: picture.number) }
                .map { PendingLook(surface: surfaces[index].number, place: $0) }
        }
    }

    /// Whether a picture shows a surface in few of the places that are spread over it.
    private func isSmall(_ index: Int, in picture: KeyPicture) -> Bool {
        let surface = surfaces[index]
        let middle = surface.worldFromLevel * surface.pointInLevel(surface.outline.middle)
        let way = middle - picture.worldFromOptical.translation
        let distance = max(way.length, 0.1)
        let pixels = picture.pixelsByRadian / distance
        let share = abs(way.dot(surface.plane.normal)) / distance
        let places = surface.outline.area * share * pixels * pixels / Double(PictureMemory.pitch * PictureMemory.pitch)
        return places <= Double(Self.fewPlaces)
    }

    /// A small surface is shown in that many places at most; it is asked about in so many rows and columns, and up to 6 cm beyond its outline's
    /// bounds.
    private static let fewPlaces = 80
    private static let placesAcrossSmall = 5
    private static let smallRim = 0.06

    /// Lets pictures say where things lie that are on no surface: so surfaces are found where few corners can be followed.
    private mutating func findDepths() {
        var sweeps = depths.questions
        for _ in 0..<Self.depthsByFrame {
            guard sweeps > 0, let place = unexplainedPlaces.popLast() else { return }
            switch pictures.depthFinding(atColumn: place.column, row: place.row, comparison: &comparison) {
            case .unseen, .plain: continue
            case .ambiguous: depths.learn(isNews: false)
            case .point(let point):
                let reach = PictureMemory.depthReach(at: (point.position - cameraPlace).length)
                depths.learn(isNews: !memory.hasPicturePoint(within: reach, of: point.position))
                observe(point)
            }
            sweeps -= 1
        }
    }

    /// Whether pictures show a surface where a candidate is: at most of the places all over its outline that they tell of.
    ///
    /// Its points lie on it by choice. What lies between them does so only if there is a surface. Patches that overlap would tell the
    /// same twice: each counts that overlaps with none before.
    mutating func isShown(_ candidate: Surface) -> Bool {
        guard !pictures.isResuming, let newest = pictures.pictures.last else { return false }
        var (shown, otherwise) = (0, 0)
        var counted: [(patch: PlanePatch, radius: Int)] = []
        func isNew(_ patch: PlanePatch, radius: Int) -> Bool {
            !counted.contains { patch.overlaps($0.patch, reaching: $0.radius + radius) }
        }
        for place in candidate.outline.places(across: Self.placesAcross) {
            guard let pixel = newest.pixelOfPatch(about: candidate.shownPoint(at: place)),
                let patch = PlanePatch(
                    of: candidate.plane, atColumn: Int(pixel.x.rounded()), row: Int(pixel.y.rounded()), in: newest),
                isNew(patch, radius: PatchComparison.radius),
                let look = pictures.look(at: patch, comparison: &comparison), isNew(patch, radius: look.radius)
            else { continue }
            switch look.verdict {
            case .isPlain, .isAmbiguous: continue
            case .shows, .disagrees: if look.agrees { shown += 1 } else { otherwise += 1 }
            }
            counted.append((patch, look.radius))
        }
        return shown >= Self.leastShown && shown >= 4 * otherwise
    }

    /// How many places pictures are asked about along each side of a candidate, and how many must show it.
    private static let placesAcross = 7
    private static let leastShown = 6

    /// How many places of a picture a frame visits at most.
    private static let visitsByFrame = 400
    /// How many places a frame looks for the depth of at most: some turn out to have no pattern, or to be in no other picture.
    private static let depthsByFrame = 64

    /// How many more places a frame may compare: where surfaces are not known yet, and where they are.
    private struct Questions {
        var new: Int
        var known: Int
    }

    /// Compares a place of the newest picture on all surfaces that it may show.
    private mutating func visit(column: Int, row: Int, of newest: KeyPicture, _ questions: inout Questions) {
        guard let direction = newest.direction(of: PixelPoint(Double(column), Double(row))) else { return }
        let eye = newest.worldFromOptical.translation
        let sight = newest.worldFromOptical.rotation * direction
        var isExplained = false
        for index in surfaces.indices {
            let plane = surfaces[index].shownPlane
            let (height, approach) = (plane.signedDistance(to: eye), -sight.dot(plane.normal))
            guard height > 0, approach > 0.1 else { continue }
            let place = surfaces[index].place(of: eye + (height / approach) * sight)
            if awaitsLook(at: place, of: index, in: newest.number) {
                look(at: index, inColumn: column, row: row, of: newest, &questions)
            }
            if surfaces[index].grid.hasSupport(within: 1, of: place) { isExplained = true }
        }
        if !isExplained { unexplainedPlaces.append((column, row)) }
    }

    /// Whether a picture may tell anything new of a place on a surface.
    private func awaitsLook(at place: Point2, of index: Int, in picture: Int) -> Bool {
        if let cell = surfaces[index].grid[place], cell.lastPicture == picture || cell.isSettled(in: picture) {
            return false
        }
        return surfaces[index].outline.isNear(place, within: 2 * surfaces[index].outline.reach)
    }

    /// Compares a place of the newest picture on a surface, as long as questions of its kind are left.
    private mutating func look(
        at index: Int, inColumn column: Int, row: Int, of newest: KeyPicture, _ questions: inout Questions
    ) {
        guard let patch = PlanePatch(of: surfaces[index].shownPlane, atColumn: column, row: row, in: newest) else {
            return
        }
        let place = surfaces[index].fitted.place(of: patch.place)
        let before = surfaces[index].grid[place]
        let isKnown = before?.isShown ?? false
        guard isKnown ? questions.known > 0 : questions.new > 0,
            let look = pictures.look(at: patch, comparison: &comparison)
        else { return }
        if case .disagrees = look.verdict, isHidden(patch, of: index, from: look.eyes) {
            surfaces[index].grid.skip(place, reach: 0, in: newest.number)
            return isKnown ? knownPlaces.learn(isNews: false) : newPlaces.learn(isNews: false)
        }
        surfaces[index].count(look, on: patch, in: newest.number)
        let isNews = surfaces[index].isNews(look, at: place, after: before)
        if isKnown {
            questions.known -= 1
            knownPlaces.learn(isNews: isNews)
        } else {
            questions.new -= 1
            newPlaces.learn(isNews: isNews)
        }
        if (before?.looks ?? 0) <= 0, look.agrees {
            pendingLooks.append(PendingLook(surface: surfaces[index].number, place: place))
        }
    }

    /// Whether another surface hides a patch of one, or a corner of it, from the place of one of some pictures: then the patch looks otherwise,
    /// and tells nothing of the surface behind. Law: `PictureEvidenceTests.whatIsHiddenIsNotDenied`.
    private func isHidden(_ patch: PlanePatch, of index: Int, from eyes: [Point3]) -> Bool {
        let radius = Double(PatchComparison.radius)
        let middleAndCorners = [(0.0, 0.0), (-1, -1), (1, -1), (-1, 1), (1, 1)].map { x, y in
            patch.place(at: radius * Vector2(x, y))
        }
        return surfaces.indices.contains { other in
            other != index
                && eyes.contains { eye in middleAndCorners.contains { surfaces[other].hides($0, from: eye) } }
        }
    }
}

extension KeyPicture {
    /// Where the picture shows a point and a patch about it; `nil` where it does not.
    fileprivate func pixelOfPatch(about point: Point3) -> PixelPoint? {
        guard let pixel = pixel(of: point, from: opticalFromWorld), holds(pixel, margin: Double(PatchComparison.radius))
        else { return nil }
        return pixel
    }
}

extension Surface {
    /// The plane where pictures show it: where the tracker errs about the way from one picture to the other, that is not
    /// where points are.
    fileprivate var shownPlane: Plane { Plane(unitNormal: plane.normal, offset: plane.offset + shownOffset) }

    /// The point of that plane at an x and z of the level axes, in the world.
    fileprivate func shownPoint(at place: Point2) -> Point3 {
        worldFromLevel * (pointInLevel(place) + Vector3(0, shownOffset / fit.normal.y, 0))
    }

    /// Whether the surface lies before a point that is looked at from somewhere, by more than both may be off; it may go on a little beyond
    /// what is known of it.
    fileprivate func hides(_ point: Point3, from eye: Point3) -> Bool {
        let (here, there) = (shownPlane.signedDistance(to: eye), shownPlane.signedDistance(to: point))
        guard here > 0, there < -2 * Self.largestOffset else { return false }
        return outline.isNear(place(of: eye + (here / (here - there)) * (point - eye)), within: Self.unknownRim)
    }

    /// How far a surface may go on beyond its outline: 10 cm.
    private static let unknownRim = 0.1

    /// Whether a look told more than was known of a place: that it was the first one, that the surface is there or no longer, or that it is
    /// not, where pictures showed it. About a rim, patches agree and disagree by turns.
    fileprivate func isNews(_ look: PatchLook, at place: Point2, after before: SurfaceGrid.Cell?) -> Bool {
        let wasShown = before?.isShown ?? false
        switch look.verdict {
        case .isPlain, .isAmbiguous: return false
        case .shows, .disagrees:
            guard look.agrees else { return wasShown }
            return (before?.lastPicture ?? 0) == 0 || (grid[place]?.isShown ?? false) != wasShown
        }
    }

    fileprivate mutating func count(_ look: PatchLook, on patch: PlanePatch, in picture: Int) {
        let middle = place(of: patch.place)
        switch look.verdict {
        case .isPlain, .isAmbiguous: return grid.skip(middle, reach: patch.halfWidth, in: picture)
        case .disagrees: break
        case .shows(let shift):
            // What is known to be the surface tells how far the pictures are off.
            if outline.contains(middle) {
                let offset = shownOffset + 0.1 * Double(shift) * look.metresByStep
                shownOffset = min(max(offset, -Self.largestOffset), Self.largestOffset)
            }
        }
        let hasChanged =
            look.agrees
            ? countPattern(of: look, on: patch, in: picture)
            : grid.look(at: middle, reach: Self.hiddenPart * patch.halfWidth, agrees: false, in: picture)
        if hasChanged { changes += 1 }
    }

    /// Counts a patch that shows the surface: where its pattern is, as far as its samples lie apart. A patch beyond a rim that still holds
    /// the rim looks alike for it, whatever the rest of it shows, and says something of the rim alone. Returns whether evidence came or
    /// went. Law: `PictureEvidenceTests.aTopEndsWhereItsSidesBegin`.
    private mutating func countPattern(of look: PatchLook, on patch: PlanePatch, in picture: Int) -> Bool {
        let halfSample = Double(look.pixelSize * PatchComparison.stride) / 2 * patch.pixelWidth
        var hasChanged = false
        for pixels in look.patternPlaces {
            let place = place(of: patch.place(at: pixels))
            if grid.look(at: place, reach: halfSample, agrees: true, in: picture) { hasChanged = true }
        }
        // What has been asked in the middle has been answered elsewhere.
        grid.skip(place(of: patch.place), reach: 0, in: picture)
        return hasChanged
    }

    /// How much of a patch's width shows something else about its middle, where the patch does.
    private static let hiddenPart = 1.5

    /// How far pictures may be off: 3 cm.
    private static let largestOffset = 0.03
}
