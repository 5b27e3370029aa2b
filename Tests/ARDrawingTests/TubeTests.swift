// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct TubeTests {
    @Test(arguments: SamplePath.allCases, 0..<12) func tubesAreClosedWhateverThePath(
        path: SamplePath, number: Int
    ) throws {
        var random = TestRandom(case: number, "tubesAreClosedWhateverThePath \(path)")
        let cap = StrokeCap.allCases.randomElement(using: &random)!
        let tube = try path.stroke(&random).solid(SolidOptions(style: .tube, cap: cap))
        #expect(tube.topology.isSolid)
        #expect(tube.topology.eulerCharacteristic == 2)
        #expect(tube.signedVolume > 0)
    }

    @Test func straightTubesHaveTheirVolumeAndLieOnThePlane() throws {
        let (radius, length) = (0.0015, 0.1)
        let stroke = Stroke(positions: [Point2(0, 0), Point2(0.06, 0.08)])
        let section = Double.pi * radius * radius
        for (cap, ends) in [
            (StrokeCap.butt, 0), (.square, 2 * radius * section), (.round, 4 / 3 * section * radius),
        ] {
            let tube = try stroke.solid(SolidOptions(style: .tube, cap: cap, arcTolerance: 1e-6))
            #expect(abs(tube.signedVolume - section * length - ends) < 0.005 * section * length)
            let bounds = try #require(tube.bounds)
            #expect(abs(bounds.minimum.y) < 5e-6 && abs(bounds.maximum.y - 2 * radius) < 5e-6)
        }
    }

    @Test func aRingOfTubeHasPappusVolume() throws {
        // Pappus: the section's area times the way of its centre.
        let circle = (0...200).map {
            0.03 * Point2(cos(Double($0) * .pi / 100), sin(Double($0) * .pi / 100))
        }
        let tube = try Stroke(positions: circle).solid(
            SolidOptions(style: .tube, cap: .butt, arcTolerance: 1e-6))
        let volume = .pi * 0.0015 * 0.0015 * 2 * .pi * 0.03
        #expect(abs(tube.signedVolume - volume) < 0.005 * volume)
    }

    @Test func sharpCornersKeepTheTubeRound() throws {
        let bend = try Stroke(positions: [Point2(0, 0), Point2(0.1, 0), Point2(0.1, 0.1)]).solid(
            SolidOptions(style: .tube, arcTolerance: 1e-6))
        for position in bend.positions {
            let foot = Point2(position.x, position.z)
            let way = min(
                Segment2(Point2(0, 0), Point2(0.1, 0)).distance(to: foot),
                Segment2(Point2(0.1, 0), Point2(0.1, 0.1)).distance(to: foot))
            #expect(Vector2(way, position.y - 0.0015).length < 0.0015 + 6e-8)
        }
    }
}
