// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARWorld

@Suite struct PlaneFinderTests {
    /// A hand goes around a table with things on it for 20 s: the table is found in its first two seconds and known well
    /// in the end, and whatever else is found is there.
    @Test(arguments: 0..<5) func aTableIsFoundAndMeasured(number: Int) throws {
        var random = TestRandom(case: number)
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        room.addClutter(sample.clutter)
        var watch = PlaneWatch(panels: sample.panels)
        var finder = PlaneFinder()
        for frame in 0..<600 {
            let seconds = Double(frame) / SyntheticRoom.framesPerSecond
            watch.note(finder.update(with: room.frame(at: sample.aroundTable(at: seconds))), at: seconds)
        }
        let table = try #require(watch.planes.first { watch.panel(of: $0)?.name == "table" })
        let judged = PlaneErrors(table, of: sample.table)
        #expect(watch.foundAt["table"] ?? .infinity <= 2)
        #expect(watch.foundAt["floor"] ?? .infinity <= 10)
        #expect(judged.normal <= 0.5 * .pi / 180)
        #expect(abs(judged.offset) <= 0.01)
        #expect(judged.overlap >= 0.85)
        #expect(table.classification == .table)
        #expect(watch.longestPhantom <= 1)
    }
}
