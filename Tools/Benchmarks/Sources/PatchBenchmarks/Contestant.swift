// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import ARVision
import OpenCVTrackers
import Timing

/// A tracker in the comparison.
enum Contestant: CaseIterable {
    case fingertip, oursFast, oursAccurate, kcf, csrt, medianFlow

    /// Those that follow any box; the fingertip's tracker knows hands alone.
    static let ofAnyBox = allCases.filter { $0 != .fingertip }

    var name: String {
        switch self {
        case .fingertip: "ours, fingertip"
        case .oursFast: "ours, fast"
        case .oursAccurate: "ours, accurate"
        case .kcf: "KCF"
        case .csrt: "CSRT"
        case .medianFlow: "MedianFlow"
        }
    }

    /// What a tracker answers to one picture, and how long it takes, in milliseconds of this thread's processor time.
    typealias Answer = (box: PatchBox?, milliseconds: Double)

    /// Follows the footage from its first picture.
    func run(_ footage: Footage) -> [Answer] {
        switch self {
        case .fingertip: runFingertip(footage)
        case .oursFast: runOurs(footage, .fast)
        case .oursAccurate: runOurs(footage, .accurate)
        case .kcf: runTheirs(footage, OPENCV_TRACKER_KCF)
        case .csrt: runTheirs(footage, OPENCV_TRACKER_CSRT)
        case .medianFlow: runTheirs(footage, OPENCV_TRACKER_MEDIAN_FLOW)
        }
    }

    private func runOurs(_ footage: Footage, _ level: PatchTracker.Level) -> [Answer] {
        var configuration = PatchTracker.Configuration()
        configuration.level = level
        guard var tracker = PatchTracker(footage.pictures[0], box: footage.start, configuration: configuration) else {
            preconditionFailure("\(footage.name): the box cannot be tracked")
        }
        return footage.pictures.dropFirst().map { picture in
            var patch: TrackedPatch?
            let time = milliseconds { patch = tracker.track(picture) }
            return (patch.flatMap { $0.isLost ? nil : $0.box }, time)
        }
    }

    /// Begins with a tap on the box's middle; what is compared is the middle of the finger's end.
    private func runFingertip(_ footage: Footage) -> [Answer] {
        var tracker = FingertipTracker()
        tracker.start(at: footage.start.center, in: footage.pictures[0])
        return footage.pictures.dropFirst().map { picture in
            var fingertip: Fingertip?
            let time = milliseconds { fingertip = tracker.next(picture) }
            return (
                fingertip.map { PatchBox(center: $0.center, width: 2 * $0.radius, height: 2 * $0.radius) }, time
            )
        }
    }

    private func runTheirs(_ footage: Footage, _ kind: OpenCVTrackerKind) -> [Answer] {
        let (start, size) = (footage.start, footage.pictures[0].size)
        let box = OpenCVBox(left: start.left, top: start.top, width: start.width, height: start.height)
        let tracker = opencv_tracker_create(
            kind, footage.pictures[0].rgb.bytes, Int32(size.width), Int32(size.height), box)
        defer { opencv_tracker_destroy(tracker) }
        return footage.pictures.dropFirst().map { picture in
            var (found, time) = (OpenCVBox(), 0.0)
            let isFound = opencv_tracker_update(tracker, picture.rgb.bytes, &found, &time) != 0
            let box = PatchBox(left: found.left, top: found.top, width: found.width, height: found.height)
            return (isFound ? box : nil, time)
        }
    }
}
