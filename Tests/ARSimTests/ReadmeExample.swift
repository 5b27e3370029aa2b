// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

func printWhatTheScreensCenterLooksAt(in folder: URL) throws {
    var session = try Session(pinned: Recording(opening: folder))
    while let frame = try session.next() {
        let hits = frame.hitTest(frame.viewport.size.center, types: .existingPlaneUsingExtent)
        guard let hit = hits.first else { continue }
        print(frame.timestamp, hit.anchor?.name ?? "plane", hit.distance, hit.worldTransform.columns.3)
    }
}
