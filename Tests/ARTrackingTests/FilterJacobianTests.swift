// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARTracking

/// How errors go on through motion, cloning and a change of anchor: the filter's covariances against differences of states
/// that err a little.
@Suite struct FilterJacobianTests {
    private static let gravity = Vector3(0, -9.81, 0)
    private static let start = Timestamp(nanoseconds: 1_000_000_000)
    private static let end = Timestamp(nanoseconds: 1_100_000_000)
    private static let layout = StateLayout(cloneCapacity: 3, landmarkCapacity: 1)

    private static let navigation = NavigationState(
        timestamp: start,
        worldFromImu: RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0.4, -0.9, 0.3)), translation: Vector3(1.2, -0.4, 2.1)),
        velocity: Vector3(0.5, -0.3, 0.8), errors: ImuErrors())

    /// A filter that knows everything.
    private static func filter(
        _ navigation: NavigationState = navigation,
        start: DenseMatrix = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
    ) -> VisualInertialFilter {
        let calibration = CameraState(
            CameraCalibration(
                camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 480, fy: 480, cx: 320, cy: 240))),
                imageSize: ImageSize(width: 640, height: 480),
                imuFromOptical: RigidTransform(
                    rotation: Rotation(rotationVector: Vector3(0.2, 0.1, -0.3)), translation: Vector3(0.01, 0.02, 0.03)),
                rateInHertz: 30))
        return VisualInertialFilter(
            navigation: navigation,
            covariance: start, calibration: calibration,
            layout: layout,
            gravity: gravity,
            measurementCapacity: layout.count)
    }

    /// A history without noise of a device that turns and is pushed.
    private static let history: ImuHistory = {
        var history = ImuHistory(calibration: silent)
        for step in 0...40 {
            let t = Double(step) * 0.005
            history.insert(
                ImuSample(
                    timestamp: Timestamp(nanoseconds: 990_000_000 + Int64(step) * 5_000_000),
                    angularVelocity: Vector3(1 + t, -0.7, 0.4 - 2 * t), specificForce: Vector3(1.5, 9 - 3 * t, 2 * t)))
        }
        return history
    }()

    private static let silent = ImuCalibration(
        rateInHertz: 200, gyroscopeNoiseDensity: 0, gyroscopeRandomWalk: 0, accelerometerNoiseDensity: 0,
        accelerometerRandomWalk: 0)

    /// The truth when an estimate errs by `h` in one variable.
    private static func erring(_ state: NavigationState, in variable: Int, by h: Double) -> NavigationState {
        var state = state
        var unit = Vector3.zero
        unit[variable % 3] = h
        switch variable / 3 * 3 {
        case StateLayout.rotation:
            let turn = Rotation(rotationVector: unit)
            state.worldFromImu = RigidTransform(rotation: turn) * state.worldFromImu
            state.velocity = turn * state.velocity
        case StateLayout.velocity: state.velocity += unit
        case StateLayout.position: state.worldFromImu.translation += unit
        case StateLayout.gyroscopeBias: state.errors.gyroscopeBias += unit
        case StateLayout.accelerometerBias: state.errors.accelerometerBias += unit
        case StateLayout.accelerometerLag: state.errors.accelerometerLag += h
        case 15, 18, 21: state.errors.gyroscopeDistortion[(variable - 15) / 3] += unit
        default: state.errors.accelerometerDistortion[(variable - 24) / 3] += unit
        }
        return state
    }

    /// Rotation, velocity and position by which an estimate errs.
    private static func error(of estimate: NavigationState, truth: NavigationState) -> [Double] {
        let turn = truth.worldFromImu.rotation * estimate.worldFromImu.rotation.inverse
        let velocity = truth.velocity - turn * estimate.velocity
        let position = truth.worldFromImu.translation - turn * estimate.worldFromImu.translation
        return [turn.rotationVector, velocity, position].flatMap { [$0.x, $0.y, $0.z] }
    }

    @Test(arguments: 0..<StateLayout.inertialCount) func errorsGoOnThroughMotion(variable: Int) {
        func moved(_ state: NavigationState) -> NavigationState {
            let motion = Self.history.motion(from: Self.start, to: Self.end, errors: state.errors)
            return state.advanced(by: motion, gravity: Self.gravity, to: Self.end)
        }
        let h = 1e-5
        let estimate = moved(Self.navigation)
        let plus = Self.error(of: estimate, truth: moved(Self.erring(Self.navigation, in: variable, by: h)))
        let minus = Self.error(of: estimate, truth: moved(Self.erring(Self.navigation, in: variable, by: -h)))
        let numeric = zip(plus, minus).map { ($0 - $1) / (2 * h) }

        var filter = Self.filter()
        filter.covariance.reset(variable, variance: 1)
        let motion = Self.history.motion(
            from: Self.start, to: Self.end, errors: ImuErrors(), detail: .noise)
        filter.propagate(by: motion, to: Self.end, walk: ErrorWalk(Self.silent))
        for i in 0..<9 {
            for j in 0..<9 {
                // The covariance is that of one error alone: its outer product. Derivatives by the samples' errors are
                // those of a step taken as a whole, good to a hundredth.
                let expected = numeric[i] * numeric[j]
                let tolerance: Double = 0.01 * abs(expected) + 2e-4 * abs(numeric[i]) + 1e-6
                #expect(abs(filter.covariance[i, j] - expected) < tolerance)
            }
        }
    }

    @Test func clonesErrWithTheClock() {
        let rate = Vector3(0.9, -1.2, 0.5)
        var filter = Self.filter()
        filter.covariance.reset(StateLayout.timeOffset, variance: 1)
        filter.addClone(0, frame: Self.start, angularVelocity: rate, readout: .global)
        func later(_ h: Double) -> NavigationState {
            var state = Self.navigation
            state.worldFromImu.rotation = state.worldFromImu.rotation * Rotation(rotationVector: rate * h)
            state.worldFromImu.translation += state.velocity * h
            return state
        }
        let h = 1e-6
        let plus = Self.error(of: Self.navigation, truth: later(h))
        let minus = Self.error(of: Self.navigation, truth: later(-h))
        for (row, index) in [0, 1, 2, 6, 7, 8].enumerated() {
            let numeric = (plus[index] - minus[index]) / (2 * h)
            #expect(abs(filter.covariance[Self.layout.clone(0) + row, StateLayout.timeOffset] - numeric) < 1e-6)
        }
    }

    /// A frame shows where things are in the mean of its exposure: half the variance of its times, times the acceleration, further
    /// than where they are in its middle.
    @Test func clonesErrWithTheExposure() {
        let (turning, push) = (Vector3(40, -30, 20), Vector3(3, -2, 5))
        func clone(exposureVariance: Double) -> (VisualInertialFilter, RigidTransform) {
            var filter = Self.filter()
            filter.calibration.exposureVariance = exposureVariance
            filter.covariance.reset(StateLayout.exposure, variance: 1)
            filter.addClone(
                0, frame: Self.start, angularVelocity: .zero, acceleration: .init(linear: push, angular: turning),
                readout: .global)
            return (filter, filter.clones[0]!.worldFromImu)
        }
        // The mean of the poses at both ends of a short while, whose times' variance is its half's square.
        let half = 0.005
        let (filter, mean) = clone(exposureVariance: half * half)
        let rotation = Self.navigation.worldFromImu.rotation * Rotation(rotationVector: 0.5 * half * half * turning)
        let place = Self.navigation.worldFromImu.translation + 0.5 * half * half * push
        #expect(mean.rotation.angle(to: rotation) < 1e-12)
        #expect((mean.translation - place).length < 1e-12)
        let h = 1e-7
        func error(_ step: Double) -> [Double] {
            var truth = Self.navigation
            truth.worldFromImu = clone(exposureVariance: half * half + step).1
            var estimate = Self.navigation
            estimate.worldFromImu = mean
            return Self.error(of: estimate, truth: truth)
        }
        let (plus, minus) = (error(h), error(-h))
        for (row, index) in [0, 1, 2, 6, 7, 8].enumerated() {
            let numeric = (plus[index] - minus[index]) / (2 * h)
            // The derivative is taken where the frame's middle is, 0.08 mm from the mean.
            #expect(abs(filter.covariance[Self.layout.clone(0) + row, StateLayout.exposure] - numeric) < 1e-3)
        }
    }

    /// A picture that is turned by itself is turned about the camera: as much as is said about each axis, and the camera stays where it is.
    @Test func aPictureTurnsAboutTheCamera() {
        var filter = Self.filter()
        filter.addClone(0, frame: Self.start, angularVelocity: .zero, readout: .global)
        let before = filter.covariance
        filter.turnPicture(0, variance: 4e-6)
        let first = Self.layout.clone(0)
        func added(_ row: Int, _ column: Int) -> Matrix3x3 {
            filter.covariance.block(first + row, first + column) - before.block(first + row, first + column)
        }
        // The camera's place c errs by θ × c + ρ.
        let center = (filter.clones[0]!.worldFromImu * filter.calibration.imuFromOptical).translation
        let byRotation = -Matrix3x3.crossProduct(center)
        let ofCenter =
            byRotation * added(0, 0) * byRotation.transpose + byRotation * added(0, 3)
            + added(3, 0) * byRotation.transpose + added(3, 3)
        for axis in 0..<3 {
            #expect((added(0, 0)[axis] - Matrix3x3(diagonal: Vector3(repeating: 4e-6))[axis]).length < 1e-18)
            #expect(ofCenter[axis].length < 1e-18)
        }
    }

    /// A landmark that changes its anchor stays where it is, whatever errs, and wherever the new anchor's camera looks: a little
    /// aside, to either side, down, up and back.
    @Test(
        arguments: [0.5, 0.0],
        [
            Vector3(0.1, -0.05, 0.1), Vector3(0.1, 1.6, 0), Vector3(0, -1.5, 0.2), Vector3(1.7, 0.1, 0),
            Vector3(-1.5, 0, 0), Vector3(0, 3, 0.1),
        ])
    func landmarksKeepTheirErrors(inverseDepth: Double, turn: Vector3) throws {
        var base = Self.filter()
        base.addClone(0, frame: Self.start, angularVelocity: .zero, readout: .global)
        base.navigation.worldFromImu =
            base.navigation.worldFromImu
            * RigidTransform(
                rotation: Rotation(rotationVector: turn), translation: Vector3(0.2, 0.1, 0))
        base.addClone(1, frame: Self.end, angularVelocity: .zero, readout: .global)
        base.landmarks[0] = Landmark(
            id: 7, anchor: 0, coordinates: Vector3(0.1, -0.2, inverseDepth),
            imuFromAnchorAxes: base.calibration.imuFromOptical)
        let own = Self.layout.landmark(0)
        let variables = [Self.layout.clone(0), Self.layout.clone(1)].flatMap { $0..<($0 + 6) } + Array(own..<(own + 3))
        for variable in variables {
            func coordinates(_ h: Double) throws -> Vector3 {
                var filter = base
                for slot in 0..<2 {
                    let offset = variable - Self.layout.clone(slot)
                    guard (0..<6).contains(offset) else { continue }
                    var unit = Vector3.zero
                    unit[offset % 3] = h
                    let error =
                        offset < 3
                        ? RigidTransform(rotation: Rotation(rotationVector: unit)) : RigidTransform(translation: unit)
                    filter.clones[slot]!.worldFromImu = error * filter.clones[slot]!.worldFromImu
                }
                if variable >= own { filter.landmarks[0]!.coordinates[variable - own] += h }
                let isSeen = filter.moveAnchor(ofLandmark: 0, to: 1)
                #expect(isSeen)
                return try #require(filter.landmarks[0]).coordinates
            }
            let h = 1e-6
            let numeric = try (coordinates(h) - coordinates(-h)) / (2 * h)
            var filter = base
            filter.covariance.reset(variable, variance: 1)
            let isSeen = filter.moveAnchor(ofLandmark: 0, to: 1)
            #expect(isSeen)
            for i in 0..<3 {
                for j in 0..<3 {
                    let expected: Double = numeric[i] * numeric[j]
                    #expect(abs(filter.covariance[own + i, own + j] - expected) < 1e-6)
                }
                if variable < own { #expect(abs(filter.covariance[own + i, variable] - numeric[i]) < 1e-6) }
            }
        }
    }

    /// A camera that moves was elsewhere if the clocks are off: by its velocity, and by how it turns.
    @Test func aFramesPoseErrsWithTheClock() {
        var start = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
        start[StartLayout.timeOffset, StartLayout.timeOffset] = 0.01 * 0.01
        var filter = Self.filter(start: start)
        let rate = Vector3(1, -0.7, 0.4)
        filter.addClone(2, frame: Self.start, angularVelocity: rate, readout: .global)
        let h = 1e-6
        func camera(after seconds: Double) -> RigidTransform {
            let imu = Self.navigation.worldFromImu
            return RigidTransform(
                rotation: imu.rotation * Rotation(rotationVector: seconds * rate),
                translation: imu.translation + seconds * Self.navigation.velocity) * filter.calibration.imuFromOptical
        }
        let (before, after) = (camera(after: -h), camera(after: h))
        let shift = (after.translation - before.translation) / (2 * h)
        let turn = (after.rotation * before.rotation.inverse).rotationVector / (2 * h)
        let found = filter.poseCovariance(ofClone: 2)
        for (block, a, b) in [
            (found.translationByTranslation, shift, shift), (found.translationByRotation, shift, turn),
            (found.rotationByRotation, turn, turn),
        ] {
            let expected = 1e-4 * Matrix3x3.outerProduct(a, b)
            for column in 0..<3 { #expect((block[column] - expected[column]).length < 1e-9) }
        }
    }

    /// Where the focal lengths change by a share, both do, by the same.
    @Test func bothFocalLengthsChange() {
        var filter = Self.filter()
        filter.changeFocalLength(variance: 1e-4)
        let focal = StateLayout.intrinsics
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            #expect(abs(filter.covariance[focal + row, focal + column] - 4.8 * 4.8) < 1e-9)
        }
    }

    /// Errors of a world that is called after a clone's camera: what is left of them when the true world is turned about up and moved so that
    /// this camera is headed, and is, as is believed. To first order, and for errors of any kind.
    @Test(arguments: 0..<8) func aNamedWorldErrsByWhatLiesBetween(number: Int) {
        var random = TestRandom(case: number)
        var filter = Self.filter()
        for (slot, time) in [(0, Self.start), (2, Self.end)] {
            filter.navigation.worldFromImu = RigidTransform(
                rotation: random.rotation(), translation: 2 * random.vector3())
            filter.addClone(slot, frame: time, angularVelocity: .zero, readout: .global)
        }
        let named = Self.layout.clone(2)
        let count = Self.layout.landmark(0)
        let errors = (0..<count).map { _ in 1e-6 * random.uniform(-1...1) }
        var covariance = DenseMatrix(rows: count, columns: count)
        for column in 0..<count {
            for row in 0..<count { covariance[row, column] = errors[row] * errors[column] }
        }
        filter.covariance.reset(Array(0..<count), covariance: covariance)

        func part(_ first: Int) -> Vector3 { Vector3(errors[first], errors[first + 1], errors[first + 2]) }
        func truth(_ pose: RigidTransform, _ rotation: Int, _ position: Int) -> RigidTransform {
            let turn = Rotation(rotationVector: part(rotation))
            return RigidTransform(
                rotation: turn * pose.rotation, translation: turn * pose.translation + part(position))
        }
        let clone = filter.clones[2]!.worldFromImu
        let onDevice = filter.calibration.imuFromOptical
        let trulyOnDevice = RigidTransform(
            rotation: onDevice.rotation * Rotation(rotationVector: part(StateLayout.extrinsicRotation)),
            translation: onDevice.translation + part(StateLayout.extrinsicTranslation))
        let (camera, trueCamera) = (clone * onDevice, truth(clone, named, named + 3) * trulyOnDevice)
        let heading = (camera.rotation * trueCamera.rotation.inverse).partAboutUp
        let newFromTrue = RigidTransform(
            rotation: heading, translation: camera.translation - heading * trueCamera.translation)
        var expected = errors
        for (pose, rotation, position) in [
            (filter.navigation.worldFromImu, StateLayout.rotation, StateLayout.position),
            (filter.clones[0]!.worldFromImu, Self.layout.clone(0), Self.layout.clone(0) + 3), (clone, named, named + 3),
        ] {
            let renamed = newFromTrue * truth(pose, rotation, position)
            let turn = renamed.rotation * pose.rotation.inverse
            let shift = renamed.translation - turn * pose.translation
            for axis in 0..<3 {
                expected[rotation + axis] = turn.rotationVector[axis]
                expected[position + axis] = shift[axis]
            }
        }

        filter.nameWorld(byClone: 2)
        for column in 0..<count {
            for row in 0..<count {
                #expect(abs(filter.covariance[row, column] - expected[row] * expected[column]) < 2e-17)
            }
        }
        let pose = filter.poseCovariance(ofClone: 2)
        #expect(pose.translationByTranslation.trace < 1e-20)
        #expect(abs(pose.rotationByRotation[1].y) < 1e-20)
    }

    /// What an observation says of how long the rows take and of how the lens bends: where the point should be seen changes with them.
    @Test(arguments: [20.0, 100, 390]) func picturesErrWithReadoutAndLens(row: Double) throws {
        var base = Self.filter()
        base.calibration.correct(readout: 0.02, radial: -0.01)
        for slot in 0..<2 {
            base.navigation.worldFromImu.translation += Double(slot) * Vector3(0.1, 0.05, 0)
            base.addClone(
                slot, frame: Self.start, angularVelocity: .zero,
                readout: ReadoutMotion(
                    about: Self.start, readoutSeconds: 0.02, history: Self.history, errors: ImuErrors()))
        }
        let landmark = Landmark(
            id: 7, anchor: 0, coordinates: Vector3(0.1, -0.2, 0.4), imuFromAnchorAxes: base.calibration.imuFromOptical)
        let seen = FeatureTrack.Observation(clone: 1, pixel: PixelPoint(410, row), deviationPixels: 0.5)
        func rows(_ filter: VisualInertialFilter) throws -> Measurements {
            var rows = Measurements(of: Self.layout.visual, capacity: 2)
            try #require(
                filter.append(
                    seen, of: landmark, filter.anchored(landmark), variable: Self.layout.landmark(0), to: &rows))
            return rows
        }
        let h = 1e-6
        for (variable, readout, radial) in [(StateLayout.readout, h, 0), (StateLayout.radial, 0, h)] {
            func moved(_ sign: Double) throws -> Measurements {
                var filter = base
                filter.calibration.correct(readout: sign * readout, radial: sign * radial)
                return try rows(filter)
            }
            let (found, more, less) = (try rows(base), try moved(1), try moved(-1))
            for axis in 0..<2 {
                let numeric = (less[residual: axis] - more[residual: axis]) / (2 * h)
                #expect(abs(found[axis, variable] - numeric) < 1e-4 * (1 + abs(numeric)))
                #expect(abs(numeric) > 1)
            }
        }
    }

    /// A device that is where it was, but for a turn and a shift: what is off, and how that changes when one of the two poses errs.
    @Test func aDeviceThatStands() {
        let turn = Rotation(rotationVector: Vector3(0.05, -0.02, 0.03))
        let shift = Vector3(0.2, -0.1, 0.3)
        var base = Self.filter()
        base.addClone(0, frame: Self.start, angularVelocity: .zero, readout: .global)
        base.navigation.worldFromImu =
            RigidTransform(
                rotation: Rotation(rotationVector: Vector3(1e-4, -2e-4, 3e-4)), translation: Vector3(1, 2, 3))
            * base.navigation.worldFromImu * RigidTransform(rotation: turn, translation: shift)
        base.addClone(1, frame: Self.end, angularVelocity: .zero, readout: .global)
        func measurements(_ filter: VisualInertialFilter) -> Measurements {
            var measurements = Measurements(of: Self.layout.cameraAndClones, capacity: 6)
            filter.appendStand(
                1, since: 0, turnedBy: turn, shiftedBy: shift, rotationDeviation: 0.5, positionDeviation: 2,
                to: &measurements)
            return measurements
        }
        let expected = measurements(base)
        #expect(abs(expected[residual: 2] + 3e-4 / 0.5) < 1e-7)
        for variable in Self.layout.clone(0)..<Self.layout.clone(2) {
            func residuals(_ h: Double) -> [Double] {
                var filter = base
                let (slot, offset) = (variable < Self.layout.clone(1) ? 0 : 1, (variable - Self.layout.clone(0)) % 6)
                var unit = Vector3.zero
                unit[offset % 3] = h
                let error =
                    offset < 3
                    ? RigidTransform(rotation: Rotation(rotationVector: unit)) : RigidTransform(translation: unit)
                filter.clones[slot]!.worldFromImu = error * filter.clones[slot]!.worldFromImu
                let found = measurements(filter)
                return (0..<6).map { found[residual: $0] }
            }
            let h = 1e-6
            for (row, (plus, minus)) in zip(residuals(h), residuals(-h)).enumerated() {
                // What is measured grows as what is left of it shrinks.
                #expect(abs(expected[row, variable] + (plus - minus) / (2 * h)) < 1e-3)
            }
        }
    }

    /// What is known of velocity and gravity in the IMU's frame, and of the focal lengths, becomes what the filter knows: a unit
    /// variance of each turns into the square of what a small error of it does.
    @Test func startsWithWhatIsKnown() {
        let (attitude, velocity) = (Self.navigation.worldFromImu.rotation, Self.navigation.velocity)
        let gravityInImu = attitude.inverse * Self.gravity
        let h = 1e-6
        for axis in 0..<3 {
            var start = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
            start[StartLayout.gravity + axis, StartLayout.gravity + axis] = 1
            start[StartLayout.focal, StartLayout.focal] = 1
            let filter = Self.filter(start: start)
            var moved = gravityInImu
            moved[axis] += h
            // The truth is level with the true gravity: θ brings the estimate's attitude there.
            let turn = (attitude.withUp(-1 * moved) * attitude.inverse).rotationVector / h
            for i in 0..<3 {
                for j in 0..<3 {
                    #expect(abs(filter.covariance[i, j] - turn[i] * turn[j]) < 1e-5)
                }
            }
            let f = StateLayout.intrinsics
            #expect(abs(filter.covariance[f, f + 1] - 480 * 480) < 1e-6)

            var slow = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
            slow[StartLayout.velocity + axis, StartLayout.velocity + axis] = 1
            var step = attitude.inverse * velocity
            step[axis] += h
            let change = (attitude * step - velocity) / h
            let known = Self.filter(start: slow).covariance.block(StateLayout.velocity, StateLayout.velocity)
            for i in 0..<3 {
                for j in 0..<3 { #expect(abs(known[j][i] - change[i] * change[j]) < 1e-6) }
            }
        }
    }
}
