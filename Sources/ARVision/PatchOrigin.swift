// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

/// From where a patch was taken: as the camera turns, the surroundings move across the lens, are turned, and are curved by it.
///
/// An affine warp takes a patch along to first order. What is left is of second order, alike for all points that pass through
/// the same part of the picture, and moves the places at which they fit by hundredths of a pixel: enough to spoil the focal
/// length, and with it each turn, by a thousandth. The turn and the lens are known, so it is computed. What the camera's way
/// curves, besides, depends on what is seen, and is smaller.
///
/// Laws: `PatchOriginTests`.
struct PatchOrigin: Sendable {
    /// How the patch is seen in the newest frame, as far as that depends on the turn.
    private(set) var view = PatchView()
    /// The turn of the camera since the tracker's first frame when the patch was taken; `nil` where it is not known.
    private var opticalFromFirstOptical: Rotation?
    /// The directions, at that time, of the patch's middle and of six pixels around it. The middle comes twice.
    private var (x, y, z) = (SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero)
    /// How far from the middle those pixels are, along columns and rows.
    private let step: Double

    /// The origin of a patch that is taken around a pixel.
    init(_ pixel: PixelPoint, onLevel level: Int, camera: Camera, opticalFromFirstOptical: Rotation) {
        // Nearly to the patch's edge.
        step = 8 * FeatureTracker.pixels(ofLevel: level)
        for index in x.indices {
            let (column, row) = (Self.columns[index], Self.rows[index])
            guard let direction = camera.unproject(PixelPoint(pixel.x + step * column, pixel.y + step * row)) else {
                return
            }
            (x[index], y[index], z[index]) = (direction.x, direction.y, direction.z)
        }
        self.opticalFromFirstOptical = opticalFromFirstOptical
    }

    /// Where the pixels are, in steps from the middle.
    private static let columns = SIMD8<Double>(0, -1, 1, 0, 0, -1, 1, 0)
    private static let rows = SIMD8<Double>(0, 0, 0, -1, 1, -1, 1, 0)

    /// From now on nothing is known of the turn since.
    mutating func forgetTurn() { opticalFromFirstOptical = nil }

    /// Looks at the patch after the camera has turned on. Where the turn is not known, or leads out of what the lens sees,
    /// the patch is not turned on, and not curved.
    mutating func look(_ camera: Camera, opticalFromFirstOptical now: Rotation) {
        view.curvature = CVisionCurvature()
        guard let opticalFromFirstOptical else { return }
        let turn = (now * opticalFromFirstOptical.inverse).matrix
        var (columns, rows) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
        for index in x.indices {
            guard let pixel = camera.project(turn * Vector3(x[index], y[index], z[index])) else { return }
            (columns[index], rows[index]) = (pixel.x, pixel.y)
        }
        if let new = PatchView(x: SecondOrder(columns, step: step), y: SecondOrder(rows, step: step)) { view = new }
    }

    /// A coordinate of the pixels as a polynomial of the steps: what multiplies u, v, u², u v and v².
    fileprivate struct SecondOrder {
        let u, v, uu, uv, vv: Double

        init(_ values: SIMD8<Double>, step: Double) {
            let differences = (values - values[0]) / step
            u = (differences[2] - differences[1]) / 2
            v = (differences[4] - differences[3]) / 2
            uu = (differences[2] + differences[1]) / (2 * step)
            vv = (differences[4] + differences[3]) / (2 * step)
            uv = (differences[6] + differences[5]) / (2 * step) - uu - vv
        }
    }
}

/// How a camera that turns sees a patch: an affine warp, and the curvature before it.
struct PatchView: Sendable {
    /// Where a pixel to the right, and one down, go.
    var (acrossColumns, acrossRows) = (Vector2(1, 0), Vector2(0, 1))
    /// What the affine warp leaves.
    var curvature = CVisionCurvature()

    /// The patch as it was taken.
    init() {}

    /// What takes pixels of the patch to where they are seen; `nil` where the patch is seen from its edge, or mirrored.
    fileprivate init?(x: PatchOrigin.SecondOrder, y: PatchOrigin.SecondOrder) {
        let determinant = x.u * y.v - x.v * y.u
        guard determinant > 0.1 else { return nil }
        (acrossColumns, acrossRows) = (Vector2(x.u, y.u), Vector2(x.v, y.v))
        // The patch is curved first.
        func uncurved(_ x2: Double, _ y2: Double) -> (Float, Float) {
            (Float((y.v * x2 - x.v * y2) / determinant), Float((x.u * y2 - y.u * x2) / determinant))
        }
        (curvature.xuu, curvature.yuu) = uncurved(x.uu, y.uu)
        (curvature.xuv, curvature.yuv) = uncurved(x.uv, y.uv)
        (curvature.xvv, curvature.yvv) = uncurved(x.vv, y.vv)
    }
}

extension CVisionWarp {
    /// The warp of a patch whose view has become another one.
    func turned(from old: PatchView, to new: PatchView) -> CVisionWarp {
        let (u, v) = (old.acrossColumns, old.acrossRows)
        let determinant = u.x * v.y - u.y * v.x
        /// Where the turn takes what the old warp shows at a pixel to the right, or down.
        func turned(_ x: Float, _ y: Float) -> Vector2 {
            let (x, y) = (Double(x), Double(y))
            return ((v.y * x - v.x * y) * new.acrossColumns + (u.x * y - u.y * x) * new.acrossRows) / determinant
        }
        let (columns, rows) = (turned(xx, yx), turned(xy, yy))
        return CVisionWarp(
            x: x, y: y, xx: Float(columns.x), xy: Float(rows.x), yx: Float(columns.y), yy: Float(rows.y))
    }
}
