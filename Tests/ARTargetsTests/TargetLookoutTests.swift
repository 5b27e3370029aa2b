// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import ARTargets
import Testing

@Suite struct TargetLookoutTests {
    /// A print is exchanged for its twin in other colours while it is followed, by its drawing, as surely as before. At the
    /// latest when thirty pictures were searched it has the twin's name, and keeps it.
    @Test func wrongNamesDoNotStay() throws {
        let (one, other) = (Emblem(number: 3).image(width: 256), Emblem(number: 3).image(width: 256).withColorsSwapped)
        let (quad, _) = try corners(side: 230, turn: 0.5, tilt: 0.3)
        var lookout = TargetLookout()
        lookout.activate(
            try TargetDatabase(building: [
                ReferenceImage(name: "one", picture: one), ReferenceImage(name: "other", picture: other),
            ]), as: "twins")
        func names(_ picture: ImageBuffer) -> [String] {
            lookout.look(at: picture, camera: nil).map(\.sighting.target.name)
        }
        let (first, exchanged) = (try ImageBuffer.colored(one, at: quad), try ImageBuffer.colored(other, at: quad))
        #expect(names(first) == ["one"])
        for _ in 1..<30 { _ = names(exchanged) }
        for _ in 30..<34 { #expect(names(exchanged) == ["other"]) }
    }
}
