// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRandom
import ARSensing
import ARSimulation
import Foundation

/// Two hundred pictures from very good to hopeless; and any number of other series of the same kinds.
struct SampleTargets {
    typealias Sample = (name: String, picture: ImageBuffer)

    /// A hundred emblems; pictures like them with less contrast; patterns, textures, playing cards; and photographs from the
    /// folder of data, as far as it is there.
    let targets: [Sample]

    /// The series of that number: no picture is in two, but for stripes. Only the first two have photographs.
    init(series first: Int, data: URL?) throws {
        var targets: [Sample] = (0..<100).map { index in
            ("emblem-\(index)", Emblem(number: 1000 * first + index).image(width: 512).gray)
        }
        targets += (0..<24).map { index in
            let contrast = pow(0.5, 1 + Double(index % 6) * 0.7)
            return (
                "faint-\(index)", Emblem(number: 1000 * first + 200 + index).image(width: 512).gray.faded(to: contrast)
            )
        }
        targets += (0..<16).map { ("tiles-\($0)", Self.pattern(number: $0 + 16 * first)) }
        targets += (0..<24).map { ("texture-\($0)", Self.texture(number: $0 + 24 * first)) }
        targets += (0..<8).map { ("stripes-\($0)", Self.stripes(number: $0, isTurned: first % 2 == 1)) }
        let card = ["card", "another card"].dropFirst(first).first ?? "card of series \(first),"
        for (index, rank) in [0, 5, 8, 11].enumerated() {
            let ranks = PlayingCard.Rank.allCases
            let card = PlayingCard(
                rank: ranks[(rank + first) % ranks.count], suit: PlayingCard.Suit.allCases[index],
                code: try QRCode(payload: "\(card) \(index)"))
            targets.append(("card-\(index)", card.image(width: 400).gray))
        }
        targets += try Self.photographs([Self.files, Self.otherFiles].dropFirst(first).first ?? [], in: data)
        self.targets = Array(targets.prefix(200))
    }

    private static let files = [
        "oxford_affine/bikes/img1.png", "oxford_affine/boat/img1.png", "oxford_affine/graf/img1.png",
        "oxford_affine/leuven/img1.png", "opencv_planar/box.png", "opencv_planar/cards.png", "opencv_planar/blox.jpg",
        "opencv_planar/stuff.jpg", "opencv_planar/board.jpg", "artoolkitx_markers/pinball.jpg",
        "artoolkitx_markers/gibraltar.jpg", "mindar_cards/card-example/card.png",
        "mindar_cards/band-example/bear-color.png", "mindar_cards/band-example/raccoon-color.png",
        "faces_dlib/2007_007763.jpg", "faces_dlib/2008_001009.jpg", "faces_dlib/2008_001322.jpg",
        "faces_dlib/2008_002079.jpg", "faces_dlib/dogs.jpg",
    ]

    private static let otherFiles =
        [
            "chicken", "dog", "h2o", "ke", "leaf01", "pentarose", "text_boofcv", "yinyang",
        ].map { "boofcv_fiducial/image/patterns/\($0).png" }
        + [
            "track_dlib_juicebox/frames/frame_000101.jpg", "faces_opencv_extra/images/addams-family.png",
            "faces_opencv_extra/images/bttf301.png", "faces_opencv_extra/images/churchill-downs.png",
            "faces_opencv_extra/images/er.png", "faces_opencv_extra/images/mona-lisa.png",
            "faces_opencv_extra/images/waynesworld2.png", "rect_docscan/images/cell_pic.jpg",
            "rect_docscan/images/chart.JPG", "rect_docscan/images/math_cheat_sheet.JPG", "track_dudek20/img/0010.jpg",
        ]

    private static func photographs(_ files: [String], in data: URL?) throws -> [Sample] {
        guard let data else { return [] }
        let present = files.map { data.appendingPathComponent($0) }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
        // Each photograph whole, and softened as one that was out of focus.
        return try present.flatMap { file in
            let name = file.deletingLastPathComponent().lastPathComponent + "-" + file.lastPathComponent
            let picture = try ImageFile.read(file).gray.halved(untilAtMost: 1200)
            return [(name, picture), ("soft-" + name, picture.softened(times: 60))]
        }
    }

    /// One tile again and again.
    private static func pattern(number: Int) -> ImageBuffer {
        var random = SeededRandom(seed: UInt64(number), purpose: "tiles")
        let side = [24, 36, 64, 128][number % 4]
        let tile = (0..<(4 * 4)).map { _ in UInt8(random.uniform(20..<235)) }
        return square { x, y in tile[(y % side) * 4 / side * 4 + (x % side) * 4 / side] }
    }

    /// Patches of random grey, coarse or fine, over a random part of the picture.
    private static func texture(number: Int) -> ImageBuffer {
        var random = SeededRandom(seed: UInt64(number), purpose: "texture")
        let cells = [2, 3, 4, 6, 9, 14][number % 6]
        let values = (0..<(cells * cells)).map { _ in UInt8(random.uniform(20..<235)) }
        let filled = Int(random.uniform(150..<513))
        return square { x, y in
            x < filled && y < filled ? values[y * cells / 512 * cells + x * cells / 512] : 235
        }
    }

    /// Stripes, and what is next to nothing.
    private static func stripes(number: Int, isTurned: Bool) -> ImageBuffer {
        let (dark, light): (UInt8, UInt8) = isTurned ? (70, 190) : (40, 220)
        return square { column, row in
            let (x, y) = isTurned ? (row, 511 - column) : (column, row)
            return switch number {
            case 0: light
            case 1: UInt8(x / 3 + 40)
            case 2: (x - 256) * (x - 256) + (y - 256) * (y - 256) < 40_000 ? dark : light
            case 3: x < 256 ? dark : light
            case 4: (x < 256) == (y < 256) ? dark : light
            default: x / (8 << (number - 5)) % 2 == 0 ? dark : light
            }
        }
    }

    private static func square(_ value: (Int, Int) -> UInt8) -> ImageBuffer {
        ImageBuffer(
            size: ImageSize(width: 512, height: 512), format: .gray8,
            bytes: (0..<512).flatMap { y in (0..<512).map { value($0, y) } })
    }
}

extension ImageBuffer {
    /// With less contrast, about the same grey.
    fileprivate func faded(to contrast: Double) -> ImageBuffer {
        ImageBuffer(
            size: size, format: format, bytes: bytes.map { UInt8(150 + (Double($0) - 150) * contrast) })
    }

    /// A grey picture, halved until its longer side has at most so many pixels.
    fileprivate func halved(untilAtMost side: Int) -> ImageBuffer {
        halvings.first { max($0.size.width, $0.size.height) <= side } ?? self
    }

    /// Averaged with its neighbours again and again.
    fileprivate func softened(times: Int) -> ImageBuffer {
        var values = bytes.map(Float.init)
        let (width, height) = (size.width, size.height)
        for _ in 0..<times {
            let old = values
            for y in 1..<(height - 1) {
                for x in 1..<(width - 1) {
                    let place = y * width + x
                    values[place] =
                        old[place] / 2 + (old[place - 1] + old[place + 1] + old[place - width] + old[place + width]) / 8
                }
            }
        }
        return ImageBuffer(size: size, format: .gray8, bytes: values.map { UInt8($0.rounded()) })
    }
}
