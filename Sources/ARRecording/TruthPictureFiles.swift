// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth

/// The files of a recording's truth pictures: grey PNGs of 16 bits, named by the frames' stamps as stored.
struct TruthPictureFiles: Sendable {
    let layout: RecordingLayout
    /// Which are read.
    let kinds: Set<TruthPictureKind>

    /// The name of a frame's picture.
    static func name(_ kind: TruthPictureKind, at timestamp: Timestamp) -> String {
        "\(RecordingLayout.folder(of: kind))/\(timestamp).png"
    }

    /// The pictures of the frame with that stamp, of those kinds that it has.
    func read(_ timestamp: Timestamp) throws(RecordingError) -> TruthPictures {
        TruthPictures(
            depth: try image(.depth, at: timestamp).map(DepthPicture.init),
            objects: try image(.objects, at: timestamp).map { ObjectPicture(size: $0.size, ids: $0.values) })
    }

    private func image(_ kind: TruthPictureKind, at timestamp: Timestamp) throws(RecordingError) -> Gray16Image? {
        let name = Self.name(kind, at: timestamp)
        guard kinds.contains(kind), layout.exists(name) else { return nil }
        do {
            return try Gray16Image(contentsOf: layout.url(name))
        } catch {
            throw RecordingError(error, name: name, table: RecordingLayout.truth)
        }
    }

    /// Writes a frame's pictures, each whole or not at all.
    func write(_ pictures: TruthPictures, at timestamp: Timestamp) throws(RecordingError) {
        if let depth = pictures.depth { try write(depth.millimeters, .depth, at: timestamp) }
        if let objects = pictures.objects {
            try write(Gray16Image(size: objects.size, values: objects.ids), .objects, at: timestamp)
        }
    }

    private func write(
        _ image: Gray16Image, _ kind: TruthPictureKind, at timestamp: Timestamp
    ) throws(RecordingError) {
        let name = Self.name(kind, at: timestamp)
        try layout.makeFolder(RecordingLayout.folder(of: kind))
        do {
            try image.writePNG(to: layout.url(name))
        } catch {
            throw RecordingError(error, name: name)
        }
    }
}

extension DepthPicture {
    /// The depths of a file, in millimetres.
    fileprivate init(_ image: Gray16Image) {
        self.init(size: image.size, meters: image.values.map { Float($0) / 1000 })
    }

    /// The depths in millimetres, rounded; zero beyond 65.535 m, and where there is nothing.
    fileprivate var millimeters: Gray16Image {
        Gray16Image(size: size, values: meters.map { UInt16(exactly: ($0 * 1000).rounded()) ?? 0 })
    }
}
