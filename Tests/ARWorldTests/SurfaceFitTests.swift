// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// Where the plane of a surface lies, by what was seen of it.
@Suite struct SurfaceFitTests {
    /// The fit is the plane of the samples, whatever a tenth of them says, and gravity decides where they do not.
    @Test(arguments: 0..<50) func theFitIsThePlaneOfItsSamples(number: Int) throws {
        var random = TestRandom(case: number)
        let (offset, slopes) = (random.uniform(-0.01...0.01), random.vector2(-0.01...0.01))
        let deviation = 0.005
        let samples = (0..<300).map { index -> SurfaceFit.Sample in
            let place = random.vector2(-0.5...0.5)
            let error = index % 10 == 0 ? random.uniform(0.05...0.3) : deviation * random.normal()
            return SurfaceFit.Sample(
                point: Point3(place.x, offset + slopes.dot(place) + error, place.y), variance: deviation * deviation)
        }
        let start = SurfaceFit(offset: 0, slopes: .zero)
        let free = try #require(start.refined(to: [SurfaceFit.Group(samples: samples)], slopeErrors: Vector2(1, 1)))
        #expect(abs(free.offset - offset) < 5 * deviation / Double(samples.count).squareRoot())
        #expect((free.slopes - slopes).length < 0.01)
        let level = try #require(
            start.refined(to: [SurfaceFit.Group(samples: samples)], slopeErrors: Vector2(1e-5, 1e-5)))
        #expect(level.slopes.length < 1e-4)
        #expect(abs(level.fittedHeight(at: .zero) - offset) < 0.003)
    }

    /// A painting with more points than all of the wall on which it hangs, 15 mm before it, turns and moves the wall's plane
    /// by less than half of what it does where each point counts for itself.
    @Test func whatStandsOnASurfaceErrsTogether() throws {
        var random = TestRandom()
        func samples(_ count: Int, x: ClosedRange<Double>, z: ClosedRange<Double>, height: Double) -> [SurfaceFit
            .Sample]
        {
            (0..<count).map { _ in
                let place = Point3(random.uniform(x), height + random.uniform(-0.007...0.007), random.uniform(z))
                return SurfaceFit.Sample(point: place, variance: 0.004 * 0.004)
            }
        }
        let wall = samples(120, x: -2...2, z: -1...1, height: 0)
        let painting = samples(240, x: 0.8...1.4, z: 0.2...0.8, height: 0.015)
        func errors(_ samples: [SurfaceFit.Sample]) throws -> (offset: Double, slope: Double) {
            let fit = try #require(
                SurfaceFit(offset: 0, slopes: .zero).refined(
                    to: [SurfaceFit.Group(samples: samples)], slopeErrors: Vector2(1, 1)))
            return (abs(fit.offset), fit.slopes.length)
        }
        let alone = try errors(wall + painting)
        let together = try errors(SurfaceFit.sharingRelief(wall + painting, seenFrom: 1.5))
        #expect(2 * together.offset < alone.offset && 2 * together.slope < alone.slope, "\(together), \(alone)")
        // Spots with a point each lose little, and alike.
        let sparse = samples(40, x: -8...8, z: -8...8, height: 0)
        let shares = SurfaceFit.sharingRelief(sparse, seenFrom: 0.5).map(\.share)
        #expect(shares.allSatisfy { $0 > 0.7 })
    }

    /// Things that lie on a desk, 3 to 15 mm high, in a quarter of its spots, lift its plane by less than half a millimetre where its own points lie
    /// closer than is expected of points.
    @Test(arguments: 0..<10) func whatLiesOnASurfaceDoesNotLiftIt(number: Int) throws {
        var random = TestRandom(case: number)
        let samples = (0..<400).map { index -> SurfaceFit.Sample in
            let height = (index.isMultiple(of: 4) ? random.uniform(0.003...0.015) : 0) + 0.001 * random.normal()
            return SurfaceFit.Sample(
                point: Point3(random.uniform(-0.5...0.5), height, random.uniform(-0.5...0.5)),
                variance: 0.003 * 0.003)
        }
        let level = 0.2 * Double.pi / 180
        let fit = try #require(
            SurfaceFit(offset: 0, slopes: .zero).refined(
                to: [SurfaceFit.Group(samples: samples)], slopeErrors: Vector2(level, level)))
        #expect(abs(fit.offset) < 0.0005)
    }

    /// Of a plane that has moved since all of them were seen, groups that say the same tell no more than its movement leaves, however many they
    /// are: beside what is seen now and errs by as much as the plane moved, they count as one.
    @Test func whatTheWorldHasMovedBySinceErrsTogether() throws {
        let movement = 0.01 * 0.01
        func group(height: Double, movingBy variance: Double) -> SurfaceFit.Group {
            let samples = (0..<100).map { number in
                SurfaceFit.Sample(
                    point: Point3(0.1 * Double(number % 10), height, 0.1 * Double(number / 10)), variance: 1e-6)
            }
            return SurfaceFit.Group(samples: samples, wander: Matrix3x3(diagonal: Vector3(variance, 0, 0)))
        }
        func fit(_ groups: [SurfaceFit.Group]) throws -> SurfaceFit {
            try #require(SurfaceFit(offset: 0, slopes: .zero).refined(to: groups, slopeErrors: Vector2(1e-5, 1e-5)))
        }
        for count in [1, 4, 20] {
            let groups = (1...count).map { group(height: 0, movingBy: $0 == count ? movement : 0) }
            let variance = pow(try fit(groups).deviation(at: .zero), 2)
            #expect(variance > movement && variance < 1.01 * movement)
        }
        var now = group(height: 0, movingBy: 0)
        now.shared = Matrix3x3(diagonal: Vector3(movement, 0, 0))
        let before = (1...4).map { group(height: 0.01, movingBy: $0 == 4 ? movement : 0) }
        #expect(abs(try fit(before + [now]).offset - 0.005) < 1e-4)
        // What is known without points moves as they do.
        let plane = try fit([group(height: 0.01, movingBy: 0)])
        let information = try #require(plane.covariance.inverse)
        let known = SurfaceFit.Group(
            known: NormalEquations(
                information: information, right: information * Vector3(plane.offset, plane.slopes.x, plane.slopes.y)),
            wander: Matrix3x3(diagonal: Vector3(movement, 0, 0)))
        #expect(abs(try fit([known, now]).offset - 0.005) < 1e-4)
    }

    @Test func farPointsThatAreKnownBadlyDoNotBendThePlane() throws {
        let near = [-0.2, 0, 0.2].flatMap { x in
            [-0.2, 0, 0.2].map { SurfaceFit.Sample(point: Point3(x, 0, $0), variance: 1e-6) }
        }
        var random = TestRandom()
        let far = (0..<40).map {
            SurfaceFit.Sample(point: Point3(3, 0.05 * random.normal(), Double($0) / 40), variance: 0.05 * 0.05)
        }
        let level = 0.2 * Double.pi / 180
        let fit = try #require(
            SurfaceFit(offset: 0, slopes: .zero).refined(
                to: [SurfaceFit.Group(samples: near + far)], slopeErrors: Vector2(level, level)))
        #expect(acos(fit.normal.y) < 0.2 * .pi / 180)
        #expect(abs(fit.offset) < 0.002)
    }
}

extension SurfaceFit {
    fileprivate func fittedHeight(at place: Point2) -> Double { offset + slopes.dot(place) }
}
