// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Testing

@testable import ARSimulation

@Suite struct FaceTests {
    /// The viewer's left one and the viewer's right one.
    private static let pupils = [NormalizedImagePoint(0.385, 0.47), NormalizedImagePoint(0.615, 0.47)]

    /// The mean grey value of a square around a place of a picture.
    private static func brightness(_ image: ImageBuffer, _ x: Double, _ y: Double, width: Int = 5) -> Double {
        let gray = image.gray
        let (column, row) = (Int(x * Double(image.size.width)), Int(y * Double(image.size.height)))
        var sum = 0
        for dy in 0..<width {
            for dx in 0..<width {
                sum += Int(gray.bytes[(row + dy - width / 2) * image.size.width + column + dx - width / 2])
            }
        }
        return Double(sum) / Double(width * width)
    }

    @Test func facesDiffer() {
        let traits = (0..<100).map { FaceTraits(number: $0) }
        #expect(Set(traits).count == 100)
        let pictures = (0..<20).map { Face(number: $0).image(width: 64) }
        #expect(Set(pictures).count == 20)
        #expect(Face(number: 3).image(width: 64) == pictures[3])
    }

    /// What detectors of faces look for (Viola, Jones 2001): eyes darker than the cheeks and than the bridge of the nose,
    /// in both kinds of picture.
    @Test(arguments: Face.Surroundings.allCases) func eyesAreDarkerThanCheeksAndNose(surroundings: Face.Surroundings) {
        for number in 0..<24 {
            let image = Face(number: number).image(width: 200, surroundings: surroundings)
            let bridge = Self.brightness(image, 0.5, 0.535)
            for pupil in Self.pupils {
                let eye = Self.brightness(image, pupil.x, pupil.y, width: 13)
                #expect(eye < 0.95 * Self.brightness(image, pupil.x, 0.58, width: 13), "\(number)")
                #expect(eye < 0.95 * bridge, "\(number)")
            }
            #expect(Self.brightness(image, Self.pupils[0].x, Self.pupils[0].y, width: 3) < 60, "\(number)")
        }
    }

    /// A head wears skin and hair up to the picture's rim: no background shows at its sides.
    @Test func headsHaveNoBackground() {
        let number = 1
        let head = Face(number: number).image(width: 100, surroundings: .head)
        let portrait = Face(number: number).image(width: 100)
        let background = Array(portrait.bytes[0..<3])
        for row in 0..<100 {
            #expect(Array(head.bytes[(300 * row)..<(300 * row + 3)]) != background)
        }
    }
}
