// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// Prints what a session amounted to: lines for people, or JSON for programs.
struct SummaryPrinter {
    private let session: SessionSummary?
    private let drawing: Drawing
    private let solid: SolidSummary?

    /// What was made of a drawing.
    struct SolidSummary: Encodable {
        let file: String
        let triangles: Int
        let volume: Double
        let isClosed: Bool

        enum CodingKeys: String, CodingKey {
            case file, triangles
            case volume = "volume_m3"
            case isClosed = "closed"
        }

        init(_ meshes: [StrokeSolid], file: String) {
            self.file = file
            triangles = meshes.reduce(0) { $0 + $1.mesh.triangles.count }
            volume = meshes.reduce(0) { $0 + $1.mesh.signedVolume }
            isClosed = meshes.allSatisfy { $0.mesh.topology.isClosed }
        }
    }

    init(session: Session, solid: SolidSummary? = nil) {
        self.session = SessionSummary(session)
        self.solid = solid
        drawing = session.drawing
    }

    /// Prints what was made of a drawing that was read from a file.
    init(drawing: Drawing, solid: SolidSummary) {
        session = nil
        self.drawing = drawing
        self.solid = solid
    }

    func print(asJSON: Bool) throws {
        if asJSON {
            try printJSON()
        } else {
            for (name, value) in lines { Swift.print(name.padding(toLength: 12, withPad: " ", startingAt: 0) + value) }
        }
    }

    private var lines: [(String, String)] {
        var lines = session.map(lines) ?? []
        lines += [
            ("strokes", "\(drawing.strokes.count)"),
            ("drawn", "\(rounded(drawing.length, digits: 3)) m"),
        ]
        if let solid {
            lines += [
                ("triangles", "\(solid.triangles)"),
                ("closed", solid.isClosed ? "yes" : "no"),
                ("volume", "\(rounded(solid.volume * 1e6, digits: 3)) cm³"),
                ("solid", solid.file),
            ]
        }
        return lines
    }

    private func lines(about session: SessionSummary) -> [(String, String)] {
        var lines = [
            ("mode", describe(session.mode)),
            ("frames", "\(session.framesReplayed) replayed, \(session.framesWithPose) with a pose"),
            ("samples", "\(session.penSamples) of the pen, \(session.imuSamples) inertial"),
        ]
        if session.lateFrames + session.lateImuSamples > 0 {
            lines.append(
                ("late", "\(session.lateFrames) frames, left out; \(session.lateImuSamples) inertial samples"))
        }
        if session.repeatedPictures > 0 {
            lines.append(("repeated", "\(session.repeatedPictures) frames showed a picture that came before"))
        }
        return lines
    }

    private func describe(_ mode: PoseMode) -> String {
        switch mode {
        case .pinned: "pinned: poses are the recording's or the scene's truth"
        case .tracked: "tracked: poses were perceived"
        }
    }

    private func printJSON() throws {
        struct Summary: Encodable {
            let session: SessionSummary?
            let solid: SolidSummary?
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        Swift.print(String(decoding: try encoder.encode(Summary(session: session, solid: solid)), as: UTF8.self))
    }

    private func rounded(_ value: Double, digits: Int) -> Double {
        let scale = pow(10, Double(digits))
        return (value * scale).rounded() / scale
    }
}

/// A number of things in words: `1 frame`, `2 frames`.
func counted(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
