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

/// A block that sends a ray to each of the sun's probes.
struct ProbedBlock {
    let number: Int
    /// Where they begin: some in the block's middle, or all.
    let origin: Point3
    let corners: (Point3, Point3, Point3, Point3)
}

/// A pixel that sees one surface, and perhaps a part of the sun.
struct HalfShadow {
    let column: Int
    let row: Int
    let time: Float
    /// Where its rays to the sun begin.
    let origin: Point3
    let reflection: Reflection
}

/// What is collected for each of the subsets past which the sun may be seen.
struct PastSubset<Element> {
    var moving: [Element] = []
    var all: [Element] = []

    mutating func removeAll() {
        moving.removeAll(keepingCapacity: true)
        all.removeAll(keepingCapacity: true)
    }
}

extension Renderer {
    /// The second pass: for each block, how many of the sun's probes it sees.
    func castShadowRow(_ blockRow: Int, scratch: RowScratch) {
        let row = min(blockRow * ShadowBlocks.side + ShadowBlocks.side / 2, size.height - 1)
        let view = view(ofRow: row)
        let blocks = sunlitBlocks + blockRow * ShadowBlocks.count(size.width)
        scratch.probed.removeAll()
        let hasMovingShadows = hasMovingShadows
        for block in 0..<ShadowBlocks.count(size.width) {
            let column = min(block * ShadowBlocks.side + ShadowBlocks.side / 2, size.width - 1)
            blocks[block] = preparedBlock(
                block, column: column, in: view, hasMovingShadows: hasMovingShadows, scratch: scratch)
        }
        probe(scratch.probed.moving, past: CRAYCAST_MOVING, time: view.time, scratch: scratch, into: blocks)
        probe(scratch.probed.all, past: CRAYCAST_ALL, time: view.time, scratch: scratch, into: blocks)
    }

    private func probe(
        _ probed: [ProbedBlock], past subset: CRaycastSubset, time: Double, scratch: RowScratch,
        into blocks: UnsafeMutablePointer<UInt8>
    ) {
        let probes = sunDisc.probes
        let chunk = RowScratch.rayCapacity / probes.count
        for first in stride(from: 0, to: probed.count, by: chunk) {
            let part = first..<min(first + chunk, probed.count)
            for number in part {
                let (block, ray) = (probed[number], (number - first) * probes.count)
                let origins = (block.origin, block.corners.0, block.corners.1, block.corners.2, block.corners.3)
                setShadowRay(scratch.rays, ray, from: origins.0, towards: probes[0], time: Float(time))
                setShadowRay(scratch.rays, ray + 1, from: origins.1, towards: probes[1], time: Float(time))
                setShadowRay(scratch.rays, ray + 2, from: origins.2, towards: probes[2], time: Float(time))
                setShadowRay(scratch.rays, ray + 3, from: origins.3, towards: probes[3], time: Float(time))
                setShadowRay(scratch.rays, ray + 4, from: origins.4, towards: probes[4], time: Float(time))
            }
            see(count: part.count * probes.count, past: subset, scratch: scratch)
            for number in part {
                let ray = (number - first) * probes.count
                blocks[probed[number].number] += scratch.countSeen(ray..<ray + probes.count)
            }
        }
    }

    /// What is known of a block without rays; one that needs rays is put on the list of those.
    private func preparedBlock(
        _ block: Int, column: Int, in view: RowView, hasMovingShadows: Bool, scratch: RowScratch
    ) -> UInt8 {
        let hit = firstHit(column: column, row: view.row)
        let all = UInt8(sunDisc.probes.count)
        guard hit.object >= 0 else { return ShadowBlocks.unknown }
        let surface = surfaces[hit.object]
        if case .rectangle = surface, !hasMovingShadows { return all }
        let place = surface.place(at: hit, origin: view.origin, direction: view.direction(column), time: view.time)
        guard illumination.reaches(place) else { return ShadowBlocks.unknown }
        let origin = shadowOrigin(of: place)
        switch surface {
        case .rectangle:
            // Half of the block's own diagonal, and a whole one for its neighbours, even when they are seen aslant.
            let margin = 3 * Double(ShadowBlocks.side) * (place.position - view.origin).length * pixelAngle
            guard isNearMovingShadow(place.position, margin: margin) else { return all }
            // From all over the block, so that the shadows of thin things do not pass between two blocks' middles.
            func corner(_ x: Int, _ y: Int) -> Point3 {
                shadowOrigin(
                    column: block * ShadowBlocks.side + x, row: view.row / ShadowBlocks.side * ShadowBlocks.side + y,
                    ifOn: hit.object) ?? origin
            }
            let end = ShadowBlocks.side - 1
            scratch.probed.moving.append(
                ProbedBlock(
                    number: block, origin: origin,
                    corners: (corner(0, 0), corner(end, 0), corner(0, end), corner(end, end))))
            return 0
        case .mesh:
            scratch.probed.all.append(
                ProbedBlock(number: block, origin: origin, corners: (origin, origin, origin, origin)))
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

    /// A block is in full light, or in none, when all of its neighbours agree; otherwise a shadow's rim may cross it.
    func sunlightOfBlocks(inBlockRow blockRow: Int, into scratch: RowScratch) {
        let (columns, rows) = (ShadowBlocks.count(size.width), ShadowBlocks.count(size.height))
        let own = sunlitBlocks + blockRow * columns
        let above = blockRow > 0 ? own - columns : own
        let below = blockRow + 1 < rows ? own + columns : own
        let (lowest, highest) = (scratch.lowestSunlight, scratch.highestSunlight)
        func known(_ seen: UInt8) -> UInt8 { seen == ShadowBlocks.unknown ? 0 : seen }
        for block in 0..<columns {
            lowest[block + 1] = min(own[block], min(above[block], below[block]))
            highest[block + 1] = max(known(own[block]), max(known(above[block]), known(below[block])))
        }
        let all = UInt8(sunDisc.probes.count)
        for block in 0..<columns {
            let low = min(lowest[block], min(lowest[block + 1], lowest[block + 2]))
            let high = max(highest[block], max(highest[block + 1], highest[block + 2]))
            let isOnMesh = low >= ShadowBlocks.onMesh
            let count = isOnMesh ? low &- ShadowBlocks.onMesh : low
            let isClear = low == high && (count == 0 || count == all)
            scratch.sunlight[block] = BlockSunlight(
                isClear ? (count == 0 ? .none : .full) : .partial, isOnMesh: isOnMesh)
        }
    }

    /// The light of a block row's pixels that see one surface and perhaps a part of the sun.
    func shade(halfShadowsIn scratch: RowScratch, into light: RadianceImage) {
        shade(scratch.halfShadows.moving, past: CRAYCAST_MOVING, scratch: scratch, into: light)
        shade(scratch.halfShadows.all, past: CRAYCAST_ALL, scratch: scratch, into: light)
    }

    /// First every pixel sends one ray to the sun, its neighbours to other places there. Where neighbours disagree, rays
    /// to the sun's middle and to places around it follow; where these disagree too, all others.
    private func shade(
        _ pixels: [HalfShadow], past subset: CRaycastSubset, scratch: RowScratch, into light: RadianceImage
    ) {
        guard !pixels.isEmpty else { return }
        func finish(_ pixel: HalfShadow, seen: UInt8, of count: Int) {
            light[row: pixel.row][pixel.column] = pixel.reflection.light(sunVisibility: Float(seen) / Float(count))
        }
        let mosaic = scratch.mosaic
        mosaic.clear()
        cast(pixels, Array(pixels.indices), raysEach: 1, past: subset, scratch: scratch) { pixel, _ in
            sunDisc.samples[ShadowMosaic.sample(column: pixel.column, row: pixel.row)]
        } each: { index, seen in
            mosaic.add(seen, column: pixels[index].column)
        }
        var undecided: [Int] = []
        for (index, pixel) in pixels.enumerated() {
            if let isSunny = mosaic.isSunny(around: pixel.column) {
                finish(pixel, seen: isSunny ? 1 : 0, of: 1)
            } else {
                undecided.append(index)
            }
        }
        let (scouts, others) = (sunDisc.scouts, sunDisc.others)
        var divided: [(index: Int, seen: UInt8)] = []
        cast(pixels, undecided, raysEach: scouts.count, past: subset, scratch: scratch) { _, number in
            scouts[number]
        } each: { index, seen in
            if seen == 0 || seen == scouts.count {
                finish(pixels[index], seen: seen, of: scouts.count)
            } else {
                divided.append((index, seen))
            }
        }
        var next = 0
        cast(pixels, divided.map(\.index), raysEach: others.count, past: subset, scratch: scratch) { _, number in
            others[number]
        } each: { index, seen in
            finish(pixels[index], seen: divided[next].seen + seen, of: SunDisc.sampleCount)
            next += 1
        }
    }

    /// Casts a few rays to the sun for each of some pixels, and tells, in their order, how many of each one's see it.
    @inline(__always)
    private func cast(
        _ pixels: [HalfShadow], _ indices: [Int], raysEach: Int, past subset: CRaycastSubset, scratch: RowScratch,
        direction: (HalfShadow, Int) -> Vector3, each: (_ index: Int, _ seen: UInt8) -> Void
    ) {
        let chunk = RowScratch.rayCapacity / raysEach
        for first in stride(from: 0, to: indices.count, by: chunk) {
            let part = first..<min(first + chunk, indices.count)
            for place in part {
                let pixel = pixels[indices[place]]
                for number in 0..<raysEach {
                    setShadowRay(
                        scratch.rays, (place - first) * raysEach + number, from: pixel.origin,
                        towards: direction(pixel, number), time: pixel.time)
                }
            }
            see(count: part.count * raysEach, past: subset, scratch: scratch)
            for place in part {
                let ray = (place - first) * raysEach
                each(indices[place], scratch.countSeen(ray..<ray + raysEach))
            }
        }
    }

    /// How far off its surface a ray to the sun begins, in metres: more than single precision errs over a room, less
    /// than is seen.
    static let shadowOffset = 1e-4

    @inline(__always) func shadowOrigin(of place: SurfacePlace) -> Point3 {
        place.position + place.normal * Self.shadowOffset
    }

    @inline(__always)
    private func setShadowRay(
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
