// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import ARVision
import CSolve
import Foundation

@testable import ARTracking

/// The estimator on a session of points, beside the truth: as the tracker runs it, but for the pictures.
struct PointCloudRun {
    /// How far the camera is from where it was believed to be, at a frame.
    struct FrameError {
        var position: Vector3
        var rotation: Vector3
        /// eᵀ P⁻¹ e.
        var normalized: Double
    }

    let session: PointCloudSession
    /// Of the frames since the motion is known, and of those before.
    private(set) var errors: [FrameError] = []
    private(set) var provisionalErrors: [FrameError] = []
    private(set) var worldFromImu: [RigidTransform] = []
    private(set) var firstPoseSeconds: Double?
    private var firstFrameSeconds: Double?

    /// Where the points are found to be.
    private(set) var followed = FollowedPoints()

    private var initialiser: Initialiser
    private var provisional: ProvisionalPoses?
    private(set) var odometry: Odometry?
    /// The estimate's world from the scene's, since the first start: later ones are to stay in that world.
    private var worldFromScene: RigidTransform?

    private let beginSeconds: Double
    private let settings: OdometrySettings
    private let told: CameraCalibration

    /// A run over the frames from an instant on. A start is told for an instant a little before its first frame, and before the
    /// session begins there is no truth.
    ///
    /// - told: how the camera is said to be; by default, as it is.
    init(
        _ session: PointCloudSession, from beginSeconds: Double = 0.07, settings: OdometrySettings = OdometrySettings(),
        told: CameraCalibration? = nil
    ) {
        self.session = session
        self.settings = settings
        self.beginSeconds = beginSeconds
        self.told = told ?? session.calibration
        var initialisation = InitialisationSettings()
        initialisation.calibration = CalibrationUncertainty(
            self.told.uncertainty, session.imu.uncertainty)
        initialiser = Initialiser(settings: initialisation)
    }

    /// Takes a frame in, unless the run begins later.
    mutating func step(_ frame: PointCloudSession.Frame, history: ImuHistory) {
        guard frame.seconds > beginSeconds else { return }
        firstFrameSeconds = firstFrameSeconds ?? frame.seconds
        odometry?.step(frame: frame.timestamp, points: frame.points, history: history)
        if odometry?.isProvisional ?? true { start(with: frame, history: history) }
        guard let odometry, let worldFromScene else { return }
        let error = Self.error(of: odometry.filter, truth: worldFromScene * sceneFromCamera(at: frame.seconds))
        guard !odometry.isProvisional else { return provisionalErrors.append(error) }
        followed.update(frame.points, odometry)
        if firstPoseSeconds == nil { firstPoseSeconds = frame.seconds }
        worldFromImu.append(odometry.filter.navigation.worldFromImu)
        errors.append(error)
    }

    private static func error(of filter: VisualInertialFilter, truth: RigidTransform) -> FrameError {
        let position = truth.translation - filter.worldFromOptical.translation
        let rotation = (truth.rotation * filter.worldFromOptical.rotation.inverse).rotationVector
        return FrameError(
            position: position, rotation: rotation, normalized: normalized(position, rotation, filter.poseCovariance))
    }

    /// Where the newest frame should show landmarks that are not seen.
    mutating func expectedReturns() -> [ExpectedReturn] { odometry?.expectedReturns() ?? [] }

    private mutating func start(with frame: PointCloudSession.Frame, history: ImuHistory) {
        if let odometry { provisional?.append(newestOf: odometry, keepingSeconds: 3) }
        guard
            let start = initialiser.take(
                MotionAlignment.Frame(timestamp: frame.timestamp, points: frame.points), history: history,
                calibration: CameraState(told), provisional: provisional, attitude: AttitudeAverage())
        else { return }
        let odometry = Odometry(
            start: start, through: MotionAlignment.Frame(timestamp: frame.timestamp, points: frame.points),
            imu: session.imu, settings: settings, history: history)
        provisional = start.isProvisional ? ProvisionalPoses(since: odometry) : nil
        if worldFromScene == nil {
            worldFromScene = Self.worldFromScene(odometry.filter, seenFrom: sceneFromCamera(at: frame.seconds))
        }
        self.odometry = odometry
    }

    /// Where in the estimate's world the camera was at the first frame.
    var firstCameraPlace: Point3? {
        guard let worldFromScene, let firstFrameSeconds else { return nil }
        return (worldFromScene * sceneFromCamera(at: firstFrameSeconds)).translation
    }

    private func sceneFromCamera(at seconds: Double) -> RigidTransform {
        session.state(at: seconds).worldFromBody * session.calibration.imuFromOptical
    }

    /// The world in which an estimator has the camera where it is and headed as it is.
    private static func worldFromScene(
        _ filter: VisualInertialFilter, seenFrom truth: RigidTransform
    ) -> RigidTransform {
        let worldFromCamera = filter.worldFromOptical
        let heading = (worldFromCamera.rotation * truth.rotation.inverse).partAboutUp
        return RigidTransform(
            rotation: heading, translation: worldFromCamera.translation - heading * truth.translation)
    }

    /// Root mean squares, and a mean.
    var positionError: Double { rootMeanSquare { $0.position.squaredLength } }
    var rotationError: Double { rootMeanSquare { $0.rotation.squaredLength } }
    var meanNormalizedError: Double { errors.reduce(0) { $0 + $1.normalized } / Double(errors.count) }

    private func rootMeanSquare(_ square: (FrameError) -> Double) -> Double {
        (errors.reduce(0) { $0 + square($1) } / Double(errors.count)).squareRoot()
    }

    private static func normalized(_ position: Vector3, _ rotation: Vector3, _ covariance: Matrix6x6) -> Double {
        let error = [position.x, position.y, position.z, rotation.x, rotation.y, rotation.z]
        let matrix = (0..<6).flatMap { column in
            [covariance[column].translation, covariance[column].rotation].flatMap { [$0.x, $0.y, $0.z] }
        }
        var solved = error
        guard csolve_solve_positive_definite(matrix, 6, &solved, 1) == CSOLVE_OK else { return .infinity }
        return zip(error, solved).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
