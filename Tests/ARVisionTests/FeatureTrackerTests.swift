// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

@Suite struct FeatureTrackerTests {
    private static let size = ImageSize(width: 240, height: 180)
    private static let camera = Camera.pinhole(
        PinholeCamera(PinholeIntrinsics(fx: 200, fy: 200, cx: 119.5, cy: 89.5)))

    /// A flat world that the camera glides over by 1.3 and 0.7 pixels a frame.
    private static func frames(_ count: Int, _ random: inout TestRandom) -> [ImageBuffer] {
        let texture = WaveTexture(&random)
        return (0..<count).map { frame in
            texture.picture(size) { $0 + Vector2(1.3, 0.7) * Double(frame) }
        }
    }

    @Test func pointsStayOnWhatTheyWereSeenOn() throws {
        var random = TestRandom()
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        var births: [FeatureID: Vector2] = [:]
        var errors: [Double] = []
        for (number, image) in Self.frames(20, &random).enumerated() {
            let frame = tracker.track(image)
            #expect(frame.number == number)
            #expect(frame.observations.count > 50)
            let shift = Vector2(1.3, 0.7) * Double(number)
            for point in frame.observations {
                let place = point.pixel.vector + shift
                let birth = births[point.id, default: place]
                births[point.id] = birth
                errors.append((place - birth).length)
            }
        }
        // Grey levels are rounded, and light between pixels is interpolated.
        #expect(errors.max() ?? .infinity < 0.1)
        #expect((errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot() < 0.025)
    }

    @Test func idsGrowAndAreNeverUsedAgain() {
        var random = TestRandom()
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        var seen: Set<FeatureID> = []
        var last: Set<FeatureID> = []
        for image in Self.frames(12, &random) {
            let frame = tracker.track(image)
            let ids = frame.observations.map(\.id)
            #expect(ids == ids.sorted())
            let new = Set(ids).subtracting(last)
            #expect(new.isDisjoint(with: seen))
            #expect(new.count == frame.counts.new)
            #expect(frame.counts.followed + frame.counts.new == ids.count)
            seen.formUnion(new)
            last = Set(ids)
        }
    }

    @Test func sameFramesGiveTheSamePoints() {
        var random = TestRandom()
        let frames = Self.frames(6, &random)
        func run() -> [[FeaturePoint]] {
            var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
            return frames.map { tracker.track($0).observations }
        }
        #expect(run() == run())
    }

    /// A blurred picture holds few points whose place is certain. From the second picture on others are followed, too, and say
    /// how uncertain they are. Where there are enough certain ones, nothing changes.
    @Test(arguments: [(blur: 0.0, isScarce: false), (32, true)])
    func whereCertainPointsAreScarceOthersAreFollowed(blur: Double, isScarce: Bool) throws {
        var random = TestRandom()
        let texture = WaveTexture(&random).smeared(over: blur)
        var strict = FeatureTracker.Configuration()
        strict.scarceDeviationLimitPixels = strict.deviationLimitPixels
        var trackers = [
            FeatureTracker(camera: Self.camera, imageSize: Self.size, configuration: strict),
            FeatureTracker(camera: Self.camera, imageSize: Self.size),
        ]
        var (births, squares, counts): ([FeatureID: Vector2], [Double], [Int]) = ([:], [], [0, 0])
        for number in 0..<8 {
            let shift = Vector2(1.3, 0.7) * Double(number)
            let picture = texture.picture(Self.size) { $0 + shift }
            let points = trackers.indices.map { trackers[$0].track(picture).observations }
            if !isScarce || number == 0 { #expect(points[1] == points[0]) }
            for index in counts.indices { counts[index] += points[index].count { $0.level == 0 } }
            for point in points[1] {
                let place = point.pixel.vector + shift
                let error = (place - births[point.id, default: place]).length / point.deviationPixels
                births[point.id] = births[point.id] ?? place
                squares.append(error * error)
            }
        }
        if isScarce { #expect(counts[1] > 2 * counts[0]) }
        // Within three deviations.
        let mean: Double = squares.reduce(0, +) / Double(squares.count)
        #expect(mean < 9)
    }

    /// A quick turn smears the picture over 64 pixels along its rows, while the camera moves by 12 from picture to picture:
    /// the finest level holds next to nothing, and coarser ones are followed, with what they say of their uncertainty. When the
    /// camera rests, points of the finest level take their place.
    @Test func whatASmearLeavesIsFollowedOnCoarseLevels() {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        let smeared = texture.smeared(over: 64)
        let (size, step) = (ImageSize(width: 480, height: 360), 12.0)
        var tracker = FeatureTracker(camera: Self.camera, imageSize: size)
        var (births, squares, coarse): ([FeatureID: Vector2], [Double], [Int]) = ([:], [], [])
        for number in 0..<12 {
            let shift = Vector2(step, 0.7) * Double(number)
            let picture = smeared.picture(size) { $0 + shift }
            let predicted = tracker.points.map { ($0.id, PixelPoint($0.pixel.x - step, $0.pixel.y)) }
            let motion = PredictedMotion(
                opticalFromPreviousOptical: .identity, pixels: Dictionary(uniqueKeysWithValues: predicted))
            let points = tracker.track(picture, motion: motion).observations
            coarse.append(points.count { $0.level > 0 })
            for point in points where point.level > 0 {
                let place = point.pixel.vector + shift
                if let birth = births[point.id] {
                    let error = (place - birth).length / point.deviationPixels
                    squares.append(error * error)
                }
                births[point.id] = births[point.id] ?? place
            }
        }
        #expect(coarse.dropFirst(2).min()! >= 10)
        let meanSquare = squares.reduce(0, +) / Double(squares.count)
        #expect(meanSquare > 0.1 && meanSquare < 9)
        let (resting, coarseIDs) = (11 * Vector2(step, 0.7), Set(tracker.points.filter { $0.level > 0 }.map(\.id)))
        // It comes to rest: some are found again, until enough others are.
        var slower = tracker
        _ = slower.track(texture.smeared(over: 48).picture(size) { $0 + resting })
        #expect(slower.points.contains { coarseIDs.contains($0.id) })
        for smear in [48.0, 16, 0, 0] { _ = tracker.track(texture.smeared(over: smear).picture(size) { $0 + resting }) }
        #expect(tracker.points.count > 50)
        #expect(tracker.points.allSatisfy { $0.level == 0 })
    }

    /// Textures of four grey levels in noise of one and a half: the finest level holds next to nothing, but each coarser one has
    /// less than half the noise, and what they show is followed, with what they say of its uncertainty.
    @Test func whatIsFaintIsFollowedOnCoarseLevels() {
        var random = TestRandom()
        let size = ImageSize(width: 480, height: 360)
        var (firstCount, squares) = (0, [Double]())
        for _ in 0..<5 {
            let texture = WaveTexture(&random)
            var tracker = FeatureTracker(camera: Self.camera, imageSize: size)
            var births: [FeatureID: Vector2] = [:]
            for number in 0..<5 {
                let shift = Vector2(1.3, 0.7) * Double(number)
                let picture = texture.picture(size, gain: 0.08, offset: 100) { $0 + shift }.withNoise(1.5, &random)
                let points = tracker.track(picture).observations
                // What the first picture holds is not looked for on coarse levels.
                if number == 1 { firstCount += points.count }
                for point in points {
                    let place = point.pixel.vector + shift
                    if let birth = births[point.id] {
                        let error = (place - birth).length / point.deviationPixels
                        squares.append(error * error)
                    }
                    births[point.id] = births[point.id] ?? place
                }
            }
        }
        #expect(firstCount >= 80)
        let mean: Double = squares.reduce(0, +) / Double(squares.count)
        #expect(mean < 9)
    }

    /// An exposure that jumps by a third, and falls back: most of what was followed still is.
    @Test(arguments: [(1.3, 0.0), (0.7, 0.0), (1.0, 25.0), (0.75, -10.0)])
    func pointsSurviveAChangeOfLight(gain: Double, offset: Double) {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        func picture(_ frame: Int, gain: Double, offset: Double) -> ImageBuffer {
            texture.picture(Self.size, gain: 0.7 * gain, offset: offset) { $0 + Vector2(1.3, 0.7) * Double(frame) }
        }
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        for frame in 0..<3 { _ = tracker.track(picture(frame, gain: 1, offset: 0)) }
        let before = tracker.points
        let frame = tracker.track(picture(3, gain: gain, offset: offset))
        #expect(frame.counts.followed + frame.counts.lostAtBorder >= before.count * 9 / 10)
        let back = tracker.track(picture(4, gain: 1, offset: 0))
        #expect(back.counts.followed + back.counts.lostAtBorder >= frame.observations.count * 9 / 10)
    }

    /// The camera rolls and comes nearer: patches are found turned and larger, where they really are.
    @Test func pointsStayOnWhatTurnsAndGrows() throws {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        let center = Vector2(119.5, 89.5)
        func place(_ pixel: Vector2, _ frame: Int) -> Vector2 {
            let (angle, scale) = (0.02 * Double(frame), pow(0.985, Double(frame)))
            let offset = (pixel - center) * scale
            return center + cos(angle) * offset + sin(angle) * offset.perpendicular
        }
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        var births: [FeatureID: Vector2] = [:]
        var errors: [Double] = []
        for number in 0..<25 {
            let frame = tracker.track(texture.picture(Self.size) { place($0, number) })
            for point in frame.observations {
                let seen = place(point.pixel.vector, number)
                let birth = births[point.id, default: seen]
                births[point.id] = birth
                if point.frameCount > 15 { errors.append((seen - birth).length) }
            }
        }
        #expect(errors.count > 200)
        #expect(errors.sorted()[errors.count / 2] < 0.05)
        #expect(errors.sorted()[errors.count * 95 / 100] < 0.2)
    }

    /// 3 rad/s at 30 Hz: everything moves by 20 px a frame, a quarter of it about the axis. The gyroscope knows.
    @Test func pointsAreFoundInAFastTurn() {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        let turn = Rotation(rotationVector: Vector3(0.02, 0.09, 0.025))
        func picture(_ frame: Int) -> ImageBuffer {
            let firstFromThis = Rotation(rotationVector: turn.rotationVector * Double(-frame))
            return texture.picture(Self.size) { pixel in
                let direction = firstFromThis * (Self.camera.unproject(PixelPoint(pixel)) ?? .zero)
                return Vector2(direction.x, direction.y) / direction.z * 200
            }
        }
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        _ = tracker.track(picture(0))
        for number in 1..<6 {
            let before = tracker.points
            let frame = tracker.track(picture(number), motion: PredictedMotion(opticalFromPreviousOptical: turn))
            let remaining = before.count { point in
                Self.camera.project(turn * point.direction).map {
                    (12...227).contains($0.x) && (12...167).contains($0.y)
                } ?? false
            }
            #expect(frame.counts.followed >= remaining * 9 / 10)
            #expect(frame.counts.lostAsOutliers <= 2)
        }
    }

    /// A patch of the picture slides over the rest: the points on it are given up, the others kept.
    @Test func pointsOnSomethingElseThatMovesAreGivenUp() {
        var random = TestRandom()
        let (texture, other) = (WaveTexture(&random), WaveTexture(&random))
        func isOnOther(_ pixel: Vector2) -> Bool { (80...160).contains(pixel.x) && (50...130).contains(pixel.y) }
        func picture(_ frame: Int) -> ImageBuffer {
            let background = texture.picture(Self.size) { $0 + Vector2(4, 0) * Double(frame) }
            let object = other.picture(Self.size) { $0 + Vector2(4, 9) * Double(frame) }
            var picture = background
            for index in picture.bytes.indices where isOnOther(Vector2(Double(index % 240), Double(index / 240))) {
                picture.bytes[index] = object.bytes[index]
            }
            return picture
        }
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        _ = tracker.track(picture(0))
        let before = tracker.points
        let frame = tracker.track(picture(1), motion: PredictedMotion(opticalFromPreviousOptical: .identity))
        let kept = Set(frame.observations.map(\.id))
        func share(_ points: [FeaturePoint]) -> Double {
            Double(points.count { kept.contains($0.id) }) / Double(max(points.count, 1))
        }
        let inside = before.filter { (92...148).contains($0.pixel.x) && (62...118).contains($0.pixel.y) }
        let outside = before.filter { !(60...180).contains($0.pixel.x) && (20...220).contains($0.pixel.x) }
        #expect(inside.count >= 8 && outside.count >= 30)
        #expect(share(inside) <= 0.1)
        #expect(share(outside) >= 0.9)
    }

    @Test func predictedPixelsLeadFartherThanTheTurnAlone() {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        _ = tracker.track(texture.picture(Self.size))
        let jump = Vector2(55, 0)
        let pixels = tracker.points.map { ($0.id, PixelPoint($0.pixel.vector - jump)) }
        let motion = PredictedMotion(
            opticalFromPreviousOptical: .identity, pixels: Dictionary(uniqueKeysWithValues: pixels))
        let remaining = tracker.points.count { $0.pixel.x > jump.x + 12 }
        let frame = tracker.track(texture.picture(Self.size) { $0 + jump }, motion: motion)
        #expect(frame.counts.followed >= remaining * 9 / 10)
    }

    @Test func removedPointsAreGone() {
        var random = TestRandom()
        let frames = Self.frames(3, &random)
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        _ = tracker.track(frames[0])
        let removed = Set(tracker.points.map(\.id).prefix(20))
        tracker.remove(removed)
        #expect(tracker.points.allSatisfy { !removed.contains($0.id) })
        for image in frames.dropFirst() {
            let frame = tracker.track(image)
            #expect(frame.observations.allSatisfy { !removed.contains($0.id) })
        }
    }

    @Test(arguments: [(1, 1), (3, 200), (16, 16), (21, 21), (33, 47), (641, 37)])
    func picturesOfAnySizeAreTracked(width: Int, height: Int) {
        let size = ImageSize(width: width, height: height)
        var random = TestRandom(case: width)
        var tracker = FeatureTracker(camera: Self.camera, imageSize: size)
        for _ in 0..<3 {
            var image = ImageBuffer(size: size, format: .gray8)
            for index in image.bytes.indices { image.bytes[index] = UInt8(random.uniform(0...255)) }
            let frame = tracker.track(image)
            for point in frame.observations { #expect(size.contains(point.pixel)) }
        }
    }

    @Test func nothingIsSeenInTheDark() {
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        for value in [0, 0, 255, 128] as [UInt8] {
            let frame = tracker.track(ImageBuffer(size: Self.size, format: .gray8, filledWith: value))
            #expect(frame.observations.isEmpty)
        }
    }

    /// What a predicted motion says may be nonsense: points are lost, nothing else.
    @Test func nonsensePredictionsAreSurvived() {
        var random = TestRandom()
        let frames = Self.frames(3, &random)
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        _ = tracker.track(frames[0])
        let places = [PixelPoint(.nan, 0), PixelPoint(.infinity, 3), PixelPoint(1e300, -1e300), PixelPoint(-5, 1e9)]
        let pixels = tracker.points.enumerated().map { ($1.id, places[$0 % places.count]) }
        let turn = Rotation(rotationVector: Vector3(0, 3.1, 0))
        _ = tracker.track(
            frames[1],
            motion: PredictedMotion(
                opticalFromPreviousOptical: turn, readoutFraction: .nan,
                pixels: Dictionary(uniqueKeysWithValues: pixels)))
        #expect(tracker.track(frames[2]).observations.count > 30)
    }
}
