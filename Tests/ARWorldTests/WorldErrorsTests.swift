// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARTracking
@testable import ARWorld

/// What a tracker's uncertainty of its own pose says of the surfaces that it saw meanwhile.
@Suite struct WorldErrorsTests {
    /// A pose that errs along one twist moves all points as a rigid body about the camera, and a plane with them: offset, slopes
    /// and places vary as the turn itself, done to points, says.
    @Test(arguments: 0..<40) func planesAndPointsMoveAsTheCameraErrs(number: Int) throws {
        var random = TestRandom(case: number)
        let camera = 2 * random.vector3()
        let (shift, turn) = (1e-4 * random.vector3(), 1e-4 * random.vector3())
        let normal = number % 2 == 0 ? Vector3(0, 1, 0) : Vector3(random.uniform(-1...1), 0, 1).normalized()!
        let worldFromLevel = try #require(Surface.levelAxes(at: 3 * random.vector3(), normal: normal))
        func moved(_ point: Point3) -> Point3 {
            camera + shift + Rotation(rotationVector: turn) * (point - camera)
        }
        var errors = WorldErrors()
        _ = errors.learn(.outerProduct(shift, turn), at: camera)
        let span = errors.span
        _ = errors.learn(.zero, at: camera)

        let corners = [Point2.zero, Point2(1, 0), Point2(0, 1)].map {
            worldFromLevel.inverse * moved(worldFromLevel * Point3($0.x, 0, $0.y))
        }
        // To first order the height of a moved point is that of the moved plane above the point's old place.
        let change = Vector3(corners[0].y, corners[1].y - corners[0].y, corners[2].y - corners[0].y)
        let wander = errors.wander(ofPlaneIn: worldFromLevel.inverse, since: span)
        #expect((wander - Matrix3x3.outerProduct(change, change)).maximumMagnitude < 1e-2 * wander.maximumMagnitude)

        let point = 3 * random.vector3()
        let way = moved(point) - point
        let movement = errors.movement(of: point, since: span)
        #expect((movement - Matrix3x3.outerProduct(way, way)).maximumMagnitude < 1e-2 * movement.maximumMagnitude)
    }

    /// What the tracker did not learn meanwhile, old and new share; what it has forgotten meanwhile, too.
    @Test func onlyWhatWasLearntSinceTellsOldFromNew() throws {
        let level = RigidTransform.identity
        func covariance(tilt: Double) -> Matrix6x6 {
            var covariance = Matrix6x6.zero
            covariance.rotationByRotation = Matrix3x3(diagonal: Vector3(repeating: tilt * tilt))
            return covariance
        }
        var errors = WorldErrors()
        _ = errors.learn(covariance(tilt: 0.01), at: .zero)
        let early = errors.span
        let isNewForLittle = errors.learn(covariance(tilt: 0.0101), at: .zero)
        #expect(!isNewForLittle)
        #expect(errors.wander(ofPlaneIn: level, since: early) == .zero)
        let isNewForMore = errors.learn(covariance(tilt: 0.006), at: .zero)
        #expect(isNewForMore)
        let wander = errors.wander(ofPlaneIn: level, since: early)
        // 0.01² − 0.006² = 0.008²
        #expect(abs(wander[1].y - 0.008 * 0.008) < 1e-12)
        let late = errors.span
        _ = errors.learn(covariance(tilt: 0.02), at: .zero)
        #expect(errors.wander(ofPlaneIn: level, since: late) == .zero)
        #expect(errors.wander(ofPlaneIn: level, since: early) == .zero)
        #expect(abs(errors.wander(ofPlaneIn: level, since: early, until: late)[1].y - 0.008 * 0.008) < 1e-12)
    }

    /// From one moment to a third one a plane may have moved as much as to a second one between and from there on, because the world has
    /// become surer, and because time goes by; backwards it has not moved.
    @Test(arguments: 0..<20) func movementsFollowUponEachOther(number: Int) {
        var random = TestRandom(case: number)
        var errors = WorldErrors()
        var tilt = 0.01
        let camera = random.vector3()
        for _ in 0..<6 {
            var covariance = Matrix6x6.zero
            covariance.rotationByRotation = Matrix3x3(diagonal: Vector3(repeating: tilt * tilt))
            _ = errors.learn(covariance, at: camera)
            tilt *= random.uniform(0.5...0.8)
        }
        let moments = (0..<3).map { number in
            Moment(span: 1 + 2 * number, instant: Timestamp(nanoseconds: Int64(number * number) * 3_000_000_000))
        }
        let level = RigidTransform(rotation: .identity, translation: random.vector3())
        func wander(_ from: Int, _ to: Int) -> Matrix3x3 {
            errors.wander(ofPlaneIn: level, from: moments[from], to: moments[to])
        }
        for axis in 0..<3 {
            let (whole, parts) = (wander(0, 2)[axis][axis], wander(0, 1)[axis][axis] + wander(1, 2)[axis][axis])
            #expect(whole > 0 && abs(parts / whole - 1) < 1e-9)
        }
        #expect(wander(2, 0) == .zero)
        var later = moments[0]
        later.instant = Timestamp(nanoseconds: 3_000_000_000)
        let drift = errors.wander(ofPlaneIn: level, from: moments[0], to: later)
        let expected = 3 * Matrix3x3(diagonal: Vector3(0.002 * 0.002, 0.0005 * 0.0005, 0.0005 * 0.0005))
        #expect((drift - expected).maximumMagnitude < 1e-12)
    }

    /// What was seen in a world that hung badly says nothing of a plane beside what was seen when it hung well.
    @Test func whatWasSeenInAWorseWorldIsNotKept() {
        var errors = WorldErrors()
        var spans: [Int] = []
        for tilt in [0.01, 0.001] {
            var covariance = Matrix6x6.zero
            covariance.rotationByRotation = Matrix3x3(diagonal: Vector3(repeating: tilt * tilt))
            _ = errors.learn(covariance, at: .zero)
            spans.append(errors.span)
        }
        let instant = Timestamp(nanoseconds: 0)
        var surface = Surface(isHorizontal: true, worldFromLevel: .identity, cellSize: 0.05)
        func kept(inSpan span: Int) -> Matrix3x3 {
            var point = Evidence(
                id: 1, position: Point3(0.1, 0, 0.2), covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)),
                lastSeen: instant)
            point.span = span
            surface.keepWhatWasSaid(by: point, under: errors)
            return surface.former.equations.information
        }
        let early = kept(inSpan: spans[0])
        let late = kept(inSpan: spans[1])
        #expect(early != .zero)
        #expect(late[0].x > 1.2 * early[0].x)
        #expect(kept(inSpan: spans[0]) == late)
        #expect(kept(inSpan: spans[1]) != late)
    }

    /// The spans are bounded: what was seen before the first one that is remembered counts as seen in it.
    @Test func spansAreBounded() {
        var errors = WorldErrors()
        var tilt = 1.0
        for _ in 0..<500 {
            var covariance = Matrix6x6.zero
            covariance.rotationByRotation = Matrix3x3(diagonal: Vector3(repeating: tilt))
            _ = errors.learn(covariance, at: .zero)
            tilt *= 0.7
        }
        #expect(errors.span == 500)
        #expect(errors.wander(ofPlaneIn: .identity, since: 0) == errors.wander(ofPlaneIn: .identity, since: 400))
    }

    /// What is known of a plane is known by as much less as the plane may have moved, and still says the same.
    @Test(arguments: 0..<20) func whatIsKnownOfAPlaneLoosens(number: Int) throws {
        var random = TestRandom(case: number)
        var equations = NormalEquations()
        for _ in 0..<20 {
            let place = random.vector2(-1...1)
            equations.add(
                SurfaceFit.Sample(point: Point3(place.x, random.uniform(-0.1...0.1), place.y), variance: 1e-4),
                weight: 1e4)
        }
        let (a, b) = (0.01 * random.vector3(), 0.01 * random.vector3())
        let wander = Matrix3x3.outerProduct(a, a) + Matrix3x3.outerProduct(b, b)
        let loosened = equations.loosened(by: wander)
        let (before, after) = (try #require(equations.information.inverse), try #require(loosened.information.inverse))
        #expect((after - before - wander).maximumMagnitude < 1e-9 * after.maximumMagnitude)
        #expect((after * loosened.right - before * equations.right).length < 1e-9)
    }

    /// A tracker begins with its world hung a degree askew and says so. A second later it knows; the floor, seen elsewhere from
    /// then on, lies 4 cm higher than what was seen before. It is one floor, and it lies where it is seen now.
    @Test func aFloorFollowsWhatTheTrackerLearnsOfGravity() throws {
        var random = TestRandom()
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        let eye = Point3(0, 1.5, 0)
        let tilt = Rotation(rotationVector: Vector3(0, 0, 1 * .pi / 180))
        func marks(from x: Double, firstID: UInt64) -> [EstimatedLandmark] {
            (0..<60).map { number in
                EstimatedLandmark(
                    id: firstID + UInt64(number),
                    position: Point3(x + random.uniform(0...1), 0.003 * random.normal(), random.uniform(-0.5...0.5)),
                    covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-5)))
            }
        }
        let (first, second) = (marks(from: -2.5, firstID: 0), marks(from: -1.7, firstID: 100))
        for number in 0..<120 {
            var frame = sampleFrame(
                worldFromCamera: RigidTransform.looking(from: eye, at: Point3(-2, 0, 0.01)),
                nanoseconds: Int64(number) * 33_333_333)
            let isEarly = number < 30
            frame.featurePoints = isEarly ? first : second
            if isEarly {
                for index in frame.featurePoints.indices {
                    frame.featurePoints[index].position = eye + tilt * (frame.featurePoints[index].position - eye)
                }
            }
            frame.motion = motion(tiltDeviation: isEarly ? 1 * .pi / 180 : 0.0005)
            watch.note(finder.update(with: frame), at: Double(number) / 30)
            if number == 29 { #expect(watch.planes.count == 1) }
        }
        let floor = try #require(watch.planes.first)
        #expect(watch.planes.count == 1 && watch.removed.isEmpty)
        #expect(abs((floor.worldFromAnchor * floor.center).y) < 0.005)
        #expect((floor.worldFromAnchor.rotation * Vector3(0, 1, 0)).y > 0.99999)
    }

    private func motion(tiltDeviation: Double) -> MotionEstimate {
        var covariance = Matrix6x6.zero
        let variance = tiltDeviation * tiltDeviation
        covariance.rotationByRotation = Matrix3x3(diagonal: Vector3(variance, 1e-8, variance))
        return MotionEstimate(
            velocity: .zero, gyroscopeBias: .zero, accelerometerBias: .zero, accelerometerLagSeconds: 0,
            poseCovariance: covariance,
            calibration: CameraCalibration(
                camera: SyntheticRoom.camera, imageSize: SyntheticRoom.imageSize, imuFromOptical: .identity,
                rateInHertz: SyntheticRoom.framesPerSecond),
            isProvisional: false, featureCount: 60, landmarks: [])
    }
}

extension Matrix6x6 {
    /// The covariance of a twist that goes along one direction only.
    fileprivate static func outerProduct(_ translation: Vector3, _ rotation: Vector3) -> Matrix6x6 {
        Matrix6x6(
            translationByTranslation: .outerProduct(translation, translation),
            translationByRotation: .outerProduct(translation, rotation),
            rotationByTranslation: .outerProduct(rotation, translation),
            rotationByRotation: .outerProduct(rotation, rotation))
    }
}
