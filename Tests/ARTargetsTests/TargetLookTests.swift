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

    /// Whatever is drawn, it is drawn as itself, in other inks, with light and dark exchanged, and upside down.
    @Test(arguments: 0..<20) func twinsAreDrawnAlike(number: Int) {
        let looks = TargetLooks((0..<20).map(Self.look))
        let greys = Self.look(number).greys
        for (gain, offset) in [(1, 0), (0.5, 60), (-0.7, 230)] as [(Double, Double)] {
            let inked = greys.map { UInt8((gain * Double($0) + offset).rounded()) }
            #expect(
                looks.twins(of: TargetLook(greys: inked), leastLikeness: 0.9, limit: 1)
                    == [TargetLooks.Twin(target: number, isTurned: false)])
            #expect(
                looks.twins(of: TargetLook(greys: inked.reversed()), leastLikeness: 0.9, limit: 1).map(\.target) == [
                    number
                ])
        }
    }

    /// A look that is the same upside down is found upright; of others it is known that they are turned.
    @Test func turnsAreKnown() {
        var greys = (0..<TargetLook.byteCount).map { UInt8($0) }
        let looks = TargetLooks([TargetLook(greys: greys)])
        // A ramp upside down is the ramp with light and dark exchanged.
        #expect(
            looks.twins(of: TargetLook(greys: greys.reversed()), leastLikeness: 0.9, limit: 1).map(\.isTurned) == [
                false
            ])
        greys[5] = 255
        let marked = TargetLooks([TargetLook(greys: greys)])
        #expect(
            marked.twins(of: TargetLook(greys: greys.reversed()), leastLikeness: 0.9, limit: 1).map(\.isTurned) == [
                true
            ])
    }

    /// The most alike come first, as many as are wanted; what is of one grey is nobody's twin.
    @Test func theMostAlikeComeFirst() {
        var random = TestRandom(case: 4)
        let first = (0..<TargetLook.byteCount).map { _ in UInt8(random.uniform(0...255)) }
        func changed(_ count: Int) -> TargetLook {
            TargetLook(greys: first.prefix(count).map { 255 - $0 } + first.dropFirst(count))
        }
        let looks = TargetLooks(
            [changed(5), changed(2), TargetLook(greys: first.map { _ in 90 }), changed(0), changed(60), changed(2)])
        let twins = looks.twins(of: TargetLook(greys: first), leastLikeness: 0.9, limit: 9).map(\.target)
        #expect(twins == [3, 1, 5, 0])
        #expect(looks.twins(of: TargetLook(greys: first), leastLikeness: 0.9, limit: 2).map(\.target) == [3, 1])
        #expect(looks.twins(of: TargetLook(greys: first.map { _ in 7 }), leastLikeness: 0.9, limit: 9).isEmpty)
    }
}
