// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision
import Foundation

extension PatchBox {
    /// The upright box around what a picture shows of a quadrilateral, without the corners, where it shows what is
    /// around.
    init(around quad: PixelQuad, within size: ImageSize) {
        func visible(_ values: [Double], _ limit: Int) -> (middle: Double, length: Double) {
            let (low, high) = (max(values.min() ?? 0, 0), min(values.max() ?? 0, Double(limit - 1)))
            return ((low + high) / 2, max(0.85 * (high - low), 0))
        }
        let across = visible(quad.corners.map(\.x), size.width)
        let down = visible(quad.corners.map(\.y), size.height)
        self.init(center: PixelPoint(across.middle, down.middle), width: across.length, height: down.length)
    }

    /// Whether the box still is about where a quadrilateral is, and as large.
    func isLike(_ quad: PixelQuad) -> Bool {
        guard let middle = quad.center else { return false }
        let size = (width * height).squareRoot()
        let ratio = abs(quad.signedArea).squareRoot() / size
        return center.distance(to: middle) < 0.3 * size && (0.6...2).contains(ratio)
    }

    /// What carries another box to this one: a shift, turn and growth of the picture.
    func pixelFromPixel(of other: PatchBox) -> Matrix3x3 {
        let scale = width / other.width
        let turn = rotation - other.rotation
        let (cosine, sine) = (scale * cos(turn), scale * sin(turn))
        let (from, to) = (other.center.vector, center.vector)
        return Matrix3x3(
            rows: Vector3(cosine, -sine, to.x - cosine * from.x + sine * from.y),
            Vector3(sine, cosine, to.y - sine * from.x - cosine * from.y), Vector3(0, 0, 1))
    }
}
