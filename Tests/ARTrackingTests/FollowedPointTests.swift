// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// A point that a camera passes by: found where it is, as well as said, and let go when it is another one.
@Suite struct FollowedPointTests {
    /// A point one to three metres away, and the way of a camera that sees it, up to a third of that long.
    private struct Passage {
        var point: Point3
        let start: Point3
        let way: Vector3

        init(_ random: inout TestRandom) {
            point = random.direction() * random.uniform(1...3)
            start = random.vector3(-0.1...0.1)
            let across = point.cross(random.direction()).normalized() ?? Vector3(1, 0, 0)
            way = across * point.length * random.uniform(0.1...0.33)
        }

        /// The point's sight from a part of the way, with noise of that deviation along each axis, in radians.
        func sight(_ part: Double, deviation: Double, _ random: inout TestRandom) -> PointSight {
            let origin = start + part * way
            let exact = (point - origin).normalized()!
            let noise = deviation * Vector3(random.normal(), random.normal(), random.normal())
            return PointSight(
                origin: origin, ray: (exact + noise - noise.dot(exact) * exact).normalized()!,
                variance: deviation * deviation)
        }
    }

    /// The directions' rounding grows by about a hundred with parallaxes of 0.1.
    @Test(arguments: 0..<50) func isFoundWhereItIs(number: Int) throws {
        var random = TestRandom(case: number)
        let passage = Passage(&random)
        var followed = FollowedPoint(id: 1)
        for frame in 0...20 {
            var sight = passage.sight(Double(frame) / 20, deviation: 0, &random)
            sight.variance = 1e-6
            followed.take(sight)
        }
        let place = try #require(followed.agreedPlace)
        expectClose(place.position, passage.point, tolerance: 1e-9)
    }

    /// The mean of the normalised squared errors is three. That of 1000 is good to √(6/1000), three times which is 0.23; rays
    /// that are the one in twenty furthest off are dropped, which takes some of it away.
    @Test func scattersAsSaid() throws {
        var random = TestRandom()
        var (sum, count) = (0.0, 0)
        while count < 1000 {
            let passage = Passage(&random)
            var followed = FollowedPoint(id: 1)
            for frame in 0...20 { followed.take(passage.sight(Double(frame) / 20, deviation: 6e-4, &random)) }
            guard let place = followed.place, let information = place.covariance.inverse else { continue }
            let error = passage.point - place.position
            sum += error.dot(information * error)
            count += 1
        }
        #expect(abs(sum / Double(count) - 3) < 0.4)
    }

    /// Poses of the past that are displaced all alike displace the point, however many they are: the errors are no larger than
    /// said, and not much smaller.
    @Test func countsDisplacementsOnce() throws {
        var random = TestRandom()
        let displacement = 0.002
        var sum = 0.0
        for _ in 0..<1000 {
            let passage = Passage(&random)
            let shift = displacement * Vector3(random.normal(), random.normal(), random.normal())
            let sights = (0..<8).map { index in
                var sight = passage.sight(Double(index) / 8, deviation: 3e-4, &random)
                sight.origin += shift
                sight.displacement = displacement * displacement
                return sight
            }
            let newest = passage.sight(1, deviation: 3e-4, &random)
            let first = try #require(PointFit(of: passage.point, sights, newest))
            let fit = try #require(PointFit(of: first.position, sights, newest))
            let information = try #require(fit.covariance.inverse)
            let error = passage.point - fit.position
            sum += error.dot(information * error)
        }
        #expect((1.5...3.5).contains(sum / 1000))
    }

    /// Two neighbours that were seen from the same displaced poses have the part of their errors in common that is said, or up to a third more:
    /// displacements count as noise of each ray, too, so that what is each point's own is said to be rather more.
    @Test(arguments: [3e-4, 1e-3]) func tellsWhatNeighboursShare(deviation: Double) throws {
        var random = TestRandom()
        let displacement = 0.002
        var (common, variance, said) = (0.0, 0.0, 0.0)
        for _ in 0..<1000 {
            let passage = Passage(&random)
            let shift = displacement * Vector3(random.normal(), random.normal(), random.normal())
            func fit() throws -> PointFit {
                let sights = (0..<8).map { index in
                    var sight = passage.sight(Double(index) / 8, deviation: deviation, &random)
                    sight.origin += shift
                    sight.displacement = displacement * displacement
                    return sight
                }
                let newest = passage.sight(1, deviation: deviation, &random)
                let first = try #require(PointFit(of: passage.point, sights, newest))
                return try #require(PointFit(of: first.position, sights, newest))
            }
            let (one, other) = (try fit(), try fit())
            // Nearer points err less: each pair counts by what it says.
            let scale = 1 / one.covariance.trace
            common += scale * (one.position - passage.point).dot(other.position - passage.point)
            variance += scale * (one.position - passage.point).squaredLength
            said += one.sharedPart
        }
        let ratio = common / variance / (said / 1000)
        #expect((0.95...1.33).contains(ratio), "\(said / 1000), \(common / variance)")
    }

    /// What was followed slips to another point: at once nothing is said any more, and after a while where the other one is.
    @Test(arguments: 0..<20) func isLetGoWhenItIsAnotherOne(number: Int) throws {
        var random = TestRandom(case: number)
        var passage = Passage(&random)
        var followed = FollowedPoint(id: 1)
        for frame in 0...20 { followed.take(passage.sight(Double(frame) / 40, deviation: 3e-4, &random)) }
        #expect(followed.place != nil)
        passage.point += 0.05 * passage.way.cross(passage.point).normalized()!
        followed.take(passage.sight(0.525, deviation: 3e-4, &random))
        #expect(followed.agreedPlace == nil)
        for frame in 22...60 { followed.take(passage.sight(Double(frame) / 40, deviation: 3e-4, &random)) }
        let place = try #require(followed.place)
        #expect((place.position - passage.point).length < 0.02 * passage.point.length)
    }

    /// A camera that only turns tells no distance.
    @Test func turningTellsNoDistance() {
        var random = TestRandom()
        let passage = Passage(&random)
        var followed = FollowedPoint(id: 1)
        for _ in 0..<30 { followed.take(passage.sight(0, deviation: 3e-4, &random)) }
        #expect(followed.place == nil)
    }
}

extension TestRandom {
    /// A number of the standard normal distribution (Box, Muller 1958).
    fileprivate mutating func normal() -> Double {
        (-2 * log(uniform(1e-300...1))).squareRoot() * cos(uniform(0...2 * .pi))
    }
}
