// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARWorld
import Foundation
import TestSupport
import Testing

/// Anchors of every kind: their lifetimes, what planes do to what lies on them, and the order of changes.
@Suite struct AnchorTests {
    private let tracked = sampleFrame(worldFromCamera: .identity)

    @Test func placesTakeEffectInTheNextFrameAndKeepTheirNames() throws {
        var world = World()
        let lamp = world.addAnchor(named: "lamp", at: RigidTransform(translation: Vector3(1, 2, 3)))
        #expect(world.update(with: sampleFrame(worldFromCamera: .identity, state: .notAvailable)).anchors.isEmpty)
        let snapshot = world.update(with: tracked)
        #expect(snapshot.anchors == [.user(lamp)])
        #expect(snapshot.changes.added == [lamp.identifier])
        let anchor = try #require(snapshot.anchor(lamp.identifier))
        #expect(anchor.name == "lamp")
        #expect(anchor.worldFromAnchor.translation == Vector3(1, 2, 3))
        #expect(anchor.isTracked == nil)
        world.remove(lamp.identifier)
        #expect(world.update(with: tracked).changes.removed == [lamp.identifier])
    }

    @Test func identifiersAreTheSameInEveryRunAndDifferWithinOne() {
        func run() -> [UUID] {
            var world = World()
            return (0..<5).map { _ in world.addAnchor(named: "lamp", at: .identity).identifier }
        }
        #expect(run() == run())
        #expect(Set(run()).count == 5)
    }

    @Test func changesOfAllKindsComeByAge() {
        let seen = everyKind(isTracked: true)
        var world = World()
        for anchor in seen { world.add(anchor) }
        #expect(world.update(with: tracked).changes.added == seen.map(\.identifier))
        for anchor in everyKind(isTracked: false).reversed() { world.add(anchor) }
        let lost = world.update(with: tracked)
        // Places and planes are no less there for not being seen.
        #expect(lost.changes.updated == seen.filter { $0.isTracked != nil }.map(\.identifier))
        #expect(lost.anchors.compactMap(\.isTracked) == [false, false, false, false])
        #expect(lost.anchors.map(\.identifier) == seen.map(\.identifier))
        for anchor in seen.reversed() { world.remove(anchor.identifier) }
        #expect(world.update(with: tracked).changes.removed == seen.map(\.identifier))
    }

    @Test func sayingTheSameAgainChangesNothing() {
        var world = World()
        for anchor in everyKind(isTracked: true) { world.add(anchor) }
        _ = world.update(with: tracked)
        for anchor in everyKind(isTracked: true) { world.add(anchor) }
        #expect(world.update(with: tracked).changes.isEmpty)
    }

    @Test func findingsBecomeChangesOfTheSameFrame() {
        var world = World()
        let first = world.update(with: tracked, findings: PlaneFindings(added: [samplePlane("a"), samplePlane("b")]))
        #expect(first.changes.added == [UUID(name: "a"), UUID(name: "b")])
        let second = world.update(
            with: tracked,
            findings: PlaneFindings(updated: [samplePlane("a", width: 2)], removed: [UUID(name: "b")]))
        #expect(second.changes.updated == [UUID(name: "a")])
        #expect(second.changes.removed == [UUID(name: "b")])
        #expect(second.planes == [samplePlane("a", width: 2)])
    }

    @Test(arguments: 0..<50) func whatLiesOnAPlaneMovesWithIt(number: Int) throws {
        var random = TestRandom(case: number)
        let before = samplePlane("table", worldFromAnchor: random.rigidTransform())
        let planeFromLamp = RigidTransform(
            rotation: random.rotation(), translation: Vector3(random.uniform(), 0, random.uniform()))
        var world = World()
        world.add(.plane(before))
        let lamp = world.addAnchor(at: before.worldFromAnchor * planeFromLamp, on: before)
        let other = world.addAnchor(at: before.worldFromAnchor * planeFromLamp)
        _ = world.update(with: tracked)

        let after = samplePlane("table", worldFromAnchor: random.rigidTransform())
        let snapshot = world.update(with: tracked, findings: PlaneFindings(updated: [after]))
        #expect(snapshot.changes.updated == [after.identifier, lamp.identifier])
        let moved = try #require(snapshot.anchor(lamp.identifier)).worldFromAnchor
        let tolerance =
            1e-12 * (1 + before.worldFromAnchor.translation.length + after.worldFromAnchor.translation.length)
        expectClose(moved, after.worldFromAnchor * planeFromLamp, radians: 1e-13, metres: tolerance)
        #expect(snapshot.anchor(other.identifier) == .user(other))
    }

    @Test func theOlderPlaneTakesOverWhatTheMergedOneCarried() throws {
        var world = World()
        let table = samplePlane("table", width: 4)
        let leaf = samplePlane("leaf", worldFromAnchor: RigidTransform(translation: Vector3(1, 0.01, 0)))
        for plane in [table, leaf] { world.add(.plane(plane)) }
        let lamp = world.addAnchor(at: leaf.worldFromAnchor, on: leaf)
        _ = world.update(with: tracked)
        let merged = world.update(with: tracked, findings: PlaneFindings(removed: [leaf.identifier]))
        guard case .user(let kept) = merged.anchor(lamp.identifier) else { throw UnexpectedKind() }
        #expect(kept.worldFromAnchor == lamp.worldFromAnchor, "it stays where it is")
        #expect(kept.support?.plane == table.identifier)

        let raised = samplePlane("table", worldFromAnchor: RigidTransform(translation: Vector3(0, 0.1, 0)), width: 4)
        let after = world.update(with: tracked, findings: PlaneFindings(updated: [raised]))
        let place = try #require(after.anchor(lamp.identifier)).worldFromAnchor.translation
        #expect((place - Vector3(1, 0.11, 0)).length < 1e-15)

        let bare = world.update(with: tracked, findings: PlaneFindings(removed: [table.identifier]))
        guard case .user(let left) = bare.anchor(lamp.identifier) else { throw UnexpectedKind() }
        #expect(left.support == nil)
        #expect((left.worldFromAnchor.translation - place).length == 0)
    }
}

struct UnexpectedKind: Error {}

/// One anchor of each kind.
func everyKind(isTracked: Bool, worldFromAnchor: RigidTransform = .identity) -> [Anchor] {
    let size = RectangleSize(width: 0.09, height: 0.05)
    return [
        .user(UserAnchor(identifier: UUID(name: "place"), name: "place", worldFromAnchor: worldFromAnchor)),
        .plane(samplePlane("plane", worldFromAnchor: worldFromAnchor)),
        .image(
            ImageAnchor(
                identifier: UUID(name: "image"), name: "logo", worldFromAnchor: worldFromAnchor, physicalSize: size,
                isTracked: isTracked)),
        .code(
            CodeAnchor(
                identifier: UUID(name: "code"), worldFromAnchor: worldFromAnchor, payload: "hello", symbology: .qr,
                size: size, isTracked: isTracked)),
        .rectangle(
            RectangleAnchor(
                identifier: UUID(name: "rectangle"), worldFromAnchor: worldFromAnchor, size: size, isTracked: isTracked)
        ),
        .face(FaceAnchor(identifier: UUID(name: "face"), worldFromAnchor: worldFromAnchor, isTracked: isTracked)),
    ]
}
