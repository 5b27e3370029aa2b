// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// A pixel that sees one surface, and perhaps a part of the sun.
struct HalfShadow {
    let column: Int
    let row: Int
    let time: Float
    /// Where its rays to the sun begin.
    let origin: Point3
    let reflection: Reflection
    /// Whether the sun is seen all around, or nowhere; `nil` where nothing is known.
    let expectsSun: Bool?
    /// How many of its rays have reached the sun.
    fileprivate(set) var seen: UInt8 = 0

    init(column: Int, row: Int, time: Float, origin: Point3, reflection: Reflection, expectsSun: Bool?) {
        self.column = column
        self.row = row
        self.time = time
        self.origin = origin
        self.reflection = reflection
        self.expectsSun = expectsSun
    }

    /// Whether the first ray has met what is expected.
    fileprivate var isAsExpected: Bool { expectsSun.map { $0 == (seen > 0) } ?? false }
}

/// The pixels of a row that do not agree with their neighbours about the sun, and wait for these.
final class PenumbraRow {
    fileprivate var pixels = PastSubset<HalfShadow>()

    /// Begins anew.
    func removeAll() { pixels.removeAll() }
}

/// What stands in the place of the number of a pixel's rays that reach the sun where none have been sent.
private let unasked: UInt8 = .max

extension Renderer {
    /// Forgets the half-shadows of a row.
    func clearHalfShadows(ofRow row: Int) {
        penumbraRows[row].removeAll()
        (sunSeen + row * size.width).update(repeating: unasked, count: size.width)
    }

    /// The light of a block row's pixels that see one surface and perhaps a part of the sun.
    func shade(halfShadowsIn scratch: RowScratch, into light: RadianceImage) {
        for subset in PastSubset<HalfShadow>.subsets { shade(past: subset, scratch: scratch, into: light) }
    }

    /// Takes down that a pixel sees the whole sun past the subset that is asked for on its surface, or nothing of it.
    @inline(__always) func setSun(isSeen: Bool, column: Int, row: Int) {
        sunSeen[row * size.width + column] = isSeen ? UInt8(ShadowMosaic.samplesEach) : 0
    }

    /// First every pixel sends one ray to the sun, its neighbours to other places there. That is enough where it agrees with
    /// what the blocks around have seen from the same mesh. Where neighbours disagree, its other rays follow, and it waits
    /// until its neighbours have sent theirs. A pixel whose neighbours see something else
    /// sends rays to all of the sun: the shadow next to what throws it is narrow, and one side of it is hidden.
    private func shade(past subset: CRaycastSubset, scratch: RowScratch, into light: RadianceImage) {
        var pixels = scratch.halfShadows[subset]
        guard !pixels.isEmpty else { return }
        cast(&pixels, samples: 0..<1, past: subset, scratch: scratch)
        let mosaic = scratch.mosaic
        mosaic.clear()
        for pixel in pixels { mosaic.add(pixel.seen, column: pixel.column) }
        pixels.removeAll { pixel in
            let expected = pixel.isAsExpected ? pixel.expectsSun : nil
            guard let isSunny = expected ?? mosaic.isSunny(around: pixel.column) else { return false }
            light[row: pixel.row][pixel.column] = pixel.reflection.light(sunVisibility: isSunny ? 1 : 0)
            setSun(isSeen: isSunny, column: pixel.column, row: pixel.row)
            return true
        }
        cast(&pixels, samples: 1..<ShadowMosaic.samplesEach, past: subset, scratch: scratch)
        for pixel in pixels { sunSeen[pixel.row * size.width + pixel.column] = pixel.seen }
        pixels.removeAll { pixel in
            guard isAmongItsLike(column: pixel.column, row: pixel.row) else { return false }
            penumbraRows[pixel.row].pixels.append(pixel, past: subset)
            return true
        }
        shadeAlone(pixels, past: subset, scratch: scratch, into: light)
    }

    /// Pixels that have sent a quarter of their rays send the others, too, and need no neighbours.
    private func shadeAlone(
        _ pixels: [HalfShadow], past subset: CRaycastSubset, scratch: RowScratch, into light: RadianceImage
    ) {
        var pixels = pixels
        cast(&pixels, samples: ShadowMosaic.samplesEach..<SunDisc.sampleCount, past: subset, scratch: scratch)
        for pixel in pixels {
            let visibility = Float(pixel.seen) / Float(SunDisc.sampleCount)
            light[row: pixel.row][pixel.column] = pixel.reflection.light(sunVisibility: visibility)
        }
    }

    /// Whether all eight neighbours of a pixel see the same part of the same surface.
    private func isAmongItsLike(column: Int, row: Int) -> Bool {
        guard column > 0, column < size.width - 1, row > 0, row < size.height - 1 else { return false }
        let own = row * size.width + column
        return (-1...1).allSatisfy { y in
            (-1...1).allSatisfy { x in seesSamePart(own, own + y * size.width + x) }
        }
    }

    /// Sends rays from pixels to some of their own samples of the sun, and counts those that reach it.
    private func cast(
        _ pixels: inout [HalfShadow], samples: Range<Int>, past subset: CRaycastSubset, scratch: RowScratch
    ) {
        let chunk = RowScratch.rayCapacity / samples.count
        for first in stride(from: 0, to: pixels.count, by: chunk) {
            let part = first..<min(first + chunk, pixels.count)
            var ray = 0
            for index in part {
                let pixel = pixels[index]
                for number in samples {
                    let sample = ShadowMosaic.sample(number, column: pixel.column, row: pixel.row)
                    setShadowRay(
                        scratch.rays, ray, from: pixel.origin, towards: sunDisc.samples[sample], time: pixel.time)
                    ray += 1
                }
            }
            see(count: ray, past: subset, scratch: scratch)
            for (place, index) in part.enumerated() {
                let rays = place * samples.count..<(place + 1) * samples.count
                pixels[index].seen += scratch.countSeen(rays)
            }
        }
    }

    /// The fourth pass: each pixel in a penumbra whose neighbours see the same surface gets the mean of what the 3×3 pixels
    /// around it see of the sun, unless its shadow is too sharp for that.
    ///
    /// Each has sent rays to a quarter of the sun's samples, or knows without them that it sees all of it, or nothing. With
    /// the weights 1, 2, 1 across and down each quarter counts as much as the others (interleaved sampling), and the pixel's
    /// own place most.
    /// - Reference: Keller and Heidrich 2001, "Interleaved sampling".
    func softenPenumbras(ofRow row: Int, scratch: RowScratch, into light: RadianceImage) {
        for subset in PastSubset<HalfShadow>.subsets {
            var sharp: [HalfShadow] = []
            for pixel in penumbraRows[row].pixels[subset] {
                let sunlight = sunlight(aroundColumn: pixel.column, row: row)
                if sunlight.isSharp {
                    sharp.append(pixel)
                } else {
                    light[row: row][pixel.column] = pixel.reflection.light(sunVisibility: sunlight.mean)
                }
            }
            shadeAlone(sharp, past: subset, scratch: scratch, into: light)
        }
    }

    /// What a pixel and its neighbours see of the sun: the mean, and whether they see more different parts of it than
    /// quarters of the same sun can be.
    private func sunlight(aroundColumn column: Int, row: Int) -> (mean: Float, isSharp: Bool) {
        let own = row * size.width + column
        var (seen, sent) = (0, 0)
        var (least, most) = (unasked, UInt8(0))
        for y in -1...1 {
            for x in -1...1 {
                let raysSeen = sunSeen[own + y * size.width + x]
                guard raysSeen != unasked else { continue }
                (least, most) = (min(least, raysSeen), max(most, raysSeen))
                let weight = (2 - abs(x)) * (2 - abs(y))
                seen += weight * Int(raysSeen)
                sent += weight * ShadowMosaic.samplesEach
            }
        }
        return (Float(seen) / Float(sent), most - least > ShadowMosaic.mostDifference)
    }

    /// Whether two pixels' centres see the same surface, without an edge between them.
    private func seesSamePart(_ first: Int, _ second: Int) -> Bool {
        let object = firstHits.object[first]
        guard object == firstHits.object[second] else { return false }
        guard case .mesh(let mesh) = surfaces[object] else { return true }
        return !hasFold(first, second, mesh)
    }
}
