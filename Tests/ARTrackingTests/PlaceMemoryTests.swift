// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// Places in rendered scenes, remembered along the scenes' own paths by points that are known to 0.5 % of their distance unless a
/// test says otherwise.
@Suite(.tags(.slow), .whenSlowTestsRun) struct RememberedSceneTests {
    /// From so far beside the path, and turned by so much about any axis: how many of 30 pictures are found at least. What
    /// is found is where the camera is, all of them and half of them to so many metres, and in radians: also where the points had just been placed
    /// when they were remembered, known to three in a hundred of their distance.
    @Test(arguments: [
        (0.0, 0.0, 0.005, 29, 0.01, 0.0005), (0.1, 0.12, 0.005, 29, 0.01, 0.0005),
        (0.3, 0.35, 0.005, 20, 0.01, 0.0012), (0.25, 0.2, 0.03, 24, 0.03, 0.0015),
    ])
    func findsThePlaceFromOtherPoses(
        metres: Double, radians: Double, depthDeviation: Double, least: Int, most: Double, middle: Double
    ) throws {
        var random = TestRandom(case: least + Int(100 * metres))
        let scene = try RememberedScene("table-top")
        let memory = scene.memory(depthDeviation: depthDeviation, random: &random)
        var (wayErrors, turnErrors): ([Double], [Double]) = ([], [])
        var (ways, turns): ([Double], [Double]) = ([], [])
        for number in 0..<30 {
            let path = scene.session.worldFromCamera(at: random.uniform(0...20)) * .cameraFromOptical
            var pose = path
            repeat {
                pose.translation = path.translation + random.direction() * metres
            } while pose.translation.y < 0.9
            pose.rotation = Rotation(rotationVector: random.direction() * radians) * path.rotation
            let picture = scene.picture(from: pose, frame: number)
            let level = pose.rotation.leveled(using: &random)
            guard let place = memory.locate(picture, camera: scene.camera, levelFromOptical: level) else { continue }
            let way = (place.worldFromOptical.translation - pose.translation).length
            let turn = place.worldFromOptical.rotation.angle(to: pose.rotation)
            ways.append(way)
            turns.append(turn)
            wayErrors.append(pow(way / place.positionDeviation, 2))
            turnErrors.append(pow(turn / place.attitudeDeviation, 2))
            expectClose(place.worldFromOptical, pose, radians: most, metres: most, "picture \(number)")
        }
        #expect(wayErrors.count >= least, "\(wayErrors.count) of 30 are found")
        // A metre and a half away, a millimetre is as much as 0.7 mrad.
        #expect(ways.count { $0 < middle } > ways.count / 2)
        #expect(turns.count { $0 < middle } > turns.count / 2)
        // Squared errors over their variances have the mean 1 when the covariance is honest.
        for errors in [wayErrors, turnErrors] {
            let mean = errors.reduce(0, +) / Double(errors.count)
            #expect((0.2...2.5).contains(mean), "errors are \(mean) times as large as expected, squared")
        }
    }

    /// Soon after a hand has taken the device up, its accelerations tilt what seems up, by 0.15 rad here: the places are found all
    /// the same by who says so, and less often by who does not.
    @Test func findsThePlaceWhileUpIsKnownBadly() throws {
        var random = TestRandom()
        let scene = try RememberedScene("table-top")
        let memory = scene.memory(random: &random)
        var (found, foundByWhoIsSure) = (0, 0)
        for number in 0..<20 {
            let pose = scene.session.worldFromCamera(at: random.uniform(0...20)) * .cameraFromOptical
            let picture = scene.picture(from: pose, frame: number)
            let around = random.uniform(-Double.pi...Double.pi)
            let tilt = Rotation(rotationVector: Vector3(cos(around), 0, sin(around)) * 0.15)
            let level = (tilt * pose.rotation).leveled(using: &random)
            if let place = memory.locate(
                picture, camera: scene.camera, levelFromOptical: level, levelDeviation: 0.13)
            {
                found += 1
                expectClose(place.worldFromOptical, pose, radians: 0.5 * .pi / 180, metres: 0.01, "picture \(number)")
            }
            if memory.locate(picture, camera: scene.camera, levelFromOptical: level) != nil { foundByWhoIsSure += 1 }
        }
        #expect(found >= 18, "\(found) of 20 are found")
        #expect(4 * foundByWhoIsSure < 3 * found, "\(foundByWhoIsSure) of 20 are found as if up were known")
    }

    /// Forty pictures of other rooms, and of the same desk with nothing that was remembered of it.
    @Test func otherRoomsAreNotThePlace() throws {
        try expectNoPlace(in: [("room-walk", 20), ("card", 10), ("shake", 10)])
    }

    @Test(.enabled(if: RealData.isBesideThePackage, "the recording that the scene replays is not beside the package"))
    func anotherHallIsNotThePlace() throws { try expectNoPlace(in: [("replayed-motion", 10)]) }

    /// Pictures of scenes, so many of each, to which nothing that is remembered of a desk belongs.
    private func expectNoPlace(in others: [(scene: String, pictureCount: Int)]) throws {
        var random = TestRandom()
        let memory = try RememberedScene("table-top").memory(random: &random)
        for (name, count) in others {
            let scene = try RememberedScene(name)
            for number in 0..<count {
                let seconds = scene.session.scene.durationSeconds * Double(number) / Double(count)
                let pose = scene.session.worldFromCamera(at: seconds) * .cameraFromOptical
                let place = memory.locate(
                    scene.picture(from: pose, frame: number), camera: scene.camera,
                    levelFromOptical: pose.rotation.leveled(using: &random))
                #expect(
                    place == nil, "\(name) at \(seconds) s is taken for a place with \(place?.inlierCount ?? 0) points")
            }
        }
    }

    /// A white wall, a covered lens, and nothing remembered.
    @Test func picturesWithoutPointsHaveNoPlace() throws {
        var random = TestRandom()
        let scene = try RememberedScene("table-top")
        let memory = scene.memory(random: &random)
        let pose = scene.session.worldFromCamera(at: 1) * .cameraFromOptical
        let size = scene.session.scene.camera.size
        let wall = try RememberedScene("white-wall")
        let pictures = [
            ImageBuffer(size: size, format: .gray8, filledWith: 3),
            ImageBuffer(size: size, format: .rgb8, filledWith: 250),
            wall.picture(from: wall.session.worldFromCamera(at: 5) * .cameraFromOptical, frame: 0),
        ]
        for picture in pictures {
            #expect(memory.locate(picture, camera: scene.camera, levelFromOptical: pose.rotation) == nil)
        }
        let seen = scene.picture(from: pose, frame: 0)
        #expect(memory.locate(seen, camera: scene.camera, levelFromOptical: pose.rotation) != nil)
        #expect(PlaceMemory().locate(seen, camera: scene.camera, levelFromOptical: pose.rotation) == nil)
    }

    @Test func sameInputGivesTheSamePlace() throws {
        let scene = try RememberedScene("table-top")
        let pose = scene.session.worldFromCamera(at: 3.1) * .cameraFromOptical
        let picture = scene.picture(from: pose, frame: 0)
        let places = (0..<2).map { _ in
            var random = TestRandom()
            return scene.memory(random: &random).locate(
                picture, camera: scene.camera, levelFromOptical: pose.rotation)
        }
        #expect(places[0] != nil)
        #expect(places[0] == places[1])
    }
}

/// What is kept.
@Suite struct PlaceMemoryTests {
    private let camera = SampleCamera.phone.camera
    private let image = ImageBuffer(size: SampleCamera.phone.imageSize, format: .gray8, filledWith: 100)

    /// Offers a view from a pose with points two metres ahead.
    private func offer(_ memory: inout PlaceMemory, from worldFromOptical: RigidTransform, pointCount: Int = 30) {
        let points = (0..<pointCount).map { index in
            let place = Point3(0.1 * Double(index % 6) - 0.25, 0.1 * Double(index / 6) - 0.25, 2)
            return PlacedPoint(pixel: PixelPoint(40 * Double(index), 300), positionInWorld: worldFromOptical * place)
        }
        memory.keep(image, camera: camera, worldFromOptical: worldFromOptical, points: points)
    }

    @Test func keepsWhatIsNew() {
        var memory = PlaceMemory()
        offer(&memory, from: .identity, pointCount: PlaceMemory.fewestPoints - 1)
        #expect(memory.count == 0)
        offer(&memory, from: .identity)
        #expect(memory.count == 1)
        // A little way and a little turn show the same; a longer one of either does not.
        offer(
            &memory,
            from: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(0.05, 0, 0)), translation: Vector3(0.05, 0, 0)))
        #expect(memory.count == 1)
        offer(&memory, from: RigidTransform(translation: Vector3(0.5, 0, 0)))
        #expect(memory.count == 2)
        offer(&memory, from: RigidTransform(rotation: Rotation(rotationVector: Vector3(0, 0.4, 0))))
        #expect(memory.count == 3)
    }

    /// The smallest memory: room is made for a third view all the same.
    @Test func twoViewsAreEnough() {
        var memory = PlaceMemory(capacity: 2)
        for step in 0..<20 { offer(&memory, from: RigidTransform(translation: Vector3(0.7 * Double(step), 0, 0))) }
        #expect((1...2).contains(memory.count))
    }

    /// However long the way, the memory holds no more than its capacity, and its views cover all of it.
    @Test func memoryIsBounded() throws {
        var memory = PlaceMemory(capacity: 10)
        for step in 0..<400 { offer(&memory, from: RigidTransform(translation: Vector3(0.1 * Double(step), 0, 0))) }
        #expect((4...10).contains(memory.count))
        let places = memory.views.map(\.stand.worldFromOptical.translation.x)
        #expect(places.first == 0)
        let gaps = zip(places.dropFirst(), places).map { $0 - $1 }
        #expect(try #require(gaps.max()) <= 2 * #require(gaps.min()))
        memory.removeAll()
        #expect(memory.count == 0)
    }

    /// A wall of patches of random light, and its corners.
    private func wall(_ random: inout TestRandom) -> (picture: ImageBuffer, pixels: [PixelPoint]) {
        let side = 23
        let columns = image.size.width / side + 1
        let lights = (0...image.size.height / side).flatMap { _ in (0..<columns).map { _ in random.uniform(0...255) } }
        var picture = image
        for index in picture.bytes.indices {
            let (row, column) = (index / image.size.width, index % image.size.width)
            picture.bytes[index] = UInt8(lights[row / side * columns + column / side])
        }
        return (picture, PlacePicture(picture).corners(count: 150))
    }

    /// A view that was remembered as soon as its points were placed, all too far by the twentieth of their distance to which they are
    /// known, does not spoil what another one knows to a two-hundredth: the common places err by less than a fiftieth of what its own do.
    @Test func whatIsKnownWellWeighsMore() throws {
        var random = TestRandom()
        let (picture, pixels) = wall(&random)
        let worldFromOptical = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        func view(error: Double, deviation: Double) throws -> PlaceView {
            let points = try pixels.map { pixel in
                let place = worldFromOptical * (try #require(camera.unproject(pixel)) * (2 * (1 + error)))
                return PlacedPoint(pixel: pixel, positionInWorld: place, distanceDeviation: 2 * deviation)
            }
            return PlaceView(
                picture, camera: camera, stand: PlaceStand(worldFromOptical, points: points.map(\.positionInWorld)),
                points: points)
        }
        let query = PlaceQuery(
            picture, camera: camera, levelFromOptical: worldFromOptical.rotation, levelDeviation: 0.01)
        let sights = query.aligned(
            [try view(error: 0.05, deviation: 0.05), try view(error: 0, deviation: 0.005)], in: PlaceDetail(picture),
            expectedFrom: worldFromOptical, within: 3)
        #expect(sights.count > 100)
        for sight in sights {
            let distance = (sight.pointInWorld - worldFromOptical.translation).length
            #expect(abs(distance - 2) < 2 * 0.05 / 50)
        }
    }

    /// A wall is found where it was seen; once it was seen in two places, it is found in neither.
    @Test func whatLooksTheSameInTwoPlacesIsFoundInNeither() throws {
        var random = TestRandom()
        let (picture, pixels) = wall(&random)
        let first = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, 0.4, 0)) * RigidTransform.opticalFromCamera.rotation,
            translation: Vector3(1, 2, 3))
        let second = RigidTransform(rotation: first.rotation, translation: Vector3(4, 2, 3))
        var memory = PlaceMemory()
        func remember(_ worldFromOptical: RigidTransform) throws {
            let points = try pixels.map { pixel in
                let direction = try #require(camera.unproject(pixel))
                return PlacedPoint(pixel: pixel, positionInWorld: worldFromOptical * (direction / direction.z))
            }
            memory.keep(picture, camera: camera, worldFromOptical: worldFromOptical, points: points)
        }
        let level = first.rotation.leveled(using: &random)
        #expect(memory.locate(picture, camera: camera, levelFromOptical: level) == nil)
        try remember(first)
        let place = try #require(memory.locate(picture, camera: camera, levelFromOptical: level))
        // Up is a little wrong, and weighs as much as a sight.
        expectClose(place.worldFromOptical, first, radians: 2e-3, metres: 2e-3)
        try remember(second)
        #expect(memory.count == 2)
        #expect(memory.locate(picture, camera: camera, levelFromOptical: level) == nil)
    }
}

/// What a remembered view lets a camera expect.
@Suite struct PlaceViewTests {
    /// From its own pose a view's points are expected where they were seen, with surroundings as they were, whatever the lens.
    @Test(arguments: SampleCamera.all) func aViewExpectsItselfUnchanged(sample: SampleCamera) {
        var random = TestRandom()
        let pose = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let (width, height) = (Double(sample.imageSize.width), Double(sample.imageSize.height))
        // Not every pixel has a ray that a plane in front can meet: some lenses leave the corners dark, others see behind.
        let points = (0..<60).compactMap { _ -> PlacedPoint? in
            let pixel = PixelPoint(random.uniform(0.1...0.9) * width, random.uniform(0.1...0.9) * height)
            guard let direction = sample.camera.unproject(pixel), direction.z > 0.1 else { return nil }
            return PlacedPoint(pixel: pixel, positionInWorld: pose * (direction * random.uniform(0.5...3)))
        }
        #expect(points.count > 30)
        let view = PlaceView(
            ImageBuffer(size: sample.imageSize, format: .gray8, filledWith: 100), camera: sample.camera,
            stand: PlaceStand(pose, points: points.map(\.positionInWorld)), points: points)
        for (number, point) in points.enumerated() {
            let expectation = view.expectation(ofPoint: number, from: pose, sample.camera)
            guard let expectation else {
                Issue.record("point \(number) is not expected")
                continue
            }
            expectClose(expectation.expected.vector, point.pixel.vector, tolerance: 1e-6)
            expectClose(expectation.byColumn, Vector2(1, 0), tolerance: 1e-6)
            expectClose(expectation.byRow, Vector2(0, 1), tolerance: 1e-6)
        }
    }
}
