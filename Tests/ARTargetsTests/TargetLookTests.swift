// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import TestSupport
import Testing

@testable import ARTargets

@Suite struct TargetLookTests {
    private static func look(_ number: Int) -> TargetLook {
        TargetLook(of: Emblem(number: number).image(width: 192).gray(longerSide: TargetParts.templateSide))
    }

    /// What is looked for: the most alike, whatever its likeness.
    private static func twins(
        of greys: [UInt8], in looks: TargetLooks, limit: Int = 1, where isWanted: (Int) -> Bool = { _ in true }
    ) -> [TargetLooks.Twin] {
        looks.twins(of: TargetLook(greys: greys), leastLikeness: 0.9, limit: limit, where: isWanted)
    }

    /// Whatever is drawn, it is drawn as itself, in other inks, with light and dark exchanged, and upside down.
    @Test(arguments: 0..<20) func twinsAreDrawnAlike(number: Int) {
        let looks = TargetLooks((0..<20).map(Self.look))
        let greys = Self.look(number).greys
        for (gain, offset) in [(1, 0), (0.5, 60), (-0.7, 230)] as [(Double, Double)] {
            let inked = greys.map { UInt8((gain * Double($0) + offset).rounded()) }
            #expect(Self.twins(of: inked, in: looks) == [TargetLooks.Twin(target: number, isTurned: false)])
            #expect(Self.twins(of: inked.reversed(), in: looks).map(\.target) == [number])
        }
    }

    /// A look that is the same upside down is found upright; of others it is known that they are turned.
    @Test func turnsAreKnown() {
        var greys = (0..<TargetLook.byteCount).map { UInt8($0) }
        func turns() -> [Bool] {
            Self.twins(of: greys.reversed(), in: TargetLooks([TargetLook(greys: greys)])).map(\.isTurned)
        }
        // A ramp upside down is the ramp with light and dark exchanged.
        #expect(turns() == [false])
        greys[5] = 255
        #expect(turns() == [true])
    }

    /// The most alike come first, as many as are wanted, in place of those that are not; what is of one grey is nobody's twin.
    @Test func theMostAlikeComeFirst() {
        var random = TestRandom(case: 4)
        let first = (0..<TargetLook.byteCount).map { _ in UInt8(random.uniform(0...255)) }
        func changed(_ count: Int) -> TargetLook {
            TargetLook(greys: first.prefix(count).map { 255 - $0 } + first.dropFirst(count))
        }
        let looks = TargetLooks(
            [changed(5), changed(2), TargetLook(greys: first.map { _ in 90 }), changed(0), changed(60), changed(2)])
        func targets(limit: Int, where isWanted: (Int) -> Bool = { _ in true }) -> [Int] {
            Self.twins(of: first, in: looks, limit: limit, where: isWanted).map(\.target)
        }
        #expect(targets(limit: 9) == [3, 1, 5, 0])
        #expect(targets(limit: 2) == [3, 1])
        #expect(targets(limit: 2) { $0 != 3 } == [1, 5])
        #expect(Self.twins(of: first.map { _ in 7 }, in: looks, limit: 9).isEmpty)
    }

    /// A database keeps what its targets look like, in colour or grey, whatever is removed and added.
    @Test func databasesKeepLooks() throws {
        func reference(_ number: Int) -> ReferenceImage {
            let picture = Emblem(number: number).image(width: 192)
            return ReferenceImage(name: "\(number)", picture: number.isMultiple(of: 2) ? picture.gray : picture)
        }
        var database = try TargetDatabase(building: (0..<5).map(reference))
        database = try #require(database.removing("1")).adding(reference(9))
        for number in [0, 2, 3, 4, 9] {
            let name = "\(number)"
            let segment = try #require(database.segments.first { $0.target(named: name) != nil })
            #expect(try segment.storage.look(at: #require(segment.target(named: name))) == Self.look(number))
        }
    }
}
