// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension SurfaceMesh {
    /// So many points spread evenly over the mesh, those of one triangle by a sequence of low discrepancy.
    ///
    /// - Reference: Roberts 2018, "The unreasonable effectiveness of quasirandom sequences": R₂, folded into the triangle.
    ///   Law: `SurfaceMeshTests.samplesAreSpreadByArea`.
    func samples(count: Int) -> [SurfaceSample] {
        var areaBefore = [0.0]
        for triangle in triangles {
            let (a, b, c) = corners(of: triangle, in: positions)
            areaBefore.append(areaBefore[areaBefore.count - 1] + (b - a).cross(c - a).length / 2)
        }
        let total = areaBefore[areaBefore.count - 1]
        guard total > 0 else { return [] }
        var index = 0
        return (0..<count).map { number in
            let place = total * (Double(number) + 0.5) / Double(count)
            while index < triangles.count - 1, areaBefore[index + 1] < place { index += 1 }
            return sample(of: triangles[index], number: number, area: total / Double(count))
        }
    }

    private func sample(of triangle: SIMD3<UInt32>, number: Int, area: Double) -> SurfaceSample {
        func fraction(_ x: Double) -> Double { x - x.rounded(.down) }
        var (u, v) = (
            fraction(0.5 + 0.7548776662466927 * Double(number)), fraction(0.5 + 0.5698402909980532 * Double(number))
        )
        if u + v > 1 { (u, v) = (1 - u, 1 - v) }
        func mixed(_ corners: (Vector3, Vector3, Vector3)) -> Vector3 {
            corners.0 * (1 - u - v) + corners.1 * u + corners.2 * v
        }
        let normals = corners(of: triangle, in: normals)
        return SurfaceSample(
            position: mixed(corners(of: triangle, in: positions)), normal: mixed(normals).normalized() ?? normals.0,
            area: area)
    }

    private func corners(of triangle: SIMD3<UInt32>, in values: [Vector3]) -> (Vector3, Vector3, Vector3) {
        (values[Int(triangle.x)], values[Int(triangle.y)], values[Int(triangle.z)])
    }
}
