// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

/// What two pictures say of a patch of a plane.
enum PatchVerdict {
    /// The patch looks the same in both if it lies so many steps of depth in front of the plane, and differs elsewhere.
    case shows(shift: Int)
    /// It looks the same nowhere near.
    case disagrees
    /// It has hardly any pattern.
    case isPlain
    /// Its pattern is too smooth or too faint to tell the depths apart.
    case isAmbiguous
}

/// Compares patches of two pictures: the normalised cross-correlation at seven depths, a pixel or less apart from each other.
///
/// A lens darkens towards the picture's corners, from rim to rim of a patch by more than plaster's pattern varies, and what one picture shows
/// there another shows in its middle. So a patch is compared as it is, and by its detail: less the plane that fits its brightness best. Which
/// of the two is alike does not matter; smooth patterns have hardly any detail. Law: `PatchComparisonTests.aLensThatDarkensHidesLittle`.
///
/// Patches of different things correlate by chance: of smooth patterns with only a dozen independent values, one pair in
/// four hundred exceeds 0.75 (Fisher 1915), and each patch is tried at several depths. One agreement says little
/// therefore: a cell of a surface counts when it agreed in two pictures, a surface that is not known yet when six places
/// of the newest picture agree with earlier ones, four times as many as disagree.
struct PatchComparison {
    /// Pixels from the middle of a patch to its rim.
    static let radius = 8
    /// Pixels between samples.
    static let stride = 2
    private static let side = 2 * radius / stride + 1
    /// Samples from the middle of a patch to its rim.
    private static let arm = side / 2
    /// The sum of the squares of all samples' columns, counted from the middle, and of their rows.
    private static let rampSquares = Float(side * (-arm...arm).reduce(0) { $0 + $1 * $1 })
    /// Depths on each side of the plane.
    private static let reach = 3

    /// How much a patch must correlate at its best.
    static let leastCorrelation: Float = 0.75
    /// How much a patch must correlate at some depth, lest the pictures show different things.
    private static let leastLikeness: Float = 0.5
    /// How much more must be left unexplained away from there, as a ratio of variances. What is left is noise, which varies
    /// faster than patterns do: if the 81 samples hold some thirty independent values of it, one ratio in five hundred
    /// exceeds three by chance (F distribution).
    static let leastRatio: Float = 3
    /// The least standard deviation of a patch's pattern, in grey levels: some times the noise that smoothing leaves in daylight.
    private static let leastContrast: Float = 1.2
    /// Less than that, as a sum of squares, is nothing: one grey level.
    private static let leastDeviations = 1 / (GreyPixels.shareOfGrey * GreyPixels.shareOfGrey)

    /// The value in the middle of the patch in the newer picture.
    private var middle: Float = 0
    /// The patch in the newer picture, less the value in its middle.
    private var values = [Float](repeating: 0, count: side * side)
    /// The same less its mean, of length one.
    private var pattern = CVisionPattern()
    /// The patch where the older picture shows it.
    private var others = [Float](repeating: 0, count: side * side)
    /// Whether there is more to it than what changes evenly across.
    private var hasDetail = false
    /// Where the older picture shows the patch's first sample at each depth, from behind the plane to before it, and how well the
    /// pattern correlates there, and its detail: the last place stands twice.
    private var startsX = [Float](repeating: 0, count: Int(CVISION_PATTERN_PLACES))
    private var startsY = [Float](repeating: 0, count: Int(CVISION_PATTERN_PLACES))
    private var correlations = [Float](repeating: 0, count: Int(CVISION_PATTERN_PLACES))
    private var detailCorrelations = [Float](repeating: 0, count: Int(CVISION_PATTERN_PLACES))

    /// What the pictures say of a patch; both must show it with its rim.
    ///
    /// - Parameter pixelStep: by how many of the older picture's pixels the patch is shown aside from one depth to the next.
    mutating func verdict(
        on patch: PlanePatch, in newer: SmoothedPicture, as view: PatchView, in older: SmoothedPicture,
        pixelStep: Double = 1
    ) -> PatchVerdict? {
        verdict(
            onColumn: patch.column, row: patch.row, of: newer.fine, as: view, in: older.fine, pixelStep: pixelStep)
    }

    /// The same of pictures of half the size and a patch that is twice as wide.
    mutating func coarseVerdict(
        on patch: PlanePatch, in newer: SmoothedPicture, as view: PatchView, in older: SmoothedPicture,
        pixelStep: Double
    ) -> PatchVerdict? {
        verdict(
            onColumn: patch.column / 2, row: patch.row / 2, of: newer.coarse, as: view.halved(patch), in: older.coarse,
            pixelStep: pixelStep / 2)
    }

    /// Where the pattern is of the patch that was compared last, as far as both pictures show it so many steps of depth before the plane: in pixels
    /// of the newer one from the patch's middle.
    mutating func patternPlaces(
        shown shift: Int, as view: PatchView, in older: SmoothedPicture, pixelStep: Double
    ) -> [Vector2] {
        patternPlaces(alikeIn: older.fine, as: view, shownBy: Double(shift) * pixelStep)
    }

    /// The same of what pictures of half the size show.
    mutating func coarsePatternPlaces(
        of patch: PlanePatch, shown shift: Int, as view: PatchView, in older: SmoothedPicture, pixelStep: Double
    ) -> [Vector2] {
        patternPlaces(alikeIn: older.coarse, as: view.halved(patch), shownBy: Double(shift) * pixelStep / 2)
            .map { 2 * $0 }
    }

    /// How well a patch correlates at each of the depths, a pixel apart from each other, from behind the plane to before it; `nil`
    /// where it has no pattern or one of the pictures does not hold it.
    ///
    /// - Parameter isCoarse: whether pictures of half the size are asked, about a patch that is twice as wide: their pixels are.
    mutating func correlations(
        of patch: PlanePatch, in newer: SmoothedPicture, as view: PatchView, in older: SmoothedPicture, isCoarse: Bool
    ) -> [Float]? {
        isCoarse
            ? correlations(
                onColumn: patch.column / 2, row: patch.row / 2, of: newer.coarse, as: view.halved(patch),
                in: older.coarse)
            : correlations(onColumn: patch.column, row: patch.row, of: newer.fine, as: view, in: older.fine)
    }

    private mutating func correlations(
        onColumn column: Int, row: Int, of newer: GreyPixels, as view: PatchView, in older: GreyPixels
    ) -> [Float]? {
        guard Self.isInside(column, row, of: newer), Self.isInside(view, of: older),
            let direction = view.shiftByMetre.normalized(), takePattern(aroundColumn: column, row: row, of: newer)
        else { return nil }
        correlate(with: view, inStepsOf: 1, along: direction, in: older)
        return Array(clearestFirst[0][..<Self.depths])
    }

    /// Where correlations peak, in pixels before the plane, by the parabola through the greatest one and its neighbours; `nil` where they
    /// do so nowhere well enough, or at the rim.
    static func peak(of correlations: [Float]) -> Double? {
        guard let greatest = correlations.max(), greatest >= leastCorrelation,
            let place = correlations.firstIndex(of: greatest), place > 0, place < correlations.count - 1
        else { return nil }
        let (before, after) = (Double(correlations[place - 1]), Double(correlations[place + 1]))
        let bend = 2 * Double(greatest) - before - after
        return Double(place - reach) + (bend > 0 ? (after - before) / (2 * bend) : 0)
    }

    /// Whether correlations at several depths let two pictures show the same thing at one of them.
    static func showAlike(_ correlations: some Sequence<Float>) -> Bool {
        correlations.contains { $0 >= leastLikeness }
    }

    /// Whether a patch of a picture has a pattern that tells it from others.
    mutating func hasPattern(atColumn column: Int, row: Int, of picture: SmoothedPicture) -> Bool {
        Self.isInside(column, row, of: picture.fine) && takePattern(aroundColumn: column, row: row, of: picture.fine)
    }

    /// At how many depths a patch is tried at a time.
    static let depths = 2 * reach + 1

    private mutating func verdict(
        onColumn column: Int, row: Int, of newer: GreyPixels, as view: PatchView, in older: GreyPixels,
        pixelStep: Double
    ) -> PatchVerdict? {
        guard Self.isInside(column, row, of: newer), Self.isInside(view, of: older),
            let direction = view.shiftByMetre.normalized()
        else { return nil }
        guard takePattern(aroundColumn: column, row: row, of: newer) else { return .isPlain }
        correlate(with: view, inStepsOf: pixelStep, along: direction, in: older)
        let tries = clearestFirst
        if let shift = tries.lazy.compactMap(Self.bestShift).first { return .shows(shift: shift) }
        // Without detail, what differs may be the lens.
        return hasDetail && !tries.contains(where: Self.showAlike) ? .disagrees : .isAmbiguous
    }

    /// Where the pattern that was compared last is: the middle of its edges, each by its contrast, in the pixels that were compared,
    /// from the patch's middle. Law: `PatchComparisonTests.aPatternIsWhereItsEdgesAre`.
    var patternMiddle: Vector2 {
        var (sum, moment) = (Float(0), SIMD2<Float>.zero)
        for sample in Self.samplesWithNeighbors {
            let contrast = contrast(at: sample)
            sum += contrast
            moment += contrast * Self.place(of: sample)
        }
        return sum > 0 ? Vector2(moment / sum) : .zero
    }

    /// The samples that make the pattern: the ridges of its edges, where their contrast is that of the mean or more. A patch about the rim of
    /// something plain is known by its rim, and tells nothing of what is plain beside that; nor is the rim where the picture's blur spreads
    /// it, which is centimetres on a surface that is seen aslant. Law: `PatchComparisonTests.aPatternIsWhereItsEdgesAre`.
    var patternPlaces: [Vector2] { ridges.map { Vector2(Self.place(of: $0)) } }

    private var ridges: [Int] {
        let sum = Self.samplesWithNeighbors.reduce(0) { $0 + contrast(at: $1) }
        let mean = sum / Float(Self.samplesWithNeighbors.count)
        return Self.samplesWithEdgesAround.filter { contrast(at: $0) >= mean && isRidge($0) }
    }

    /// Those of them that the older picture shows alike, each with its neighbours: a patch about a rim is known by what most of it shows,
    /// and what it shows beside that may lie elsewhere. Law: `PatchComparisonTests.whatAPatchShowsBesideIsNotItsPattern`.
    ///
    /// - Parameter shift: how far aside of where the plane lies that shows the patch, in its pixels.
    private mutating func patternPlaces(
        alikeIn older: GreyPixels, as view: PatchView, shownBy shift: Double
    ) -> [Vector2] {
        guard let direction = view.shiftByMetre.normalized() else { return [] }
        readOthers(about: view.center + shift * direction, as: view, in: older)
        return ridges.filter(isAlike).map { Vector2(Self.place(of: $0)) }
    }

    /// Reads the patch in the older picture, about a place there.
    private mutating func readOthers(about middle: Vector2, as view: PatchView, in older: GreyPixels) {
        let (across, down) = (Double(Self.stride) * view.byColumn, Double(Self.stride) * view.byRow)
        var (sample, start) = (0, middle - Double(Self.arm) * (across + down))
        for _ in 0..<Self.side {
            var place = start
            for _ in 0..<Self.side {
                others[sample] = older.value(at: place)
                sample += 1
                place += across
            }
            start += down
        }
    }

    /// Whether a sample and its eight neighbours correlate with those of the older picture.
    private func isAlike(_ sample: Int) -> Bool {
        var (sum, otherSum, squares, otherSquares, products) = (Float(0), Float(0), Float(0), Float(0), Float(0))
        for row in -1...1 {
            for column in -1...1 {
                let index = sample + row * Self.side + column
                let (value, other) = (values[index] - values[sample], others[index] - others[sample])
                sum += value
                otherSum += other
                squares += value * value
                otherSquares += other * other
                products += value * other
            }
        }
        let (variance, otherVariance) = (squares - sum * sum / 9, otherSquares - otherSum * otherSum / 9)
        let covariance = products - sum * otherSum / 9
        return covariance > 0
            && covariance * covariance >= Self.leastAlike * Self.leastAlike * variance * otherVariance
    }

    /// How much a sample with its neighbours must correlate: less than a whole patch, because nine values scatter more.
    private static let leastAlike: Float = 0.6

    /// Whether an edge's contrast is greatest here: those two of the eight neighbours that lie nearest to straight across it have no more
    /// (non-maximum suppression: Canny 1986).
    private func isRidge(_ sample: Int) -> Bool {
        let gradient = gradient(at: sample)
        let (x, y) = (abs(gradient.x), abs(gradient.y))
        // Up to 22.5° from an axis the neighbour along it is nearest.
        let tangent: Float = 0.4142
        var step = 0
        if x > tangent * y { step += gradient.x > 0 ? 1 : -1 }
        if y > tangent * x { step += gradient.y > 0 ? Self.side : -Self.side }
        let own = contrast(at: sample)
        return own >= contrast(at: sample + step) && own >= contrast(at: sample - step)
    }

    /// How the pattern changes across two samples, of one with neighbours on all sides.
    private func gradient(at sample: Int) -> SIMD2<Float> {
        SIMD2(values[sample + 1] - values[sample - 1], values[sample + Self.side] - values[sample - Self.side])
    }

    /// The square of that.
    private func contrast(at sample: Int) -> Float {
        let gradient = gradient(at: sample)
        return (gradient * gradient).sum()
    }

    /// Where a sample is, in the pixels that were compared, from the patch's middle.
    private static func place(of sample: Int) -> SIMD2<Float> {
        Float(stride) * SIMD2(Float(sample % side - arm), Float(sample / side - arm))
    }

    /// The samples that have neighbours on all sides, and those whose neighbours have.
    private static let samplesWithNeighbors = samples(inside: 1)
    private static let samplesWithEdgesAround = samples(inside: 2)

    /// The samples that are at least so many from the patch's rim.
    private static func samples(inside margin: Int) -> [Int] {
        (margin..<side - margin).flatMap { row in (margin..<side - margin).map { row * side + $0 } }
    }

    /// The correlations of the patch and, where it has any, of its detail, those first that are the greater at best.
    private var clearestFirst: [[Float]] {
        guard hasDetail, let peak = correlations.max(), let detailPeak = detailCorrelations.max() else {
            return [correlations]
        }
        return detailPeak > peak ? [detailCorrelations, correlations] : [correlations, detailCorrelations]
    }

    /// How many steps in front of the plane a patch correlates best; `nil` where it does so nowhere, or everywhere.
    private static func bestShift(_ correlations: [Float]) -> Int? {
        guard let peak = correlations.max(), let best = correlations.firstIndex(of: peak), peak >= Self.leastCorrelation
        else { return nil }
        // What is left unexplained, as a variance: the pictures' noise at the best depth.
        let limit = 1 - Self.leastRatio * (1 - peak)
        let others =
            best <= Self.reach + 1 && best >= Self.reach - 1
            ? [correlations[0], correlations[2 * Self.reach]] : [correlations[Self.reach]]
        return others.allSatisfy { $0 <= limit } ? best - Self.reach : nil
    }

    private static func isInside(_ column: Int, _ row: Int, of pixels: GreyPixels) -> Bool {
        column >= radius && row >= radius && column + radius < pixels.width && row + radius < pixels.height
    }

    /// Whether the older picture holds all samples at all depths, and the pixels to the right of them and below: with a
    /// hundredth of a pixel to spare, because places are summed in single precision from here on.
    private static func isInside(_ view: PatchView, of picture: GreyPixels) -> Bool {
        let (x, y) = (Double(radius) * view.byColumn, Double(radius) * view.byRow)
        let width = abs(x.x) + abs(y.x) + Double(reach) + 0.01
        let height = abs(x.y) + abs(y.y) + Double(reach) + 0.01
        return view.center.x - width >= 0 && view.center.x + width < Double(picture.width - 1)
            && view.center.y - height >= 0 && view.center.y + height < Double(picture.height - 1)
    }

    /// Reads the pattern; false where there is hardly any.
    ///
    /// Values are counted from the middle's, here and where they are correlated: the squares of bright ones would fill
    /// single precision, and what remains of their sum is the little that varies.
    /// Law: `PatchComparisonTests.brightnessChangesNothing`.
    private mutating func takePattern(aroundColumn column: Int, row: Int, of picture: GreyPixels) -> Bool {
        var (sum, squares, byColumn, byRow): (Float, Float, Float, Float) = (0, 0, 0, 0)
        middle = Float(picture.values[row * picture.width + column])
        picture.values.withUnsafeBufferPointer { pixels in
            var sample = 0
            for row in Swift.stride(from: row - Self.radius, through: row + Self.radius, by: Self.stride) {
                var (pixel, sumOfRow) = (row * picture.width + column - Self.radius, Float(0))
                let down = Float(sample / Self.side - Self.arm)
                for across in -Self.arm...Self.arm {
                    let value = Float(pixels[pixel]) - middle
                    values[sample] = value
                    sumOfRow += value
                    byColumn += value * Float(across)
                    squares += value * value
                    sample += 1
                    pixel += Self.stride
                }
                sum += sumOfRow
                byRow += sumOfRow * down
            }
        }
        let count = Float(values.count)
        let deviations = squares - sum * sum / count
        let least = Self.leastContrast / GreyPixels.shareOfGrey
        guard deviations >= count * least * least else { return false }
        let slope = SIMD2(byColumn, byRow) / Self.rampSquares
        let detailDeviations = deviations - (slope * SIMD2(byColumn, byRow)).sum()
        hasDetail = detailDeviations >= count * least * least
        setPattern(
            mean: sum / count, slope: slope, length: deviations.squareRoot(),
            detailLength: max(detailDeviations, Self.leastDeviations).squareRoot())
        return true
    }

    /// Splits the values that were read into what a plane explains of them, and the detail.
    private mutating func setPattern(mean: Float, slope: SIMD2<Float>, length: Float, detailLength: Float) {
        pattern.detail_share = detailLength / length
        (pattern.by_column, pattern.by_row) = (slope.x / length, slope.y / length)
        withUnsafeMutableBytes(of: &pattern.detail) { detail in
            let detail = detail.bindMemory(to: Float.self)
            for sample in values.indices {
                let place = SIMD2(Float(sample % Self.side - Self.arm), Float(sample / Self.side - Self.arm))
                detail[sample] = (values[sample] - mean - (slope * place).sum()) / detailLength
            }
        }
    }

    /// Correlates the pattern with what the older picture shows at each depth, behind the plane first.
    ///
    /// - Parameters:
    ///   - pixelStep: by how many pixels the patch is shown aside from one depth to the next.
    ///   - direction: the unit direction in which it is.
    private mutating func correlate(
        with view: PatchView, inStepsOf pixelStep: Double, along direction: Vector2, in picture: GreyPixels
    ) {
        let corner = Double(Self.radius) * (view.byColumn + view.byRow)
        for place in startsX.indices {
            let step = min(place, 2 * Self.reach) - Self.reach
            let start = SIMD2<Float>(view.center + Double(step) * pixelStep * direction - corner)
            (startsX[place], startsY[place]) = (start.x, start.y)
        }
        let (across, down) = (
            SIMD2<Float>(view.byColumn) * Float(Self.stride), SIMD2<Float>(view.byRow) * Float(Self.stride)
        )
        let steps = CVisionSteps(x_by_column: across.x, y_by_column: across.y, x_by_row: down.x, y_by_row: down.y)
        let status = picture.values.withUnsafeBufferPointer { pixels in
            var deepPicture = CVisionDeepPicture(
                pixels: pixels.baseAddress, width: Int32(picture.width), height: Int32(picture.height))
            return cvision_correlate_pattern(
                &deepPicture, &pattern, middle, startsX, startsY, steps, Self.leastDeviations, &correlations,
                &detailCorrelations)
        }
        precondition(status == CVISION_OK, "a patch that lies inside its picture could not be compared")
    }
}
