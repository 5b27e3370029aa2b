// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision

extension RectangleView {
    /// Where a code's corners are on the rectangle, whose own are those of the unit square: the rectangle's outline in the
    /// picture tells it, whatever the camera's pose. `nil` for mirrored codes.
    func corners(of code: DetectedCode) -> [Vector2]? {
        // Without the lens's distortion, straight lines stay straight.
        func straightened(_ quad: PixelQuad) -> PixelQuad? {
            let directions = quad.corners.compactMap { camera.unproject($0) }.filter { $0.z > 0 }
            guard directions.count == 4 else { return nil }
            return PixelQuad(corners: directions.map { PixelPoint($0.x / $0.z, $0.y / $0.z) })
        }
        guard !code.isMirrored, let outline = straightened(quad), let inner = straightened(code.quad) else {
            return nil
        }
        let unitFromPicture = outline.pixelFromUnitSquare?.inverse
        return unitFromPicture?.image(of: inner)?.corners.map(\.vector)
    }
}

extension WorldRectangle {
    /// What lies on a rectangle with its corners at those places of the unit square, in the axes of that rectangle.
    init?(_ places: [Vector2], onRectangleOf size: RectangleSize) {
        let corners = places.map { Point3(($0.x - 0.5) * size.width, 0, ($0.y - 0.5) * size.height) }
        self.init(corners: corners, normal: Vector3(0, 1, 0), errors: .none)
    }
}
