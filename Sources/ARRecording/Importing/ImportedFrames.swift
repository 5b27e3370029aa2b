// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// A recipe's frames, one after the other, with their stamps on the camera's clock.
final class ImportedFrames {
    private let recipe: FrameRecipe
    private let folder: URL
    private let nextPicture: () throws(RecordingError) -> Picture?
    private let stamps: RecipeTableReader?
    private var frameCount = 0

    /// A picture before it has a stamp.
    private struct Picture {
        var image: ImageBuffer
        var name: String
        var timestamp: Timestamp?
    }

    init(_ recipe: FrameRecipe, in folder: URL) throws(RecordingError) {
        self.recipe = recipe
        self.folder = folder
        switch recipe.source {
        case .video(let name): nextPicture = try Self.pictures(ofVideo: name, in: folder, format: recipe.format)
        case .folder(let name): nextPicture = try Self.pictures(ofFolder: name, in: folder)
        case .list(let table): nextPicture = try Self.pictures(of: table, in: folder)
        }
        if case .table(let table) = recipe.stamps {
            stamps = try RecipeTableReader(table, in: folder)
        } else {
            stamps = nil
        }
    }

    /// The next frame, or `nil` after the last frame or the last stamp.
    func next() throws(RecordingError) -> CameraFrame? {
        let row = try stamps?.next()
        guard stamps == nil || row != nil else { return nil }
        guard let picture = try nextPicture() else {
            guard let row else { return nil }
            throw RecordingError(
                .frameWithoutImage, file: row.fields.file, line: row.fields.line,
                found: "a stamp, but only \(frameCount) frames", expected: "a frame for each stamp")
        }
        defer { frameCount += 1 }
        return CameraFrame(timestamp: try timestamp(of: picture, row: row), image: try prepare(picture))
    }

    private func timestamp(of picture: Picture, row: RecipeRow?) throws(RecordingError) -> Timestamp {
        if let timestamp = picture.timestamp { return timestamp }
        if let row { return try row.timestamp() }
        switch recipe.stamps {
        case .rate(let hertz, let start):
            return Timestamp(nanoseconds: start + Int64((Double(frameCount) * 1e9 / hertz).rounded()))
        case .names(let unit):
            let stem = picture.name.split(separator: "/").last?.split(separator: ".").dropLast().joined(separator: ".")
            let bytes = Array((stem ?? "").utf8)[...]
            guard let nanoseconds = NumberText.nanoseconds(bytes, decimalPlacesOfUnit: unit.decimalPlaces) else {
                throw RecordingError(
                    .recipe, file: picture.name, found: "a name that is no stamp", expected: "a number as its name")
            }
            return Timestamp(nanoseconds: nanoseconds)
        case .table, .inList: preconditionFailure("the frame has no stamp")
        }
    }

    /// Crops the picture and gives it the recipe's format.
    private func prepare(_ picture: Picture) throws(RecordingError) -> ImageBuffer {
        var image = picture.image
        if let crop = recipe.crop {
            guard crop.x + crop.size.width <= image.size.width, crop.y + crop.size.height <= image.size.height else {
                throw RecordingError(
                    .recipe, file: picture.name, found: "a picture of \(image.size)",
                    expected: "one that holds the crop of \(crop.size) at \(crop.x), \(crop.y)")
            }
            image = image.cropped(to: crop)
        }
        switch recipe.format {
        case .gray8: return image.gray
        case .rgb8: return image.rgb
        case nil: return image
        }
    }

    // MARK: Sources

    private static func pictures(
        ofVideo name: String, in folder: URL, format: PixelFormat?
    ) throws(RecordingError) -> () throws(RecordingError) -> Picture? {
        let video = try VideoReader(folder.appendingPathComponent(name), name: name, format: format)
        return { () throws(RecordingError) in
            try video.next().map { Picture(image: $0, name: name) }
        }
    }

    private static func pictures(
        ofFolder name: String, in folder: URL
    ) throws(RecordingError) -> () throws(RecordingError) -> Picture? {
        let path = folder.appendingPathComponent(name).path
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw RecordingError(.missingFile, file: name, found: "no such folder", expected: "a folder of pictures")
        }
        var rest = names.filter { !$0.hasPrefix(".") }.sorted()[...]
        return { () throws(RecordingError) in
            guard let next = rest.popFirst() else { return nil }
            return Picture(image: try readImage("\(name)/\(next)", in: folder, table: name, line: 1), name: next)
        }
    }

    private static func pictures(
        of table: RecipeTable, in folder: URL
    ) throws(RecordingError) -> () throws(RecordingError) -> Picture? {
        let reader = try RecipeTableReader(table, in: folder)
        let parts = table.file.split(separator: "/").dropLast().joined(separator: "/")
        return { () throws(RecordingError) in
            guard let row = try reader.next() else { return nil }
            let name = (parts.isEmpty ? "" : parts + "/") + row.text("file")
            let image = try readImage(name, in: folder, table: table.file, line: row.fields.line)
            return Picture(image: image, name: name, timestamp: try row.timestamp())
        }
    }

    private static func readImage(
        _ name: String, in folder: URL, table: String, line: Int
    ) throws(RecordingError) -> ImageBuffer {
        do {
            return try ImageFile.read(folder.appendingPathComponent(name))
        } catch {
            throw RecordingError(error, name: name, table: table, line: line)
        }
    }
}
