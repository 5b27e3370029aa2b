// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARTracking

@Suite struct TwoViewMotionTests {
    private static let deviation = 0.0006

    /// What a camera sees of random things before and after a motion: of a table before it, of a wall, or of a room.
    private static func sights(
        depth: (Vector2) -> Double, _ firstFromSecond: RigidTransform, noise: Double, _ random: inout TestRandom
    ) -> [TwoViewMotion.Sight] {
        (0..<100).map { _ in
            let direction = Vector2(random.uniform(-0.6...0.6), random.uniform(-0.45...0.45))
            let point = Vector3(direction.x, direction.y, 1) * depth(direction)
            func seen(_ point: Vector3) -> Vector3 {
                let place = Vector2(point.x, point.y) / point.z
                // Uniform errors whose variance is half the difference's.
                let wrong = random.vector2() * (noise * 1.5.squareRoot())
                return Vector3(place.x + wrong.x, place.y + wrong.y, 1).normalized()!
            }
            return TwoViewMotion.Sight(
                before: seen(point), after: seen(firstFromSecond.inverse * point), deviation: deviation)
        }
    }

    @Test func findsPureTurns() throws {
        var random = TestRandom()
        for _ in 0..<20 {
            let turn = random.vector3() * 0.04
            let motion = RigidTransform(rotation: Rotation(rotationVector: turn))
            let found = try #require(
                TwoViewMotion(Self.sights(depth: { _ in 2 }, motion, noise: 0, &random)))
            #expect((found.turn - turn).length < 2e-5)
            #expect(found.shift.length < 1e-4)
        }
    }

    /// A hand that sways by three centimetres and turns by two degrees. Before a table the second solution of a plane is
    /// found now and then; it must lie within what is said.
    @Test(arguments: ["wall", "table", "room"]) func tellsTurnsFromShifts(scene: String) throws {
        var random = TestRandom()
        var (errors, asTurns, normalised): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<200 {
            let turn = random.vector3() * 0.03
            let motion = RigidTransform(
                rotation: Rotation(rotationVector: turn), translation: random.vector3(-0.03...0.03))
            let near = random.uniform(0.6...2)
            let sights = Self.sights(
                depth: { direction in
                    switch scene {
                    case "wall": near
                    case "table": near / (1 + direction.y)
                    default: near * (1 + 1.5 * (sin(9 * direction.x) * cos(7 * direction.y) + 1))
                    }
                }, motion, noise: Self.deviation, &random)
            let found = try #require(TwoViewMotion(sights))
            let error = found.turn - turn
            errors.append(error.length)
            normalised.append(error.dot(try #require(found.turnCovariance.inverse) * error))
            var picture = PictureTurn()
            for sight in sights { picture.add(sight.before, sight.after) }
            asTurns.append((try #require(picture.rotationVector) - turn).length)
        }
        func quantile(_ values: [Double], _ share: Double) -> Double {
            values.sorted()[Int(share * Double(values.count - 1))]
        }
        #expect(quantile(errors, 0.5) < 0.3 * quantile(asTurns, 0.5))
        #expect(quantile(normalised, 0.9) < ChiSquare.quantile95(degreesOfFreedom: 3))
    }

    /// A camera over a floor, which two motions show alike, turns by some degrees and shifts by some percent of its distance: who knows
    /// about how it turned finds how it shifted, to a third, in 19 of 20; who does not finds it in four of five.
    @Test(arguments: [0.03, 0.1, 0.2]) func aboutKnownTurnsTellTwoMotionsApart(shiftScale: Double) throws {
        var random = TestRandom()
        var (guided, alone): ([Double], [Double]) = ([], [])
        for number in 0..<200 {
            let turn = 0.1 * random.vector3()
            // Half of the ways lead anywhere, half upwards, as of what is lifted.
            let shift =
                number.isMultiple(of: 2)
                ? shiftScale * random.vector3(-1...1) : shiftScale * Vector3(random.uniform(-0.1...0.1), -1, 0)
            let motion = RigidTransform(rotation: Rotation(rotationVector: turn), translation: shift)
            let sights = Self.sights(depth: { 1 / (1 + $0.y) }, motion, noise: Self.deviation, &random)
            let about = Rotation(rotationVector: turn + 0.005 * random.vector3())
            func error(_ found: TwoViewMotion) -> Double { (found.shift - shift).length / shift.length }
            guided.append(error(try #require(TwoViewMotion(sights, turnedByAbout: about))))
            alone.append(error(try #require(TwoViewMotion(sights))))
        }
        func found(_ errors: [Double]) -> Double { Double(errors.count { $0 < 1 / 3.0 }) / Double(errors.count) }
        #expect(found(guided) > 0.95)
        #expect(found(alone) < 0.85)
    }

    @Test func fewPointsTellNothing() {
        var random = TestRandom()
        let sights = Self.sights(depth: { _ in 2 }, .identity, noise: 0, &random)
        #expect(TwoViewMotion(Array(sights.prefix(7))) == nil)
        #expect(TwoViewMotion(Array(sights.prefix(8))) != nil)
    }
}
