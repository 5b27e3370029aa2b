// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// What a face looks like from the front, to know it again.
struct FaceAppearance: Hashable, Sendable {
    /// Samples along a side.
    private static let side = 24
    /// The least cosine between the surface's normal and the line of sight of what is compared.
    private static let leastFacing = 0.35

    /// Light on a grid over the frontal view, and how squarely each place faced the camera.
    private var light: [Float]
    private var facing: [Float]

    /// The face of a head in that pose; `nil` beside the picture.
    init?(of pose: HeadPose, in image: ImageBuffer) {
        guard let patch = FacePatch(around: pose.center, side: pose.side, in: image) else { return nil }
        let view = patch.frontalView(of: pose)
        let matrix = pose.cameraFromHead.matrix
        let step = FacePatch.faceSide / Double(Self.side)
        let middle = Double(FacePatch.viewSide - 1) / 2
        light = []
        facing = []
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                let x = (Double(column) + 0.5) / Double(Self.side) - 0.5
                let y = 0.5 - (Double(row) + 0.5) / Double(Self.side)
                let place = Vector3(x, y, HeadModel.depth(x: x, y: y))
                let normal = (place / HeadModel.radii / HeadModel.radii).normalized() ?? Vector3(0, 0, 1)
                facing.append(Float((matrix * normal).z))
                // The mean over a cell of the view.
                let (left, top) = (
                    middle + (x * FacePatch.faceSide - step / 2), middle - (y * FacePatch.faceSide + step / 2)
                )
                var sum: Float = 0
                for v in 0..<2 {
                    for u in 0..<2 { sum += Float(view.bytes[(Int(top) + v) * FacePatch.viewSide + Int(left) + u]) }
                }
                light.append(sum / 4)
            }
        }
    }

    /// How alike two looks are where both face the camera: the correlation coefficient, −1 … 1; zero where they share too
    /// little.
    func correlation(with other: FaceAppearance) -> Double {
        var (n, a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for i in light.indices {
            guard facing[i] > Float(Self.leastFacing), other.facing[i] > Float(Self.leastFacing) else { continue }
            let (p, q) = (Double(light[i]), Double(other.light[i]))
            n += 1
            a += p
            b += q
            aa += p * p
            bb += q * q
            ab += p * q
        }
        guard n > 100 else { return 0 }
        let spread = ((aa - a * a / n) * (bb - b * b / n)).squareRoot()
        return spread > n ? (ab - a * b / n) / spread : 0
    }

    /// Takes in a newer look, where it shows the face more squarely or at least as well.
    mutating func blend(_ newer: FaceAppearance, weight: Float) {
        for i in light.indices where newer.facing[i] > Float(Self.leastFacing) {
            let share = facing[i] > Float(Self.leastFacing) ? weight : 1
            light[i] += share * (newer.light[i] - light[i])
            facing[i] = max(facing[i], newer.facing[i])
        }
    }
}
