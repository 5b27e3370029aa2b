// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct WavingClothTests {
    private func cloth(_ name: String = "flag", seed: UInt64 = 1) -> WavingCloth {
        var flag = Scene.Flag()
        flag.name = name
        return WavingCloth(flag, seed: seed)
    }

    /// The normals are those of the numeric tangents.
    @Test(arguments: 0..<50) func normalsAreThoseOfTheSurface(number: Int) throws {
        var random = TestRandom(case: number)
        let sheet = cloth(seed: UInt64(number)).sheet(at: random.uniform(0...20))
        let (s, z) = (random.uniform(0.01...0.9), random.uniform(-0.3...0.3))
        let step = 1e-6
        func difference(_ ds: Double, _ dz: Double) -> Vector3 {
            (sheet.vertex(s: s + ds, z: z + dz).position - sheet.vertex(s: s - ds, z: z - dz).position) / (2 * step)
        }
        let normal = try #require(difference(0, step).cross(difference(step, 0)).normalized())
        // Central differences of lengths of one metre have errors of about 1e-16 / 1e-6.
        expectClose(sheet.vertex(s: s, z: z).normal, normal, tolerance: 1e-8)
    }

    @Test func thePoleHoldsTheCloth() {
        let cloth = cloth()
        for step in 0..<50 {
            let sheet = cloth.sheet(at: 0.1 * Double(step))
            expectClose(sheet.vertex(s: 0, z: 0.2).position, Point3(0, 0, 0.2), tolerance: 1e-15)
        }
    }

    /// Lines along the cloth keep their length while it waves; its free end moves to and fro.
    @Test func theClothDoesNotStretch() {
        let cloth = cloth()
        var ends: [Double] = []
        for step in 0..<40 {
            let sheet = cloth.sheet(at: 0.13 * Double(step))
            let points = (0...300).map { sheet.vertex(s: cloth.size.x * Double($0) / 300, z: 0).position }
            let length = zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
            expectClose(length, cloth.size.x, tolerance: 0.05 * cloth.size.x)
            ends.append(points[300].y)
        }
        #expect((ends.max() ?? 0) > 0.03 && (ends.min() ?? 0) < -0.03)
    }

    /// From one hundredth of a second to the next no point jumps.
    @Test func theClothMovesSmoothly() {
        let cloth = cloth()
        var previous = cloth.mesh(at: 0)
        for step in 1..<100 {
            let next = cloth.mesh(at: 0.01 * Double(step))
            for (a, b) in zip(previous.positions, next.positions) { #expect((a - b).length < 0.03) }
            previous = next
        }
    }

    @Test func seedsAndNamesMakeTheWind() {
        let end = cloth().sheet(at: 1).vertex(s: 0.9, z: 0).position
        #expect(cloth().sheet(at: 1).vertex(s: 0.9, z: 0).position == end)
        #expect(cloth(seed: 2).sheet(at: 1).vertex(s: 0.9, z: 0).position != end)
        #expect(cloth("other").sheet(at: 1).vertex(s: 0.9, z: 0).position != end)
    }
}
