// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// What is left of a surface whose points were forgotten.
@Suite struct ForgottenPointsTests {
    /// A wall 4 m long is found; then the camera looks elsewhere until no point of the wall is remembered; then it sees
    /// one end of it, by a few points and then by more. All the time it is the same wall, at the same place.
    @Test(arguments: 0..<8) func aWallStaysWhereItWas(number: Int) throws {
        var random = TestRandom(case: number)
        let heading = random.uniform(-1.5...1.5)
        let (along, normal) = (Vector3(cos(heading), 0, -sin(heading)), Vector3(sin(heading), 0, cos(heading)))
        var settings = PlaneFinderSettings()
        settings.memory = 200
        var watch = PlaneWatch(panels: [])
        watch.finder = PlaneFinder(settings: settings)
        var nextID: UInt64 = 0
        func landmark(_ place: Point3) -> EstimatedLandmark {
            nextID += 1
            return EstimatedLandmark(
                id: nextID, position: place + 0.004 * random.normalVector(),
                covariance: 0.004 * 0.004 * Matrix3x3.identity)
        }
        func onWall(_ range: ClosedRange<Double>) -> EstimatedLandmark {
            landmark(Point3(0, 1.2, 0) + random.uniform(range) * along + random.uniform(-0.8...0.8) * Vector3(0, 1, 0))
        }
        let wall = (0..<150).map { _ in onWall(-2...2) }
        let end = (0..<40).map { _ in onWall(1.2...1.9) }
        var frameNumber = 0
        func show(_ points: [EstimatedLandmark], frames: Int) {
            for _ in 0..<frames {
                var frame = sampleFrame(
                    worldFromCamera: RigidTransform(rotation: .identity, translation: Point3(0, 1.2, 0) + 2 * normal),
                    nanoseconds: Int64(frameNumber) * 33_333_333)
                frame.featurePoints = points
                watch.note(watch.finder.update(with: frame), at: Double(frameNumber) / 30)
                frameNumber += 1
            }
        }
        func expectWall(_ when: Comment) {
            #expect(watch.planes.count == 1, when)
            for plane in watch.planes {
                let turn = acos(min(1, (plane.worldFromAnchor.rotation * Vector3(0, 1, 0)).dot(normal)))
                #expect(turn < 0.3 * .pi / 180, when)
                for corner in plane.boundary.map({ plane.worldFromAnchor * Point3($0.x, 0, $0.y) }) {
                    #expect(abs((corner - Point3(0, 1.2, 0)).dot(normal)) < 0.012, when)
                }
            }
        }
        show(wall, frames: 60)
        expectWall("when it was found")
        let identifier = try #require(watch.planes.first).identifier
        // Two hundred points in the air behind the camera take the places of all the wall's.
        for _ in 0..<10 {
            show((0..<100).map { _ in landmark(5 * normal + 2 * random.vector3()) }, frames: 3)
        }
        try #require(watch.finder.memory.points.allSatisfy { $0.owner == nil })
        for count in [1, 2, 3, 12, 25, 40] {
            show(Array(end.prefix(count)), frames: 20)
            expectWall("when \(count) points were seen again")
        }
        #expect(watch.planes.map(\.identifier) == [identifier])
    }

    /// Evidence that fades keeps its plane, and is known by as much less as its plane may have wandered.
    @Test(arguments: 0..<20) func formerEvidenceFades(number: Int) throws {
        var random = TestRandom(case: number)
        let plane = SurfaceFit(offset: random.uniform(-0.1...0.1), slopes: random.vector2(-0.1...0.1))
        var former = FormerEvidence()
        let start = Timestamp(nanoseconds: 5_000_000_000)
        for _ in 0..<30 {
            let place = random.vector2(-1...1)
            let point = Point3(place.x, plane.offset + plane.slopes.dot(place), place.y)
            former.add(SurfaceFit.Sample(point: point, variance: 1e-5), beside: plane, seenAt: start)
        }
        let before = try #require(former.aged(to: start).information.inverse)
        let later = former.aged(to: Timestamp(nanoseconds: 65_000_000_000))
        let after = try #require(later.information.inverse)
        let wander = Matrix3x3(diagonal: 60 * Vector3(4e-6, 0.25e-6, 0.25e-6))
        #expect((after - before - wander).maximumMagnitude < 1e-9 * after.maximumMagnitude)
        let solution = after * later.right
        #expect((solution - Vector3(plane.offset, plane.slopes.x, plane.slopes.y)).length < 1e-9)
    }
}
