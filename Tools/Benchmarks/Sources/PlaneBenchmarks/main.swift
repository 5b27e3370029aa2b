// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import Timing

// Measures what planes cost a frame in a session of ten minutes, in milliseconds of this thread's processor time, and prints a
// table. Arguments: recordings' folders.
//
// A recording is tracked once. Then a world is shown its frames again and again, as if the camera went its round for ten
// minutes. Points have other numbers in each round, as those have that a tracker finds again; before each round tracking is
// lost for a frame, because the camera is elsewhere.

let minutes = 10
let columns = ["minute", "median", "mean", "95 %", "99 %", "planes"]

/// What a session's world was shown in a frame whose tracking was normal.
struct ShownFrame {
    var tracked: TrackedFrame
    var picture: FramePicture
}

func frames(of recording: Recording) throws -> [ShownFrame] {
    var session = try Session(tracking: recording)
    var frames: [ShownFrame] = []
    while let frame = try session.next() {
        guard frame.trackingState == .normal else { continue }
        let calibration = frame.world.frame.motion?.calibration ?? session.rig.camera
        let readoutSeconds = Double(calibration.readoutNanoseconds) * 1e-9
        frames.append(
            ShownFrame(
                tracked: frame.world.frame,
                picture: FramePicture(image: frame.image.gray, readoutSeconds: readoutSeconds)))
    }
    return frames
}

extension TrackedFrame {
    /// The frame in a later round: at that instant, with points of other numbers.
    func shown(at timestamp: Timestamp, inRound round: Int) -> TrackedFrame {
        var frame = self
        frame.timestamp = timestamp
        let firstID = UInt64(round) << 32
        for index in frame.featurePoints.indices { frame.featurePoints[index].id += firstID }
        for index in frame.sightings.indices { frame.sightings[index].id += firstID }
        return frame
    }

    /// The same instant while tracking is lost.
    var lost: TrackedFrame {
        var frame = self
        frame.trackingState = .limited(.relocalizing)
        return frame
    }
}

func row(_ cells: [String]) {
    print(cells.map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }.joined())
}

func row(_ name: String, _ times: [Double], planes: Int) {
    let figures = [
        median(times), times.reduce(0, +) / Double(times.count), quantile(times, 0.95), quantile(times, 0.99),
    ]
    row([name] + figures.map { String(format: "%.2f", $0) } + ["\(planes)"])
}

func measure(_ folder: String) throws {
    let frames = try frames(of: Recording(opening: URL(fileURLWithPath: folder)))
    guard frames.count > 1, let first = frames.first?.tracked.timestamp, let last = frames.last?.tracked.timestamp
    else {
        print("\(folder): tracking was normal in \(frames.count) frames, and two are needed")
        return
    }
    print(
        "\(folder): \(frames.count) frames of \(String(format: "%.1f", last.seconds(since: first))) s, again and again")
    row(columns)
    let roundNanoseconds = last.nanoseconds - first.nanoseconds + 1_000_000_000
    var world = World(findingPlanesWith: PlaneFinder())
    var (times, all) = ([Double](), [Double]())
    var (round, minute, planes) = (0, 1, 0)
    while minute <= minutes {
        for (number, frame) in frames.enumerated() {
            let shift = Int64(round) * roundNanoseconds
            let timestamp = Timestamp(nanoseconds: frame.tracked.timestamp.nanoseconds + shift)
            let tracked = frame.tracked.shown(at: timestamp, inRound: round)
            if number == 0 {
                _ = world.update(with: tracked.lost, picture: frame.picture)
                continue
            }
            times.append(
                milliseconds { planes = world.update(with: tracked, picture: frame.picture).planes.count })
            guard timestamp.seconds(since: first) >= Double(60 * minute), minute <= minutes else { continue }
            row("\(minute)", times, planes: planes)
            all += times
            times = []
            minute += 1
        }
        round += 1
    }
    row("all", all, planes: planes)
}

print("Milliseconds of processor time for what a frame changes of planes.")
for folder in CommandLine.arguments.dropFirst() { try measure(folder) }
