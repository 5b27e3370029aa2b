// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import ARTargets
import Foundation
import TestSupport
import Testing

struct TargetScoreTests {
    /// The scores of generated pictures, pinned: a version that changes one breaks what users rely on.
    @Test func pinnedScores() {
        let emblems = (0..<8).map { TargetScore(of: Emblem(number: $0).image(width: 512)).value }
        #expect(emblems == [65, 84, 84, 83, 89, 86, 80, 85])
        let others = SamplePictures.all.map { TargetScore(of: $0.picture).value }
        #expect(others == [61, 73, 17, 0, 6])
        #expect(TargetScore.passMark == 75)
    }

    @Test func plainPicturesScoreNothing() {
        for size in [1, 5, 6, 7, 300] {
            let score = TargetScore(
                of: ImageBuffer(size: ImageSize(width: size, height: size), format: .gray8, filledWith: 128))
            #expect(score.value == 0 && score.stars == 1 && !score.passes)
            #expect(score.reasons.map(\.name).prefix(3) == ["too-few-marks", "too-few-features", "low-contrast"])
        }
    }

    /// A thin picture is tried with the sides that a target may have at most, and its views do not grow with its length.
    @Test(arguments: [(96, 1), (1, 96), (960, 10)]) func thinPicturesAreScored(width: Int, height: Int) {
        var random = TestRandom(case: width)
        let score = TargetScore(
            of: ImageBuffer(
                size: ImageSize(width: width, height: height), format: .gray8,
                bytes: (0..<width * height).map { _ in UInt8(random.uniform(0...255)) }))
        #expect((0...100).contains(score.value) && score.reasons.map(\.name).contains("picture-too-small"))
    }

    /// A picture with less contrast, with more of it empty, or of which a part is repeated, has no higher score.
    @Test func worsePicturesScoreLess() {
        let good = SamplePictures.noise(seed: 1, cells: 8)
        let best = TargetScore(of: good)
        #expect(best.passes, "\(best.value)")
        let faint = TargetScore(of: good.mapped { 128 + ($0 - 128) / 16 })
        #expect(faint.value < best.value)
        #expect(faint.reasons.contains { if case .lowContrast = $0 { true } else { false } })
        let half = TargetScore(of: good.painted(x: 0..<150, y: 0..<300))
        #expect(half.usefulFeatureCount < 0.9 * best.usefulFeatureCount)
        #expect(half.value <= best.value)
        let repeated = TargetScore(of: SamplePictures.repeated)
        #expect(repeated.reasons.contains { if case .repetition = $0 { true } else { false } })
    }

    /// Of two pictures that are full of corners, the one with larger figures is recognised from farther away.
    @Test func fineDetailEnduresLess() {
        let (coarse, fine) = (
            TargetScore(of: SamplePictures.noise(seed: 7, cells: 10)),
            TargetScore(of: SamplePictures.noise(seed: 7, cells: 75))
        )
        #expect(fine.endurance < coarse.endurance - 0.2, "\(fine.endurance), \(coarse.endurance)")
        #expect(!fine.passes && fine.value < coarse.value - 20, "\(fine.value), \(coarse.value)")
        #expect(fine.reasons.contains { if case .fineDetail = $0 { true } else { false } })
    }

    /// From afar a print is found by its spots: four tell more than one, fainter ones less, and a few large fields less than many.
    /// A bar from edge to edge is no spot.
    @Test func spotsEndureFromAfar() {
        func evidence(_ count: Int, _ contrast: Double, radius: Int = 25) -> Double {
            let middles = [(75, 75), (225, 75), (75, 225), (225, 225)].prefix(count)
            let discs = SamplePictures.picture { x, y in
                let isInside = middles.contains { ($0.0 - x) * ($0.0 - x) + ($0.1 - y) * ($0.1 - y) < radius * radius }
                return UInt8(110 + (isInside ? contrast : 0))
            }
            return TargetScore(of: discs).distantEvidence
        }
        let one = evidence(1, 120)
        #expect(one > 2)
        #expect(evidence(4, 120) > 3.5 * one)
        expectClose(evidence(1, 60), one, tolerance: log(2.0))
        #expect(evidence(1, 60) < one && evidence(1, 4) == 0)
        let bar = TargetScore(of: SamplePictures.picture { x, _ in abs(x - 150) < 25 ? 230 : 110 })
        #expect(bar.distantEvidence < evidence(4, 120), "\(bar.distantEvidence)")
        let coarse = TargetScore(of: SamplePictures.noise(seed: 8, cells: 3))
        let fine = TargetScore(of: SamplePictures.noise(seed: 8, cells: 9))
        #expect(coarse.distantEvidence < fine.distantEvidence / 2 && coarse.value < fine.value)
        #expect(coarse.reasons.contains { if case .fewDistantFigures = $0 { true } else { false } })
    }

    /// A checkerboard has a hundred sharp corners and no place that differs from the others.
    @Test func whatIsRepeatedFails() {
        let score = TargetScore(of: SamplePictures.repeated)
        #expect(score.value < 25)
    }

    @Test func emptyRegionsAreWhereNothingIs() throws {
        let score = TargetScore(of: SamplePictures.noise(seed: 2, cells: 12).painted(x: 0..<150, y: 100..<300))
        let regions = score.reasons.compactMap { reason -> [PictureRegion]? in
            if case .emptyRegions(let regions) = reason { regions } else { nil }
        }
        let region = try #require(regions.first?.first)
        expectClose(region.x, 0, tolerance: 1e-9)
        expectClose(region.width, 0.5, tolerance: 0.17)
        expectClose(region.y + region.height, 1, tolerance: 1e-9)
        expectClose(region.height, 2 / 3.0, tolerance: 0.17)
    }

    @Test func symmetryByTurns() {
        func turns(_ picture: ImageBuffer) -> [Int] {
            TargetScore(of: picture).reasons.compactMap { reason in
                if case .symmetry(let turns, _) = reason { turns } else { nil }
            }
        }
        let picture = SamplePictures.noise(seed: 3, cells: 8)
        #expect(turns(picture) == [])
        let twofold = picture.joined { x, y in (299 - x, 299 - y) }
        #expect(turns(twofold) == [2])
        // It fits its place in two ways, and one of them is wrong.
        #expect(Double(TargetScore(of: twofold).value) < 0.6 * Double(TargetScore(of: picture).value))
    }

    @Test func confusionWithALikePicture() throws {
        let picture = SamplePictures.noise(seed: 4, cells: 12)
        let others = [("other", SamplePictures.noise(seed: 5, cells: 12)), ("like", picture.mapped { 20 + $0 * 0.8 })]
        let alone = TargetScore(of: picture)
        let score = TargetScore(of: picture, against: others)
        let confusions = score.reasons.compactMap { reason -> TargetConfusion? in
            if case .confusion(let other) = reason { other } else { nil }
        }
        #expect(confusions.map(\.name) == ["like"])
        expectClose(try #require(confusions.first).likeness, 1, tolerance: 0.01)
        #expect(score.value < alone.value / 2 && !score.passes)
    }

    /// A picture is told from all targets but itself, whatever its file is called; from its own double it cannot be told.
    @Test func aPictureIsNotConfusedWithItself() throws {
        let pictures = (0..<3).map { Emblem(number: $0).image(width: 300) }
        func database(_ pictures: [ImageBuffer]) throws -> TargetDatabase {
            try TargetDatabase(
                building: pictures.enumerated().map {
                    ReferenceImage(name: "club \($0.offset)", picture: $0.element, physicalWidth: nil, record: [:])
                })
        }
        let (single, twice) = (try database(pictures), try database(pictures + [pictures[1]]))
        func confusions(named name: String?, _ database: TargetDatabase) -> [String] {
            TargetScore(of: pictures[1], named: name, against: database).reasons.compactMap { reason in
                if case .confusion(let other) = reason, other.likeness > 0.999 { other.name } else { nil }
            }
        }
        #expect(["1", "club 1", nil, "club 0"].map { confusions(named: $0, single) } == [[], [], [], []])
        #expect(confusions(named: "club 1", twice) == ["club 3"] && confusions(named: "club 3", twice) == ["club 1"])
        #expect(confusions(named: "1", twice) == ["club 3"])
        // Another file of the same target, which is not the same picture.
        let faded = pictures[1].gray.mapped { 20 + $0 * 0.8 }
        #expect(
            TargetScore(of: faded, named: "club 1", against: single)
                == TargetScore(
                    of: faded,
                    against: [
                        ("club 0", single.template(at: 0)), ("club 2", single.template(at: 2)),
                    ]))
    }

    /// The size of the file does not decide as long as it shows what the print does.
    @Test(arguments: [0, 2, 5]) func sizeMattersLittle(number: Int) {
        let scores = [400, 700, 1100].map { TargetScore(of: Emblem(number: number).image(width: $0)).value }
        #expect(scores.max()! - scores.min()! <= 12, "\(scores)")
    }

    @Test func heatIsWhereTheFeaturesAre() {
        let map = TargetScore.heatMap(of: SamplePictures.noise(seed: 6, cells: 12).painted(x: 0..<150, y: 0..<300))
        #expect(map.size == ImageSize(width: 300, height: 300) && map.format == .rgb8)
        func red(_ columns: Range<Int>) -> Int {
            columns.reduce(0) { sum, x in sum + (0..<300).reduce(0) { $0 + Int(map.bytes[$1 * 900 + 3 * x]) } }
        }
        #expect(red(180..<280) > red(20..<120))
    }
}

/// Pictures of 300 pixels that are generated.
private enum SamplePictures {
    static let all: [(name: String, picture: ImageBuffer)] = [
        ("noise", noise(seed: 1, cells: 12)), ("coarse noise", noise(seed: 1, cells: 6)), ("repeated", repeated),
        ("one corner", ImageBuffer(size: side, format: .gray8, filledWith: 230).painted(x: 0..<150, y: 0..<150)),
        ("faint", noise(seed: 1, cells: 12).mapped { 128 + ($0 - 128) / 10 }),
    ]

    static let side = ImageSize(width: 300, height: 300)

    /// Squares of random grey.
    static func noise(seed: Int, cells: Int) -> ImageBuffer {
        var random = TestRandom(case: seed, "noise")
        let values = (0..<(cells * cells)).map { _ in UInt8(random.uniform(0...255)) }
        return picture { x, y in values[y * cells / 300 * cells + x * cells / 300] }
    }

    /// One tile again and again.
    static let repeated = picture { x, y in (x / 25 + y / 25) % 2 == 0 ? 30 : 220 }

    static func picture(_ value: (Int, Int) -> UInt8) -> ImageBuffer {
        ImageBuffer(
            size: side, format: .gray8, bytes: (0..<300).flatMap { y in (0..<300).map { value($0, y) } })
    }
}

extension ImageBuffer {
    fileprivate func mapped(_ value: (Double) -> Double) -> ImageBuffer {
        ImageBuffer(size: size, format: format, bytes: bytes.map { UInt8(value(Double($0)).rounded()) })
    }

    /// With a plain part.
    fileprivate func painted(x: Range<Int>, y: Range<Int>) -> ImageBuffer {
        var painted = self
        for row in y { for column in x { painted.bytes[row * size.width + column] = 128 } }
        return painted
    }

    /// Each pixel the mean of itself and another.
    fileprivate func joined(_ other: (Int, Int) -> (Int, Int)) -> ImageBuffer {
        SamplePictures.picture { x, y in
            let (u, v) = other(x, y)
            let (own, others) = (Int(bytes[y * 300 + x]), Int(bytes[v * 300 + u]))
            return UInt8((own + others) / 2)
        }
    }
}
