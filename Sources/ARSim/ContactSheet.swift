// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision

/// Many small pictures on one, each with a line of text: to see at a glance what there is.
public struct ContactSheet: Sendable {
    /// How many pictures stand side by side.
    public let columns: Int
    /// The room for each picture, in pixels.
    public let tileSize: ImageSize
    private var tiles: [(picture: ImageBuffer, label: String)] = []

    /// The space around a picture, in pixels.
    private static let margin = 6
    /// The height of a capital letter of a label, in pixels.
    private static let capitalHeight = 9

    /// An empty sheet.
    public init(columns: Int, tileSize: ImageSize) {
        precondition(columns > 0, "a sheet needs a column, not \(columns)")
        self.columns = columns
        self.tileSize = tileSize
    }

    /// Adds a picture, which is made as small as its tile.
    public mutating func add(_ picture: ImageBuffer, label: String) {
        tiles.append((picture.fitting(tileSize), label))
    }

    /// The sheet.
    public var image: ImageBuffer {
        let rows = (tiles.count + columns - 1) / columns
        let step = (
            x: tileSize.width + 2 * Self.margin, y: tileSize.height + 2 * Self.margin + 2 * Self.capitalHeight
        )
        var sheet = ImageBuffer(
            size: ImageSize(width: columns * step.x, height: max(rows, 1) * step.y), format: .rgb8, filledWith: 32)
        for (index, tile) in tiles.enumerated() {
            let left = index % columns * step.x + (step.x - tile.picture.size.width) / 2
            sheet.paste(tile.picture, left: left, top: index / columns * step.y + Self.margin)
        }
        var canvas = Canvas(sheet)
        for (index, tile) in tiles.enumerated() {
            let left = index % columns * step.x + 2 * Self.margin
            let bottom = (index / columns + 1) * step.y - Self.margin
            canvas.write(
                tile.label, at: PixelPoint(Double(left), Double(bottom)), capitalHeight: Self.capitalHeight)
        }
        return canvas.image
    }
}

extension ImageBuffer {
    /// The whole picture, in colour, as large as fits into a size; each pixel is the mean of the area that it covers.
    fileprivate func fitting(_ target: ImageSize) -> ImageBuffer {
        let source = rgb
        let factor = max(
            1, Double(size.width) / Double(target.width), Double(size.height) / Double(target.height))
        let (width, height) = (Int(Double(size.width) / factor), Int(Double(size.height) / factor))
        var result = ImageBuffer(size: ImageSize(width: width, height: height), format: .rgb8)
        func covered(_ index: Int, of limit: Int) -> Range<Int> {
            let first = Int(Double(index) * factor)
            return first..<max(first + 1, min(Int(Double(index + 1) * factor), limit))
        }
        for row in 0..<height {
            let rows = covered(row, of: size.height)
            for column in 0..<width {
                let columns = covered(column, of: size.width)
                var sum = SIMD3<Int>()
                for y in rows {
                    for x in columns {
                        let first = 3 * (y * size.width + x)
                        sum &+= SIMD3(
                            Int(source.bytes[first]), Int(source.bytes[first + 1]), Int(source.bytes[first + 2]))
                    }
                }
                let count = rows.count * columns.count
                for channel in 0..<3 {
                    result.bytes[3 * (row * width + column) + channel] = UInt8((sum[channel] + count / 2) / count)
                }
            }
        }
        return result
    }

    /// Copies a colour picture into this one, which has room for it.
    fileprivate mutating func paste(_ picture: ImageBuffer, left: Int, top: Int) {
        for row in 0..<picture.size.height {
            let source = row * picture.bytesPerRow
            let target = (top + row) * bytesPerRow + 3 * left
            bytes.replaceSubrange(
                target..<target + picture.bytesPerRow, with: picture.bytes[source..<source + picture.bytesPerRow])
        }
    }
}
