// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision
import Foundation
import TestSupport
import Testing

@Suite struct PatternTests {
    private static let side = Int(CVISION_PATTERN_SIDE)
    private static let places = Int(CVISION_PATTERN_PLACES)
    private static let (width, height) = (61, 53)

    private static func pixels(_ random: inout TestRandom) -> [UInt16] {
        (0..<width * height).map { _ in UInt16(random.uniform(0...65_535)) }
    }

    private static func correlations(
        _ pattern: CVisionPattern, in pixels: [UInt16], from starts: [Vector2], _ steps: CVisionSteps,
        level: Float = 30_000, leastDeviations: Float = 0
    ) -> (status: CVisionStatus, whole: [Float], detail: [Float]) {
        var (pattern, whole) = (pattern, [Float](repeating: .nan, count: places))
        var detail = whole
        let status = pixels.withUnsafeBufferPointer {
            var picture = CVisionDeepPicture(pixels: $0.baseAddress, width: Int32(width), height: Int32(height))
            return cvision_correlate_pattern(
                &picture, &pattern, level, starts.map { Float($0.x) }, starts.map { Float($0.y) }, steps,
                leastDeviations, &whole, &detail)
        }
        return (status, whole, detail)
    }

    /// The columns and the rows of all samples, counted from the middle, each of length one.
    private static let ramps = [
        normalized((0..<side * side).map { Double($0 % side) }),
        normalized((0..<side * side).map { Double($0 / side) }),
    ]

    private static func pattern(of samples: [Double]) -> CVisionPattern {
        let (whole, detail) = (normalized(samples), detail(of: samples))
        let rampLength = (0..<side * side).reduce(0.0) { $0 + pow(Double($1 % side - side / 2), 2) }.squareRoot()
        var pattern = CVisionPattern()
        withUnsafeMutableBytes(of: &pattern.detail) { bytes in
            for (index, value) in detail.enumerated() { bytes.bindMemory(to: Float.self)[index] = Float(value) }
        }
        pattern.detail_share = Float(product(whole, detail))
        pattern.by_column = Float(product(whole, ramps[0]) / rampLength)
        pattern.by_row = Float(product(whole, ramps[1]) / rampLength)
        return pattern
    }

    /// What no plane explains of samples, of length one.
    private static func detail(of samples: [Double]) -> [Double] {
        let samples = normalized(samples)
        let (across, down) = (product(samples, ramps[0]), product(samples, ramps[1]))
        return normalized(samples.indices.map { samples[$0] - across * ramps[0][$0] - down * ramps[1][$0] })
    }

    private static func product(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

    /// What a picture shows between its pixels, by columns and rows.
    private static func light(_ place: Vector2, in pixels: [UInt16]) -> Double {
        let (column, row) = (Int(place.x), Int(place.y))
        let (x, y) = (place.x - Double(column), place.y - Double(row))
        func value(_ right: Int, _ below: Int) -> Double { Double(pixels[(row + below) * width + column + right]) }
        return (1 - y) * ((1 - x) * value(0, 0) + x * value(1, 0)) + y * ((1 - x) * value(0, 1) + x * value(1, 1))
    }

    private static func samples(from start: Vector2, _ steps: CVisionSteps, in pixels: [UInt16]) -> [Double] {
        (0..<side * side).map { index in
            let (column, row) = (Double(index % side), Double(index / side))
            return light(
                start + column * Vector2(Double(steps.x_by_column), Double(steps.y_by_column))
                    + row * Vector2(Double(steps.x_by_row), Double(steps.y_by_row)), in: pixels)
        }
    }

    /// Less the mean, of length one.
    private static func normalized(_ samples: [Double]) -> [Double] {
        let mean = samples.reduce(0, +) / Double(samples.count)
        let length = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
        return samples.map { ($0 - mean) / length }
    }

    /// The coefficients are those of the textbook, of the whole and of what no plane explains, at every place; where the pattern was taken,
    /// one.
    @Test(arguments: 0..<30) func coefficientsAreThoseOfTheTextbook(number: Int) {
        var random = TestRandom(case: number)
        let pixels = Self.pixels(&random)
        let steps = CVisionSteps(
            x_by_column: Float(random.uniform(0.5...2)), y_by_column: Float(random.uniform(-0.5...0.5)),
            x_by_row: Float(random.uniform(-0.5...0.5)), y_by_row: Float(random.uniform(0.5...2)))
        let starts = (0..<Self.places).map { _ in Vector2(random.uniform(6...35), random.uniform(6...30)) }
        let taken = Self.samples(from: starts[3], steps, in: pixels)
        let found = Self.correlations(Self.pattern(of: taken), in: pixels, from: starts, steps)
        #expect(found.status == CVISION_OK)
        for place in starts.indices {
            let seen = Self.samples(from: starts[place], steps, in: pixels)
            let whole = Self.product(Self.normalized(taken), Self.normalized(seen))
            #expect(abs(Double(found.whole[place]) - whole) < 1e-3)
            let detail = Self.product(Self.detail(of: taken), Self.detail(of: seen))
            #expect(abs(Double(found.detail[place]) - detail) < 1e-3)
        }
        #expect(found.whole[3] > 0.999 && found.detail[3] > 0.999)
    }

    /// Light that changes evenly across the picture changes what the whole is like, and not what the detail is like.
    @Test(arguments: 0..<10) func evenChangesLeaveTheDetail(number: Int) {
        var random = TestRandom(case: number)
        let plain = (0..<Self.width * Self.height).map { _ in UInt16(random.uniform(0...8000)) }
        let slope = 400 * random.uniform(0.75...1)
        let sloping = plain.indices.map { plain[$0] + UInt16(slope * Double($0 % Self.width + $0 / Self.width)) }
        let steps = CVisionSteps(x_by_column: 1, y_by_column: 0.25, x_by_row: -0.25, y_by_row: 1)
        let starts = (0..<Self.places).map { _ in Vector2(random.uniform(6...35), random.uniform(6...30)) }
        let pattern = Self.pattern(of: Self.samples(from: starts[3], steps, in: plain))
        let (before, after) = (
            Self.correlations(pattern, in: plain, from: starts, steps, level: 4000),
            Self.correlations(pattern, in: sloping, from: starts, steps, level: 20_000)
        )
        #expect(zip(before.detail, after.detail).allSatisfy { abs($0 - $1) < 1e-3 })
        #expect(before.whole[3] > 0.999 && after.whole[3] < 0.9)
    }

    /// Where a picture is even, there is nothing to compare.
    @Test(arguments: [UInt16(29_600), 30_000, 30_001, 30_400]) func evenLightHasNoPattern(light: UInt16) {
        let pattern = Self.pattern(of: (0..<Self.side * Self.side).map { sin(Double($0)) })
        let even = [UInt16](repeating: light, count: Self.width * Self.height)
        let steps = CVisionSteps(x_by_column: 1, y_by_column: 0, x_by_row: 0, y_by_row: 1)
        let starts = [Vector2](repeating: Vector2(10.5, 10.25), count: Self.places)
        let found = Self.correlations(pattern, in: even, from: starts, steps, leastDeviations: 256)
        #expect(found.status == CVISION_OK && (found.whole + found.detail).allSatisfy { $0 == 0 })
    }

    /// Samples beyond the picture, and places that are no numbers, are refused, whichever of the places has them.
    @Test(arguments: [
        Vector2(-0.1, 10), Vector2(10, -0.1), Vector2(52.1, 10), Vector2(10, 44.1), Vector2(.nan, 10),
        Vector2(10, .infinity),
    ])
    func samplesBeyondThePictureAreRefused(start: Vector2) {
        var random = TestRandom()
        let (pixels, pattern) = (Self.pixels(&random), CVisionPattern())
        let steps = CVisionSteps(x_by_column: 1, y_by_column: 0, x_by_row: 0, y_by_row: 1)
        for place in 0..<Self.places {
            var starts = [Vector2](repeating: Vector2(10, 10), count: Self.places)
            #expect(Self.correlations(pattern, in: pixels, from: starts, steps).status == CVISION_OK)
            starts[place] = start
            #expect(Self.correlations(pattern, in: pixels, from: starts, steps).status == CVISION_INVALID_ARGUMENT)
        }
    }

    @Test(arguments: [\CVisionSteps.x_by_column, \.y_by_column, \.x_by_row, \.y_by_row], [Float.nan, .infinity, 100])
    func stepsBeyondThePictureAreRefused(axis: WritableKeyPath<CVisionSteps, Float> & Sendable, step: Float) {
        var random = TestRandom()
        let pattern = CVisionPattern()
        var steps = CVisionSteps(x_by_column: 1, y_by_column: 0, x_by_row: 0, y_by_row: 1)
        steps[keyPath: axis] = step
        let starts = [Vector2](repeating: Vector2(10, 10), count: Self.places)
        let found = Self.correlations(pattern, in: Self.pixels(&random), from: starts, steps)
        #expect(found.status == CVISION_INVALID_ARGUMENT)
    }
}
