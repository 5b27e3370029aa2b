// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth
import Foundation

/// Checks the truth pictures of a kind: each row of `truth.jsonl` has one, each shows what it may.
struct TruthPictureCheck {
    private let kind: TruthPictureKind
    private let layout: RecordingLayout
    private let imageSize: ImageSize?
    /// The ids that pictures of objects may show.
    private let ids: Set<UInt16>
    private var unlisted: Set<String>

    /// The check of a kind, or `nil` where the recording has no such pictures.
    init?(_ kind: TruthPictureKind, layout: RecordingLayout, imageSize: ImageSize?, objects: [TruthObject]) {
        let folder = RecordingLayout.folder(of: kind)
        guard layout.exists(folder) else { return nil }
        self.kind = kind
        self.layout = layout
        self.imageSize = imageSize
        ids = Set(objects.map { UInt16($0.id) }).union([0])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: layout.url(folder).path)) ?? []
        unlisted = Set(names.filter { !$0.hasPrefix(".") }.map { "\(folder)/\($0)" })
    }

    /// Checks the picture of a row.
    mutating func check(_ row: TimedRow<FrameTruth>, report: (RecordingError) -> Void) {
        let name = TruthPictureFiles.name(kind, at: row.timestamp)
        guard unlisted.remove(name) != nil else {
            return report(
                RecordingError(
                    .frameWithoutImage, file: RecordingLayout.truth, line: row.line, found: "no \(name)",
                    expected: "a picture of \(kind.rawValue) for each row"))
        }
        do {
            let image = try Gray16Image(contentsOf: layout.url(name))
            if let imageSize, image.size != imageSize {
                report(RecordingError(.imageSize, file: name, found: "\(image.size)", expected: "\(imageSize)"))
            }
            if kind == .objects, let stranger = image.values.first(where: { !ids.contains($0) }) {
                report(
                    RecordingError(
                        .unknownObject, file: name, found: "the id \(stranger)",
                        expected: "an id in \(RecordingLayout.sessionTruth)"))
            }
        } catch {
            report(RecordingError(error, name: name, table: RecordingLayout.truth, line: row.line))
        }
    }

    /// Checks that every picture had a row.
    func checkUnlisted(report: (RecordingError) -> Void) {
        for name in unlisted.sorted() {
            report(
                RecordingError(
                    .imageWithoutFrame, file: name, found: "a picture without a row",
                    expected: "a row in \(RecordingLayout.truth)"))
        }
    }
}
