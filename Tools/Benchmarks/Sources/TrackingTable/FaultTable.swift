// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// The table of faults: what the tracker says while things go wrong, and when it is itself again.
struct FaultTable {
    let plan: Plan

    private static let sceneNames = ["table-top", "room-walk"]

    /// Tracks each scene with each seed and each fault; the text of the table and each run's figures.
    func measure() throws -> (text: String, runs: [FaultRun]) {
        let items = Self.sceneNames.flatMap { name in plan.seeds.map { (scene: name, seed: $0) } }
        let runs = try plan.workers.map(items, named: { "\($0.scene), seed \($0.seed)" }) { item in
            let name = "\(item.scene)-\(item.seed)"
            let scene = try Scene(
                contentsOf: URL(fileURLWithPath: "Scenes/\(item.scene).yaml"),
                settings: [SceneSetting("seed=\(item.seed)")])
            let session = try RehearsedSession(plan.studio.open(Take(name: name, scene: scene)), name: name)
            return try FaultCase.all.map { fault in
                let source = try FaultedSource(
                    session, faults: fault.fault.map { [$0] } ?? [], seed: item.seed, start: SceneSession.start)
                return FaultRun(
                    of: try TrackedRun(source, name: "\(name), \(fault.name)"), fault, scene: item.scene,
                    seed: item.seed)
            }
        }.flatMap { $0 }
        var table = MarkdownTable(
            columns: ["fault"]
                + Self.sceneNames.flatMap {
                    ["\($0): wrong normal", "off cm", "off °", "normal during", "sight after s", "normal after s"]
                })
        for fault in FaultCase.all {
            table.append(
                [fault.name]
                    + Self.sceneNames.flatMap { scene in
                        cells(runs.filter { $0.fault == fault.name && $0.scene == scene })
                    })
        }
        return (table.text, runs)
    }

    /// The sum of the wrong frames over the seeds; of the rest the mean and the worst.
    private func cells(_ runs: [FaultRun]) -> [String] {
        let wrong = runs.reduce(0) { $0 + $1.wrong_normal_frames }
        let during = runs.compactMap(\.normal_during_fraction)
        let lost = runs.count { $0.normal_again_s == nil }
        return [
            "\(wrong) of \(runs.reduce(0) { $0 + $1.normal_frames })",
            meanAndWorst(runs.compactMap(\.largest_normal_error_cm), decimals: 1),
            meanAndWorst(runs.compactMap(\.largest_normal_error_deg), decimals: 1),
            percent(during.isEmpty ? nil : during.mean),
            meanAndWorst(runs.compactMap(\.sight_again_s), decimals: 2),
            meanAndWorst(runs.compactMap(\.normal_again_s), decimals: 2) + (lost > 0 ? ", never \(lost)" : ""),
        ]
    }
}

/// What became of a session with a fault.
struct FaultRun: Encodable, Sendable {
    let fault: String
    let scene: String
    let seed: UInt64
    /// Frames that were called normal, from the fault's beginning on.
    let normal_frames: Int
    /// Those of them that are wrong by more than five centimetres or two degrees.
    let wrong_normal_frames: Int
    let largest_normal_error_cm: Double?
    let largest_normal_error_deg: Double?
    /// The part of the frames during the fault that was called normal.
    let normal_during_fraction: Double?
    /// Seconds from the fault's end until the camera truly is about where it was before: by then at least it sees again what
    /// it knows. `nil` where it never is, and of a fault that lasts all the time.
    let sight_again_s: Double?
    /// Seconds from the fault's end to the next normal frame; of a fault that lasts all the time, from the first frame.
    let normal_again_s: Double?

    /// Compares from the fault's beginning on, with heading and position aligned over the normal frames before it; over all
    /// normal frames where the fault lasts all the time.
    init(of run: TrackedRun, _ faultCase: FaultCase, scene: String, seed: UInt64) {
        fault = faultCase.name
        self.scene = scene
        self.seed = seed
        let span = faultCase.span
        let normal = run.frames.filter { $0.trackingState == .normal }
        let watched = normal.filter { frame in span.map { frame.timestamp >= $0.lowerBound } ?? true }
        let errors = run.errors(
            of: watched,
            alignedBy: normal.filter { frame in
                span.map { frame.timestamp < $0.lowerBound } ?? true
            })
        normal_frames = watched.count
        // Where nothing was normal before the fault there is nothing to align by: what is normal then counts as wrong.
        wrong_normal_frames =
            errors.map { $0.count { $0.metres > 0.05 || degrees($0.radians) > 2 } } ?? watched.count
        largest_normal_error_cm = errors?.map { $0.metres * 100 }.max()
        largest_normal_error_deg = errors?.map { degrees($0.radians) }.max()
        let during = run.frames.filter { frame in span?.contains(frame.timestamp) ?? false }
        normal_during_fraction =
            during.isEmpty ? nil : Double(during.count { $0.trackingState == .normal }) / Double(during.count)
        let end = span?.upperBound ?? run.frames.first?.timestamp
        normal_again_s = end.flatMap { end in
            normal.first { $0.timestamp >= end }?.timestamp.seconds(since: end)
        }
        sight_again_s = span.flatMap { span in
            run.sightReturns(after: span)?.seconds(since: span.upperBound)
        }
    }
}

extension TrackedRun {
    /// How far a camera may be from where it was, and how much it may be turned, to see mostly what it saw then.
    private static let sameSight = (metres: 0.3, radians: 0.2)

    /// The first instant after a span at which the camera truly is about where it was before; `nil` where it never is.
    fileprivate func sightReturns(after span: Range<Timestamp>) -> Timestamp? {
        let before = truth.filter { $0.timestamp < span.lowerBound }
        return truth.first { now in
            now.timestamp >= span.upperBound
                && before.contains { then in
                    let change = then.worldFromBody.inverse * now.worldFromBody
                    return change.translation.length < Self.sameSight.metres
                        && change.rotation.angle < Self.sameSight.radians
                }
        }?.timestamp
    }

    /// The errors of some frames when heading and position are aligned by others; `nil` where these do not determine it.
    fileprivate func errors(
        of frames: [TrackedFrame], alignedBy others: [TrackedFrame]
    ) -> [(metres: Double, radians: Double)]? {
        let truths = Dictionary(uniqueKeysWithValues: truth.map { ($0.timestamp, $0.worldFromBody) })
        func pairs(_ frames: [TrackedFrame]) -> [(estimate: RigidTransform, truth: RigidTransform)] {
            frames.compactMap { frame in truths[frame.timestamp].map { (frame.worldFromCamera, $0) } }
        }
        let (compared, aligned) = (pairs(frames), pairs(others))
        guard
            let truthFromEstimate = TrajectoryAlignment.yaw.truthFromEstimate(
                estimate: aligned.map(\.estimate), truth: aligned.map(\.truth))
        else { return nil }
        let motion = RigidTransform(rotation: truthFromEstimate.rotation, translation: truthFromEstimate.translation)
        return compared.map { pair in
            let error = pair.truth.inverse * (motion * pair.estimate)
            return (error.translation.length, error.rotation.angle)
        }
    }
}
