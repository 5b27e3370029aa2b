// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How a picture is divided into blocks to find out where shadows are.
enum ShadowBlocks {
    /// The side of a block, in pixels.
    static let side = 4
    /// A block whose middle sees no surface that the sun could reach.
    static let unknown: UInt8 = 255

    static func count(_ pixels: Int) -> Int { (pixels + side - 1) / side }
}

/// How much of the sun the pixels of a block see.
enum Sunlight {
    case full
    case none
    case partial
}

/// A pixel that sees one surface, and perhaps a part of the sun.
struct HalfShadow {
    let column: Int
    /// Where its rays to the sun begin.
    let origin: Point3
    let reflection: Reflection
}

extension Renderer {
    /// The second pass: for each block, how many of the sun's probes its middle sees.
    func castShadowRow(_ blockRow: Int, of shot: Shot) {
        let row = min(blockRow * ShadowBlocks.side + ShadowBlocks.side / 2, size.height - 1)
        let pose = shot.worldFromCameraByRow[row]
        let axes = pose.rotation.matrix
        let time = shot.time(ofRow: row)
        let probes = illumination.sunProbes
        let blockCount = ShadowBlocks.count(size.width)
        let blocks = sunlitBlocks + blockRow * blockCount
        var reached: [Int] = []
        let rays = RayBatch(capacity: blockCount * probes.count, near: 0)
        for block in 0..<blockCount {
            let column = min(block * ShadowBlocks.side + ShadowBlocks.side / 2, size.width - 1)
            let hit = firstHit(column: column, row: row)
            blocks[block] = ShadowBlocks.unknown
            guard hit.object >= 0 else { continue }
            let place = surfaces[hit.object].place(
                at: hit, origin: pose.translation,
                direction: axes * table.direction(column: column, row: row, offset: shot.pixelOffset), time: time)
            guard illumination.reaches(place) else { continue }
            setShadowRays(
                rays, reached.count * probes.count, from: shadowOrigin(of: place), towards: probes, time: time)
            reached.append(block)
        }
        let seen = visibility(rays, count: reached.count * probes.count)
        for (index, block) in reached.enumerated() {
            blocks[block] = UInt8(seen[index * probes.count..<(index + 1) * probes.count].reduce(0, +))
        }
    }

    /// A block is in full light, or in none, when all of its neighbours agree; otherwise a shadow's rim may cross it.
    func sunlightOfBlocks(atRow row: Int) -> [Sunlight] {
        let (columns, rows) = (ShadowBlocks.count(size.width), ShadowBlocks.count(size.height))
        let blockRow = row / ShadowBlocks.side
        let all = UInt8(illumination.sunProbes.count)
        return (0..<columns).map { block in
            var (lowest, highest) = (all, UInt8(0))
            for neighbourRow in max(blockRow - 1, 0)...min(blockRow + 1, rows - 1) {
                for neighbour in max(block - 1, 0)...min(block + 1, columns - 1) {
                    let seen = sunlitBlocks[neighbourRow * columns + neighbour]
                    guard seen != ShadowBlocks.unknown else { continue }
                    lowest = min(lowest, seen)
                    highest = max(highest, seen)
                }
            }
            if lowest == all, highest == all { return .full }
            return highest == 0 && lowest == 0 ? .none : .partial
        }
    }

    /// The light of pixels that see one surface and perhaps a part of the sun.
    ///
    /// Rays to the sun's middle and to places around it come first; where they agree, the others are spared.
    func shade(_ pixels: [HalfShadow], time: Double, into light: inout [SIMD4<Float>]) {
        guard !pixels.isEmpty else { return }
        let (scouts, others) = (illumination.sunScouts, illumination.sunOthers)
        let rays = RayBatch(capacity: pixels.count * max(scouts.count, others.count), near: 0)
        for (index, pixel) in pixels.enumerated() {
            setShadowRays(rays, index * scouts.count, from: pixel.origin, towards: scouts, time: time)
        }
        let seenByScouts = visibility(rays, count: pixels.count * scouts.count)
        var undecided: [(pixel: HalfShadow, seen: Int)] = []
        for (index, pixel) in pixels.enumerated() {
            let seen = seenByScouts[index * scouts.count..<(index + 1) * scouts.count].reduce(0) { $0 + Int($1) }
            if seen == 0 || seen == scouts.count {
                light[pixel.column] = pixel.reflection.light(sunVisibility: seen == 0 ? 0 : 1)
            } else {
                setShadowRays(rays, undecided.count * others.count, from: pixel.origin, towards: others, time: time)
                undecided.append((pixel, seen))
            }
        }
        let seenByOthers = visibility(rays, count: undecided.count * others.count)
        for (index, (pixel, seen)) in undecided.enumerated() {
            let sum = seenByOthers[index * others.count..<(index + 1) * others.count].reduce(seen) { $0 + Int($1) }
            light[pixel.column] = pixel.reflection.light(
                sunVisibility: Float(sum) / Float(scouts.count + others.count))
        }
    }

    /// A tenth of a millimetre off the surface: more than single precision errs over a room, less than is seen.
    @inline(__always) func shadowOrigin(of place: SurfacePlace) -> Point3 { place.position + place.normal * 1e-4 }

    @inline(__always)
    private func setShadowRays(
        _ rays: RayBatch, _ first: Int, from origin: Point3, towards directions: [Vector3], time: Double
    ) {
        for (index, direction) in directions.enumerated() {
            rays.set(
                first + index, origin: origin, direction: direction, far: illumination.shadowReach, time: Float(time))
        }
    }

    /// 1 for each ray that meets nothing, 0 for each that does.
    func visibility(_ rays: RayBatch, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let result = buffer.baseAddress {
                raycaster.occluded(rays, count: count, into: result)
                for index in 0..<count { result[index] = 1 - result[index] }
            }
            initialized = count
        }
    }
}
