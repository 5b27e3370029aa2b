// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

/// The patches by which points are found again, in the order of the points; memory is used again.
struct PatchStore: Sendable {
    private var floats: [Float] = []
    /// Where each point's patch lies.
    private var slots: [Int32] = []
    private var freeSlots: [Int32] = []

    /// What the noise of the patches' pictures is taken for, in grey levels. A level's pixel is the mean of more than four of the
    /// finer level's, which leaves less than half of their noise.
    private static func noise(onLevel level: Int) -> Double { 2 / Double(1 << level) }

    private static let floatsPerPatch = Int(CVISION_PATCH_FLOATS)
    private var slotCount: Int32 { Int32(floats.count / Self.floatsPerPatch) }

    /// How a patch can be placed in pictures with the noise that it is taken to have itself: how uncertainly, along the worst
    /// direction, and how it slides.
    struct Placing {
        var deviationPixels: Double
        var slide: PixelCovariance
    }

    /// Takes the patch of one more point.
    mutating func add(at pixel: PixelPoint, onLevel level: Int, of pyramid: ImagePyramid) -> Placing {
        slots.append(freeSlot())
        return renew(slots.count - 1, at: pixel, onLevel: level, of: pyramid)
    }

    private mutating func freeSlot() -> Int32 {
        if freeSlots.isEmpty {
            freeSlots.append(slotCount)
            floats.append(contentsOf: repeatElement(0, count: Self.floatsPerPatch))
        }
        return freeSlots.removeLast()
    }

    /// Takes over a patch as that of one more point, before the one at a place in the order.
    mutating func insert(_ index: Int, of other: PatchStore, at place: Int) {
        let slot = freeSlot()
        slots.insert(slot, at: place)
        let (from, to) = (Int(other.slots[index]) * Self.floatsPerPatch, Int(slot) * Self.floatsPerPatch)
        floats.replaceSubrange(
            to..<to + Self.floatsPerPatch, with: other.floats[from..<from + Self.floatsPerPatch])
    }

    /// Takes a point's patch anew.
    @discardableResult mutating func renew(
        _ index: Int, at pixel: PixelPoint, onLevel level: Int, of pyramid: ImagePyramid
    ) -> Placing {
        var slot = slots[index]
        var (deviation, slide) = (0.0, CVisionSpread())
        let slotCount = slotCount
        check(
            floats.withUnsafeMutableBufferPointer { floats in
                pyramid.withKernelPyramid { pyramid in
                    withUnsafeBytes(of: pixel) { coordinates in
                        cvision_take_patches(
                            &pyramid, Int32(level), coordinates.assumingMemoryBound(to: Double.self).baseAddress, &slot,
                            1, floats.baseAddress, slotCount, Self.noise(onLevel: level), &deviation, &slide)
                    }
                }
            })
        return Placing(deviationPixels: deviation, slide: PixelCovariance(slide))
    }

    /// Drops the newest point.
    mutating func removeLast() { freeSlots.append(slots.removeLast()) }

    /// Drops the points for which the answer is false.
    mutating func keep(_ isKept: [Bool]) {
        freeSlots.append(contentsOf: zip(slots, isKept).filter { !$0.1 }.map(\.0))
        slots = zip(slots, isKept).filter(\.1).map(\.0)
    }

    /// Finds all patches in a picture, from where the warps put them, curved as is known; the warps are improved.
    func align(
        _ warps: inout [CVisionWarp], curved curvatures: [CVisionCurvature]? = nil, in pyramid: ImagePyramid
    ) -> [CVisionFlow] {
        align(slots, &warps, curvatures, in: pyramid)
    }

    /// Finds one patch in a picture from each of several warps, which are improved.
    func align(
        _ index: Int, _ warps: inout [CVisionWarp], curved curvature: CVisionCurvature = CVisionCurvature(),
        in pyramid: ImagePyramid
    ) -> [CVisionFlow] {
        let count = warps.count
        return align(
            [Int32](repeating: slots[index], count: count), &warps,
            [CVisionCurvature](repeating: curvature, count: count), in: pyramid)
    }

    private func align(
        _ slots: [Int32], _ warps: inout [CVisionWarp], _ curvatures: [CVisionCurvature]?, in pyramid: ImagePyramid
    ) -> [CVisionFlow] {
        var flows = [CVisionFlow](repeating: CVisionFlow(), count: slots.count)
        check(
            pyramid.withKernelPyramid {
                cvision_align_patches(&$0, floats, slotCount, slots, Int32(slots.count), curvatures, &warps, &flows)
            })
        return flows
    }
}

extension CVisionWarp {
    /// The warp of a patch that was just taken.
    init(at pixel: PixelPoint) { self.init(x: pixel.x, y: pixel.y, xx: 1, xy: 0, yx: 0, yy: 1) }

    /// Whether the patch is neither turned, scaled nor sheared much.
    var isModerate: Bool {
        let (a, b, c, d) = (Double(xx), Double(xy), Double(yx), Double(yy))
        // The squares of the singular values of A are the eigenvalues of AᵀA.
        let halfSum = (a * a + b * b + c * c + d * d) / 2
        let determinant = a * d - b * c
        let spread = max(halfSum * halfSum - determinant * determinant, 0).squareRoot()
        return determinant > 0 && halfSum - spread > 0.6 * 0.6 && halfSum + spread < 1.6 * 1.6
    }
}
