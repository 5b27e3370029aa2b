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

/// A block whose middle sends rays to the sun.
struct ProbedBlock {
    let number: Int
    /// Where they begin.
    let origin: Point3
    /// What may be in the way.
    let subset: CRaycastSubset
}

/// A pixel that sees one surface, and perhaps a part of the sun.
struct HalfShadow {
    let column: Int
    /// Where its rays to the sun begin.
    let origin: Point3
    let reflection: Reflection
    /// What may be in the way.
    let subset: CRaycastSubset
}

extension Renderer {
    /// The second pass: for each block, how many of the sun's probes its middle sees.
    func castShadowRow(_ blockRow: Int, of shot: Shot, scratch: RowScratch) {
        let row = min(blockRow * ShadowBlocks.side + ShadowBlocks.side / 2, size.height - 1)
        let view = view(ofRow: row, of: shot)
        let blocks = sunlitBlocks + blockRow * ShadowBlocks.count(size.width)
        scratch.probed.removeAll(keepingCapacity: true)
        for block in 0..<ShadowBlocks.count(size.width) {
            let column = min(block * ShadowBlocks.side + ShadowBlocks.side / 2, size.width - 1)
            blocks[block] = preparedBlock(block, column: column, in: view, scratch: scratch)
        }
        let probes = sunDisc.probes
        let chunk = RowScratch.rayCapacity / probes.count
        for subset in [CRAYCAST_MOVING, CRAYCAST_ALL] {
            let probed = scratch.probed.filter { $0.subset == subset }
            for first in stride(from: 0, to: probed.count, by: chunk) {
                let probed = probed[first..<min(first + chunk, probed.count)]
                for (index, block) in probed.enumerated() {
                    setShadowRays(
                        scratch.rays, index * probes.count, from: block.origin, towards: probes, time: view.time)
                }
                see(count: probed.count * probes.count, past: subset, scratch: scratch)
                for (index, block) in probed.enumerated() {
                    blocks[block.number] += scratch.countSeen(index * probes.count..<(index + 1) * probes.count)
                }
            }
        }
    }

    /// What is known of a block without rays; one that needs rays is put on the list of those.
    private func preparedBlock(_ block: Int, column: Int, in view: RowView, scratch: RowScratch) -> UInt8 {
        let hit = firstHit(column: column, row: view.row)
        let all = UInt8(sunDisc.probes.count)
        guard hit.object >= 0 else { return ShadowBlocks.unknown }
        let surface = surfaces[hit.object]
        if case .rectangle = surface, !hasMovingShadows { return all }
        let place = surface.place(at: hit, origin: view.origin, direction: view.direction(column), time: view.time)
        guard illumination.reaches(place) else { return ShadowBlocks.unknown }
        switch surface {
        case .rectangle:
            // Half of the block's own diagonal, and a whole one for its neighbours, even when they are seen aslant.
            let margin = 3 * Double(ShadowBlocks.side) * (place.position - view.origin).length * pixelAngle
            guard shadowVolumes.contains(where: { $0.mayReach(place.position, margin: margin) }) else { return all }
            scratch.probed.append(
                ProbedBlock(number: block, origin: shadowOrigin(of: place), subset: CRAYCAST_MOVING))
            return 0
        case .mesh:
            scratch.probed.append(ProbedBlock(number: block, origin: shadowOrigin(of: place), subset: CRAYCAST_ALL))
            return ShadowBlocks.onMesh
        }
    }

    /// A block is in full light, or in none, when all of its neighbours agree; otherwise a shadow's rim may cross it.
    func sunlightOfBlocks(inBlockRow blockRow: Int, into sunlight: inout [BlockSunlight]) {
        let (columns, rows) = (ShadowBlocks.count(size.width), ShadowBlocks.count(size.height))
        let all = UInt8(sunDisc.probes.count)
        sunlight.removeAll(keepingCapacity: true)
        for block in 0..<columns {
            var (lowest, highest) = (ShadowBlocks.unknown, UInt8(0))
            for neighbourRow in max(blockRow - 1, 0)...min(blockRow + 1, rows - 1) {
                for neighbour in max(block - 1, 0)...min(block + 1, columns - 1) {
                    let seen = sunlitBlocks[neighbourRow * columns + neighbour]
                    guard seen != ShadowBlocks.unknown else { continue }
                    lowest = min(lowest, seen)
                    highest = max(highest, seen)
                }
            }
            let isOnMesh = lowest >= ShadowBlocks.onMesh
            let count = isOnMesh ? lowest &- ShadowBlocks.onMesh : lowest
            let isClear = lowest == highest && (count == 0 || count == all)
            sunlight.append(BlockSunlight(isClear ? (count == 0 ? .none : .full) : .partial, isOnMesh: isOnMesh))
        }
    }

    /// The light of pixels that see one surface and perhaps a part of the sun.
    ///
    /// Rays to the sun's middle and to places around it come first; where they agree, the others are spared.
    func shade(halfShadowsIn scratch: RowScratch, time: Double, into light: UnsafeMutableBufferPointer<SIMD4<Float>>) {
        let (scouts, others) = (sunDisc.scouts, sunDisc.others)
        let chunk = RowScratch.rayCapacity / SunDisc.sampleCount
        for subset in [CRAYCAST_MOVING, CRAYCAST_ALL] {
            let pixels = scratch.halfShadows.filter { $0.subset == subset }
            for first in stride(from: 0, to: pixels.count, by: chunk) {
                let pixels = pixels[first..<min(first + chunk, pixels.count)]
                for (index, pixel) in pixels.enumerated() {
                    setShadowRays(scratch.rays, index * scouts.count, from: pixel.origin, towards: scouts, time: time)
                }
                see(count: pixels.count * scouts.count, past: subset, scratch: scratch)
                var undecided: [(pixel: HalfShadow, seen: UInt8)] = []
                for (index, pixel) in pixels.enumerated() {
                    let seen = scratch.countSeen(index * scouts.count..<(index + 1) * scouts.count)
                    if seen == 0 || seen == scouts.count {
                        light[pixel.column] = pixel.reflection.light(sunVisibility: seen == 0 ? 0 : 1)
                    } else {
                        undecided.append((pixel, seen))
                    }
                }
                for (index, (pixel, _)) in undecided.enumerated() {
                    setShadowRays(scratch.rays, index * others.count, from: pixel.origin, towards: others, time: time)
                }
                see(count: undecided.count * others.count, past: subset, scratch: scratch)
                for (index, (pixel, seen)) in undecided.enumerated() {
                    let sum = seen + scratch.countSeen(index * others.count..<(index + 1) * others.count)
                    light[pixel.column] = pixel.reflection.light(
                        sunVisibility: Float(sum) / Float(scouts.count + others.count))
                }
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
    private func setShadowRays(
        _ rays: RayBatch, _ first: Int, from origin: Point3, towards directions: [Vector3], time: Double
    ) {
        for (index, direction) in directions.enumerated() {
            rays.set(
                first + index, origin: origin, direction: direction, far: illumination.shadowReach, time: Float(time))
        }
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
