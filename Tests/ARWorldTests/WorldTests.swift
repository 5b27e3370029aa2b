// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARWorld
import Foundation
import Testing

@Suite struct WorldTests {
    private let tracked = sampleFrame(worldFromCamera: .identity)

    @Test func changesTakeEffectInTheNextTrackedFrame() {
        var world = World()
        let table = samplePlane("table")
        world.add(.plane(table))
        let lost = world.update(with: sampleFrame(worldFromCamera: .identity, state: .notAvailable))
        #expect(lost.planes.isEmpty)
        let found = world.update(with: tracked)
        #expect(found.planes == [table])
        #expect(found.changes.added == [table.identifier])
        world.remove(table.identifier)
        #expect(found.planes == [table], "a snapshot never changes")
        let after = world.update(with: tracked)
        #expect(after.planes.isEmpty)
        #expect(after.changes.removed == [table.identifier])
        #expect(world.update(with: tracked).changes == AnchorChanges())
    }

    @Test func addingAKnownIdentifierUpdates() {
        var world = World()
        world.add(.plane(samplePlane("table", width: 1)))
        _ = world.update(with: tracked)
        world.add(.plane(samplePlane("table", width: 2)))
        let snapshot = world.update(with: tracked)
        #expect(snapshot.changes.updated == [UUID(name: "table")])
        #expect(snapshot.changes.added.isEmpty)
        #expect(snapshot.planes.map(\.extent.width) == [2])
    }

    @Test func whatIsAddedAndRemovedBetweenFramesIsNeverSeen() {
        var world = World()
        world.add(.plane(samplePlane("table")))
        world.remove(UUID(name: "table"))
        let snapshot = world.update(with: tracked)
        #expect(snapshot.planes.isEmpty)
        #expect(snapshot.changes == AnchorChanges())
    }

    @Test func identifiersFollowFromNames() {
        #expect(UUID(name: "table") == UUID(name: "table"))
        #expect(UUID(name: "table") != UUID(name: "tabel"))
        #expect(UUID(name: "table").uuidString.dropFirst(14).first == "8")
    }

    @Test func alignmentFollowsTheNormal() {
        func alignment(tiltedBy degrees: Double) -> PlaneAnchor.Alignment {
            let rotation = Rotation(rotationVector: Vector3(degrees * .pi / 180, 0, 0))
            return samplePlane("p", worldFromAnchor: RigidTransform(rotation: rotation)).alignment
        }
        #expect(alignment(tiltedBy: 0) == .horizontal)
        #expect(alignment(tiltedBy: 4.9) == .horizontal)
        #expect(alignment(tiltedBy: 45) == .slanted)
        #expect(alignment(tiltedBy: 85.1) == .vertical)
        #expect(alignment(tiltedBy: 180) == .horizontal)
    }
}
