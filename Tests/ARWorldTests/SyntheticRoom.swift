// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import Foundation
import TestSupport

/// A flat rectangle of a synthetic room, covered with points.
struct Panel {
    var name: String
    var center: Point3
    /// Half of one side, and half of the other: at right angles. Their cross product points to the visible side.
    var halfWidth: Vector3
    var halfHeight: Vector3
    /// Points a square metre.
    var density: Double
    /// Whether a plane finder is expected to find it.
    var isPlane = true

    var normal: Vector3 { halfWidth.cross(halfHeight).normalized()! }

    var plane: Plane { Plane(unitNormal: normal, offset: normal.dot(center)) }

    var corners: [Point3] {
        [
            center - halfWidth - halfHeight, center + halfWidth - halfHeight, center + halfWidth + halfHeight,
            center - halfWidth + halfHeight,
        ]
    }

    /// Where a line of sight meets the panel, as a part of the way to its end; `nil` beside it.
    func crossing(from start: Point3, to end: Point3) -> Double? {
        let (here, there) = (plane.signedDistance(to: start), plane.signedDistance(to: end))
        guard (here > 0) != (there > 0) else { return nil }
        let fraction = here / (here - there)
        let offset = start + fraction * (end - start) - center
        guard abs(offset.dot(halfWidth)) <= halfWidth.squaredLength,
            abs(offset.dot(halfHeight)) <= halfHeight.squaredLength
        else { return nil }
        return fraction
    }
}

/// A room with things in it, seen by a moving camera that follows its points as a tracker does.
///
/// A point is known the better, the farther the camera moved since it was first seen. The error of its estimate is drawn
/// once for its life, from the covariance: along the sight much more than across. Some points are wrong altogether.
struct SyntheticRoom {
    /// A thing to see.
    struct Mark {
        var place: Point3
        var normal: Vector3
    }

    /// A mark that is being followed.
    private struct Track {
        var id: UInt64
        var mark: Int
        var firstCamera: Point3
        var framesLeft: Int
        /// What its error is, in standard deviations: across the sight twice, and along it.
        var error: Vector3
        /// By how much of its distance it is wrong, where it is.
        var blunder: Double
    }

    var panels: [Panel]
    private(set) var marks: [Mark] = []
    var outlierPart = 0.03
    /// How the world that the tracker sees wanders off the true one, in metres a second.
    var drift = Vector3.zero
    var random: TestRandom
    private var tracks: [Track] = []
    private var nextID: UInt64 = 1
    private(set) var frameNumber = 0

    static let camera = Camera.pinhole(PinholeCamera(PinholeIntrinsics(fx: 520, fy: 520, cx: 319.5, cy: 239.5)))
    static let imageSize = ImageSize(width: 640, height: 480)
    static let framesPerSecond = 30.0
    static let followed = 150

    init(_ panels: [Panel], random: TestRandom) {
        self.panels = panels
        self.random = random
        for panel in panels {
            let area = 4 * panel.halfWidth.length * panel.halfHeight.length
            for _ in 0..<Int((area * panel.density).rounded()) {
                let place =
                    panel.center + self.random.uniform() * panel.halfWidth + self.random.uniform() * panel.halfHeight
                marks.append(Mark(place: place, normal: panel.normal))
            }
        }
    }

    /// Where the true world is in the tracker's, now.
    var driftNow: Vector3 { drift * (Double(frameNumber) / Self.framesPerSecond) + jumps }

    private var jumps = Vector3.zero

    /// Moves the tracker's world at once, and lets it lose its points.
    mutating func jump(by offset: Vector3) {
        jumps += offset
        tracks = []
    }

    /// Adds marks that lie on no panel.
    mutating func addClutter(_ places: [Point3], normal: Vector3 = Vector3(0, 1, 0)) {
        marks += places.map { Mark(place: $0, normal: normal) }
    }

    /// The next frame, from that pose.
    mutating func frame(at worldFromCamera: RigidTransform, state: TrackingState = .normal) -> TrackedFrame {
        frameNumber += 1
        let shown = TrackedFrame(
            timestamp: Timestamp(nanoseconds: Int64(Double(frameNumber) / Self.framesPerSecond * 1e9)),
            trackingState: state, worldFromCamera: worldFromCamera, camera: Self.camera, imageSize: Self.imageSize)
        let eye = worldFromCamera.translation
        tracks = tracks.filter { $0.framesLeft > 0 && isSeen(marks[$0.mark], from: shown) }
        for index in tracks.indices { tracks[index].framesLeft -= 1 }
        var isFollowed = Set(tracks.map(\.mark))
        for _ in 0..<40 where tracks.count < Self.followed && !marks.isEmpty {
            let mark = Int(random.next() % UInt64(marks.count))
            guard !isFollowed.contains(mark), isSeen(marks[mark], from: shown) else { continue }
            isFollowed.insert(mark)
            tracks.append(
                Track(
                    id: nextID, mark: mark, firstCamera: eye, framesLeft: Int(random.uniform(20...150)),
                    error: Vector3(random.normal(), random.normal(), random.normal()),
                    blunder: random.uniform(0...1) < outlierPart ? random.uniform(-0.3...0.3) : 0))
            nextID += 1
        }
        var frame = shown
        frame.worldFromCamera.translation += driftNow
        frame.featurePoints = tracks.compactMap { estimate(of: $0, from: eye) }.sorted { $0.id < $1.id }
        return frame
    }

    private func isSeen(_ mark: Mark, from frame: TrackedFrame) -> Bool {
        let eye = frame.worldFromCamera.translation
        let sight = mark.place - eye
        guard sight.length < 6, sight.dot(mark.normal) < -0.15 * sight.length,
            (frame.worldFromOptical.inverse * mark.place).z > 0.15, let pixel = frame.project(mark.place),
            pixel.x > 5, pixel.y > 5, pixel.x < 634, pixel.y < 474
        else { return false }
        return !panels.contains { ($0.crossing(from: eye, to: mark.place) ?? 1) < 0.995 }
    }

    /// What the tracker makes of a mark: nothing, as long as it knows the distance to worse than a tenth.
    private func estimate(of track: Track, from eye: Point3) -> EstimatedLandmark? {
        let mark = marks[track.mark]
        let sight = mark.place - eye
        let distance = sight.length
        let pixelAngle = 0.5 / 520
        // The baseline across the sight.
        let forward = sight / distance
        let way = eye - track.firstCamera
        let baseline = (way - way.dot(forward) * forward).length
        let depthError = distance * distance * pixelAngle / max(baseline, 1e-6)
        guard depthError < 0.1 * distance, let x = forward.anyPerpendicular() else { return nil }
        let y = forward.cross(x)
        let lateral = distance * pixelAngle
        let error = lateral * track.error.x * x + lateral * track.error.y * y + depthError * track.error.z * forward
        let axes = Matrix3x3(x, y, forward)
        let squares = Vector3(lateral * lateral, lateral * lateral, depthError * depthError)
        return EstimatedLandmark(
            id: track.id, position: mark.place + error + track.blunder * sight + driftNow,
            covariance: axes * Matrix3x3(diagonal: squares) * axes.transpose)
    }
}

extension TestRandom {
    /// A number of the standard normal distribution (Box, Muller 1958).
    mutating func normal() -> Double {
        (-2 * log(1 - uniform(0...0.999_999_999))).squareRoot() * cos(uniform(0...2 * Double.pi))
    }
}
