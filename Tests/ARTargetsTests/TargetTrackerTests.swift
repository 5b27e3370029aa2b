// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRecording
import ARSensing
import ARTargets
import Foundation
import TestSupport
import Testing

/// Prints on planes that tilt, hide and vanish, where the truth is known.
@Suite struct TargetTrackerTests {
    private static let size = ImageSize(width: 320, height: 240)
    private static let camera = Camera.pinhole(
        PinholeCamera(PinholeIntrinsics(fx: 300, fy: 300, cx: 159.5, cy: 119.5)))
    private static let width = 0.2

    /// A print, and the database that holds it.
    private struct Fixture {
        var print: ImageBuffer
        var database: TargetDatabase
        let identity = TargetIdentity(database: "test", name: "print")

        init(_ random: inout TestRandom) throws {
            print = ImageBuffer(size: ImageSize(width: 192, height: 192), format: .gray8, filledWith: 200)
            for _ in 0..<90 {
                let (left, top) = (Int(random.uniform(0...170)), Int(random.uniform(0...170)))
                let light = UInt8(random.uniform(20...235))
                for row in top..<min(top + Int(random.uniform(8...40)), 192) {
                    for column in left..<min(left + 20, 192) { print.bytes[row * 192 + column] = light }
                }
            }
            database = try TargetDatabase(
                building: [ReferenceImage(name: "print", picture: print, physicalWidth: TargetTrackerTests.width)])
        }

        func tracker(at corners: PixelQuad, in picture: ImageBuffer) throws -> TargetTracker {
            try #require(TargetTracker(identity, of: database, at: corners, in: picture))
        }

        /// What the camera sees of the print: each pixel the mean of what lies under it. A bar hides part of it.
        func picture(_ cameraFromTarget: RigidTransform, hidden: Double = 0) -> ImageBuffer {
            var image = ImageBuffer(size: TargetTrackerTests.size, format: .gray8, filledWith: 110)
            guard
                let printFromPixel = TargetTrackerTests.corners(cameraFromTarget).pixelFromUnitSquare?.inverse
            else { return image }
            for row in 0..<image.size.height {
                for column in 0..<image.size.width {
                    var (sum, count) = (0.0, 0.0)
                    for sample in 0..<16 {
                        let x = Double(column) + Double(sample % 4) / 4 - 0.375
                        let y = Double(row) + Double(sample / 4) / 4 - 0.375
                        guard let place = printFromPixel.image(of: Vector2(x, y)), (0..<1).contains(place.x),
                            (0..<1).contains(place.y)
                        else { continue }
                        let index = Int(place.y * 192) * 192 + Int(place.x * 192)
                        sum += place.x < hidden ? 90 : Double(print.bytes[index])
                        count += 1
                    }
                    let light = (sum + (16 - count) * 110) / 16
                    image.bytes[row * image.size.width + column] = UInt8(light.rounded())
                }
            }
            return image
        }
    }

    /// The print's corners in the picture.
    private static func corners(_ cameraFromTarget: RigidTransform) -> PixelQuad {
        let half = width / 2
        let places = [(-half, -half), (half, -half), (half, half), (-half, half)]
        return PixelQuad(
            corners: places.map { x, z in
                let inCamera = cameraFromTarget * Vector3(x, 0, z)
                return camera.project(RigidTransform.opticalFromCamera * inCamera) ?? PixelPoint(0, 0)
            })
    }

    /// A print so far ahead, tilted about an axis in its plane, and turned.
    private static func pose(
        tilt: Double, about azimuth: Double = 0, roll: Double = 0, shift: Vector2 = .zero, distance: Double = 0.55
    ) -> RigidTransform {
        let facing = Rotation(rotationVector: Vector3(.pi / 2, 0, 0))
        let turn =
            Rotation(rotationVector: tilt * Vector3(cos(azimuth), sin(azimuth), 0))
            * Rotation(rotationVector: Vector3(0, 0, roll))
        return RigidTransform(rotation: turn * facing, translation: Vector3(shift.x, shift.y, -distance))
    }

    private static func error(_ sighting: TargetSighting?, _ truth: RigidTransform) -> Double {
        sighting.map { $0.corners.cornerError(to: corners(truth)) } ?? .infinity
    }

    /// Corners to a third of a pixel, the half of a place of the raster that is aligned, and the pose that follows from them, while the print shifts, turns and tilts.
    @Test(arguments: 0..<2) func posesAreFollowed(number: Int) throws {
        var random = TestRandom(case: number)
        let fixture = try Fixture(&random)
        func truth(_ step: Double) -> RigidTransform {
            Self.pose(
                tilt: 0.08 * step, about: 0.7, roll: 0.1 * step, shift: Vector2(0.006 * step, -0.004 * step),
                distance: 0.55 - 0.01 * step)
        }
        var tracker = try fixture.tracker(at: Self.corners(truth(0)), in: fixture.picture(truth(0)))
        for step in 1...10 {
            let truth = truth(Double(step))
            let sighting = tracker.track(fixture.picture(truth), camera: Self.camera)
            #expect(Self.error(sighting, truth) < 0.35)
            let pose = try #require(sighting?.cameraFromTarget)
            #expect((pose.translation - truth.translation).length < 0.003)
            #expect((pose.rotation.inverse * truth.rotation).rotationVector.length < 0.03)
            #expect(sighting?.covariance != nil)
        }
    }

    /// Up to 75° between the print's normal and the line of sight.
    @Test func steepPrintsAreFollowed() throws {
        var random = TestRandom()
        let fixture = try Fixture(&random)
        func truth(_ degrees: Double) -> RigidTransform { Self.pose(tilt: degrees * .pi / 180, distance: 0.45) }
        var tracker = try fixture.tracker(at: Self.corners(truth(40)), in: fixture.picture(truth(40)))
        for degrees in stride(from: 44.0, through: 75, by: 4) + [75] {
            let sighting = tracker.track(fixture.picture(truth(degrees)))
            #expect(Self.error(sighting, truth(degrees)) < 1, "\(degrees)°")
        }
    }

    /// By sixty pixels at once, where the alignment alone finds nothing.
    @Test func leapsAreFollowed() throws {
        var random = TestRandom()
        let fixture = try Fixture(&random)
        func truth(_ x: Double) -> RigidTransform { Self.pose(tilt: 0.2, shift: Vector2(x, 0)) }
        var tracker = try fixture.tracker(at: Self.corners(truth(0)), in: fixture.picture(truth(0)))
        for x in [0.11, -0.02, 0.09] {
            #expect(Self.error(tracker.track(fixture.picture(truth(x))), truth(x)) < 0.3)
        }
    }

    /// What is hidden does not pull, and lowers the confidence.
    @Test func coveredPrintsAreFollowed() throws {
        var random = TestRandom()
        let fixture = try Fixture(&random)
        let truth = Self.pose(tilt: 0.3)
        var tracker = try fixture.tracker(at: Self.corners(truth), in: fixture.picture(truth))
        let seen = tracker.track(fixture.picture(truth))
        let whole = try #require(seen)
        for hidden in [0.15, 0.3] {
            let seen = tracker.track(fixture.picture(truth, hidden: hidden))
            let sighting = try #require(seen)
            #expect(Self.error(sighting, truth) < 0.5)
            #expect(sighting.confidence < whole.confidence)
        }
    }

    /// No print, no sighting; when it comes back nearby, it is seen at once.
    @Test func whatVanishesIsNotSeen() throws {
        var random = TestRandom()
        let fixture = try Fixture(&random)
        let truth = Self.pose(tilt: 0.3)
        var tracker = try fixture.tracker(at: Self.corners(truth), in: fixture.picture(truth))
        let empty = ImageBuffer(size: Self.size, format: .gray8, filledWith: 110)
        for count in 1...5 {
            #expect(tracker.track(empty) == nil)
            #expect(tracker.missedCount == count)
        }
        let back = Self.pose(tilt: 0.35, shift: Vector2(0.01, 0))
        #expect(Self.error(tracker.track(fixture.picture(back)), back) < 0.3)
        #expect(tracker.missedCount == 0)
    }

    @Test func samePicturesGiveTheSameSightings() throws {
        func run() throws -> [TargetSighting?] {
            var random = TestRandom()
            let fixture = try Fixture(&random)
            var tracker = try fixture.tracker(
                at: Self.corners(Self.pose(tilt: 0.2)), in: fixture.picture(Self.pose(tilt: 0.2)))
            return (1...3).map { tracker.track(fixture.picture(Self.pose(tilt: 0.2 + 0.05 * Double($0)))) }
        }
        #expect(try run() == run())
    }
}

/// Targets in a video taken by hand.
@Suite(
    .tags(.slow), .whenSlowTestsRun, .enabled(if: RealData.has("boofcv_fiducial/image"), "boofcv_fiducial is absent"))
struct RealTargetTrackerTests {
    /// The corners of both targets in each picture, as others' software found them.
    private static func truth() throws -> [String: [PixelQuad]] {
        let table = try String(
            contentsOf: RealData.url("boofcv_fiducial/reference/image_movie_targets.csv"), encoding: .utf8)
        var quads: [String: [PixelQuad]] = [:]
        for line in table.split(whereSeparator: \.isNewline).dropFirst() {
            let numbers = line.split { !"-.0123456789".contains($0) }.compactMap { Double($0) }.suffix(8)
            let values = Array(numbers)
            let name = String(line.split(separator: ",")[1])
            quads[name, default: []].append(
                PixelQuad(corners: (0..<4).map { PixelPoint(values[2 * $0], values[2 * $0 + 1]) }))
        }
        return quads
    }

    /// The pattern as it is printed: in a black frame of half its size.
    private static func framed(_ pattern: ImageBuffer) -> ImageBuffer {
        let (width, height) = (pattern.size.width, pattern.size.height)
        var print = ImageBuffer(size: ImageSize(width: 2 * width, height: 2 * height), format: .gray8)
        for row in 0..<height {
            let start = (row + height / 2) * 2 * width + width / 2
            print.bytes.replaceSubrange(start..<start + width, with: pattern.bytes[row * width..<(row + 1) * width])
        }
        return print
    }

    @Test(arguments: ["chicken", "yinyang"]) func printsAreRecognisedAndHeldThroughAVideo(name: String) throws {
        let truth = try #require(try Self.truth()[name])
        let pattern = try ImageFile.read(RealData.url("boofcv_fiducial/image/patterns/\(name).png")).gray
        let database = try TargetDatabase(building: [ReferenceImage(name: name, picture: Self.framed(pattern))])
        let video = try VideoReader(
            RealData.url("boofcv_fiducial/image/video/movie.mjpeg"), name: "movie.mjpeg", format: .gray8)
        var recognizer = TargetRecognizer()
        recognizer.activate(database, as: "d")
        var tracker: TargetTracker?
        var (errors, count) = ([Double](), 0)
        while let picture = try video.next() {
            count += 1
            var sighting = tracker?.track(picture)
            if tracker == nil, let recognised = recognizer.recognize(in: picture).first {
                tracker = TargetTracker(following: recognised, of: database, in: picture)
                sighting = recognised
            }
            guard let sighting else { continue }
            errors.append(sighting.corners.cornerError(to: truth[count - 1]))
        }
        errors.sort()
        #expect(count == 143)
        try #require(Double(errors.count) >= 0.97 * Double(count))
        // What is bright has spread by half a pixel, so that the frames' corners say less than the patterns in them.
        #expect(errors[errors.count / 2] < 2)
        #expect(errors[errors.count * 9 / 10] < 6)
    }
}

extension PixelQuad {
    /// The largest distance between corners of the same name.
    fileprivate func cornerError(to other: PixelQuad) -> Double {
        zip(corners, other.corners).map { $0.distance(to: $1) }.max() ?? .infinity
    }
}
