// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFeatures

/// A print's colours in few cells: what tells prints apart that are drawn alike.
struct PrintColors: Hashable, Sendable {
    /// Red, green and blue of each cell, row by row.
    let bytes: [UInt8]

    /// How many cells a side has.
    static let side = 12
    static let byteCount = 3 * side * side

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The colours of a reference picture; `nil` for a grey one.
    init?(of picture: ImageBuffer) {
        guard picture.format == .rgb8 else { return nil }
        let pixels = picture.bytes
        bytes = Self.means(width: picture.size.width, height: picture.size.height) { pixel in
            (Int(pixels[3 * pixel]), Int(pixels[3 * pixel + 1]), Int(pixels[3 * pixel + 2]))
        }
    }

    /// Those of a print of which only the grey picture is known: greys.
    init(of template: TemplateView) {
        bytes = Self.means(width: template.width, height: template.height) { pixel in
            let light = Int(template.pixels[pixel])
            return (light, light, light)
        }
    }

    /// The place of a cell's middle on the print.
    static func middle(of cell: Int) -> Vector2 {
        Vector2(Double(cell % side) + 0.5, Double(cell / side) + 0.5) / Double(side)
    }

    /// The mean colours of the cells of a picture whose pixels are given, row by row.
    private static func means(
        width: Int, height: Int, _ color: (_ pixel: Int) -> (red: Int, green: Int, blue: Int)
    ) -> [UInt8] {
        (0..<side * side).flatMap { cell in
            let (column, row) = (cell % side, cell / side)
            var (sums, count) = ((0, 0, 0), 0)
            for y in row * height / side..<(row + 1) * height / side {
                for x in column * width / side..<(column + 1) * width / side {
                    let (red, green, blue) = color(y * width + x)
                    sums.0 += red
                    sums.1 += green
                    sums.2 += blue
                    count += 1
                }
            }
            return [sums.0, sums.1, sums.2].map { UInt8($0 / max(count, 1)) }
        }
    }

    /// How the colours of a picture speak for the print.
    struct Agreement {
        /// How well one light explains them, 0…1: ``PrintLight``. It prefers one twin to the other.
        var whole = 0.0
        /// The correlation of the chroma that does not go with the lightness, as that of a print in one ink does, −1…1; 0 where
        /// either has none. It refuses.
        var inks = 0.0
        /// Whether both have chroma that does not go with the lightness.
        var hasInks = false
        /// Whether the picture shows no colours there, as of a photocopy.
        var isGray = false
        /// How coloured a light would be in which the print's white looks as it does there: ``PrintLight/tint(ofWhite:)``. `nil` where
        /// hardly any of the print is white.
        var tintOfWhite: Double?
        /// Each visible cell of the print, and what is seen of it.
        fileprivate var cells: [CFeaturesColorCell] = []

        /// How far the worst tenth of the colours is from being any ink of the print, in whatever colour each of them is
        /// printed, by what colours differ. It refuses.
        ///
        /// - Parameter template: the print in grey: where its colours do not tell inks apart, its greys do.
        func unexplained(by template: TemplateView) -> Double {
            var print = template.kernelTemplate
            var unexplained = 0.0
            check(
                cfeatures_compare_inks(&print, cells, Int32(cells.count), Int32(PrintColors.side), &unexplained))
            return unexplained
        }
    }

    /// Compares a colour picture with the print where it lies there. Light of another colour and strength shifts and
    /// stretches chroma, and changes the correlations little. What lies over the print is left out. `nil` where less than a
    /// quarter of the cells is visible.
    func agreement(
        with picture: ImageBuffer, pixelFromPrint: Matrix3x3, besides cover: PrintCover? = nil
    ) -> Agreement? {
        var (own, seen): ([CellColor], [CellColor]) = ([], [])
        var agreement = Agreement()
        for cell in 0..<Self.side * Self.side {
            guard cover?.contains(Self.middle(of: cell)) != true,
                let color = CellColor(cell, of: picture, pixelFromPrint: pixelFromPrint)
            else { continue }
            let ownColor = CellColor(
                red: Double(bytes[3 * cell]), green: Double(bytes[3 * cell + 1]), blue: Double(bytes[3 * cell + 2]))
            seen.append(color)
            own.append(ownColor)
            let middle = Self.middle(of: cell)
            agreement.cells.append(
                CFeaturesColorCell(x: middle.x, y: middle.y, own: ownColor.channels, seen: color.channels))
        }
        guard own.count >= Self.side * Self.side / 4 else { return nil }
        let (ownChroma, seenChroma) = (ChromaField(own), ChromaField(seen))
        agreement.whole = PrintLight.explained(own, as: seen)
        agreement.isGray = seenChroma.isGray
        agreement.tintOfWhite = Self.tintOfWhite(own, as: seen)
        let (ownInks, seenInks) = (ownChroma.withoutLightness, seenChroma.withoutLightness)
        agreement.hasInks =
            ownInks.deviation > max(ChromaField.leastDeviation, 0.25 * ownChroma.deviation)
            && seenInks.deviation > max(ChromaField.leastDeviation, seenChroma.mostOfOneInk)
        if agreement.hasInks { agreement.inks = ownInks.correlation(with: seenInks) }
        return agreement
    }

    /// Of the cells that are white on the print, the lighter half as they are seen: the others share some with an ink where the
    /// print bends.
    private static func tintOfWhite(_ own: [CellColor], as seen: [CellColor]) -> Double? {
        let white = zip(own, seen).filter { $0.0.isWhite }.map(\.1).sorted { $0.lightness > $1.lightness }
        guard white.count >= leastWhiteCells else { return nil }
        return PrintLight.tint(ofWhite: white.prefix((white.count + 1) / 2))
    }

    /// Fewer cells do not tell what white looks like.
    private static let leastWhiteCells = 8
}

/// The mean colour of a cell: its lightness, and red against green and yellow against blue.
struct CellColor {
    let red, green, blue: Double

    var channels: (Double, Double, Double) { (red, green, blue) }
    var lightness: Double { (red + green + blue) / 3 }
    var chroma: Vector2 { Vector2(red - green, (red + green) / 2 - blue) }
    /// Whether it is that of paper, and not of an ink on it.
    var isWhite: Bool { min(red, green, blue) >= 0.85 * 255 }

    init(red: Double, green: Double, blue: Double) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// What a picture shows of a cell; `nil` where that reaches out of the picture.
    init?(_ cell: Int, of picture: ImageBuffer, pixelFromPrint: Matrix3x3) {
        let (column, row) = (Double(cell % PrintColors.side), Double(cell / PrintColors.side))
        let samples = 5
        var (red, green, blue) = (0, 0, 0)
        for sample in 0..<samples * samples {
            let x = (Double(sample % samples) + 0.5) / Double(samples)
            let y = (Double(sample / samples) + 0.5) / Double(samples)
            let place = Vector2(column + x, row + y) / Double(PrintColors.side)
            guard let pixel = pixelFromPrint.image(of: place), pixel.x > -0.5, pixel.y > -0.5,
                pixel.x < Double(picture.size.width) - 0.5, pixel.y < Double(picture.size.height) - 0.5
            else { return nil }
            let index = 3 * (Int(pixel.y.rounded()) * picture.size.width + Int(pixel.x.rounded()))
            red += Int(picture.bytes[index])
            green += Int(picture.bytes[index + 1])
            blue += Int(picture.bytes[index + 2])
        }
        let count = Double(samples * samples)
        self.init(red: Double(red) / count, green: Double(green) / count, blue: Double(blue) / count)
    }
}

/// The chroma of cells, about its mean.
private struct ChromaField {
    /// In levels of 255: what noise and the coding of pictures leave of grey is less.
    static let leastDeviation = 8.0

    let chroma: [Vector2]
    let lightness: [Double]

    init(_ cells: [CellColor]) {
        let count = Double(cells.count)
        let meanChroma = cells.reduce(Vector2.zero) { $0 + $1.chroma } / count
        let meanLightness = cells.reduce(0) { $0 + $1.lightness } / count
        chroma = cells.map { $0.chroma - meanChroma }
        lightness = cells.map { $0.lightness - meanLightness }
    }

    private init(chroma: [Vector2], lightness: [Double]) { (self.chroma, self.lightness) = (chroma, lightness) }

    /// Whether there is no more chroma than what noise and a camera's white balance make of greys.
    var isGray: Bool { deviation < max(Self.leastDeviation, 0.15 * lightnessDeviation) }

    /// How much chroma at most does not go with the lightness of a print in one ink: uneven light leaves some of the ink's own
    /// chroma, and a camera's tone curve, which the light's colour has bend each channel elsewhere, some of the lightness.
    ///
    /// Law: `TargetColorTests.printsInOneInkAndGreyOnesKeepTheirName`.
    var mostOfOneInk: Double { max(0.25 * deviation, 0.3 * lightnessDeviation) }

    private var lightnessDeviation: Double {
        (lightness.reduce(0) { $0 + $1 * $1 } / Double(max(lightness.count, 1))).squareRoot()
    }

    /// What is left when the part in proportion to the lightness is taken away.
    var withoutLightness: ChromaField {
        let squares = lightness.reduce(1e-9) { $0 + $1 * $1 }
        let slope = zip(chroma, lightness).reduce(Vector2.zero) { $0 + $1.1 * $1.0 } / squares
        return ChromaField(chroma: zip(chroma, lightness).map { $0 - $1 * slope }, lightness: lightness)
    }

    var deviation: Double {
        (chroma.reduce(0) { $0 + $1.squaredLength } / Double(max(chroma.count, 1))).squareRoot()
    }

    /// The correlation, without the tenth of the cells that disturb it most: a glare, a finger.
    func correlation(with other: ChromaField) -> Double {
        let (own, others) = (1 / max(deviation, 1e-9), 1 / max(other.deviation, 1e-9))
        let pairs = zip(chroma, other.chroma).map { (own * $0, others * $1) }
        let kept = pairs.sorted { ($0.0 - $0.1).squaredLength < ($1.0 - $1.1).squaredLength }
            .prefix(chroma.count * 9 / 10)
        let products = kept.reduce(0) { $0 + $1.0.dot($1.1) }
        let squares = kept.reduce(0) { $0 + $1.0.squaredLength } * kept.reduce(0) { $0 + $1.1.squaredLength }
        return squares > 0 ? products / squares.squareRoot() : 0
    }
}
