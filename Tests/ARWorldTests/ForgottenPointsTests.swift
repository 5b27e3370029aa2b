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

    /// A wall that pictures alone show is found; then other pictures show other things until no place of the wall is remembered; then
    /// pictures show one end of it, each a little turned as a whole. The wall does not turn with them.
    @Test(arguments: 0..<8) func aWallThatPicturesShowStaysWhereItWas(number: Int) throws {
        var random = TestRandom(case: number)
        let heading = random.uniform(-1.5...1.5)
        let (along, normal) = (Vector3(cos(heading), 0, -sin(heading)), Vector3(sin(heading), 0, cos(heading)))
        let middle = Point3(0, 1.2, 0)
        var watch = PlaneWatch(panels: [])
        var frameNumber = 0
        func showNextFrame() {
            let pose = RigidTransform(rotation: .identity, translation: middle + 2 * normal)
            let frame = sampleFrame(worldFromCamera: pose, nanoseconds: Int64(frameNumber) * 33_333_333)
            watch.note(watch.finder.update(with: frame), at: Double(frameNumber) / 30)
            frameNumber += 1
        }
        /// Shows a picture of places that are known to 7 mm, of which the half as a variance is theirs together.
        func showPicture(of places: [Point3], spread: Double) {
            watch.finder.lastPicture += 1
            let (offset, slope) = (0.005 * random.normal(), 0.005 * random.normal() / spread)
            let center = places.reduce(Vector3.zero) { $0 + $1 } / Double(places.count)
            for place in places {
                let error = offset + slope * (place - center).dot(along) + 0.005 * random.normal()
                let variance = 0.005 * 0.005 / PicturePoint.sharedPart
                watch.finder.observe(
                    PicturePoint(position: place + error * normal, covariance: variance * Matrix3x3.identity))
            }
            for _ in 0..<3 { showNextFrame() }
        }
        func onWall(_ range: ClosedRange<Double>) -> [Point3] {
            (0..<20).map { _ in
                middle + random.uniform(range) * along + random.uniform(-0.8...0.8) * Vector3(0, 1, 0)
            }
        }
        func turn() throws -> Double {
            let plane = try #require(watch.planes.first)
            return acos(min(1, (plane.worldFromAnchor.rotation * Vector3(0, 1, 0)).dot(normal)))
        }
        for _ in 0..<16 { showPicture(of: onWall(-2...2), spread: 1.25) }
        #expect(watch.planes.count == 1)
        #expect(try turn() < 0.3 * .pi / 180)
        for _ in 0..<26 {
            showPicture(of: (0..<20).map { _ in middle + 5 * normal + 2 * random.vector3() }, spread: 2)
        }
        try #require(watch.finder.memory.points.allSatisfy { $0.owner == nil })
        for _ in 0..<2 { showPicture(of: onWall(1.2...1.9), spread: 0.5) }
        #expect(watch.planes.count == 1)
        #expect(try turn() < 0.3 * .pi / 180)
    }

    /// A level surface, number 1, and the memory of places that pictures show, on it and elsewhere.
    private struct ForgottenPictures {
        private var memory = EvidenceMemory(capacity: 1)
        private var surface = Surface(isHorizontal: true, worldFromLevel: .identity, cellSize: 0.05)

        /// What places that were forgotten said of the surface.
        var information: Matrix3x3 { surface.former.equations.information }

        init() { surface.number = 1 }

        /// Shows a place of a picture, of a surface of that number, for which another one may be forgotten.
        mutating func show(_ place: Point2, of picture: Int, on surfaceNumber: Int?) {
            let point = PicturePoint(position: Point3(place.x, 0, place.y), covariance: 1e-4 * Matrix3x3.identity)
            let (slot, forgotten) = memory.remember(point, of: picture, at: Moment())
            memory[slot].owner = surfaceNumber
            if let forgotten, forgotten.owner == surface.number {
                surface.keepWhatWasSaid(by: forgotten, under: WorldErrors())
            }
        }

        /// Gives the places of a surface to another one.
        mutating func merge(_ former: Int, into surfaceNumber: Int) {
            for slot in memory.slots where memory[slot].owner == former { memory[slot].owner = surfaceNumber }
        }
    }

    /// Places of one picture that are forgotten one by one say of their surface what they said together: where it is to a variance that
    /// they share, and to a part of their own that becomes less the more they are.
    @Test(arguments: [4, 40]) func placesOfAPictureAreKeptAsOneGroup(count: Int) throws {
        var pictures = ForgottenPictures()
        let places = (0..<count).map { number -> Point2 in
            let (column, row) = (Double(number % 2), Double(number / 2 % 2))
            return Point2(column + 0.01 * Double(number), row)
        }
        for place in places { pictures.show(place, of: 1, on: 1) }
        for place in places { pictures.show(place, of: 1, on: 2) }
        for number in 0..<512 { pictures.show(Point2(Double(number), 0), of: 2 + number / 20, on: nil) }
        #expect(pictures.information[0].x > 0)
        let covariance = try #require(pictures.information.inverse)
        let middle = places.reduce(Point2.zero) { $0 + $1 } / Double(count)
        let row = Vector3(1, middle.x, middle.y)
        let roughness = SurfaceFit.roughness * SurfaceFit.roughness
        let expected = 0.5e-4 + (0.5e-4 + roughness) / Double(count)
        #expect(abs(row.dot(covariance * row) / expected - 1) < 1e-6)
    }

    /// Where two surfaces turn out to be one while places of a picture on both are being forgotten, those that are left say what they
    /// say as one group of all of them.
    @Test(arguments: [4, 40]) func placesOfMergedSurfacesAreOneGroup(count: Int) throws {
        var pictures = ForgottenPictures()
        func show(_ number: Int, of picture: Int, on surfaceNumber: Int?) {
            pictures.show(Point2(Double(number), Double(number % 3)), of: picture, on: surfaceNumber)
        }
        for number in 0..<2 * count { show(number, of: 1, on: 1 + number % 2) }
        // Until the first one is forgotten.
        for number in 2 * count...512 { show(number, of: 2, on: nil) }
        pictures.merge(2, into: 1)
        for number in 0..<512 { show(number, of: 3, on: nil) }
        let (shared, own) = (0.5e-4, 0.5e-4 + SurfaceFit.roughness * SurfaceFit.roughness)
        let (first, others) = (own + Double(count) * shared, own + Double(2 * count) * shared)
        let expected = 1 / first + Double(2 * count - 1) / others
        #expect(abs(pictures.information[0].x / expected - 1) < 1e-6)
    }

    /// What forgotten points said stands among the points that are remembered at the time when they were seen, and from each to the next the
    /// plane may have moved by what the world drifts between.
    @Test func whatWasForgottenStandsAtItsTime() {
        func moment(_ second: Int64) -> Moment { Moment(instant: Timestamp(nanoseconds: second * 1_000_000_000)) }
        var finder = PlaneFinder()
        for second: Int64 in [9, 0, 4] {
            let point = EstimatedLandmark(id: UInt64(second), position: .zero, covariance: 1e-4 * Matrix3x3.identity)
            _ = finder.memory.remember(point, at: moment(second))
        }
        var surface = Surface(isHorizontal: true, worldFromLevel: .identity, cellSize: 0.05)
        surface.former.add(
            SurfaceFit.Sample(point: .zero, variance: 1e-4), beside: surface.fit, seenAt: moment(6))
        let groups = finder.groups(of: Array(finder.memory.slots), on: surface)
        #expect(groups.map(\.samples.isEmpty) == [false, false, true, false])
        for (group, seconds) in zip(groups, [4.0, 2, 3]) {
            let drift = Matrix3x3(diagonal: seconds * Vector3(4e-6, 0.25e-6, 0.25e-6))
            #expect((group.wander - drift).maximumMagnitude < 1e-12)
        }
    }

    /// Evidence keeps its plane when more of it is forgotten a minute later, and of that plane is known as much less as it may have
    /// wandered meanwhile.
    @Test(arguments: 0..<20) func formerEvidenceFades(number: Int) throws {
        var random = TestRandom(case: number)
        let plane = SurfaceFit(offset: random.uniform(-0.1...0.1), slopes: random.vector2(-0.1...0.1))
        var former = FormerEvidence()
        let start = Moment(instant: Timestamp(nanoseconds: 5_000_000_000))
        let end = Moment(instant: Timestamp(nanoseconds: 65_000_000_000))
        func sample(variance: Double) -> SurfaceFit.Sample {
            let place = random.vector2(-1...1)
            let point = Point3(place.x, plane.offset + plane.slopes.dot(place), place.y)
            return SurfaceFit.Sample(point: point, variance: variance)
        }
        for _ in 0..<30 { former.add(sample(variance: 1e-5), beside: plane, seenAt: start) }
        #expect(former.moment == start)
        let before = try #require(former.equations.information.inverse)
        let wander = WorldErrors().wander(ofPlaneIn: .identity, from: start, to: end)
        former.add(sample(variance: 1e9), beside: plane, seenAt: end, wander: wander)
        #expect(former.moment == end)
        let after = try #require(former.equations.information.inverse)
        let minute = Matrix3x3(diagonal: 60 * Vector3(4e-6, 0.25e-6, 0.25e-6))
        #expect((after - before - minute).maximumMagnitude < 1e-9 * after.maximumMagnitude)
        let solution = after * former.equations.right
        #expect((solution - Vector3(plane.offset, plane.slopes.x, plane.slopes.y)).length < 1e-9)
    }
}
