// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARSimulation
import Testing

@testable import ARTargets

@Suite struct TargetRecognizerTests {
    private static func reference(_ number: Int) -> ReferenceImage {
        ReferenceImage(name: "\(number)", picture: Emblem(number: number).image(width: 256), physicalWidth: 0.2)
    }

    private static let database = Result { try TargetDatabase(building: [1, 3, 5, 8].map(reference)) }

    private func recognizer() throws -> TargetRecognizer {
        var recognizer = TargetRecognizer()
        recognizer.activate(try Self.database.get(), as: "clubs")
        return recognizer
    }

    @Test func withoutTargetsNothingIsRecognised() {
        var recognizer = TargetRecognizer()
        let picture = ImageBuffer(size: ImageSize(width: 64, height: 48), format: .gray8, filledWith: 90)
        #expect(recognizer.recognize(in: picture, camera: nil).isEmpty)
    }

    @Test(arguments: [(1, 0.3, 0.0), (3, 2.0, 0.6), (5, -1.2, 0.8), (8, 3.0, 0.4)])
    func targetsAreNamedAndPlaced(number: Int, turn: Double, tilt: Double) throws {
        var recognizer = try recognizer()
        let (quad, opticalFromTarget) = try corners(side: 230, turn: turn, tilt: tilt)
        var prints = WarpedPrints(seed: UInt64(number))
        try prints.add(Emblem(number: number).image(width: 512), at: quad)
        let sightings = recognizer.recognize(in: prints.image, camera: testCamera)
        #expect(sightings.count == 1)
        let sighting = try #require(sightings.first)
        #expect(sighting.target == TargetIdentity(database: "clubs", name: "\(number)"))
        #expect(sighting.confidence > 0.9 && !sighting.isInverse)
        // Parts are placed to a few tenths of a pixel; corners lie outside of them, steep ones farther.
        for (found, truth) in zip(sighting.corners.corners, quad.corners) { #expect(found.distance(to: truth) < 2.5) }

        let pose = try #require(sighting.cameraFromTarget)
        let truth = RigidTransform.cameraFromOptical * opticalFromTarget
        #expect(pose.rotation.angle(to: truth.rotation) < 0.02)
        #expect((pose.translation - truth.translation).length < 0.01 * truth.translation.length)
        let covariance = try #require(sighting.covariance)
        #expect(covariance.rotationByRotation[0, 0] > 0 && covariance.rotationByRotation[0, 0] < 0.02 * 0.02)
    }

    @Test func lightAndDarkMayChangePlaces() throws {
        var recognizer = try recognizer()
        var prints = WarpedPrints(seed: 4)
        let (quad, _) = try corners(side: 240, turn: 0.4, tilt: 0.3)
        try prints.add(Emblem(number: 3).image(width: 512), at: quad, isInverse: true)
        let sighting = try #require(recognizer.recognize(in: prints.image).first)
        #expect(sighting.target.name == "3" && sighting.isInverse)
        #expect(sighting.cameraFromTarget == nil)
    }

    /// A hand over the lower third of a print leaves enough to name it by; what is seen is its confidence.
    @Test(arguments: [3, 5, 8]) func partlyHiddenPrintsAreNamed(number: Int) throws {
        var recognizer = try recognizer()
        let (quad, _) = try corners(side: 260, turn: 0.3, tilt: 0.2)
        let print = Emblem(number: number).image(width: 512)
        var half = print
        let hiddenFrom = print.size.height * 66 / 100 * print.size.width * print.format.bytesPerPixel
        for index in hiddenFrom..<half.bytes.count { half.bytes[index] = 140 }
        var prints = WarpedPrints(seed: UInt64(number))
        try prints.add(half, at: quad)
        let sighting = try #require(recognizer.recognize(in: prints.image).first)
        #expect(sighting.target.name == "\(number)")
        #expect(sighting.confidence > 0.5 && sighting.confidence < 0.85)
    }

    /// A cloth that waves is named where a flat print would not be, and less surely than a flat one.
    @Test(arguments: [3, 5, 8]) func wavingPrintsAreNamedLessSurely(number: Int) throws {
        var recognizer = try recognizer()
        let place = PixelQuad(
            topLeft: PixelPoint(200, 120), topRight: PixelPoint(440, 130), bottomRight: PixelPoint(430, 360),
            bottomLeft: PixelPoint(190, 350))
        var confidences: [Double] = []
        for wave in [0, 0.04] {
            var prints = WarpedPrints(seed: UInt64(number))
            try prints.add(Self.reference(number).picture, at: place, wave: wave)
            let sightings = recognizer.recognize(in: prints.image)
            #expect(sightings.map(\.target.name) == [Self.reference(number).name], "waves by \(wave)")
            confidences += sightings.map(\.confidence)
        }
        #expect(confidences.last ?? 1 < (confidences.first ?? 0) - 0.05)
    }

    /// Among many targets a twin in other inks, or one that is a twin upside down, may have the votes, and the print itself too few to be
    /// looked at: here one target alone is looked at. The print has its own name, or none, but not the twin's.
    @Test(arguments: [(90, 8519), (39, 9390), (58, 2688), (47, 400)])
    func aTwinIsNotNamedForWantOfVotes(number: Int, twin: Int) throws {
        var recognizer = TargetRecognizer()
        recognizer.configuration.candidateLimit = 1
        recognizer.activate(try TargetDatabase(building: [number, twin].map(Self.reference)), as: "clubs")
        for shown in [number, twin] {
            for seed in 0..<4 {
                let (quad, _) = try corners(side: 200, turn: 0.7 * Double(seed), tilt: 0.3)
                var prints = WarpedPrints(seed: UInt64(seed))
                try prints.add(Emblem(number: shown).image(width: 512), at: quad)
                let names = recognizer.recognize(in: prints.image).map(\.target.name)
                #expect(names.isEmpty || names == ["\(shown)"])
            }
        }
    }

    /// Where a database holds a print's twin alone, and another one looks at a larger print beside it alone, the twin is not named either.
    @Test func twinsInOtherDatabasesCount() throws {
        var prints = WarpedPrints(seed: 2)
        try prints.add(
            Emblem(number: 90).image(width: 512), at: corners(side: 150, turn: 0.2, at: PixelPoint(120, 240)).quad)
        try prints.add(
            Emblem(number: 1).image(width: 512), at: corners(side: 260, turn: 0, at: PixelPoint(440, 240)).quad)
        func names(_ second: [Int]) throws -> [String] {
            var recognizer = TargetRecognizer()
            recognizer.configuration.candidateLimit = 1
            recognizer.activate(try TargetDatabase(building: [Self.reference(8519)]), as: "first")
            recognizer.activate(try TargetDatabase(building: second.map(Self.reference)), as: "second")
            return recognizer.recognize(in: prints.image).map(\.target.name).sorted()
        }
        #expect(try names([1]) == ["1", "8519"])
        #expect(try names([1, 90]) == ["1"])
    }

    @Test func severalAreSeenAtOnce() throws {
        var recognizer = try recognizer()
        var prints = WarpedPrints(seed: 9)
        for (index, number) in [1, 3, 5, 8].enumerated() {
            let center = PixelPoint(Double(index % 2) * 310 + 165, Double(index / 2) * 230 + 125)
            let (quad, _) = try corners(side: 170, turn: Double(index), at: center)
            try prints.add(Emblem(number: number).image(width: 512), at: quad)
        }
        let names = recognizer.recognize(in: prints.image).map(\.target.name)
        #expect(names.sorted() == ["1", "3", "5", "8"])
    }

    @Test func twentyAreSeenAtOnce() throws {
        let numbers = Array(1...20)
        var recognizer = TargetRecognizer()
        recognizer.activate(try TargetDatabase(building: numbers.map(Self.reference)), as: "clubs")
        var prints = WarpedPrints(size: ImageSize(width: 900, height: 720), seed: 9)
        for (index, number) in numbers.enumerated() {
            let center = PixelPoint(Double(index % 5) * 180 + 90, Double(index / 5) * 180 + 90)
            let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
                PixelPoint(center.x + 80 * $0.0 - 6 * $0.1, center.y + 6 * $0.0 + 80 * $0.1)
            }
            try prints.add(Emblem(number: number).image(width: 512), at: PixelQuad(corners: corners))
        }
        let names = recognizer.recognize(in: prints.image).compactMap { Int($0.target.name) }
        #expect(names.sorted() == numbers)
    }

    /// A picture that is longer than 900 pixels is halved; where it shows many prints, it is looked at as it is besides: those of
    /// 84 pixels are named, which have 42 when it is halved.
    @Test func whereManyAreSeenSmallOnesAreNamed() throws {
        let numbers = Array(1...20)
        var recognizer = TargetRecognizer()
        recognizer.activate(try TargetDatabase(building: numbers.map(Self.reference)), as: "clubs")
        func named(_ shown: [Int]) throws -> [Int] {
            var prints = WarpedPrints(size: ImageSize(width: 1280, height: 720), seed: 9)
            for number in shown {
                // The first ten are large enough in any case.
                let half = number <= 10 ? 80.0 : 42
                let center = PixelPoint(Double((number - 1) % 5) * 240 + 140, Double((number - 1) / 5) * 175 + 95)
                let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
                    PixelPoint(center.x + half * $0.0 - 3 * $0.1, center.y + 3 * $0.0 + half * $0.1)
                }
                try prints.add(Emblem(number: number).image(width: 512), at: PixelQuad(corners: corners))
            }
            return recognizer.recognize(in: prints.image).compactMap { Int($0.target.name) }.sorted()
        }
        let (all, small) = (try named(numbers), try named(Array(11...20)))
        #expect(all.filter { $0 > 10 }.count > small.count + 3, "\(all), alone \(small)")
        #expect(all.filter { $0 <= 10 } == Array(1...10))
    }

    /// Prints of targets that were removed take no place from those that are left, be they ever so large.
    @Test func removedTargetsHideNone() throws {
        let (removed, kept) = (Array(1...12), [13, 14, 15])
        var recognizer = TargetRecognizer()
        recognizer.activate(try TargetDatabase(building: (1...25).map(Self.reference)), as: "clubs")
        var prints = WarpedPrints(size: ImageSize(width: 900, height: 720), seed: 9)
        for (index, number) in (removed + kept).enumerated() {
            let center = PixelPoint(Double(index % 5) * 180 + 90, Double(index / 5) * 240 + 120)
            let half = removed.contains(number) ? 84.0 : 60
            let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
                PixelPoint(center.x + half * $0.0, center.y + half * $0.1)
            }
            try prints.add(Emblem(number: number).image(width: 512), at: PixelQuad(corners: corners))
        }
        let before = Set(recognizer.recognize(in: prints.image).compactMap { Int($0.target.name) })
        #expect(before.isSuperset(of: removed))
        for number in removed {
            let isRemoved = recognizer.remove("\(number)", from: "clubs")
            #expect(isRemoved)
        }
        // They are gone, but not put together anew.
        #expect(recognizer.database(named: "clubs")?.targets.count == 13)
        let names = recognizer.recognize(in: prints.image).compactMap { Int($0.target.name) }
        #expect(names.sorted() == kept)
    }

    @Test func printsMayBePartOfOthers() throws {
        var poster = WarpedPrints(size: ImageSize(width: 400, height: 400), seed: 77)
        for (index, number) in [3, 5, 8].enumerated() {
            let (x, y) = (Double(index % 2) * 200 + 10, Double(index / 2) * 200 + 10)
            try poster.add(
                Emblem(number: number).image(width: 512),
                at: PixelQuad(
                    topLeft: PixelPoint(x, y), topRight: PixelPoint(x + 180, y),
                    bottomRight: PixelPoint(x + 180, y + 180), bottomLeft: PixelPoint(x, y + 180)))
        }
        var recognizer = try recognizer()
        try recognizer.add(ReferenceImage(name: "poster", picture: poster.image))
        let (quad, _) = try corners(side: 420, turn: 0)
        var prints = WarpedPrints(seed: 5)
        try prints.add(poster.image, at: quad)
        #expect(Set(recognizer.recognize(in: prints.image).map(\.target.name)) == ["poster", "3", "5", "8"])
    }

    @Test func picturesTooLargeOrSmallShowNothing() throws {
        var recognizer = try recognizer()
        for (width, height) in [(16385, 40), (40, 20000), (31, 400)] {
            let picture = ImageBuffer(size: ImageSize(width: width, height: height), format: .gray8, filledWith: 9)
            #expect(recognizer.recognize(in: picture).isEmpty)
        }
    }

    @Test(arguments: [200, 201, 203, 207]) func strangersHaveNoName(number: Int) throws {
        var recognizer = try recognizer()
        let (quad, _) = try corners(side: 240, turn: 1, tilt: 0.3)
        var prints = WarpedPrints(seed: UInt64(number))
        try prints.add(Emblem(number: number).image(width: 512), at: quad)
        #expect(recognizer.recognize(in: prints.image).isEmpty)
    }

    /// Emblems with the charges of a target on another shield, or with another border or ring, or in other inks, are not taken
    /// for it, nor for it waving or partly hidden; where the target is shown in the same places, it is named.
    @Test(arguments: [(802, 26), (680, 30), (186, 48), (453, 11), (217, 92), (236, 90), (301, 48)])
    func emblemsThatShareADrawingAreNotMistaken(
        stranger: Int, target: Int
    ) throws {
        var recognizer = TargetRecognizer()
        let reference = ReferenceImage(name: "target", picture: Emblem(number: target).image(width: 320))
        recognizer.activate(try TargetDatabase(building: [reference]), as: "clubs")
        for place in 0..<6 {
            let (quad, _) = try corners(side: 190 + 25 * Double(place), turn: Double(place), tilt: 0.1 * Double(place))
            for number in [stranger, target] {
                var prints = WarpedPrints(seed: UInt64(place))
                try prints.add(Emblem(number: number).image(width: 512), at: quad)
                let names = recognizer.recognize(in: prints.image).map(\.target.name)
                #expect(names == (number == target ? ["target"] : []), "\(number) at place \(place)")
            }
        }
    }

    /// Where it is known what is seen nothing is looked for but what is printed on it.
    @Test func knownPlacesAreLeftAlone() throws {
        var recognizer = try recognizer()
        let places = try [PixelPoint(180, 240), PixelPoint(460, 240)].map { middle in
            try corners(side: 220, turn: 0.2, at: middle).quad
        }
        var prints = WarpedPrints(seed: 4)
        for (number, place) in zip([3, 5], places) {
            try prints.add(Emblem(number: number).image(width: 512), at: place)
        }
        #expect(Set(recognizer.recognize(in: prints.image).map(\.target.name)) == ["3", "5"])
        #expect(recognizer.recognize(in: prints.image, except: [places[0]]).map(\.target.name) == ["5"])
        #expect(recognizer.recognize(in: prints.image, except: places).isEmpty)
        let whole = PixelQuad(
            topLeft: PixelPoint(0, 0), topRight: PixelPoint(639, 0), bottomRight: PixelPoint(639, 479),
            bottomLeft: PixelPoint(0, 479))
        #expect(Set(recognizer.recognize(in: prints.image, except: [whole]).map(\.target.name)) == ["3", "5"])
    }

    /// A poster that fills half the picture has most of the features; a small print beside it is named all the same, whether the
    /// poster is looked for or followed.
    @Test(arguments: [3, 5, 8]) func smallPrintsBesidePostersAreNamed(number: Int) throws {
        var poster = WarpedPrints(size: ImageSize(width: 800, height: 800), seed: 77)
        for place in 0..<64 {
            let (x, y) = (Double(place % 8) * 100 + 2, Double(place / 8) * 100 + 2)
            try poster.add(
                Emblem(number: 300 + place).image(width: 128),
                at: PixelQuad(
                    topLeft: PixelPoint(x, y), topRight: PixelPoint(x + 96, y),
                    bottomRight: PixelPoint(x + 96, y + 96), bottomLeft: PixelPoint(x, y + 96)))
        }
        var recognizer = try recognizer()
        try recognizer.add(ReferenceImage(name: "poster", picture: poster.image), to: "clubs")
        let (large, _) = try corners(side: 440, turn: 0, at: PixelPoint(230, 240))
        let (small, _) = try corners(side: 84, turn: 0.2, at: PixelPoint(550, 240))
        var prints = WarpedPrints(seed: 5)
        try prints.add(poster.image, at: large)
        try prints.add(Emblem(number: number).image(width: 256), at: small)
        #expect(Set(recognizer.recognize(in: prints.image).map(\.target.name)) == ["poster", "\(number)"])
        #expect(recognizer.recognize(in: prints.image, except: [large]).map(\.target.name) == ["\(number)"])
    }

    /// Where a print is surely flat, nothing waves: what only fits when it is bent neither takes its place nor puts it in doubt,
    /// however well it fits, and in whatever order both were found. Elsewhere it stays, and beside what is flat only in a light as
    /// on folds, the better one has the name, or none has.
    @Test func flatPrintsDoNotWave() throws {
        let database = try Self.database.get()
        func finding(
            _ target: Int, confidence: Double, isBent: Bool, isSurelyFlat: Bool = false, x: Double
        ) throws -> (TargetFinding, SearchedPlace) {
            let quad = try corners(side: 150, turn: 0, at: PixelPoint(x, 240)).quad
            let finding = TargetFinding(
                target: target, confidence: confidence, pixelFromPrint: try #require(quad.pixelFromUnitSquare),
                corners: quad, support: 20, isInverse: false, isBent: isBent, isSurelyFlat: isSurelyFlat, deviation: 1,
                partCount: 50, lit: 0.99)
            return (finding, SearchedPlace(database: "clubs", storage: database.segments[0].storage))
        }
        for (bentConfidence, isSurelyFlat, expected) in [
            (0.79, true, [2, 0]), (0.95, true, [2, 0]), (0.79, false, [2]), (0.95, false, [1, 2]),
            (0.7, false, [2, 0]),
        ] {
            let flat = try finding(0, confidence: 0.8, isBent: false, isSurelyFlat: isSurelyFlat, x: 150)
            let bent = try finding(1, confidence: bentConfidence, isBent: true, x: 152)
            let aside = try finding(2, confidence: 0.9, isBent: true, x: 450)
            for found in [[flat, bent, aside], [bent, flat, aside], [aside, bent, flat]] {
                #expect(TargetRecognizer.undisputed(found).map(\.0.target) == expected, "\(bentConfidence)")
            }
        }
    }

    /// Of two prints in one place, one that a lamp explains and one that fits better in a softer light only: neither is named. Without
    /// such a light the better one is.
    @Test(arguments: [(0.998, 0.979, [Int]()), (0.998, 0.998, [1]), (0.979, 0.979, [0])])
    func aSofterLightLeadsByNothing(lit: Double, plainlyLit: Double, expected: [Int]) throws {
        let plain = try finding(0, lit: 0.986, plainlyLit: 0.986)
        let other = try finding(1, lit: lit, plainlyLit: plainlyLit)
        for found in [[plain, other], [other, plain]] {
            #expect(TargetRecognizer.undisputed(found).map(\.0.target) == expected)
        }
    }

    /// A print in one ink whose like is in that ink anyway: nearly all parts of both are seen, and the light speaks for the other one, but
    /// its year is another, and neither is named. Where no part tells, or others speak for the one for which the light does, that one is.
    @Test(arguments: [
        (own: 0.97, other: 0.66, ownElsewhere: 0.96, otherElsewhere: 0.95, expected: [Int]()),
        (own: 0.95, other: 0.94, ownElsewhere: 0.96, otherElsewhere: 0.95, expected: [1]),
        (own: 0.97, other: 0.66, ownElsewhere: 0.6, otherElsewhere: 0.95, expected: [1]),
        (own: 0.66, other: 0.97, ownElsewhere: 0.96, otherElsewhere: 0.95, expected: [1]),
        (own: 0.85, other: 0.66, ownElsewhere: 0.85, otherElsewhere: 0.85, expected: [1]),
    ])
    func whatIsDrawnSpeaksAgainstInks(
        own: Double, other: Double, ownElsewhere: Double, otherElsewhere: Double, expected: [Int]
    ) throws {
        func parts(_ year: Double, _ elsewhere: Double) -> DrawnParts {
            DrawnParts { column, row in row == 12 && (7...9).contains(column) ? year : row < 12 ? elsewhere : nil }
        }
        var inOneInk = try finding(0, confidence: 1, lit: 0.9, plainlyLit: 0.9)
        var like = try finding(1, confidence: 0.99, lit: 0.998, plainlyLit: 0.998)
        inOneInk.0.parts = parts(own, ownElsewhere)
        like.0.parts = parts(other, otherElsewhere)
        for found in [[inOneInk, like], [like, inOneInk]] {
            #expect(TargetRecognizer.undisputed(found).map(\.0.target) == expected)
        }
    }

    /// What agrees less than it must decides nothing, whatever its light and its colours are: the other is named in any case.
    @Test(arguments: [false, true]) func rivalsThatAgreeLessDecideNothing(inColor: Bool) throws {
        for lit in [0.96, 0.986, 1] {
            let colors = inColor ? [0, 0.5, 1] : [0]
            for colorAgreement in colors {
                let flat = try finding(0, lit: lit, plainlyLit: lit, colorAgreement: colorAgreement)
                let most = flat.0.leastRivalAgreement(inColor: inColor) - 1e-9
                let rival = try finding(
                    1, confidence: most, lit: 1, plainlyLit: 1, colorAgreement: inColor ? 1 : 0)
                #expect(TargetRecognizer.undisputed([flat, rival]).map(\.0.target) == [0])
                let nearly = try finding(
                    1, confidence: most + 0.01, lit: 1, plainlyLit: 1, colorAgreement: inColor ? 1 : 0)
                #expect(TargetRecognizer.undisputed([flat, nearly]).isEmpty)
            }
        }
    }

    /// A flat print in the middle of the picture.
    private func finding(
        _ target: Int, confidence: Double = 0.95, lit: Double, plainlyLit: Double, colorAgreement: Double = 0
    ) throws -> (TargetFinding, SearchedPlace) {
        let quad = try corners(side: 150, turn: 0, at: PixelPoint(320, 240)).quad
        let finding = TargetFinding(
            target: target, confidence: confidence, pixelFromPrint: try #require(quad.pixelFromUnitSquare),
            corners: quad, support: 20, isInverse: false, isSurelyFlat: true, deviation: 1, partCount: 50,
            colorAgreement: colorAgreement, lit: lit, plainlyLit: plainlyLit)
        return (finding, SearchedPlace(database: "clubs", storage: try Self.database.get().segments[0].storage))
    }

    /// Two marks of letters on white that share the upper 60 %: below, one has others, or none.
    @Test(arguments: [false, true]) func marksWithTheSameUpperPartAreNotMistaken(isPlainBelow: Bool) throws {
        var named = 0
        for seed in UInt64(1)...4 {
            let known = Self.mark(seed: seed, lowerSeed: seed)
            let other = Self.mark(seed: seed, lowerSeed: isPlainBelow ? nil : seed + 100)
            var recognizer = TargetRecognizer()
            recognizer.activate(
                try TargetDatabase(building: [ReferenceImage(name: "mark", picture: known)]), as: "marks")
            let (quad, _) = try corners(side: 320, turn: 0.2 * Double(seed), tilt: 0.2)
            for shown in [known, other] {
                var prints = WarpedPrints(seed: seed)
                try prints.add(shown, at: quad)
                let names = recognizer.recognize(in: prints.image).map(\.target.name)
                if shown == known { named += names.count } else { #expect(names.isEmpty, "mark \(seed)") }
            }
        }
        #expect(named == 4)
    }

    /// Five rows of five letters, each of black cells among nine; those of the lower two rows are drawn by a seed of their
    /// own. There is no outline; round the letters lies plain ground.
    private static func mark(seed: UInt64, lowerSeed: UInt64?) -> ImageBuffer {
        let (count, letter, cell, margin) = (5, 56, 12, 60)
        var image = ImageBuffer(
            size: ImageSize(width: 400, height: 400), format: .gray8, filledWith: 235)
        for place in 0..<count * count {
            guard let seed = place < 3 * count ? seed : lowerSeed else { continue }
            var random = SeededRandom(seed: seed, purpose: "letter \(place)")
            let (left, top) = (margin + place % count * letter + 10, margin + place / count * letter + 10)
            for part in 0..<9 where random.happens(0.55) {
                for y in part / 3 * cell..<(part / 3 + 1) * cell {
                    for x in part % 3 * cell..<(part % 3 + 1) * cell {
                        image.bytes[(top + y) * image.size.width + left + x] = 30
                    }
                }
            }
        }
        return image
    }

    /// Prints that differ in their colours alone are one in a grey picture; whichever name were said, it may be wrong.
    @Test(arguments: [3, 5, 8]) func twinsHaveNoNameInGrayPictures(number: Int) throws {
        var recognizer = try recognizer()
        let (quad, _) = try corners(side: 240, turn: 0.4, tilt: 0.2)
        var prints = WarpedPrints(seed: UInt64(number))
        try prints.add(Emblem(number: number).image(width: 512), at: quad)
        #expect(recognizer.recognize(in: prints.image).map(\.target.name) == ["\(number)"])
        let twin = Emblem(number: number).image(width: 256)
        try recognizer.add(ReferenceImage(name: "twin", picture: twin))
        #expect(recognizer.recognize(in: prints.image).isEmpty)
        // A copy under the same name is no doubt.
        recognizer.remove("twin")
        try recognizer.add(ReferenceImage(name: "\(number)", picture: twin))
        #expect(recognizer.recognize(in: prints.image).map(\.target.name) == ["\(number)"])
    }

    @Test func databasesComeAndGo() throws {
        var recognizer = try recognizer()
        let (quad, _) = try corners(side: 240, turn: 0.2)
        var prints = WarpedPrints(seed: 21)
        try prints.add(Emblem(number: 12).image(width: 512), at: quad)
        #expect(recognizer.recognize(in: prints.image).isEmpty)
        try recognizer.add(Self.reference(14))
        try recognizer.add(Self.reference(12))
        #expect(recognizer.activeDatabases == ["clubs", "added"])
        #expect(recognizer.recognize(in: prints.image).map(\.target) == [TargetIdentity(database: "added", name: "12")])
        #expect(throws: TargetDatabaseError.nameTaken(name: "12")) { try recognizer.add(Self.reference(12)) }
        let removals = [recognizer.remove("12"), recognizer.remove("12")]
        #expect(removals == [true, false])
        #expect(recognizer.recognize(in: prints.image).isEmpty)
        try recognizer.add(Self.reference(12), to: "clubs")
        #expect(recognizer.recognize(in: prints.image).map(\.target) == [TargetIdentity(database: "clubs", name: "12")])
        recognizer.remove("3", from: "clubs")
        #expect(recognizer.recognize(in: prints.image).map(\.target) == [TargetIdentity(database: "clubs", name: "12")])
        recognizer.deactivate("clubs")
        #expect(recognizer.recognize(in: prints.image).isEmpty)
    }

    @Test func copiesDoNotDisturbEachOther() throws {
        var first = try recognizer()
        var second = first
        let (quad, _) = try corners(side: 240, turn: 0.2)
        var prints = WarpedPrints(seed: 33)
        try prints.add(Emblem(number: 8).image(width: 512), at: quad)
        let seen = first.recognize(in: prints.image, camera: testCamera)
        #expect(!seen.isEmpty)
        #expect(second.recognize(in: prints.image, camera: testCamera) == seen)
    }
}
