// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct LightMapTests {
    private static let tilesAcross = 5

    /// The map of a square below a cloud of triangles, five tiles by five.
    private static func map(number: Int) -> LightMap {
        var random = TestRandom(case: number)
        var cloud = RaycastMesh(positions: [], triangles: [])
        for index in 0..<UInt32(40) {
            let center = random.vector3(-0.04...0.04) + Vector3(0, 0.1, 0)
            for _ in 0..<3 { cloud.positions.append(SIMD3<Float>(center + random.vector3(-0.02...0.02))) }
            cloud.triangles.append(SIMD3(3 * index, 3 * index + 1, 3 * index + 2))
        }
        let raycaster = Raycaster()
        _ = raycaster.addStatic(cloud)
        raycaster.commit()
        var light = Scene.Light()
        light.angularRadius = 0.05
        let illumination = Illumination(light)
        let side = 0.001 * Double(tilesAcross * LightTile.side)
        return LightMap(
            TexturedRectangle(
                worldFromSurface: .identity, size: Vector2(side, side),
                texture: MipTexture(plain: Vector3(repeating: 0.5))),
            illumination: illumination, sunDisc: SunDisc(illumination), raycaster: raycaster)
    }

    /// What is in a tile of the finest level: its corners, or whether all of it is dark or lit.
    private static func tile(_ number: Int, of map: LightMap) -> [UInt] {
        let facade = map.facade
        let address = facade.make(facade.owner, 0, Int32(number % tilesAcross), Int32(number / tilesAcross))
        guard let corners = UnsafePointer<UInt8>(bitPattern: address), address > 2 else { return [address] }
        return UnsafeBufferPointer(start: corners, count: LightTile.cornerCount).map { UInt($0) }
    }

    /// What is in a tile does not depend on which tiles are already there.
    @Test(arguments: 0..<5) func tilesAreTheSameInAnyOrder(number: Int) {
        let tiles = Array(0..<Self.tilesAcross * Self.tilesAcross)
        let map = Self.map(number: number)
        let expected = tiles.map { Self.tile($0, of: map) }
        #expect(expected.contains { $0.count > 1 })
        var random = TestRandom(case: number)
        let (other, order) = (Self.map(number: number), tiles.shuffled(using: &random))
        for tile in order { #expect(Self.tile(tile, of: other) == expected[tile]) }
    }

    /// Nodes are found out with the same others whichever tile is looked at first: all of a group, or none.
    @Test func nodesAreFoundOutInWholeGroups() {
        let tiles = Self.tilesAcross * Self.tilesAcross
        for first in 0..<tiles {
            let map = Self.map(number: 0)
            let level = map.levels[0]
            _ = Self.tile(first, of: map)
            var counts = (known: 0, unknown: 0)
            for number in 0..<tiles {
                let tile = LightTile(
                    column: number % Self.tilesAcross, row: number / Self.tilesAcross, level: level,
                    cellMeters: map.cellMeters)
                defer { tile.corners.deallocate() }
                for node in level.nodes(around: tile) {
                    let group = level.group(ofNode: node)
                    #expect(group.contains(node))
                    #expect(group.allSatisfy { level.group(ofNode: $0) == group })
                    let isKnown = level.seenProbes(node) != nil
                    #expect(group.allSatisfy { (level.seenProbes($0) != nil) == isKnown })
                    if isKnown { counts.known += 1 } else { counts.unknown += 1 }
                }
            }
            #expect(counts.known > 0 && counts.unknown > 0)
        }
    }
}
