// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import Foundation

extension RecordingWriter {
    /// Records all that a source gives, with its truth where there is any, and returns the number of frames.
    /// - Parameter progress: called after each frame with the number of frames so far.
    @discardableResult
    public static func record(
        _ source: any SensorSource, truth: (any TruthSource)?, to folder: URL, session: SessionDescription,
        progress: (Int) -> Void = { _ in }
    ) throws -> Int {
        let writer = try RecordingWriter(creating: folder, rig: source.rig, session: session)
        if let truth { try writer.writeIfKnown(truth.sessionTruth()) }
        let frameCount = try writer.appendAll(of: source, truth: truth, progress: progress)
        try writer.finish()
        return frameCount
    }

    /// Writes the truth of a session that has more of it than the planes that it declares anyway.
    private func writeIfKnown(_ truth: SessionTruth) throws(RecordingError) {
        if truth != SessionTruth(planes: truth.planes) { try write(truth) }
    }

    /// Appends a source's events, and before each frame what is true at it.
    private func appendAll(
        of source: any SensorSource, truth: (any TruthSource)?, progress: (Int) -> Void
    ) throws -> Int {
        var stream = try source.makeStream()
        var truthStream = try truth?.makeTruthStream()
        var frameCount = 0
        while let event = try stream.next() {
            if case .frame(let frame) = event {
                if let frameTruth = try truthStream?.truth(at: frame.timestamp) { try append(frameTruth) }
                frameCount += 1
                try append(event)
                progress(frameCount)
            } else {
                try append(event)
            }
        }
        return frameCount
    }

    /// Writes a recording anew: pictures become PNG files, stamps are on one clock, and it is complete; every row of its
    /// ground truth is kept. Returns the number of frames.
    @discardableResult
    public static func convert(
        _ recording: Recording, to folder: URL, progress: (Int) -> Void = { _ in }
    ) throws -> Int {
        let writer = try RecordingWriter(
            creating: folder, rig: recording.rig, session: recording.session, groundTruthRows: .given)
        if recording.layout.exists(RecordingLayout.groundTruth) {
            let table = try recording.layout.groundTruthTable(isComplete: recording.isComplete)
            while let row = try table.next() {
                let worldFromBody = .yUpFromZUp * row.value.worldFromBody
                try writer.append(
                    worldFromImu: worldFromBody * recording.imuFromBody.inverse, at: row.timestamp)
            }
        }
        try writer.writeIfKnown(recording.sessionTruth())
        let frameCount = try writer.appendAll(of: recording, truth: recording, progress: progress)
        try writer.finish()
        return frameCount
    }
}
