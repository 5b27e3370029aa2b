// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import Testing

@testable import ARSimulation

@Suite struct ShadowMosaicTests {
    /// Two pixels that see the same part of the sun past a straight edge do not differ by more in what their own rays see:
    /// where pixels do, the shadow is sharp.
    @Test func pixelsThatSeeTheSameSunHardlyDiffer() throws {
        let illumination = Illumination(Scene.Light())
        let disc = SunDisc(illumination)
        let across = try #require(illumination.towardsSun.anyPerpendicular())
        let along = illumination.towardsSun.cross(across)
        var most = 0
        for angle in stride(from: 0, to: 2 * .pi, by: 0.02) {
            let axis = across * cos(angle) + along * sin(angle)
            for offset in stride(from: -1, through: 1, by: 0.02) {
                let isSeen = disc.samples.map { $0.dot(axis) > offset * Double(illumination.sunRadius) }
                let counts = (0..<16).map { pixel in
                    (0..<ShadowMosaic.samplesEach).filter {
                        isSeen[ShadowMosaic.sample($0, column: pixel % 4, row: pixel / 4)]
                    }.count
                }
                let (least, greatest) = (counts.min() ?? 0, counts.max() ?? 0)
                most = max(most, greatest - least)
            }
        }
        #expect(most == Int(ShadowMosaic.mostDifference))
    }

    /// The first rays of any 4×4 neighbours go to all of the sun, and so do the own ones of any 2×2.
    @Test func neighboursShareTheWholeSun() {
        for corner in 0..<16 {
            let (x, y) = (corner % 4, corner / 4)
            let first = (0..<16).map { ShadowMosaic.sample(0, column: x + $0 % 4, row: y + $0 / 4) }
            #expect(Set(first) == Set(0..<SunDisc.sampleCount))
            let own = (0..<4).flatMap { pixel in
                (0..<ShadowMosaic.samplesEach).map {
                    ShadowMosaic.sample($0, column: x + pixel % 2, row: y + pixel / 2)
                }
            }
            #expect(Set(own) == Set(0..<SunDisc.sampleCount))
            for pixel in 0..<4 {
                let all = (0..<SunDisc.sampleCount).map {
                    ShadowMosaic.sample($0, column: x + pixel % 2, row: y + pixel / 2)
                }
                #expect(Set(all) == Set(0..<SunDisc.sampleCount))
            }
        }
    }
}
