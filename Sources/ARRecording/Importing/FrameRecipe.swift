// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// Where a recipe's frames and their stamps come from.
struct FrameRecipe: Sendable {
    /// The pictures.
    enum Source: Sendable {
        /// The frames of a video file.
        case video(String)
        /// The picture files of a folder, in the order of their names.
        case folder(String)
        /// A table with a stamp and a picture's path, relative to the table's own folder.
        case list(RecipeTable)
    }

    /// The stamps of a video or a folder.
    enum Stamps: Sendable {
        /// A constant rate from a start.
        case rate(hertz: Double, start: Int64)
        /// A table with a row for each frame.
        case table(RecipeTable)
        /// The pictures' names, without extension, are the stamps.
        case names(RecipeTimeUnit)
        /// The list of the pictures has them.
        case inList
    }

    /// A part of a picture, in pixels.
    struct Crop: Hashable, Sendable {
        var x: Int
        var y: Int
        var size: ImageSize
    }

    var source: Source
    var stamps: Stamps
    var crop: Crop?
    var format: PixelFormat?

    init(_ camera: DocumentNode) throws(DocumentError) {
        let node = try camera.required("frames")
        try node.check(keys: ["video", "folder", "list", "crop_px", "pixel_format"])
        if let video = try node.value("video") {
            source = .video(try video.string())
        } else if let folder = try node.value("folder") {
            source = .folder(try folder.string())
        } else if let list = try node.value("list") {
            source = .list(try RecipeTable(list, needed: ["time", "file"]))
        } else {
            throw node.error(expected: "one of the keys video, folder, list")
        }
        format = try node.value("pixel_format")?.choice(of: PixelFormat.self)
        if let cropNode = try node.value("crop_px") {
            let numbers = try cropNode.items(count: 4)
            let (x, y) = (try numbers[0].int64(), try numbers[1].int64())
            let (width, height) = (try numbers[2].int64(), try numbers[3].int64())
            guard x >= 0, y >= 0, width > 0, height > 0, max(x, y, width, height) < 65536 else {
                throw cropNode.error(expected: "x, y, width, height in pixels")
            }
            crop = Crop(x: Int(x), y: Int(y), size: ImageSize(width: Int(width), height: Int(height)))
        }
        if case .list = source {
            stamps = .inList
        } else {
            stamps = try Stamps(camera.required("stamps"))
        }
    }
}

extension FrameRecipe.Stamps {
    init(_ node: DocumentNode) throws(DocumentError) {
        if let rate = try node.value("rate_hz") {
            try node.check(keys: ["rate_hz", "start_ns"])
            let hertz = try rate.double()
            guard hertz > 0 else { throw rate.error(expected: "a positive rate") }
            self = .rate(hertz: hertz, start: try node.value("start_ns")?.int64() ?? 0)
        } else if let unit = try node.value("names_in") {
            try node.check(keys: ["names_in"])
            self = .names(try unit.choice(of: RecipeTimeUnit.self))
        } else {
            self = .table(try RecipeTable(node, needed: ["time"]))
        }
    }
}

extension ImageBuffer {
    /// The part of the picture, which must lie in it.
    func cropped(to crop: FrameRecipe.Crop) -> ImageBuffer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(crop.size.width * crop.size.height * format.bytesPerPixel)
        for row in crop.y..<crop.y + crop.size.height {
            let start = row * bytesPerRow + crop.x * format.bytesPerPixel
            bytes += self.bytes[start..<start + crop.size.width * format.bytesPerPixel]
        }
        return ImageBuffer(size: crop.size, format: format, bytes: bytes)
    }
}
