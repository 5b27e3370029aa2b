// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

@Suite struct TopViewTests {
    private func view(_ answers: [FrameAnswers], truthFromSession: RigidTransform = .identity) -> String {
        let truth = TopView.Truth(
            planes: SampleWorld.planes, rectangles: SampleWorld.frame(0).rectangles,
            path: SampleWorld.instants.indices.map { SampleWorld.frame($0).worldFromCamera },
            truthFromSession: Similarity(truthFromSession))
        return TopView(SessionAnswers(mode: "tracked", frames: answers), truth: truth, title: "a < b & c").svg
    }

    @Test func theSameAnswersGiveTheSameBytes() throws {
        let svg = view(SampleWorld.trueAnswers())
        #expect(svg == view(SampleWorld.trueAnswers()))
        #expect(svg.contains("a &lt; b &amp; c") && svg.contains("table, y = 0.5 m") && svg.contains("wall"))
        #expect(!svg.contains("nan") && !svg.contains("inf\"") && svg.hasSuffix("</svg>\n"))
    }

    @Test func theFoundLiesOnTheTruth() throws {
        var random = TestRandom()
        let truthFromSession = random.yawAndPlace()
        let moved = view(
            SampleWorld.trueAnswers(truthFromSession: truthFromSession), truthFromSession: truthFromSession)
        // Each outline is drawn twice, found and true, with the same corners to a hundredth of a pixel.
        let outlines = moved.components(separatedBy: "<polygon points=\"").dropFirst().map {
            $0.prefix { $0 != "\"" }.split { " ,".contains($0) }.compactMap { Double($0) }
        }
        for (index, outline) in outlines.enumerated() {
            let twins = outlines.enumerated().count { other, numbers in
                other != index && numbers.count == outline.count
                    && zip(numbers, outline).allSatisfy { abs($0 - $1) < 0.02 }
            }
            #expect(twins >= 1, "\(outline)")
        }
        #expect(outlines.count == 16)
    }

    @Test func nothingFoundIsDrawn() {
        let svg = TopView(SessionAnswers(), title: "nothing").svg
        #expect(svg.contains("planes 0, rectangles 0, frames 0") && !svg.contains("nan"))
    }
}
