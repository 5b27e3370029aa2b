// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// How a picture is divided into blocks to find out where the shadows are that are not in the light maps: those of what
/// moves, and all of those on meshes.
enum ShadowBlocks {
    /// The side of a block, in pixels.
    static let side = 4
    /// A block whose middle sees no surface that the sun could reach.
    static let unknown: UInt8 = 255
    /// Added to the count of a block whose middle sees a mesh.
    static let onMesh: UInt8 = 64

    static func count(_ pixels: Int) -> Int { (pixels + side - 1) / side }

    /// The column, or the row, in a block's middle, if that is in the picture.
    @inline(__always) static func middle(ofBlock block: Int, pixels: Int) -> Int {
        min(block * side + side / 2, pixels - 1)
    }
}

/// How much of the sun the pixels of a block see, in so far as no light map says it.
struct BlockSunlight {
    enum Amount {
        case full
        case none
        case partial
    }

    private let amount: Amount
    /// Whether the amount is that on meshes; on rectangles otherwise.
    private let isOnMesh: Bool

    init(_ amount: Amount, isOnMesh: Bool) { (self.amount, self.isOnMesh) = (amount, isOnMesh) }

    /// The amount for rectangles, past the moving surfaces.
    @inline(__always) var onRectangles: Amount { isOnMesh ? .partial : amount }
    /// The amount for meshes, past all surfaces.
    @inline(__always) var onMeshes: Amount { isOnMesh ? amount : .partial }
}

/// A block that sends rays to the sun's middle and to two opposite places at its rim, its neighbours to the two others.
struct ProbedBlock {
    let number: Int
    /// To which places at the sun's rim.
    let rim: SunDisc.RimPair
    /// Where they begin: the first in the block's middle, the others in opposite corners, where these see the same object.
    let origins: (Point3, Point3, Point3)
}

extension Renderer {
    /// The second pass: for each block, how many of its probes of the sun arrive.
    func castShadowRow(_ blockRow: Int, scratch: RowScratch) {
        let row = ShadowBlocks.middle(ofBlock: blockRow, pixels: size.height)
        let view = view(ofRow: row)
        let blocks = sunlitBlocks + blockRow * ShadowBlocks.count(size.width)
        scratch.probed.removeAll()
        let hasMovingShadows = hasMovingShadows
        for block in 0..<ShadowBlocks.count(size.width) {
            let column = ShadowBlocks.middle(ofBlock: block, pixels: size.width)
            let mayHaveShadow =
                hasMovingShadows
                && candidates?.mayHaveMovingShadow(column: column / ViewTiles.width, band: row / ViewTiles.height)
                    ?? true
            blocks[block] = preparedBlock(
                block, column: column, in: view, mayHaveMovingShadow: mayHaveShadow, scratch: scratch)
        }
        for subset in PastSubset<ProbedBlock>.subsets {
            probe(scratch.probed[subset], past: subset, time: view.time, scratch: scratch, into: blocks)
        }
    }

    private func probe(
        _ probed: [ProbedBlock], past subset: CRaycastSubset, time: Double, scratch: RowScratch,
        into blocks: UnsafeMutablePointer<UInt8>
    ) {
        let chunk = RowScratch.rayCapacity / SunDisc.probeCount
        for first in stride(from: 0, to: probed.count, by: chunk) {
            let part = first..<min(first + chunk, probed.count)
            for number in part {
                let (block, ray) = (probed[number], (number - first) * SunDisc.probeCount)
                let probes = sunDisc.probes(block.rim)
                setShadowRay(scratch.rays, ray, from: block.origins.0, towards: probes.0, time: Float(time))
                setShadowRay(scratch.rays, ray + 1, from: block.origins.1, towards: probes.1, time: Float(time))
                setShadowRay(scratch.rays, ray + 2, from: block.origins.2, towards: probes.2, time: Float(time))
            }
            see(count: part.count * SunDisc.probeCount, past: subset, scratch: scratch)
            for number in part {
                let ray = (number - first) * SunDisc.probeCount
                blocks[probed[number].number] += scratch.countSeen(ray..<ray + SunDisc.probeCount)
            }
        }
    }

    /// What is known of a block without rays; one that needs rays is put on the list of those.
    private func preparedBlock(
        _ block: Int, column: Int, in view: RowView, mayHaveMovingShadow: Bool, scratch: RowScratch
    ) -> UInt8 {
        let hit = firstHit(column: column, row: view.row)
        let all = UInt8(SunDisc.probeCount)
        guard hit.object >= 0 else { return ShadowBlocks.unknown }
        let surface = surfaces[hit.object]
        if case .rectangle = surface, !mayHaveMovingShadow { return all }
        let place = surface.place(at: hit, origin: view.origin, direction: view.direction(column), time: view.time)
        guard illumination.reaches(place) else { return ShadowBlocks.unknown }
        let origin = shadowOrigin(of: place)
        let rim = SunDisc.RimPair(column: block, row: view.row / ShadowBlocks.side)
        // From all over the block, so that the shadows of thin things do not pass between two blocks' middles.
        func corner(_ x: Int, _ y: Int) -> Point3 {
            shadowOrigin(
                column: block * ShadowBlocks.side + x, row: view.row / ShadowBlocks.side * ShadowBlocks.side + y,
                ifOn: hit.object) ?? origin
        }
        let end = ShadowBlocks.side - 1
        let corners = rim == .first ? (corner(0, 0), corner(end, end)) : (corner(end, 0), corner(0, end))
        let probed = ProbedBlock(number: block, rim: rim, origins: (origin, corners.0, corners.1))
        switch surface {
        case .rectangle:
            scratch.probed.append(probed, past: CRAYCAST_MOVING)
            return 0
        case .mesh:
            scratch.probed.append(probed, past: CRAYCAST_ALL)
            return ShadowBlocks.onMesh
        }
    }

    /// Where a pixel's rays to the sun begin, if it sees that object.
    private func shadowOrigin(column: Int, row: Int, ifOn object: Int32) -> Point3? {
        guard column < size.width, row < size.height else { return nil }
        let hit = firstHit(column: column, row: row)
        guard hit.object == object else { return nil }
        let view = view(ofRow: row)
        return shadowOrigin(
            of: surfaces[object].place(
                at: hit, origin: view.origin, direction: view.direction(column), time: view.time))
    }

    /// What the middle of a pixel's block sees: what is known of the block is known of that.
    @inline(__always) func objectInMiddleOfBlock(column: Int, row: Int) -> Int32 {
        objectInMiddle(ofBlock: column / ShadowBlocks.side, row: row / ShadowBlocks.side)
    }

    @inline(__always) private func objectInMiddle(ofBlock block: Int, row: Int) -> Int32 {
        let middleRow = ShadowBlocks.middle(ofBlock: row, pixels: size.height)
        let middleColumn = ShadowBlocks.middle(ofBlock: block, pixels: size.width)
        return firstHits.object[middleRow * size.width + middleColumn]
    }

    /// Whether the blocks around a pixel's whose middles see the same mesh see all of the sun, or all of them nothing of
    /// it; `nil` when they differ, see parts of it, or there are none.
    func isSunny(aroundColumn column: Int, row: Int, on object: Int32) -> Bool? {
        let (columns, rows) = (ShadowBlocks.count(size.width), ShadowBlocks.count(size.height))
        let (block, blockRow) = (column / ShadowBlocks.side, row / ShadowBlocks.side)
        var known: UInt8?
        for y in max(blockRow - 1, 0)...min(blockRow + 1, rows - 1) {
            for x in max(block - 1, 0)...min(block + 1, columns - 1)
            where objectInMiddle(ofBlock: x, row: y) == object {
                let seen = sunlitBlocks[y * columns + x]
                guard seen == known ?? seen else { return nil }
                known = seen
            }
        }
        switch known {
        case ShadowBlocks.onMesh: return false
        case ShadowBlocks.onMesh + UInt8(SunDisc.probeCount): return true
        default: return nil
        }
    }

    /// A block is in full light, or in none, when all of its neighbours agree; otherwise a shadow's rim may cross it. For a
    /// block on a mesh those on meshes count.
    func sunlightOfBlocks(inBlockRow blockRow: Int, into scratch: RowScratch) {
        let (columns, rows) = (ShadowBlocks.count(size.width), ShadowBlocks.count(size.height))
        let own = sunlitBlocks + blockRow * columns
        let above = blockRow > 0 ? own - columns : own
        let below = blockRow + 1 < rows ? own + columns : own
        let (lowest, lowestOnMesh, highest) = (
            scratch.lowestSunlight, scratch.lowestSunlightOnMesh, scratch.highestSunlight
        )
        func known(_ seen: UInt8) -> UInt8 { seen == ShadowBlocks.unknown ? 0 : seen }
        func onMesh(_ seen: UInt8) -> UInt8 { seen < ShadowBlocks.onMesh ? ShadowBlocks.unknown : seen }
        for block in 0..<columns {
            lowest[block + 1] = min(own[block], min(above[block], below[block]))
            lowestOnMesh[block + 1] = min(onMesh(own[block]), min(onMesh(above[block]), onMesh(below[block])))
            highest[block + 1] = max(known(own[block]), max(known(above[block]), known(below[block])))
        }
        let all = UInt8(SunDisc.probeCount)
        for block in 0..<columns {
            let lowest = known(own[block]) >= ShadowBlocks.onMesh ? lowestOnMesh : lowest
            let low = min(lowest[block], min(lowest[block + 1], lowest[block + 2]))
            let high = max(highest[block], max(highest[block + 1], highest[block + 2]))
            let isOnMesh = low >= ShadowBlocks.onMesh
            let count = isOnMesh ? low &- ShadowBlocks.onMesh : low
            let isClear = low == high && (count == 0 || count == all)
            scratch.sunlight[block] = BlockSunlight(
                isClear ? (count == 0 ? .none : .full) : .partial, isOnMesh: isOnMesh)
        }
    }

    /// How far off its surface a ray to the sun begins, in metres: more than single precision errs over a room, less
    /// than is seen.
    static let shadowOffset = 1e-4

    @inline(__always) func shadowOrigin(of place: SurfacePlace) -> Point3 {
        place.position + place.normal * Self.shadowOffset
    }

    @inline(__always)
    func setShadowRay(
        _ rays: RayBatch, _ index: Int, from origin: Point3, towards direction: Vector3, time: Float
    ) {
        rays.set(index, origin: origin, direction: direction, far: illumination.shadowReach, time: time)
    }

    /// Finds out which of the scratch's first rays meet nothing.
    func see(count: Int, past subset: CRaycastSubset, scratch: RowScratch) {
        guard count > 0 else { return }
        raycaster.occluded(scratch.rays, count: count, by: subset, into: scratch.seen)
        for index in 0..<count { scratch.seen[index] = 1 - scratch.seen[index] }
    }
}

extension RowScratch {
    /// How many of those rays meet nothing.
    @inline(__always) func countSeen(_ rays: Range<Int>) -> UInt8 { rays.reduce(0) { $0 + seen[$1] } }
}
