// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct SurfaceNetTests {
    /// Two bones that blend, cut off at z = 0.3.
    private static func shape(_ random: inout TestRandom) -> SignedDistance {
        func bone() -> SignedDistance {
            .bone(
                .init(
                    start: random.vector3(-0.3...0.3), end: random.vector3(-0.3...0.3),
                    startRadius: random.uniform(0.15...0.3), endRadius: random.uniform(0.15...0.3)))
        }
        return .cut(
            .union([bone(), .union([bone(), bone()], blend: 0.1)], blend: 0.05), normal: Vector3(0, 0, 1), offset: 0.3,
            rounding: 0.04)
    }

    @Test(arguments: 0..<10) func gradients(number: Int) {
        var random = TestRandom(case: number)
        let shape = Self.shape(&random)
        var worst: [Double] = []
        for _ in 0..<200 {
            let point = random.vector3(-0.8...0.8)
            let (distance, gradient) = shape.withGradient(at: point)
            #expect(abs(distance - shape(point)) < 1e-12)
            let step = 1e-6
            let numeric = [Vector3(step, 0, 0), Vector3(0, step, 0), Vector3(0, 0, step)].map {
                (shape(point + $0) - shape(point - $0)) / (2 * step)
            }
            worst.append((gradient - Vector3(numeric[0], numeric[1], numeric[2])).length)
        }
        // At a few points a step crosses the border of a blend, where the second derivative jumps.
        #expect(worst.sorted()[195] < 1e-5)
    }

    /// Every vertex lies on the surface, every edge has two triangles, and the volume is positive: normals point out.
    @Test(arguments: 0..<3) func netsAreClosedAndOnTheSurface(number: Int) {
        var random = TestRandom(case: number)
        let shape = Self.shape(&random)
        let cell = 0.02
        let net = SurfaceNet(
            of: shape, from: Point3(-0.8, -0.8, -0.8), to: Point3(0.8, 0.8, 0.8), cell: cell)
        #expect(net.positions.count > 500)
        // A hundredth of a cell, except where the cut's rim is sharper than the cells.
        let distances = net.positions.map { abs(shape($0)) }.sorted()
        #expect(distances[distances.count * 98 / 100] < cell / 100)
        #expect(net.normals.allSatisfy { abs($0.length - 1) < 1e-9 })
        var edges: [SIMD2<UInt32>: Int] = [:]
        var volume = 0.0
        for triangle in net.triangles {
            let (a, b, c) = (triangle.x, triangle.y, triangle.z)
            for edge in [SIMD2(a, b), SIMD2(b, c), SIMD2(c, a)] { edges[edge, default: 0] += 1 }
            volume += net.positions[Int(a)].dot(net.positions[Int(b)].cross(net.positions[Int(c)])) / 6
        }
        #expect(edges.allSatisfy { edges[SIMD2($0.key.y, $0.key.x)] == $0.value })
        #expect(volume > 0.01)
    }
}
