// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision
import Foundation
import TestSupport
import Testing
import VisionTestSupport

/// A grey picture and its pyramid.
private final class Pyramid {
    let width: Int
    let height: Int
    let levelCount: Int
    private var bytes: [UInt8]

    init(width: Int, height: Int, levelCount: Int, pixels: [UInt8]) {
        (self.width, self.height, self.levelCount) = (width, height, levelCount)
        bytes = Array(
            repeating: 0, count: Int(cvision_pyramid_bytes(Int32(width), Int32(height), Int32(levelCount))))
        let status = pixels.withUnsafeBufferPointer { pixels in
            var picture = CVisionPicture(
                pixels: pixels.baseAddress, width: Int32(width), height: Int32(height), bytes_per_row: Int32(width),
                channels: 1)
            return withKernel { cvision_build_pyramid(&picture, &$0) }
        }
        precondition(status == CVISION_OK)
    }

    convenience init(width: Int, height: Int, levelCount: Int, light: (Vector2) -> Double) {
        let pixels = (0..<width * height).map { index in
            UInt8(min(max(light(Vector2(Double(index % width), Double(index / width))), 0), 255).rounded())
        }
        self.init(width: width, height: height, levelCount: levelCount, pixels: pixels)
    }

    func withKernel<Result>(_ body: (inout CVisionPyramid) -> Result) -> Result {
        bytes.withUnsafeMutableBufferPointer { bytes in
            var pyramid = CVisionPyramid(
                pixels: bytes.baseAddress, width: Int32(width), height: Int32(height), level_count: Int32(levelCount))
            return body(&pyramid)
        }
    }
}

/// Smooth light without a direction of its own.
private func waves(_ place: Vector2) -> Double {
    128 + 40 * sin(place.x * 0.31 + 0.4 * place.y * 0.21) + 35 * sin(place.y * 0.27 - 0.11 * place.x)
        + 20 * cos(0.17 * (place.x + place.y))
}

@Suite struct PyramidTests {
    /// A plane of light stays the same plane on each level, seen at the level's coordinates: the levels are where the
    /// header says.
    @Test(arguments: [(160, 120), (161, 119), (97, 64)]) func levelsLieWhereTheHeaderSays(width: Int, height: Int) {
        func plane(_ place: Vector2) -> Double { 20 + 0.9 * place.x + 0.5 * place.y }
        let pyramid = Pyramid(width: width, height: height, levelCount: 3, light: plane)
        // Shifted by whole and by half pixels, patches of a curved picture are found on the coarsest level alone.
        let old = Pyramid(width: width, height: height, levelCount: 3, light: waves)
        let new = Pyramid(width: width, height: height, levelCount: 3) { waves($0 + Vector2(2, -1)) }
        let start = [60.0, 40.0]
        for level in 0..<3 {
            var flow = CVisionFlow()
            let status = old.withKernel { old in
                new.withKernel { new in
                    cvision_follow_points(&old, &new, Int32(level), Int32(level), start, start, 1, &flow)
                }
            }
            #expect(status == CVISION_OK)
            #expect(flow.outcome == CVISION_FLOW_FOLLOWED)
            #expect(abs(flow.x_px - 58) < 0.05 * Double(1 << level) && abs(flow.y_px - 41) < 0.05 * Double(1 << level))
        }
        var measures = CVisionPictureMeasures()
        #expect(pyramid.withKernel { cvision_measure_picture(&$0, &measures) } == CVISION_OK)
        let middle = plane(Vector2(Double(width - 1), Double(height - 1)) / 2)
        #expect(abs(measures.mean - middle) < 0.1)
        // Steps of 0.9 and 0.5 a pixel are twice and four times as large on the smaller pictures; grey levels are rounded.
        #expect(abs(measures.half_size_step / (4 * (0.81 + 0.25)) - 1) < 0.15)
        #expect(abs(measures.quarter_size_step / (16 * (0.81 + 0.25)) - 1) < 0.1)
    }

    @Test func memoryIsAskedForOnlyForValidSizes() {
        #expect(cvision_pyramid_bytes(1, 1, 1) > 0)
        for (width, height, levels) in [(0, 5, 1), (5, 0, 1), (-3, 5, 1), (16385, 5, 1), (5, 5, 0), (5, 5, 7)] {
            #expect(cvision_pyramid_bytes(Int32(width), Int32(height), Int32(levels)) == 0)
        }
    }

    @Test func badArgumentsAreRefused() {
        let pyramid = Pyramid(width: 64, height: 48, levelCount: 2, light: waves)
        let pixels = [UInt8](repeating: 0, count: 64 * 48 * 3)
        func build(_ width: Int32, _ height: Int32, _ bytesPerRow: Int32, _ channels: Int32) -> CVisionStatus {
            pixels.withUnsafeBufferPointer { pixels in
                var picture = CVisionPicture(
                    pixels: pixels.baseAddress, width: width, height: height, bytes_per_row: bytesPerRow,
                    channels: channels)
                return pyramid.withKernel { cvision_build_pyramid(&picture, &$0) }
            }
        }
        #expect(build(64, 48, 64, 1) == CVISION_OK)
        #expect(build(64, 48, 192, 3) == CVISION_OK)
        #expect(build(64, 48, 191, 3) == CVISION_INVALID_ARGUMENT)
        #expect(build(63, 48, 64, 1) == CVISION_INVALID_ARGUMENT)
        #expect(build(64, 48, 128, 2) == CVISION_INVALID_ARGUMENT)
        var flows = [CVisionFlow()]
        func follow(_ coarsest: Int32, _ finest: Int32, _ pixel: [Double]) -> CVisionStatus {
            pyramid.withKernel { cvision_follow_points(&$0, &$0, coarsest, finest, pixel, pixel, 1, &flows) }
        }
        #expect(follow(2, 0, [20, 20]) == CVISION_INVALID_ARGUMENT)
        #expect(follow(0, 1, [20, 20]) == CVISION_INVALID_ARGUMENT)
        #expect(follow(1, 0, [.nan, 20]) == CVISION_INVALID_ARGUMENT)
        #expect(follow(1, 0, [20, .infinity]) == CVISION_INVALID_ARGUMENT)
        #expect(follow(1, 0, [-5000, 20]) == CVISION_OK)
        #expect(flows[0].outcome == CVISION_FLOW_LEFT)
    }
}

@Suite struct CornerTests {
    /// The corners of dark squares on a light ground, and nothing on their edges.
    @Test func cornersOfSquaresAreFound() {
        let pyramid = Pyramid(width: 160, height: 120, levelCount: 2) { place in
            (40..<100).contains(place.x) && (30..<90).contains(place.y) ? 40 : 200
        }
        let cells = [
            CVisionCell(left_px: 30, top_px: 20, width_px: 20, height_px: 20),
            CVisionCell(left_px: 60, top_px: 20, width_px: 20, height_px: 20),
            CVisionCell(left_px: 90, top_px: 80, width_px: 20, height_px: 20),
        ]
        var corners = [CVisionCorner](repeating: CVisionCorner(), count: 3)
        func find(awayFrom taken: [Double]) -> CVisionStatus {
            pyramid.withKernel {
                cvision_find_corners(&$0, 1, cells, 3, taken, Int32(taken.count / 2), 10, 4, &corners)
            }
        }
        #expect(find(awayFrom: []) == CVISION_OK)
        #expect(corners[0].strength > 100 && abs(corners[0].x_px - 40) <= 3 && abs(corners[0].y_px - 30) <= 3)
        #expect(corners[1].strength == 0)
        #expect(corners[2].strength > 100 && abs(corners[2].x_px - 99) <= 3 && abs(corners[2].y_px - 89) <= 3)
        #expect(find(awayFrom: [44, 34]) == CVISION_OK)
        #expect(corners[0].strength == 0 && corners[2].strength > 100)
    }

    @Test func cellsOutsideThePictureAreRefused() {
        let pyramid = Pyramid(width: 64, height: 48, levelCount: 1, light: waves)
        var corner = CVisionCorner()
        for (left, top, width, height) in [(-1, 0, 5, 5), (60, 0, 5, 5), (0, 44, 5, 5), (0, 0, -5, 5)] {
            var cell = CVisionCell(
                left_px: Int32(left), top_px: Int32(top), width_px: Int32(width), height_px: Int32(height))
            #expect(
                pyramid.withKernel { cvision_find_corners(&$0, 0, &cell, 1, nil, 0, 1, 1, &corner) }
                    == CVISION_INVALID_ARGUMENT)
        }
    }
}

@Suite struct PatchAlignmentTests {
    /// Patches are found under warps and changes of light of which the truth is known; on each level, where all that is seen is
    /// as much larger.
    @Test(arguments: 0..<12, 0...2) func patchesAreFoundUnderAffineWarps(case number: Int, level: Int) {
        var random = TestRandom(case: number)
        let pixel = Double(1 << level)
        let (width, height) = (200 << level, 160 << level)
        let center = pixel * Vector2(100.0, 80.0)
        let shift = pixel * random.vector2(-0.8...0.8)
        // The new picture shows at p what the old one shows at center + A⁻¹ (p − center − shift).
        let (xx, xy) = (1 + random.uniform(-0.1...0.1), random.uniform(-0.1...0.1))
        let (yx, yy) = (random.uniform(-0.1...0.1), 1 + random.uniform(-0.1...0.1))
        let determinant = xx * yy - xy * yx
        let (gain, offset) = (random.uniform(0.7...1.1), random.uniform(-10...10))
        func light(_ place: Vector2) -> Double { waves(place / pixel) }
        let old = Pyramid(width: width, height: height, levelCount: level + 1, light: light)
        let new = Pyramid(width: width, height: height, levelCount: level + 1) { place in
            let p = place - center - shift
            let source = Vector2(yy * p.x - xy * p.y, xx * p.y - yx * p.x) / determinant
            return gain * light(center + source) + offset
        }
        var patch = [Float](repeating: 0, count: Int(CVISION_PATCH_FLOATS))
        var (slot, deviation, slide) = (Int32(0), 0.0, CVisionSpread())
        #expect(
            old.withKernel {
                cvision_take_patches(
                    &$0, Int32(level), [center.x, center.y], &slot, 1, &patch, 1, 2, &deviation, &slide)
            }
                == CVISION_OK)
        #expect(deviation > 0.01 * pixel && deviation < 0.1 * pixel)
        var warp = CVisionWarp(x: center.x, y: center.y, xx: 1, xy: 0, yx: 0, yy: 1)
        var flow = CVisionFlow()
        #expect(new.withKernel { cvision_align_patches(&$0, patch, 1, &slot, 1, nil, &warp, &flow) } == CVISION_OK)
        #expect(flow.outcome == CVISION_FLOW_FOLLOWED)
        #expect(flow.correlation > 0.99)
        #expect((Vector2(flow.x_px, flow.y_px) - center - shift).length < 0.05 * pixel)
        let found = Matrix3x3(
            Vector3(Double(warp.xx), Double(warp.yx), 0), Vector3(Double(warp.xy), Double(warp.yy), 0), .zero)
        let truth = Matrix3x3(Vector3(xx, yx, 0), Vector3(xy, yy, 0), .zero)
        // The stiffness keeps the warp a little nearer to its start.
        expectClose(found, truth, tolerance: 0.03)
    }

    /// Patches that are curved as well are found where they are when that is told; otherwise their places are off by what their
    /// own light makes of it.
    @Test(arguments: 0...2) func curvedPatchesAreFound(level: Int) throws {
        var random = TestRandom(case: level)
        let pixel = Double(1 << level)
        var (told, untold) = (0.0, 0.0)
        let count = 60
        for _ in 0..<count {
            let texture = WaveTexture(&random)
            let center = pixel * Vector2(60.0, 50.0)
            let shift = pixel * random.vector2(-0.8...0.8)
            func coefficient() -> Float { Float(random.uniform(-0.003...0.003) / pixel) }
            let curvature = CVisionCurvature(
                xuu: coefficient(), xuv: coefficient(), xvv: coefficient(), yuu: coefficient(), yuv: coefficient(),
                yvv: coefficient())
            let (width, height) = (120 << level, 100 << level)
            let old = Pyramid(width: width, height: height, levelCount: level + 1) { texture.light(at: $0 / pixel) }
            let new = Pyramid(width: width, height: height, levelCount: level + 1) { place in
                let seen = place - center - shift
                // The place of the patch that is moved to there.
                var source = seen
                for _ in 0..<8 { source = seen - curvature.moved(source) }
                return texture.light(at: (center + source) / pixel)
            }
            for isTold in [true, false] {
                let flow = try #require(
                    Self.flow(from: old, to: new, at: center, onLevel: level, curvature: isTold ? curvature : nil))
                let error = (Vector2(flow.x_px, flow.y_px) - center - shift).length / pixel
                if isTold { told += error / Double(count) } else { untold += error / Double(count) }
            }
        }
        // Grey levels are rounded, and light between pixels is interpolated.
        #expect(told < 0.02)
        #expect(untold > 5 * told)
    }

    /// What noise draws into the surroundings of a corner of a few pixels is not curved. Were its slopes taken for ones that are,
    /// the corner would be found 0.030 px aside in the mean. A third of that is left: between pixels the newer picture has less noise
    /// than the patch, of which half of what differs is taken for the patch's.
    @Test func noiseIsNotCurved() throws {
        var random = TestRandom()
        let center = Vector2(40, 40)
        /// A blob's dark edges about the middle, in a surrounding without light of its own.
        func light(_ place: Vector2) -> Double {
            128 + 25 * place.x * exp(-place.squaredLength / 8) + 25 * place.y * exp(-place.squaredLength / 8)
        }
        func noisy(_ light: (Vector2) -> Double) -> Pyramid {
            let noise = (0..<80 * 80).map { _ in random.uniform(-5...5) }
            return Pyramid(width: 80, height: 80, levelCount: 1) { place in
                light(place) + noise[80 * Int(place.y) + Int(place.x)]
            }
        }
        var off = 0.0
        let count = 1200
        for number in 0..<count {
            let bend: Float = number.isMultiple(of: 2) ? 0.003 : -0.003
            let curvature = CVisionCurvature(xuu: bend, xuv: 0, xvv: bend, yuu: bend, yuv: 0, yvv: bend)
            let old = noisy { light($0 - center) }
            let new = noisy { place in
                let seen = place - center
                var source = seen
                for _ in 0..<8 { source = seen - curvature.moved(source) }
                return light(source)
            }
            let flow = try #require(Self.flow(from: old, to: new, at: center, curvature: curvature))
            let error = Vector2(flow.x_px, flow.y_px) - center
            off += (bend > 0 ? 1 : -1) * (error.x + error.y) / 2 / Double(count)
        }
        #expect(abs(off) < 0.015)
    }

    /// Patches are found in pictures that are blurred otherwise than they are, along another direction and by other lengths: of what
    /// that would move them by, a third is left.
    @Test(arguments: 0...2) func blurredPatchesAreFound(level: Int) throws {
        var random = TestRandom(case: level)
        let pixel = Double(1 << level)
        var error = 0.0
        let count = 60
        for _ in 0..<count {
            let texture = WaveTexture(&random)
            let center = pixel * Vector2(60.0, 50.0)
            let shift = pixel * random.vector2(-0.8...0.8)
            func picture(of texture: WaveTexture, shownAt shift: Vector2) -> Pyramid {
                Pyramid(width: 120 << level, height: 100 << level, levelCount: level + 1) {
                    texture.light(at: ($0 - shift) / pixel)
                }
            }
            let old = picture(of: texture.smeared(over: random.vector2(-3.5...3.5)), shownAt: .zero)
            let new = picture(of: texture.smeared(over: random.vector2(-3.5...3.5)), shownAt: shift)
            let flow = try #require(Self.flow(from: old, to: new, at: center, onLevel: level, curvature: nil))
            error += (Vector2(flow.x_px, flow.y_px) - center - shift).length / pixel / Double(count)
        }
        #expect(error < 0.015)
    }

    @Test func whatIsFlatIsNotAligned() {
        let flat = Pyramid(width: 64, height: 48, levelCount: 1) { _ in 90 }
        var patch = [Float](repeating: 0, count: Int(CVISION_PATCH_FLOATS))
        var (slot, deviation, slide) = (Int32(0), 0.0, CVisionSpread())
        #expect(
            flat.withKernel { cvision_take_patches(&$0, 0, [30, 20], &slot, 1, &patch, 1, 2, &deviation, &slide) }
                == CVISION_OK)
        #expect(deviation == .infinity)
        var warp = CVisionWarp(x: 30, y: 20, xx: 1, xy: 0, yx: 0, yy: 1)
        var flow = CVisionFlow()
        #expect(flat.withKernel { cvision_align_patches(&$0, patch, 1, &slot, 1, nil, &warp, &flow) } == CVISION_OK)
        #expect(flow.outcome == CVISION_FLOW_FLAT)
    }

    /// Warps may start anywhere: what would be read lies inside the pyramid, or nothing is.
    @Test func wildWarpsAreSurvived() {
        let pyramid = Pyramid(width: 64, height: 48, levelCount: 1, light: waves)
        var patch = [Float](repeating: 0, count: Int(CVISION_PATCH_FLOATS))
        var (slot, deviation, slide) = (Int32(0), 0.0, CVisionSpread())
        #expect(
            pyramid.withKernel { cvision_take_patches(&$0, 0, [63, 47], &slot, 1, &patch, 1, 2, &deviation, &slide) }
                == CVISION_OK
        )
        for wild in [-1e30, -100, -0.5, 63.4, 1e30, .nan, .infinity] {
            for size in [Float(1), 3, -2, 1e20, .nan] {
                var warp = CVisionWarp(x: wild, y: 20, xx: size, xy: 0, yx: 0, yy: 1)
                var flow = CVisionFlow()
                let status = pyramid.withKernel { cvision_align_patches(&$0, patch, 1, &slot, 1, nil, &warp, &flow) }
                #expect(status == CVISION_OK)
                #expect(flow.outcome != CVISION_FLOW_FOLLOWED || (flow.x_px >= 0 && flow.x_px <= 63))
            }
        }
        slot = 1
        #expect(
            pyramid.withKernel { cvision_take_patches(&$0, 0, [30, 20], &slot, 1, &patch, 1, 2, &deviation, &slide) }
                == CVISION_INVALID_ARGUMENT)
        slot = 0
        #expect(
            pyramid.withKernel { cvision_take_patches(&$0, 0, [64, 20], &slot, 1, &patch, 1, 2, &deviation, &slide) }
                == CVISION_INVALID_ARGUMENT)
    }

    /// Two things at different distances share each window: what lies beyond a line through it has moved by more. Of windows of
    /// all shapes the third that is said to slide most does so at least three times as far as the third that is said to slide
    /// least, although each is found by what it holds, to within a pixel.
    @Test func windowsThatTwoThingsShareSlideAsStated() throws {
        var random = TestRandom()
        var slides: [(stated: Double, error: Double)] = []
        for _ in 0..<300 {
            let texture = WaveTexture(&random)
            let (grain, angle) = (random.uniform(0...Double.pi), random.uniform(0...2 * Double.pi))
            let (along, stretch) = (Vector2(cos(grain), sin(grain)), random.uniform(0.2...1))
            let (normal, distance) = (Vector2(cos(angle), sin(angle)), random.uniform(3...7))
            let (center, way) = (Vector2(40.0, 35.0), random.vector2(-0.8...0.8))
            func picture(_ way: Vector2) -> Pyramid {
                Pyramid(width: 80, height: 70, levelCount: 1) { place in
                    let isBeyond = (place - center).dot(normal) > distance
                    let place = isBeyond ? place + Vector2(31, 17) - way : place
                    return texture.light(at: place - (1 - stretch) * place.dot(along) * along)
                }
            }
            guard let flow = Self.flow(from: picture(.zero), to: picture(way), at: center) else { continue }
            let error = (Vector2(flow.x_px, flow.y_px) - center).length
            slides.append((Double(flow.slide.xx + flow.slide.yy), error))
        }
        slides.sort { $0.stated < $1.stated }
        #expect(slides.count > 200)
        #expect(slides.allSatisfy { $0.error < 1 })
        func median(_ errors: [Double]) -> Double { errors.sorted()[errors.count / 2] }
        let third = slides.count / 3
        #expect(median(slides.suffix(third).map(\.error)) > 3 * median(slides.prefix(third).map(\.error)))
    }

    /// An edge before something faint that moves: it is dragged along itself, and said to slide that way.
    @Test func edgesSlideAlongThemselves() throws {
        var random = TestRandom()
        for angle in stride(from: 0.1, to: Double.pi, by: 0.3) {
            let texture = WaveTexture(&random)
            let (along, normal) = (Vector2(cos(angle), sin(angle)), Vector2(-sin(angle), cos(angle)))
            let center = Vector2(40.0, 35.0)
            func picture(_ way: Vector2) -> Pyramid {
                Pyramid(width: 80, height: 70, levelCount: 1) { place in
                    128 + 60 * tanh((place - center).dot(normal) / 1.5) + 0.15 * (texture.light(at: place - way) - 128)
                }
            }
            let flow = try #require(Self.flow(from: picture(.zero), to: picture(0.5 * along), at: center))
            let error = Vector2(flow.x_px, flow.y_px) - center
            #expect(abs(error.dot(along)) > 5 * abs(error.dot(normal)))
            let (xx, xy, yy) = (Double(flow.slide.xx), Double(flow.slide.xy), Double(flow.slide.yy))
            func variance(_ axis: Vector2) -> Double {
                xx * axis.x * axis.x + 2 * xy * axis.x * axis.y + yy * axis.y * axis.y
            }
            #expect(variance(along) > 25 * variance(normal))
        }
    }

    /// Less contrast and more light change no slide, but by rounding.
    @Test func slidesDependOnNoLight() throws {
        func pair(_ gain: Double, _ offset: Double) throws -> CVisionFlow {
            let pictures = [0.0, 1.0].map { way in
                Pyramid(width: 80, height: 70, levelCount: 1) { place in
                    gain * waves(place.x > 46 ? place + Vector2(way, -way) : place) + offset
                }
            }
            return try #require(Self.flow(from: pictures[0], to: pictures[1], at: Vector2(40, 35)))
        }
        let (bright, dim) = (try pair(1, 0), try pair(0.7, 50))
        #expect(abs(dim.slide.xx / bright.slide.xx - 1) < 0.1)
        #expect(abs(dim.slide.yy / bright.slide.yy - 1) < 0.1)
    }

    /// Where the window around a place of one picture is found in another.
    private static func flow(
        from old: Pyramid, to new: Pyramid, at center: Vector2, onLevel level: Int = 0,
        curvature: CVisionCurvature? = nil
    ) -> CVisionFlow? {
        var patch = [Float](repeating: 0, count: Int(CVISION_PATCH_FLOATS))
        var (slot, deviation, slide) = (Int32(0), 0.0, CVisionSpread())
        let place = [center.x, center.y]
        let taken = old.withKernel {
            cvision_take_patches(&$0, Int32(level), place, &slot, 1, &patch, 1, 2, &deviation, &slide)
        }
        var warp = CVisionWarp(x: center.x, y: center.y, xx: 1, xy: 0, yx: 0, yy: 1)
        var flow = CVisionFlow()
        let curvatures = curvature.map { [$0] }
        let found = new.withKernel { cvision_align_patches(&$0, patch, 1, &slot, 1, curvatures, &warp, &flow) }
        guard taken == CVISION_OK, found == CVISION_OK, flow.outcome == CVISION_FLOW_FOLLOWED else { return nil }
        return flow
    }
}
