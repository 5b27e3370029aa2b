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
    /// The same in seconds.
    static var largestTimeShiftSeconds: Double { Double(largestTimeShiftNanoseconds) * 1e-9 }

    /// A ray in the frame of the camera as it is described, and where and on which row it was seen.
    struct Ray: Sendable {
        var frame: Int
        var pixel: PixelPoint
        /// The variance of that place, along an axis, for it is otherwise blurred than the point's others are, in pixels².
        var blurVariance = 0.0
        /// See ``CameraState/readoutShare(of:)``.
        var readoutShare: Double
        var direction: Vector3
    }

    /// A point of the window.
    struct Point: Sendable {
        /// Its identity in the pictures.
        var id: UInt64
        /// How it is usually blurred.
        var blur: PixelCovariance
    }

    /// The chosen frames' instants, by the calibration that the alignment starts from.
    let instants: [Timestamp]
    /// An instant before all of them, and after those of no other offset of the clocks that is looked at.
    let start: Timestamp
    /// The points, and their rays, by point.
    let points: [Point]
    let rays: [[Ray]]

    /// `nil` where too few points were seen for long enough.
    init?(frames: [MotionAlignment.Frame], calibration: CameraState, settings: InitialisationSettings) {
        // Neighbouring frames say nearly the same: few, evenly spread, are enough where points stay in sight. What passes by
        // in a quick turn is seen often only in frames that are closer together.
        let sights = Self.sights(in: frames, calibration)
        var (chosen, tracks) = ([FrameSights](), [(point: Point, rays: [Ray])]())
        for count in settings.alignmentFrames where tracks.count < settings.enoughTracks {
            chosen = Self.spread(min(count, frames.count), of: sights)
            tracks = Self.longTracks(in: chosen, calibration, settings)
        }
        guard tracks.count >= 8 else { return nil }
        instants = chosen.map { calibration.instant(ofFrameAt: $0.timestamp) }
        start = instants[0].advanced(byNanoseconds: -WindowSights.largestTimeShiftNanoseconds)
        points = tracks.map(\.point)
        rays = tracks.map(\.rays)
    }

    /// How many frames a point must be seen in.
    private static let leastSights = 4

    /// What a frame shows: its points, and how each is blurred.
    private struct FrameSights {
        let timestamp: Timestamp
        let sights: [(point: SeenPoint, blur: PixelCovariance)]
    }

    /// The frames, which follow on each other, with how their points are blurred.
    private static func sights(in frames: [MotionAlignment.Frame], _ calibration: CameraState) -> [FrameSights] {
        var blur = PointBlur()
        return frames.map { frame in
            blur.update(frame.points, at: frame.timestamp, exposureVariance: calibration.exposureVariance)
            return FrameSights(timestamp: frame.timestamp, sights: Array(zip(frame.points, blur.ofPoints)))
        }
    }

    /// So many of the frames, evenly spread, the first and the last among them.
    private static func spread(_ count: Int, of frames: [FrameSights]) -> [FrameSights] {
        count < 2 ? frames : (0..<count).map { frames[$0 * (frames.count - 1) / (count - 1)] }
    }

    /// The rays of the points that are seen in the most frames, as many as take part.
    private static func longTracks(
        in frames: [FrameSights], _ calibration: CameraState, _ settings: InitialisationSettings
    ) -> [(point: Point, rays: [Ray])] {
        var byPoint: [UInt64: [(ray: Ray, blur: PixelCovariance)]] = [:]
        for (number, frame) in frames.enumerated() {
            for (point, blur) in frame.sights where point.deviationPixels <= settings.largestPixelDeviation {
                guard let direction = calibration.camera.unproject(point.pixel), direction.z > 0 else { continue }
                let ray = Ray(
                    frame: number, pixel: point.pixel,
                    readoutShare: calibration.readoutShare(of: point.pixel), direction: direction)
                byPoint[point.id, default: []].append((ray, blur))
            }
        }
        let longest = byPoint.filter { $0.value.count >= leastSights }
            .sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
        var rayCount = 0
        return longest.prefix {
            rayCount += $0.value.count
            return rayCount <= settings.mostRays
        }.map { track(of: $0.key, $0.value) }
    }

    /// A point and its rays, with how much they err for their blur.
    private static func track(
        of id: UInt64, _ sights: [(ray: Ray, blur: PixelCovariance)]
    ) -> (point: Point, rays: [Ray]) {
        let usual = 1 / Double(sights.count) * sights.reduce(.zero) { $0 + $1.blur }
        let rays = sights.map { ray, blur in
            var ray = ray
            ray.blurVariance = blur.placeCovariance(blurredAs: usual).trace / 2
            return ray
        }
        return (Point(id: id, blur: usual), rays)
    }

    /// The chosen frames' instants by another offset of the clocks.
    func instants(shiftedBySeconds seconds: Double) -> [Timestamp] {
        instants.map { $0.advanced(byNanoseconds: Int64((seconds * 1e9).rounded())) }
    }
}
