// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARTracking

/// What a session amounted to: the verdict that is printed at its end.
public struct SessionSummary: Hashable, Sendable, Encodable {
    /// Where the poses came from.
    public var mode: PoseMode
    /// Frames that were replayed. Zero proves nothing and is a failure.
    public var framesReplayed: Int
    /// Frames whose pose was known.
    public var framesWithPose: Int
    /// Inertial samples that were read.
    public var imuSamples: Int
    /// Frames that came late or a second time, and were left out.
    public var lateFrames: Int
    /// Frames that showed a picture again that came before.
    public var repeatedPictures: Int
    /// Inertial samples that came late or a second time.
    public var lateImuSamples: Int
    /// Positions of the pressed pen on a plane.
    public var penSamples: Int
    /// Strokes.
    public var strokes: Int
    /// The strokes' lengths added up, in metres.
    public var drawnMetres: Double

    enum CodingKeys: String, CodingKey {
        case mode
        case framesReplayed = "frames_replayed"
        case framesWithPose = "frames_with_pose"
        case imuSamples = "imu_samples"
        case lateFrames = "late_frames"
        case repeatedPictures = "repeated_pictures"
        case lateImuSamples = "late_imu_samples"
        case penSamples = "pen_samples"
        case strokes
        case drawnMetres = "drawn_m"
    }

    /// The summary of a session so far.
    public init(_ session: Session) {
        mode = session.mode
        framesReplayed = session.counts.frames
        framesWithPose = session.counts.framesWithPose
        imuSamples = session.counts.imuSamples
        lateFrames = session.counts.lateFrames
        repeatedPictures = session.counts.repeatedPictures
        lateImuSamples = session.counts.lateImuSamples
        penSamples = session.counts.penSamples
        let drawing = session.drawing
        strokes = drawing.strokes.count
        drawnMetres = drawing.length
    }
}
