// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The rays of a window's longest tracks.
///
/// Law: `WindowSightsTests`.
struct WindowSights: Sendable {
    /// How far the offset of the clocks may be from what it is said to be.
    static let largestTimeShiftNanoseconds: Int64 = 60_000_000

    /// A ray in the frame of the camera as it is described, and where and on which row it was seen.
    struct Ray: Sendable {
        var frame: Int
        var pixel: PixelPoint
        var secondsAfterInstant: Double
        var direction: Vector3
    }

    /// The chosen frames' instants, by the calibration that the alignment starts from.
    let instants: [Timestamp]
    /// An instant before all of them, and after those of no other offset of the clocks that is looked at.
    let start: Timestamp
    /// By point.
    let rays: [[Ray]]

    /// `nil` where too few points were seen for long enough.
    init?(frames: [MotionAlignment.Frame], calibration: CameraState, settings: InitialisationSettings) {
        // Neighbouring frames say nearly the same: few, evenly spread, are enough where points stay in sight. What passes by
        // in a quick turn is seen often only in frames that are closer together.
        var (chosen, tracks) = ([MotionAlignment.Frame](), [[Ray]]())
        for count in settings.alignmentFrames where tracks.count < settings.enoughTracks {
            chosen = Self.spread(min(count, frames.count), of: frames)
            tracks = Self.longTracks(in: chosen, calibration, settings)
        }
        guard tracks.count >= 8 else { return nil }
        instants = chosen.map { calibration.instant(ofFrameAt: $0.timestamp) }
        start = instants[0].advanced(byNanoseconds: -WindowSights.largestTimeShiftNanoseconds)
        rays = tracks
    }

    /// How many frames a point must be seen in.
    private static let leastSights = 4

    /// So many of the frames, evenly spread, the first and the last among them.
    private static func spread(_ count: Int, of frames: [MotionAlignment.Frame]) -> [MotionAlignment.Frame] {
        count < 2 ? frames : (0..<count).map { frames[$0 * (frames.count - 1) / (count - 1)] }
    }

    /// The rays of the points that are seen in the most frames, as many as take part.
    private static func longTracks(
        in frames: [MotionAlignment.Frame], _ calibration: CameraState, _ settings: InitialisationSettings
    ) -> [[Ray]] {
        var byPoint: [UInt64: [Ray]] = [:]
        for (number, frame) in frames.enumerated() {
            for point in frame.points where point.deviationPixels <= settings.largestPixelDeviation {
                guard let direction = calibration.camera.unproject(point.pixel), direction.z > 0 else { continue }
                byPoint[point.id, default: []].append(
                    Ray(
                        frame: number, pixel: point.pixel,
                        secondsAfterInstant: calibration.secondsAfterInstant(of: point.pixel), direction: direction))
            }
        }
        let longest = byPoint.filter { $0.value.count >= leastSights }
            .sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
        var rayCount = 0
        return longest.map(\.value).prefix { rays in
            rayCount += rays.count
            return rayCount <= settings.mostRays
        }
    }

    /// The chosen frames' instants by another offset of the clocks.
    func instants(shiftedBySeconds seconds: Double) -> [Timestamp] {
        instants.map { $0.advanced(byNanoseconds: Int64((seconds * 1e9).rounded())) }
    }
}
