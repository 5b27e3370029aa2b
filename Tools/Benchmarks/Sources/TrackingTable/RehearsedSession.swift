// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim

/// A short session with all of its pictures in memory: rendered or read once, given many times.
struct RehearsedSession: SensorSource, TruthSource {
    let rig: SensorRig
    var declaredPlanes: [DeclaredPlane] { [] }
    private let camera: CameraCalibration
    private let events: [SensorEvent]
    private let truths: [Timestamp: FrameTruth]

    /// Takes a whole session in.
    init(_ source: any SensorSource & TruthSource, name: String) throws {
        let progress = FrameProgress("\(name): rehearsed", total: source.expectedFrameCount)
        rig = source.rig
        camera = try source.trueCamera()
        var events: [SensorEvent] = []
        var truths: [Timestamp: FrameTruth] = [:]
        var truth = try source.makeTruthStream()
        var stream = try source.makeStream()
        while let event = try stream.next() {
            events.append(event)
            guard case .frame(let frame) = event else { continue }
            truths[frame.timestamp] = try truth.truth(at: frame.timestamp)
            progress.show(truths.count)
        }
        self.events = events
        self.truths = truths
    }

    var expectedFrameCount: Int? { truths.count }
    func sessionTruth() -> SessionTruth { SessionTruth(camera: camera) }
    func makeStream() -> any SensorStream { Stream(events: events[...]) }
    func makeTruthStream() -> any TruthStream { Truth(truths: truths) }

    private struct Stream: SensorStream {
        var events: ArraySlice<SensorEvent>
        mutating func next() -> SensorEvent? { events.popFirst() }
    }

    private struct Truth: TruthStream {
        let truths: [Timestamp: FrameTruth]
        func truth(at timestamp: Timestamp) -> FrameTruth? { truths[timestamp] }
    }
}
