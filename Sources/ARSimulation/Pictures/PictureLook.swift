// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// What a picture shows to an eye that compares whole pictures: to tell how different two emblems are.
///
/// Nothing of it is how targets are recognised, so that it may judge what a recogniser takes for the same. The picture is
/// reduced to 48 × 48 means; what light adds and by how much it multiplies is taken away, so that one stays the same in light
/// and shade, but each colour keeps its share.
public struct PictureLook: Sendable {
    /// Values about the mean of their channel, of length one in all.
    private let values: [Float]
    private let channelCount: Int

    private static let side = 48

    /// The look of a picture of at least one pixel, in its colours or in grey; pictures without colours are grey in any case.
    public init(_ picture: ImageBuffer, inColor: Bool) {
        let source = inColor && picture.format == .rgb8 ? picture : picture.gray
        let count = source.format == .rgb8 ? 3 : 1
        var values = (0..<count).flatMap { Self.means(of: source, channel: $0, of: count) }
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        if length > 0 { for index in values.indices { values[index] /= length } }
        (self.values, channelCount) = (values, count)
    }

    /// The correlation with another look, in the quarter turn in which they are most alike: 1 is the same, 0 nothing in common.
    /// Law: `PictureLookTests`.
    public func likeness(to other: PictureLook) -> Double {
        precondition(channelCount == other.channelCount, "a look in grey has no likeness to one in colours")
        return Double((0..<4).map { correlation(with: other, quarterTurns: $0) }.max() ?? 0)
    }

    private func correlation(with other: PictureLook, quarterTurns: Int) -> Float {
        let (side, last) = (Self.side, Self.side - 1)
        var sum: Float = 0
        for start in stride(from: 0, to: values.count, by: side * side) {
            for row in 0..<side {
                for column in 0..<side {
                    let (x, y) =
                        switch quarterTurns {
                        case 1: (row, last - column)
                        case 2: (last - column, last - row)
                        case 3: (last - row, column)
                        default: (column, row)
                        }
                    sum += values[start + row * side + column] * other.values[start + y * side + x]
                }
            }
        }
        return sum
    }

    /// The means of a channel over the fields of a grid, about their own mean.
    private static func means(of picture: ImageBuffer, channel: Int, of channelCount: Int) -> [Float] {
        let (width, height) = (picture.size.width, picture.size.height)
        var means: [Float] = []
        means.reserveCapacity(side * side)
        for row in 0..<side {
            // A field is at least a pixel high and wide.
            let rows = row * height / side..<max((row + 1) * height / side, row * height / side + 1)
            for column in 0..<side {
                let columns = column * width / side..<max((column + 1) * width / side, column * width / side + 1)
                var sum = 0
                for y in rows {
                    for x in columns {
                        sum += Int(picture.bytes[y * picture.bytesPerRow + x * channelCount + channel])
                    }
                }
                means.append(Float(sum) / Float(rows.count * columns.count))
            }
        }
        let mean = means.reduce(0, +) / Float(means.count)
        return means.map { $0 - mean }
    }
}

extension Emblem {
    /// How alike two emblems are, as ``PictureLook`` sees them: 1 is the same. From ``twinLikeness`` on they are twins.
    public func likeness(to other: Emblem, inColor: Bool) -> Double {
        let looks = [self, other].map { PictureLook($0.image(width: 96), inColor: inColor) }
        return looks[0].likeness(to: looks[1])
    }

    /// From this likeness on two emblems are twins: they have the same drawing, and where they are seen in colours, nearly
    /// the same colours, too. Of 400 pictures of 100 emblems, as cameras take them in uneven light, with noise and motion, the
    /// one least like its own emblem correlates with it by so much.
    public static let twinLikeness = 0.95
}
