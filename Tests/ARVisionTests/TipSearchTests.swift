// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARVision

/// The shape of a finger's end on the evidence for a hand.
@Suite struct TipSearchTests {
    /// Law: whichever way the finger points and however wide it is, no place of its shape lies beyond the grid's margin.
    @Test func theShapeFitsIntoItsMargin() {
        for radius in stride(from: 1.0, through: 24, by: 0.05) {
            let margin = TipSearch.margin(fineness: radius)
            let isWithin = (0..<72).allSatisfy { turn in
                let shape = TipSearch.shape(Double(turn) * .pi / 36 + 0.01 * radius, fineness: radius)
                return (shape.inside + shape.outside).allSatisfy { max(abs($0.column), abs($0.row)) <= margin }
            }
            #expect(isWithin, "radius \(radius)")
        }
    }

    /// Where there is evidence up to the picture's rim, beyond it there is none: the contrasts are those of the shape's places.
    @Test func evidenceEndsAtThePicturesRim() {
        var random = TestRandom()
        let picture = ReducedPicture(
            ImageBuffer(size: ImageSize(width: 40, height: 30), format: .rgb8, filledWith: 128), factor: 1)
        let evidence = (0..<picture.count).map { _ in Float(random.uniform(0.5...2)) }
        var countAtRim = 0
        for number in 0..<60 {
            let (radius, angle) = (3 + 0.1 * Double(number), random.uniform(0...(2 * .pi)))
            let peaks = TipSearch(picture, evidence: evidence, radius: radius).peaks(
                pointing: angle, turns: [0], atLeast: -.infinity, limit: 400)
            countAtRim += peaks.count { min($0.center.x, $0.center.y) < 1 }
            let shape = TipSearch.shape(angle, fineness: radius)
            for peak in peaks {
                func mean(_ offsets: [(column: Int, row: Int)]) -> Float {
                    offsets.reduce(0) { sum, offset in
                        let place = peak.center + Vector2(Double(offset.column), Double(offset.row))
                        return sum + (picture.contains(place) ? evidence[picture.index(place)] : 0)
                    } / Float(offsets.count)
                }
                #expect(abs(peak.contrast - mean(shape.inside) + mean(shape.outside)) < 1e-4)
            }
        }
        #expect(countAtRim > 60)
    }
}
