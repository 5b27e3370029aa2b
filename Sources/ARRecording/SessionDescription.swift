// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARFiles
import ARGeometry
import ARTruth
import Foundation

/// What `session.json` says of a recording: our addition to EuRoC's layout.
public struct SessionDescription: Hashable, Sendable {
    /// The version of the format that is written, and the only one so far.
    public static let formatVersion: Int64 = 1

    /// The device that was carried, real or simulated.
    public var device: String
    /// The program that made the recording, and from what.
    public var madeBy: String
    /// How the interface is turned at the start.
    public var interfaceOrientation: InterfaceOrientation
    /// Planes that are known beforehand.
    public var declaredPlanes: [DeclaredPlane]
    /// The faults that were applied, in their order, each with its seed: the manifest of what is wrong on purpose.
    public var faults: [Fault]

    /// A description with these values.
    public init(
        device: String, madeBy: String, interfaceOrientation: InterfaceOrientation = .landscapeRight,
        declaredPlanes: [DeclaredPlane] = [], faults: [Fault] = []
    ) {
        self.device = device
        self.madeBy = madeBy
        self.interfaceOrientation = interfaceOrientation
        self.declaredPlanes = declaredPlanes
        self.faults = faults
    }
}

/// How many rows a finished recording has.
struct RecordingCounts: Hashable, Sendable {
    var frames = 0
    var imuSamples = 0
    var events = 0
}

/// The content of `session.json`.
struct SessionFile: Hashable, Sendable {
    var session: SessionDescription
    /// `nil` as long as the recording is being written.
    var counts: RecordingCounts?

    init(session: SessionDescription, counts: RecordingCounts?) {
        self.session = session
        self.counts = counts
    }

    /// Reads `session.json`.
    static func read(_ layout: RecordingLayout) throws(RecordingError) -> SessionFile {
        let name = RecordingLayout.session
        let bytes = try layout.bytes(of: name)
        let node = try reading { () throws(DocumentError) in try JSONReader.read(bytes[...], file: name) }
        let versionNode = try reading { () throws(DocumentError) in try node.required("format_version") }
        let version = try reading { () throws(DocumentError) in try versionNode.int64() }
        guard version == SessionDescription.formatVersion else {
            throw RecordingError(
                .formatVersion, file: name, line: versionNode.line, column: versionNode.column,
                found: "format version \(version)", expected: "version \(SessionDescription.formatVersion)")
        }
        return try reading { () throws(DocumentError) in try SessionFile(node) }
    }

    private init(_ node: DocumentNode) throws(DocumentError) {
        var planes: [DeclaredPlane] = []
        for item in try node.value("declared_planes")?.items() ?? [] { planes.append(try DeclaredPlane(item)) }
        var faults: [Fault] = []
        for item in try node.value("faults")?.items() ?? [] { faults.append(try Fault(item)) }
        session = SessionDescription(
            device: try node.value("device")?.string() ?? "", madeBy: try node.value("made_by")?.string() ?? "",
            interfaceOrientation: try node.value("interface_orientation")?.choice(of: InterfaceOrientation.self)
                ?? .landscapeRight,
            declaredPlanes: planes, faults: faults)
        if try node.value("complete")?.bool() ?? true {
            let counts = try node.required("counts")
            self.counts = RecordingCounts(
                frames: Int(try counts.required("frames").int64()),
                imuSamples: Int(try counts.required("imu_samples").int64()),
                events: Int(try counts.required("events").int64()))
        }
    }

    /// The file's text.
    var text: String {
        var entries: [String: JSONValue] = [
            "format_version": .integer(SessionDescription.formatVersion), "complete": .bool(counts != nil),
            "device": .string(session.device), "made_by": .string(session.madeBy),
            "interface_orientation": .string(session.interfaceOrientation.rawValue),
            "declared_planes": .list(session.declaredPlanes.map(\.json)),
        ]
        if !session.faults.isEmpty { entries["faults"] = .list(session.faults.map(\.json)) }
        if let counts {
            entries["counts"] = .record([
                "frames": .integer(Int64(counts.frames)), "imu_samples": .integer(Int64(counts.imuSamples)),
                "events": .integer(Int64(counts.events)),
            ])
        }
        return JSONValue.record(entries).indentedText
    }
}

extension DeclaredPlane {
    /// Reads an entry of `declared_planes`.
    init(_ node: DocumentNode) throws(DocumentError) {
        var boundary: [Point2] = []
        let corners = try node.required("boundary_m")
        for corner in try corners.items() { boundary.append(try Point2(corner)) }
        guard boundary.count >= 3 else { throw corners.error(expected: "at least three corners [x, z]") }
        self.init(
            name: try node.required("name").string(),
            worldFromPlane: try RigidTransform(node.required("world_from_plane")), boundary: boundary,
            classification: try node.value("classification")?.choice(of: PlaneClassification.self) ?? .none)
    }

    /// The entry of `declared_planes`.
    var json: JSONValue {
        .record([
            "name": .string(name), "world_from_plane": worldFromPlane.json, "boundary_m": .list(boundary.map(\.json)),
            "classification": .string(classification.rawValue),
        ])
    }
}
