// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import TestSupport
import Testing

@testable import ARTracking

/// What a search for a motion tells of the points that it saw.
@Suite struct AlignedPointsTests {
    /// What was found of a second and a half of a walk, and what is true.
    private struct Found {
        var landmarks: [Landmark]
        /// Of the variables of ``StartLayout`` and the landmarks' coordinates.
        var covariance: DenseMatrix
        /// Truth less estimate of the landmarks' coordinates, three each, and of the velocity.
        var errors: [Double]
        var velocityError: Vector3
    }

    private static func found(seed: UInt64, from first: Double) throws -> Found? {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: first + 2, seed: seed)
        let (frames, samples) = session.take(during: first..<(first + 1.5))
        let settings = InitialisationSettings()
        guard
            let alignment = MotionAlignment(
                frames: frames, history: samples, calibration: CameraState(session.calibration), settings: settings),
            alignment.isTrusted(by: settings, seconds: 1.5)
        else { return nil }
        var places: [UInt64: Point3] = [:]
        session.forEachFrame { frame, _ in
            for (point, place) in zip(frame.points, frame.places) { places[point.id] = place }
        }
        let (landmarks, covariance) = alignment.points.landmarks(
            30, among: Set(frames.last!.points.map(\.id)), depthError: 0.2)
        let truth = session.state(at: alignment.timestamp.seconds(since: SceneSession.start))
        let errors = try landmarks.flatMap { landmark in
            let inImu = try truth.worldFromBody.inverse * #require(places[landmark.id])
            let inAxes = landmark.imuFromAnchorAxes.inverse * inImu
            let error = Vector3(inAxes.x, inAxes.y, 1) / inAxes.z - landmark.coordinates
            return [error.x, error.y, error.z]
        }
        return Found(
            landmarks: landmarks, covariance: covariance, errors: errors,
            velocityError: truth.worldFromBody.rotation.inverse * truth.velocity - alignment.motion.velocity)
    }

    /// The points are where they are said to be, as well as that is said, or better, because rays are taken to be worse than they seem;
    /// and who hears how the velocity errs knows the distances better, because they have the scale in common.
    @Test(.tags(.slow), .whenSlowTestsRun) func pointsErrAsIsSaid() throws {
        var (normalised, count, raw, remaining) = (0.0, 0, 0.0, 0.0)
        for seed in 1...8 as ClosedRange<UInt64> {
            guard let found = try Self.found(seed: seed, from: 1 + 0.2 * Double(seed)) else { continue }
            #expect(found.landmarks.count >= 20)
            let velocity = found.covariance.block(StartLayout.velocity, StartLayout.velocity)
            let explained = try #require(velocity.inverse) * found.velocityError
            for index in found.landmarks.indices {
                let variable = StartLayout.count + 3 * index
                let error = Vector3(found.errors[3 * index], found.errors[3 * index + 1], found.errors[3 * index + 2])
                let inverse = try #require(found.covariance.block(variable, variable).inverse)
                normalised += error.dot(inverse * error)
                count += 1
                let expected = found.covariance.block(variable, StartLayout.velocity) * explained
                raw += error.z * error.z
                remaining += (error.z - expected.z) * (error.z - expected.z)
            }
        }
        #expect(count > 100)
        let mean = normalised / Double(count)
        #expect((0.1...3.5).contains(mean), "\(mean)")
        #expect(remaining < 0.8 * raw, "\(remaining) of \(raw)")
    }

    /// A filter that begins with points knows of them, and of them and the motion together, what the search knew.
    @Test func aFilterBeginsWithThePoints() throws {
        let found = try #require(try Self.found(seed: 3, from: 1.6))
        let sample = SampleCamera.all[0]
        let rotation = Rotation(rotationVector: Vector3(0.3, 0.9, -0.4))
        let layout = StateLayout(cloneCapacity: 3, landmarkCapacity: found.landmarks.count + 2)
        let filter = VisualInertialFilter(
            navigation: NavigationState(
                timestamp: Timestamp(nanoseconds: 5),
                worldFromImu: RigidTransform(rotation: rotation, translation: Vector3(1, 2, 3)),
                velocity: Vector3(0.1, 0.2, 0.3), errors: ImuErrors()),
            covariance: found.covariance, landmarks: found.landmarks,
            calibration: CameraState(
                CameraCalibration(camera: sample.camera, imageSize: sample.imageSize, rateInHertz: 30)),
            layout: layout, gravity: Vector3(0, -9.81, 0), measurementCapacity: layout.count)
        let start = try #require(filter.clones[VisualInertialFilter.startSlot])
        #expect(start.worldFromImu == filter.navigation.worldFromImu)
        #expect(filter.landmarks.count { $0 != nil } == found.landmarks.count)
        func expectEqual(_ a: Matrix3x3, _ b: Matrix3x3) {
            for column in 0..<3 { #expect((a[column] - b[column]).length < 1e-12 + 1e-9 * b[column].length) }
        }
        let pose = filter.layout.clone(VisualInertialFilter.startSlot)
        for index in found.landmarks.indices {
            #expect(filter.landmarks[index]?.id == found.landmarks[index].id)
            let (here, there) = (filter.layout.landmark(index), StartLayout.count + 3 * index)
            expectEqual(
                filter.covariance.block(here, StateLayout.velocity),
                found.covariance.block(there, StartLayout.velocity) * rotation.matrix.transpose)
            for other in found.landmarks.indices {
                expectEqual(
                    filter.covariance.block(here, filter.layout.landmark(other)),
                    found.covariance.block(there, StartLayout.count + 3 * other))
            }
            expectEqual(filter.covariance.block(here, pose), filter.covariance.block(here, StateLayout.rotation))
            expectEqual(filter.covariance.block(here, pose + 3), filter.covariance.block(here, StateLayout.position))
        }
    }

    /// Where a search ends, nothing is begun anew: the first frame of the filter that follows agrees with the points that it found.
    @Test func aFilterGoesOnWithThePoints() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 5, seed: 5)
        var run = PointCloudRun(session)
        var updated: Int?
        session.forEachFrame { frame, history in
            run.step(frame, history: history)
            guard updated == nil, let odometry = run.odometry, !odometry.isProvisional else { return }
            updated = odometry.report.landmarksUpdated
        }
        #expect(try #require(updated) >= 20)
    }
}
