// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

/// From where a patch was taken: as the camera turns and moves, the surroundings move across the lens, and are turned, sheared and
/// curved.
///
/// An affine warp takes a patch along to first order. What is left is of second order, alike for all points that pass through
/// the same part of the picture in the same way, and moves the places at which they fit by hundredths of a pixel: enough to spoil
/// the focal length, and with it each turn, by a thousandth. So it is computed: from the turn and the lens, which are known, and
/// from the plane of which the patch is taken for a piece. Pixels u around the middle, whose directions are d(u), of depth one
/// when the patch was taken, are seen in the directions
///
///     R d(u) + τ (1 + γ · (d(u) − d(0))),
///
/// with γ the slope of the plane's inverse depth, or g = d′ᵀ γ in pixels, and τ the camera's way, both as shares of the middle's depth. The middle is seen
/// in the direction c, so that τ = λ c − R d(0), where λ is how much farther it is than it was. With P the derivative of the
/// lens's pixels at c, the warp W obeys λ W = P R d′ − P R d(0) gᵀ: four linear equations for λ and g.
///
/// Laws: `PatchOriginTests`.
struct PatchOrigin: Sendable {
    /// How the patch is seen in the newest frame.
    private(set) var view = PatchView()
    /// The turn of the camera since the tracker's first frame when the patch was taken; `nil` where it is not known.
    private var opticalFromFirstOptical: Rotation?
    /// The directions, at that time, of the patch's middle and of six pixels around it, of depth one. The middle comes twice.
    private var (x, y, z) = (SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero)
    /// How far from the middle those pixels are, along columns and rows.
    private let step: Double
    /// The newest look at it; `nil` where it could not be turned on.
    private var sight: Sight?

    /// The origin of a patch that is taken around a pixel.
    init(_ pixel: PixelPoint, onLevel level: Int, camera: Camera, opticalFromFirstOptical: Rotation) {
        // Nearly to the patch's edge.
        step = 8 * FeatureTracker.pixels(ofLevel: level)
        for index in x.indices {
            let (column, row) = (Self.columns[index], Self.rows[index])
            guard let direction = camera.unproject(PixelPoint(pixel.x + step * column, pixel.y + step * row)),
                direction.z > 0.05 * direction.length
            else { return }
            (x[index], y[index], z[index]) = (direction.x / direction.z, direction.y / direction.z, 1)
        }
        self.opticalFromFirstOptical = opticalFromFirstOptical
    }

    /// Where the pixels are, in steps from the middle.
    private static let columns = SIMD8<Double>(0, -1, 1, 0, 0, -1, 1, 0)
    private static let rows = SIMD8<Double>(0, 0, 0, -1, 1, -1, 1, 0)

    /// From now on nothing is known of the turn since.
    mutating func forgetTurn() { opticalFromFirstOptical = nil }

    /// Looks at the patch where it is seen after the camera has turned on, before it is known how it is warped: it is not curved.
    /// Where the turn is not known, or the patch is seen from its edge, it is not turned on.
    mutating func look(_ camera: Camera, at pixel: PixelPoint, opticalFromFirstOptical now: Rotation) {
        sight = sight(camera, at: pixel, opticalFromFirstOptical: now)
        view.curvature = CVisionCurvature()
        guard let sight else { return }
        (view.acrossColumns, view.acrossRows) = (sight.acrossColumns, sight.acrossRows)
    }

    /// Curves the patch as the plane is that has such a warp where the camera looks at it.
    mutating func curve(_ camera: Camera, as warp: CVisionWarp) {
        view.curvature = CVisionCurvature()
        guard let sight, let plane = sight.plane(as: warp) else { return }
        let way = plane.depth * sight.direction - sight.turned
        // The inverse depth is linear in the directions of depth one: its slope there.
        let (byU, byV) = (
            Vector2(x[2] - x[1], y[2] - y[1]) / (2 * step), Vector2(x[4] - x[3], y[4] - y[3]) / (2 * step)
        )
        let determinant = byU.x * byV.y - byU.y * byV.x
        guard abs(determinant) > 0 else { return }
        let slope =
            Vector2(
                byV.y * plane.slope.x - byU.y * plane.slope.y, byU.x * plane.slope.y - byV.x * plane.slope.x)
            / determinant
        let (alongX, alongY): (SIMD8<Double>, SIMD8<Double>) = (slope.x * (x - x[0]), slope.y * (y - y[0]))
        let shares: SIMD8<Double> = 1 + alongX + alongY
        var (columns, rows) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
        for index in x.indices {
            let place = sight.turn * Vector3(x[index], y[index], z[index]) + shares[index] * way
            guard let pixel = camera.project(place) else { return }
            (columns[index], rows[index]) = (pixel.x, pixel.y)
        }
        view.curvature =
            PatchView.curvature(SecondOrder(columns, step: step), SecondOrder(rows, step: step)) ?? CVisionCurvature()
    }

    /// The patch where it is seen, as far as that depends on the turn; `nil` where that is not known, or where the patch is seen
    /// from its edge, or mirrored.
    private func sight(_ camera: Camera, at pixel: PixelPoint, opticalFromFirstOptical now: Rotation) -> Sight? {
        guard let opticalFromFirstOptical else { return nil }
        let turn = (now * opticalFromFirstOptical.inverse).matrix
        let middle = Vector3(x[0], y[0], z[0])
        guard let direction = camera.unproject(pixel)?.normalized(),
            let lens = camera.projectWithJacobians(middle.length * direction)?.pixelByPoint
        else { return nil }
        func across(_ before: Int, _ after: Int) -> Vector2 {
            let way = Vector3(x[after] - x[before], y[after] - y[before], z[after] - z[before])
            return lens * (turn * way) / (2 * step)
        }
        let sight = Sight(
            turn: turn, direction: middle.length * direction, turned: turn * middle, shift: lens * (turn * middle),
            acrossColumns: across(1, 2), acrossRows: across(3, 4))
        return sight.acrossColumns.x * sight.acrossRows.y - sight.acrossColumns.y * sight.acrossRows.x > 0.1
            ? sight : nil
    }

    /// A patch where it is seen.
    private struct Sight {
        /// R of the patch's first axes.
        let turn: Matrix3x3
        /// The direction c in which the middle is seen, and the one in which the turn alone would show it, both as long as when
        /// the patch was taken.
        let direction, turned: Vector3
        /// P R d(0), and the columns of P R d′.
        let shift, acrossColumns, acrossRows: Vector2

        /// How much farther the middle is, λ, and the slope g of the inverse depth, by least squares. Where the way shifts the
        /// middle hardly, the warp tells nothing of the slope, which is little then.
        func plane(as warp: CVisionWarp) -> (depth: Double, slope: Vector2)? {
            let columns = Vector2(Double(warp.xx), Double(warp.yx)), rows = Vector2(Double(warp.xy), Double(warp.yy))
            let weight = 1 / (shift.squaredLength + Self.leastShiftPixels * Self.leastShiftPixels)
            /// What is left of it when the slope has taken what it can.
            func left(_ vector: Vector2) -> Vector2 { vector - weight * shift.dot(vector) * shift }
            let depth =
                (left(acrossColumns).dot(columns) + left(acrossRows).dot(rows))
                / (left(columns).dot(columns) + left(rows).dot(rows))
            guard (0.2...5).contains(depth) else { return nil }
            let slope =
                weight
                * Vector2(shift.dot(acrossColumns - depth * columns), shift.dot(acrossRows - depth * rows))
            return (depth, slope)
        }

        /// Warps err by a hundredth, and inverse depths grow by less than four thousandths a pixel, about: of a shift by fewer
        /// pixels than their ratio a warp tells less of the slope than is known beforehand.
        private static let leastShiftPixels = 2.5
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

/// How a patch is seen from elsewhere: what a turn makes of it where it is seen, and what an affine warp leaves.
struct PatchView: Sendable {
    /// Where a pixel to the right, and one down, go by the turn alone.
    fileprivate(set) var (acrossColumns, acrossRows) = (Vector2(1, 0), Vector2(0, 1))
    /// What the affine warp leaves, before it.
    fileprivate(set) var curvature = CVisionCurvature()

    /// What takes pixels of the patch to where they are seen, curved first, then warped; `nil` where the patch is seen from its
    /// edge, or mirrored.
    fileprivate static func curvature(_ x: PatchOrigin.SecondOrder, _ y: PatchOrigin.SecondOrder) -> CVisionCurvature? {
        let determinant = x.u * y.v - x.v * y.u
        guard determinant > 0.1 else { return nil }
        func uncurved(_ x2: Double, _ y2: Double) -> (Float, Float) {
            (Float((y.v * x2 - x.v * y2) / determinant), Float((x.u * y2 - y.u * x2) / determinant))
        }
        var curvature = CVisionCurvature()
        (curvature.xuu, curvature.yuu) = uncurved(x.uu, y.uu)
        (curvature.xuv, curvature.yuv) = uncurved(x.uv, y.uv)
        (curvature.xvv, curvature.yvv) = uncurved(x.vv, y.vv)
        return curvature
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
