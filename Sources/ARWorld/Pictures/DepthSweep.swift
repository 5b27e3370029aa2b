// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A place that pictures show, also where no corner can be followed.
struct PicturePoint {
    var position: Point3
    /// How well it is known: hardly along the line of sight, and to a pixel across.
    var covariance: Matrix3x3

    /// The part of the variance along the line of sight that is the pictures' poses' and not the place's: all places that one picture
    /// shows share it. That errors of poses and of what is compared are as large is an assumption.
    static let sharedPart = 0.5
}

/// What came of looking for the depth of a pixel.
enum DepthFinding {
    /// No older picture shows the place from elsewhere.
    case unseen
    /// The place has hardly any pattern.
    case plain
    /// The pictures do not tell the depth.
    case ambiguous
    case point(PicturePoint)
}

extension PictureMemory {
    /// Where the thing lies that the newest picture shows at a pixel.
    ///
    /// A patch about the pixel is swept through depths, as a part of a level plane and of a plumb one that faces the camera
    /// (Gallup et al. 2007, "Real-time plane-sweeping stereo with multiple sweeping directions"), in an older picture from so near
    /// that few pixels hold all depths. Where one depth stands out, a third picture must show it, too, and refines it (Okutomi,
    /// Kanade 1993, "A multiple-baseline stereo"). Laws: `DepthSweepTests.aPlaceIsFoundWhereItLies`,
    /// `DepthSweepTests.faintPatternsAreSweptAtHalfTheSize`.
    func depthFinding(atColumn column: Int, row: Int, comparison: inout PatchComparison) -> DepthFinding {
        guard let newest = pictures.last, let sight = Sight(ofColumn: column, row: row, in: newest),
            let older = pictureToSweep(along: sight)
        else { return .unseen }
        // Whatever half the size shows must be seen of the middle in the pictures themselves.
        guard comparison.hasPattern(atColumn: column, row: row, of: newest.picture) else { return .plain }
        for isCoarse in [false, true] {
            if let point = place(along: sight, in: older, isCoarse: isCoarse, comparison: &comparison) {
                return .point(point)
            }
        }
        return .ambiguous
    }

    /// The latest of the older pictures that shows what may lie in a line of sight from elsewhere.
    func pictureToSweep(along sight: Sight) -> Int? {
        pictures.indices.dropLast().reversed().first {
            tellsDepth(at: sight.point(at: distance), of: sight, $0) && shows(sight.point(at: distance), $0)
        }
    }

    /// The place in a line of sight that an older picture tells, and another one refines; `nil` where they do not.
    ///
    /// - Parameter isCoarse: whether pictures of half the size are asked.
    func place(
        along sight: Sight, in older: Int, isCoarse: Bool, comparison: inout PatchComparison
    ) -> PicturePoint? {
        let swept = sight.attitudes.map {
            sweep(sight, across: $0, in: older, isCoarse: isCoarse, comparison: &comparison)
        }
        guard let best = swept.compactMap(\.best).max(by: { $0.correlation < $1.correlation }),
            let point = refined(best, along: sight, notIn: older, isCoarse: isCoarse, comparison: &comparison),
            !isCoarse || isOfMiddle(best, along: sight, in: older, comparison: &comparison)
        else { return nil }
        return point
    }

    /// How far apart two pictures are that tell a depth: 0.05 of the way to what they show.
    private static let leastParallax = 0.05
    /// The depths that are tried: between those parts of the distance of what is seen, in metres from 0.2 to 6.
    private static let depths = (nearest: 0.35, farthest: 3.0)
    /// How well two pictures agree about a place, in pixels: their poses err by that.
    private static let pixelDeviation = 0.7
    /// How well a depth must be known, in metres: what is known worse tells nothing of planes.
    private static let largestDeviation = 0.05

    /// Whether an older picture sees a place under enough parallax, if it shows it.
    private func tellsDepth(at point: Point3, of sight: Sight, _ index: Int) -> Bool {
        let (way, otherWay) = (sight.eye - point, pictures[index].worldFromOptical.translation - point)
        return way.cross(otherWay).length >= Self.leastParallax * way.length * otherWay.length
    }

    /// Whether an older picture shows a place with all of a patch about it, however that is turned.
    private func shows(_ point: Point3, _ index: Int) -> Bool {
        let picture = pictures[index]
        guard let pixel = picture.pixel(of: point, from: picture.opticalFromWorld) else { return false }
        return picture.holds(pixel, margin: Double(2 * PatchComparison.radius))
    }

    /// How the patch correlates at all depths, the farthest first.
    private func sweep(
        _ sight: Sight, across normal: Vector3, in older: Int, isCoarse: Bool, comparison: inout PatchComparison
    ) -> DepthProfile {
        var profile = DepthProfile()
        var depth = min(Self.depths.farthest * distance, 6)
        let nearest = max(Self.depths.nearest * distance, 0.2)
        while depth > nearest, let patch = sight.patch(at: depth, across: normal) {
            guard let pixels = pictures[older].pixels(ofWholeDepthAt: patch, isCoarse: isCoarse) else { break }
            if let view = PatchView(of: patch, in: pictures[older], sensitivity: 0),
                let correlations = comparison.correlations(
                    of: patch, in: sight.picture.picture, as: view, in: pictures[older].picture, isCoarse: isCoarse)
            {
                profile.add(correlations, about: depth, across: normal, pixels: pixels)
            }
            depth = Self.depth(next: depth, pixels: pixels)
        }
        return profile
    }

    /// The depth to try after one about which a pixel aside is such a part of it: as much nearer as a comparison looks at once. Beside a
    /// picture, its lens may put places anywhere, and neighbours far apart; within it, a radian has no more pixels than the picture has,
    /// and steps are longer than the least. Law: `DepthSweepTests.aSweepEndsWhateverALensSays`.
    static func depth(next depth: Double, pixels: Double) -> Double {
        depth / (1 + max(Double(PatchComparison.depths) / pixels, 0.005))
    }

    /// Whether the middle of a wide patch looks alike in two pictures, too: about a thing's edge, what the patch shows most of lies
    /// elsewhere than its middle. Law: `DepthSweepTests.whatLiesBesideANarrowThingIsNotItsDepth`.
    private func isOfMiddle(
        _ place: DepthProfile.Place, along sight: Sight, in older: Int, comparison: inout PatchComparison
    ) -> Bool {
        guard let patch = sight.patch(at: place.depth, across: place.normal),
            let view = PatchView(of: patch, in: pictures[older], sensitivity: 0),
            let correlations = comparison.correlations(
                of: patch, in: sight.picture.picture, as: view, in: pictures[older].picture, isCoarse: false)
        else { return false }
        return PatchComparison.showAlike(correlations)
    }

    /// The place at a depth, as a third picture shows it; `nil` where that shows something else.
    private func refined(
        _ rough: DepthProfile.Place, along sight: Sight, notIn second: Int, isCoarse: Bool,
        comparison: inout PatchComparison
    ) -> PicturePoint? {
        guard let patch = sight.patch(at: rough.depth, across: rough.normal) else { return nil }
        for index in pictures.indices.dropLast() where index != second && tellsDepth(at: patch.place, of: sight, index)
        {
            guard let pixels = pictures[index].pixels(ofWholeDepthAt: patch, isCoarse: isCoarse),
                let view = PatchView(of: patch, in: pictures[index], sensitivity: 0),
                let correlations = comparison.correlations(
                    of: patch, in: sight.picture.picture, as: view, in: pictures[index].picture, isCoarse: isCoarse)
            else { continue }
            guard let shift = PatchComparison.peak(of: correlations) else { return nil }
            let depth = rough.depth * (1 - shift / pixels)
            let (along, across) = (Self.pixelDeviation * depth / pixels, depth / sight.picture.pixelsByRadian)
            guard along <= Self.largestDeviation, let shown = sight.patch(at: depth, across: rough.normal) else {
                return nil
            }
            var point = sight.point(at: depth, deviations: (along, across))
            // What was found at that depth is the pattern, which may lie beside the line of sight.
            point.position = shown.place(at: (isCoarse ? 2 : 1) * comparison.patternMiddle)
            return point
        }
        return nil
    }
}

/// The line in which a pixel of a picture looks.
struct Sight {
    let picture: KeyPicture
    /// The lines of the patch about the pixel.
    private let lines: PatchLines
    let eye: Point3
    /// Of length one.
    let direction: Vector3

    init?(ofColumn column: Int, row: Int, in picture: KeyPicture) {
        let worldFromOptical = picture.worldFromOptical(atRow: Double(row))
        guard let lines = PatchLines(atColumn: column, row: row, in: picture),
            let local = picture.direction(of: PixelPoint(Double(column), Double(row)))?.normalized()
        else { return nil }
        (self.picture, self.lines) = (picture, lines)
        (eye, direction) = (worldFromOptical.translation, worldFromOptical.rotation * local)
    }

    /// The normals of the planes that are swept, as far as they are seen at ten degrees or more.
    var attitudes: [Vector3] {
        let level = Vector3(0, direction.y < 0 ? 1 : -1, 0)
        let plumb = Vector3(-direction.x, 0, -direction.z).normalized()
        return [level, plumb].compactMap { $0 }.filter { -direction.dot($0) >= 0.17 }
    }

    func point(at depth: Double) -> Point3 { eye + depth * direction }

    func point(at depth: Double, deviations: (along: Double, across: Double)) -> PicturePoint {
        let across = deviations.across * deviations.across
        let excess = deviations.along * deviations.along - across
        return PicturePoint(
            position: point(at: depth),
            covariance: Matrix3x3(diagonal: Vector3(repeating: across))
                + Matrix3x3.outerProduct(excess * direction, direction))
    }

    /// The patch about the pixel if it shows a plane at a depth.
    func patch(at depth: Double, across normal: Vector3) -> PlanePatch? {
        PlanePatch(of: Plane(unitNormal: normal, offset: normal.dot(point(at: depth))), along: lines)
    }
}

/// How a patch correlates at many depths.
private struct DepthProfile {
    struct Place {
        var depth: Double
        var normal: Vector3
        var correlation: Float
        /// A pixel aside, as a part of the depth.
        var pixel: Double
    }

    private var places: [Place] = []

    /// Adds places that are a pixel apart from each other, the farthest first.
    mutating func add(_ correlations: [Float], about depth: Double, across normal: Vector3, pixels: Double) {
        for (place, correlation) in correlations.enumerated() {
            let step = Double(place - correlations.count / 2)
            places.append(
                Place(depth: depth / (1 + step / pixels), normal: normal, correlation: correlation, pixel: 1 / pixels))
        }
    }

    /// The depth at which the patch correlates best, if all that lie some pixels aside leave three times as much unexplained: four where
    /// the place is in the middle of its segment, more for nearer ones, fewer for farther ones.
    var best: Place? {
        guard let best = places.max(by: { $0.correlation < $1.correlation }),
            best.correlation >= PatchComparison.leastCorrelation
        else { return nil }
        let limit = 1 - PatchComparison.leastRatio * (1 - best.correlation)
        let isUnique = places.allSatisfy {
            abs($0.depth / best.depth - 1) <= 4.5 * best.pixel || $0.correlation <= limit
        }
        return isUnique ? best : nil
    }
}

extension KeyPicture {
    /// By how many pixels the picture shows a patch aside for a change of its depth by the whole of it, as far as small changes tell;
    /// `nil` where it does not show the patch.
    ///
    /// - Parameter isCoarse: whether the picture of half the size is asked.
    fileprivate func pixels(ofWholeDepthAt patch: PlanePatch, isCoarse: Bool) -> Double? {
        guard let middle = pixel(of: patch.place, from: opticalFromWorld),
            let nearer = pixel(of: patch.nearer, from: opticalFromWorld), nearer != middle
        else { return nil }
        return (nearer.vector - middle.vector).length / PlanePatch.displacedPart / (isCoarse ? 2 : 1)
    }
}
