// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The few colours that a target's picture consists of.
///
/// The paper around a figure is told from the figure: what hangs together with the picture's border in the border's own
/// colour. The same picture gives the same colours, bit for bit.
///
/// ```swift
/// let colors = DominantColors(of: picture)
/// let theme = ColorPalette.clubs.nearest(to: colors.main)
/// let text = theme.textColor
/// ```
public struct DominantColors: Hashable, Sendable {
    /// A colour and how much of the figure it covers.
    public struct Share: Hashable, Sendable {
        /// The mean of what belongs to the colour.
        public let color: TargetColor
        /// The part of the figure that it covers, 0 … 1.
        public let part: Double
    }

    /// The figure's colours, the one that covers most first: at least one, at most ``mostColors``.
    public let colors: [Share]
    /// The colour of the paper around the figure; `nil` where the figure fills the picture.
    public let paper: TargetColor?

    /// How many colours are told apart at most.
    public static let mostColors = 6
    /// What covers less of a figure than this is left out.
    public static let leastPart = 0.02

    /// The colour that the figure is known by: the largest among those with a hue, or the largest of all where all are
    /// greys or the others cover next to nothing.
    public var main: TargetColor {
        let hued = colors.first { $0.part >= 0.1 && PerceivedColor($0.color).chroma >= Self.leastChroma }
        return (hued ?? colors[0]).color
    }

    /// The colours of a picture with at least one pixel.
    public init(of picture: ImageBuffer) {
        precondition(picture.size.width > 0 && picture.size.height > 0, "a picture without pixels has no colours")
        let sample = ColorSample(picture)
        let clusters = ColorClusters(of: sample.colors.indices.filter { sample.isPlain[$0] }.map { sample.colors[$0] })
        let labels = sample.colors.map(clusters.index)
        let ground = sample.ground(labels)
        let plain = labels.indices.filter { sample.isPlain[$0] }
        let figure = ground.map { paper in plain.filter { !paper[$0] } } ?? plain
        paper = ground == nil ? nil : sample.mean(where: { ground![$0] })
        // A picture of nothing but paper is a figure of one colour.
        let counted = figure.isEmpty ? plain : figure
        colors = clusters.shares(of: counted.map { labels[$0] }, sample: sample, places: counted)
    }

    /// From which chroma on a colour is no grey: a hundredth of a step between black and white is hardly seen.
    private static let leastChroma = 0.04
}

/// The picture's colours on a grid that is coarse enough to be fast.
private struct ColorSample {
    let columns: Int
    let rows: Int
    let colors: [TargetColor]
    /// Whether each place lies in an area of its colour: along edges, print and lens mix colours that nobody chose.
    let isPlain: [Bool]

    /// The most columns and rows.
    private static let side = 128

    init(_ picture: ImageBuffer) {
        let size = picture.size
        (columns, rows) = (min(size.width, Self.side), min(size.height, Self.side))
        var (colors, isPlain): ([TargetColor], [Bool]) = ([], [])
        for row in 0..<rows {
            // The pixel in the middle of each cell: means would invent colours along edges.
            let y = (2 * row + 1) * size.height / (2 * rows)
            for column in 0..<columns {
                let x = (2 * column + 1) * size.width / (2 * columns)
                let color = picture.color(x, y)
                colors.append(color)
                isPlain.append(
                    [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].allSatisfy { x, y in
                        picture.color(x, y).squaredDistance(to: color) <= Self.plainDifference * Self.plainDifference
                    })
            }
        }
        self.colors = colors
        // A picture of nothing but edges has no better colours than theirs.
        self.isPlain = isPlain.contains(true) ? isPlain : isPlain.map { _ in true }
    }

    /// What neighbours in an area of one colour differ by at most: noise, and the marks of compression.
    private static let plainDifference = 24

    /// Which places are paper: those of the colour that most of the border has, as far as they hang together with the
    /// border; `nil` where no colour has three quarters of it.
    func ground(_ labels: [Int]) -> [Bool]? {
        let border = labels.indices.filter { place in
            let (row, column) = place.quotientAndRemainder(dividingBy: columns)
            return row == 0 || column == 0 || row == rows - 1 || column == columns - 1
        }
        var counts: [Int: Int] = [:]
        for place in border { counts[labels[place], default: 0] += 1 }
        guard let label = counts.first(where: { 4 * $0.value >= 3 * border.count })?.key else { return nil }
        var isGround = [Bool](repeating: false, count: labels.count)
        var open = border.filter { labels[$0] == label }
        for place in open { isGround[place] = true }
        while let place = open.popLast() {
            for neighbor in neighbors(of: place) where !isGround[neighbor] && labels[neighbor] == label {
                isGround[neighbor] = true
                open.append(neighbor)
            }
        }
        return isGround
    }

    private func neighbors(of place: Int) -> [Int] {
        let column = place % columns
        return [
            column > 0 ? place - 1 : nil, column < columns - 1 ? place + 1 : nil,
            place >= columns ? place - columns : nil, place + columns < colors.count ? place + columns : nil,
        ].compactMap { $0 }
    }

    /// The mean of the colours at the places that a condition picks; black where it picks none.
    func mean(where isPicked: (Int) -> Bool) -> TargetColor {
        var (red, green, blue, count) = (0, 0, 0, 0)
        for place in colors.indices where isPicked(place) {
            red += Int(colors[place].red)
            green += Int(colors[place].green)
            blue += Int(colors[place].blue)
            count += 1
        }
        guard count > 0 else { return .black }
        func rounded(_ sum: Int) -> UInt8 { UInt8((2 * sum + count) / (2 * count)) }
        return TargetColor(red: rounded(red), green: rounded(green), blue: rounded(blue))
    }
}

/// Colours that people would call one, brought together.
private struct ColorClusters {
    /// The clusters' middles.
    private let centers: [PerceivedColor]
    /// The cluster of each colour with four bits a channel.
    private let clusterOfBin: [UInt16: Int]

    /// Two middles that are nearer than this are one colour: five times what is just noticed.
    private static let leastDistance = 0.1

    init(of colors: [TargetColor]) {
        var counts: [UInt16: Int] = [:]
        for color in colors { counts[Self.bin(of: color), default: 0] += 1 }
        // Most frequent bins first; of equally frequent ones, in the order of their numbers.
        let bins = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { (number: $0.key, color: Self.color(of: $0.key), weight: Double($0.value)) }
        // What is frequent and far from all that is more frequent begins a cluster.
        var centers: [Vector3] = []
        for bin in bins
        where centers.count < 2 * DominantColors.mostColors
            && centers.allSatisfy({ ($0 - bin.color.coordinates).length >= Self.leastDistance })
        { centers.append(bin.color.coordinates) }
        for _ in 0..<8 {
            var sums = [Vector3](repeating: .zero, count: centers.count)
            var weights = [Double](repeating: 0, count: centers.count)
            for bin in bins {
                let nearest = Self.nearest(to: bin.color.coordinates, among: centers)
                sums[nearest] += bin.weight * bin.color.coordinates
                weights[nearest] += bin.weight
            }
            for index in centers.indices where weights[index] > 0 { centers[index] = sums[index] / weights[index] }
        }
        let merged = Self.merged(centers)
        self.centers = merged.map { PerceivedColor(coordinates: $0) }
        clusterOfBin = Dictionary(
            uniqueKeysWithValues: bins.map { ($0.number, Self.nearest(to: $0.color.coordinates, among: merged)) })
    }

    /// The cluster that a colour of the picture belongs to.
    func index(of color: TargetColor) -> Int {
        let bin = Self.bin(of: color)
        return clusterOfBin[bin] ?? Self.nearest(to: Self.color(of: bin).coordinates, among: centers.map(\.coordinates))
    }

    /// How much of those places each cluster covers, largest first, without what hardly covers anything.
    func shares(of labels: [Int], sample: ColorSample, places: [Int]) -> [DominantColors.Share] {
        let shares = centers.indices.compactMap { cluster -> DominantColors.Share? in
            let own = Set(zip(places, labels).filter { $0.1 == cluster }.map(\.0))
            guard !own.isEmpty else { return nil }
            return DominantColors.Share(
                color: sample.mean(where: own.contains), part: Double(own.count) / Double(places.count))
        }
        let ordered = shares.sorted { ($1.part, $0.color.hexadecimal) < ($0.part, $1.color.hexadecimal) }
        let large = ordered.filter { $0.part >= DominantColors.leastPart }
        return Array((large.isEmpty ? Array(ordered.prefix(1)) : large).prefix(DominantColors.mostColors))
    }

    /// Those middles that are not near an earlier one.
    private static func merged(_ centers: [Vector3]) -> [Vector3] {
        centers.reduce(into: []) { kept, center in
            if kept.allSatisfy({ ($0 - center).length >= leastDistance }) { kept.append(center) }
        }
    }

    private static func nearest(to color: Vector3, among centers: [Vector3]) -> Int {
        centers.indices.min { (centers[$0] - color).squaredLength < (centers[$1] - color).squaredLength } ?? 0
    }

    /// Four bits of each channel.
    private static func bin(of color: TargetColor) -> UInt16 {
        UInt16(color.red >> 4) << 8 | UInt16(color.green >> 4) << 4 | UInt16(color.blue >> 4)
    }

    /// The colour in the middle of a bin.
    private static func color(of bin: UInt16) -> PerceivedColor {
        func channel(_ bits: UInt16) -> UInt8 { UInt8(bits & 15) * 16 + 8 }
        return PerceivedColor(TargetColor(red: channel(bin >> 8), green: channel(bin >> 4), blue: channel(bin)))
    }
}

extension ImageBuffer {
    /// The colour of a pixel; outside, of the nearest one.
    fileprivate func color(_ x: Int, _ y: Int) -> TargetColor {
        let (column, row) = (min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1))
        let place = row * bytesPerRow + column * format.bytesPerPixel
        guard format == .rgb8 else { return TargetColor(red: bytes[place], green: bytes[place], blue: bytes[place]) }
        return TargetColor(red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2])
    }
}
