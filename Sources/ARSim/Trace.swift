// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTracking
import ARWorld
import Foundation

/// Writes what a session found, one JSON object a line: a header, then one object a frame.
///
/// Keys are sorted, numbers are the shortest that read back exactly, and nothing depends on the clock, the machine or
/// the file's place: the same session gives the same bytes. The format is described in the article *Trace*.
public final class TraceWriter {
    /// The version of the format.
    public static let formatVersion = 1

    private let file: AtomicFile
    private let encoder: JSONEncoder

    /// Starts a trace at that place; it appears there when ``finish()`` is called.
    public init(creating url: URL, for session: Session) throws {
        file = try AtomicFile(replacing: url)
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(TraceHeader(session))
    }

    /// Appends a frame.
    public func append(_ frame: SessionFrame) throws { try write(TraceFrame(frame)) }

    /// Puts the trace in its place.
    public func finish() throws { try file.commit() }

    private func write(_ line: some Encodable) throws {
        try file.write(encoder.encode(line))
        try file.write("\n")
    }
}

private struct TraceHeader: Encodable {
    let arsim_trace = TraceWriter.formatVersion
    let mode: String
    let image_size_px: [Int]
    let interface_orientation: String
    let pen: String

    init(_ session: Session) {
        mode = session.mode.rawValue
        image_size_px = [session.rig.camera.imageSize.width, session.rig.camera.imageSize.height]
        interface_orientation = session.rig.interfaceOrientation.rawValue
        pen = session.configuration.pen.rawValue
    }
}

private struct TraceFrame: Encodable {
    let frame: Int
    let time_ns: Int64
    let tracking_state: String
    let shows_old_picture: Bool?
    let world_from_camera: TracePose?
    let pose_covariance: [Double]?
    let motion: TraceMotion?
    let anchors_added: [TraceAnchor]
    let anchors_updated: [TraceAnchor]
    let anchors_removed: [String]
    let world_from_old_world: TracePose?
    let center_hits: [TraceHit]
    let rectangles: [TraceRectangle]?
    let codes: [TraceCode]?
    let detection_age: Int?
    let world_rectangles: [TraceWorldRectangle]?
    let image_targets: [TraceTarget]?
    let fingertip: TraceFingertip?
    let faces: [TraceFace]?
    let pen: TracePen?

    init(_ frame: SessionFrame) {
        self.frame = frame.index
        time_ns = frame.timestamp.nanoseconds
        tracking_state = frame.trackingState.description
        shows_old_picture = frame.showsOldPicture ? true : nil
        world_from_camera = frame.trackingState == .notAvailable ? nil : TracePose(frame.worldFromCamera)
        pose_covariance = frame.motion.map { $0.poseCovariance.rows }
        motion = frame.motion.map(TraceMotion.init)
        let world = frame.world
        anchors_added = world.changes.added.compactMap { world.anchor($0).map(TraceAnchor.init) }
        anchors_updated = world.changes.updated.compactMap { world.anchor($0).map(TraceAnchor.init) }
        anchors_removed = world.changes.removed.map(\.uuidString)
        world_from_old_world = world.correction.map { TracePose($0.worldFromOldWorld) }
        center_hits = frame.centerHits.map { TraceHit($0, at: frame.centerPixel) }
        rectangles = frame.detections?.rectangles.map(TraceRectangle.init)
        codes = frame.detections?.codes.map(TraceCode.init)
        detection_age = frame.detections?.age
        world_rectangles = frame.rectangles?.map(TraceWorldRectangle.init)
        image_targets = frame.targets?.map(TraceTarget.init)
        fingertip = frame.fingertip.map(TraceFingertip.init)
        faces = frame.faces?.map(TraceFace.init)
        pen = frame.pen.map(TracePen.init)
    }
}

private struct TraceMotion: Encodable {
    let velocity_m_per_s: [Double]
    let gyroscope_bias_rad_per_s: [Double]
    let accelerometer_bias_m_per_s2: [Double]
    let accelerometer_lag_s: Double
    let calibration: TraceCalibration
    let features: Int
    let landmarks: Int

    init(_ motion: MotionEstimate) {
        velocity_m_per_s = motion.velocity.numbers
        gyroscope_bias_rad_per_s = motion.gyroscopeBias.numbers
        accelerometer_bias_m_per_s2 = motion.accelerometerBias.numbers
        accelerometer_lag_s = motion.accelerometerLagSeconds
        calibration = TraceCalibration(motion.calibration)
        features = motion.featureCount
        landmarks = motion.landmarks.count
    }
}

/// The camera as the tracker knows it by now.
private struct TraceCalibration: Encodable {
    let focal_px: [Double]
    let principal_point_px: [Double]
    let distortion_coefficients: [Double]
    let imu_from_camera: TracePose
    let imu_from_camera_time_offset_ns: Int64
    let readout_ns: Int64

    init(_ calibration: CameraCalibration) {
        let lens = calibration.camera.intrinsics
        focal_px = [lens.fx, lens.fy]
        principal_point_px = [lens.cx, lens.cy]
        distortion_coefficients = calibration.camera.distortion
        imu_from_camera = TracePose(calibration.imuFromCamera)
        imu_from_camera_time_offset_ns = calibration.imuFromCameraTimeOffsetNanoseconds
        readout_ns = calibration.readoutNanoseconds
    }
}

extension Matrix6x6 {
    /// 36 numbers, row after row: translation before rotation.
    fileprivate var rows: [Double] {
        (0..<6).flatMap { row in
            (0..<6).map { column -> Double in
                row < 3 ? self[column].translation[row] : self[column].rotation[row - 3]
            }
        }
    }
}

private struct TraceHit: Encodable {
    let type: String
    let anchor: String?
    let distance_m: Double
    let pixel_px: [Double]
    let position_m: [Double]

    init(_ hit: HitTestResult, at pixel: PixelPoint) {
        type = hit.type.name
        anchor = hit.anchor?.identifier.uuidString
        distance_m = hit.distance
        pixel_px = [pixel.x, pixel.y]
        position_m = hit.worldFromHit.translation.numbers
    }
}

private struct TracePen: Encodable {
    let anchor: String
    let is_down: Bool
    let position_in_plane_m: [Double]
    let position_m: [Double]

    init(_ pen: PenContact) {
        anchor = pen.plane.identifier.uuidString
        is_down = pen.isDown
        position_in_plane_m = [pen.position.x, pen.position.y]
        position_m = pen.positionInWorld.numbers
    }
}
