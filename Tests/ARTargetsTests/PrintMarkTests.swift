// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARSimulation
import Foundation
import Testing

@testable import ARTargets

/// What hardly shows more than a four-sided figure is not told from any other one.
@Suite struct PrintMarkTests {
    /// A rectangle's four sides and four corners are eight marks however long the sides are, a side that lies between pixels
    /// may be two; a cross has two edges and a corner, and an emblem a multiple of them.
    @Test func partsAlongAnEdgeSayTheSame() {
        for turn in stride(from: 0.0, to: 0.8, by: 0.13) {
            for side in [0.4, 0.55, 0.7] {
                let count = PrintMarks.count(of: Fields(count: 1, side: side, turn: turn, seed: 1).picture)
                #expect((4..<PrintMarks.least).contains(count), "turned by \(turn), \(side): \(count)")
            }
            let cross = PrintMarks.count(of: Fields(count: 2, side: 2, turn: turn, seed: 2).picture)
            #expect((3..<8).contains(cross), "turned by \(turn): \(cross)")
        }
        for number in 0..<8 {
            #expect(PrintMarks.count(of: Emblem(number: number).image(width: 256)) >= 2 * PrintMarks.least)
        }
    }

    /// In pictures of nothing but rectangles, targets of one to four fields of grey fit many; none has a name, and
    /// databases and scores tell of it.
    @Test func poorPrintsHaveNoName() throws {
        let poor = (0..<6).map { number -> ReferenceImage in
            let fields = Fields(
                count: 1 + number % 2, side: 0.9 + 0.2 * Double(number), turn: 0, corner: true, seed: number)
            return ReferenceImage(name: "\(number)", picture: fields.picture)
        }
        let rich = ReferenceImage(name: "emblem", picture: Emblem(number: 3).image(width: 256))
        let database = try TargetDatabase(building: poor + [rich])
        #expect(database.neverNamed == poor.map(\.name))
        for reference in poor {
            let score = TargetScore(of: reference.picture)
            #expect(score.value == 0 && score.markCount < PrintMarks.least, "\(reference.name): \(score)")
            #expect(score.reasons.first?.name == "too-few-marks")
        }
        var recognizer = TargetRecognizer()
        recognizer.activate(database, as: "fields")
        for seed in 0..<12 {
            let names = recognizer.recognize(in: Self.rectangles(seed: seed)).map(\.target.name)
            #expect(names.isEmpty, "\(seed): \(names)")
        }
    }

    /// Rectangles of all sizes and greys, one over the other.
    private static func rectangles(seed: Int) -> ImageBuffer {
        var random = SeededRandom(seed: UInt64(seed), purpose: "rectangles")
        var image = ImageBuffer(size: ImageSize(width: 640, height: 480), format: .gray8, filledWith: 110)
        for _ in 0..<140 {
            let (left, top) = (Int(random.uniform(-20..<640)), Int(random.uniform(-20..<480)))
            let side = 180 / random.uniform(1..<30)
            let (width, height) = (Int(side * random.uniform(0.4..<1.6)), Int(side * random.uniform(0.4..<1.6)))
            let grey = UInt8(random.uniform(20..<235))
            for row in max(top, 0)..<max(min(top + height, 480), 0, top) where row < 480 {
                for column in max(left, 0)..<max(min(left + width, 640), 0, left) where column < 640 {
                    image.bytes[row * 640 + column] = grey
                }
            }
        }
        return image
    }
}

/// A square of count × count fields of random grey on pale paper.
private struct Fields {
    let picture: ImageBuffer

    /// - Parameters:
    ///   - side: the square's side, in sides of the picture.   - turn: by how much it is turned, in radians.
    ///   - corner: whether its middle is the picture's upper left corner instead of its middle.
    init(count: Int, side: Double, turn: Double, corner: Bool = false, seed: Int) {
        var random = SeededRandom(seed: UInt64(seed), purpose: "fields")
        let greys = (0..<count * count).map { _ in UInt8(random.uniform(20..<190)) }
        let pixels = 256
        var picture = ImageBuffer(size: ImageSize(width: pixels, height: pixels), format: .gray8, filledWith: 235)
        for y in 0..<pixels {
            for x in 0..<pixels {
                let middle = corner ? 0 : 0.5
                let (u, v) = (Double(x) / Double(pixels) - middle, Double(y) / Double(pixels) - middle)
                let column = ((u * cos(turn) + v * sin(turn)) / side + 0.5) * Double(count)
                let row = ((v * cos(turn) - u * sin(turn)) / side + 0.5) * Double(count)
                guard (0..<Double(count)).contains(column), (0..<Double(count)).contains(row) else { continue }
                picture.bytes[y * pixels + x] = greys[Int(row) * count + Int(column)]
            }
        }
        self.picture = picture
    }
}
