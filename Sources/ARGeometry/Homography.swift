// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension Matrix3x3 {
    /// A place's image under a homography that is scaled as those of ``PixelQuad/pixelFromUnitSquare`` are: what lies before
    /// the horizon has a positive third coordinate.
    ///
    /// `nil` on the horizon and beyond it, and where the image is farther than `limit` from the origin along an axis: a
    /// homography that is almost degenerate has images anywhere.
    public func image(of place: Vector2, within limit: Double = .infinity) -> Vector2? {
        let image = self * Vector3(place.x, place.y, 1)
        guard image.z > 1e-9 else { return nil }
        let point = Vector2(image.x, image.y) / image.z
        return abs(point.x) <= limit && abs(point.y) <= limit ? point : nil
    }

    /// The images of a quadrilateral's corners, as ``image(of:within:)`` has them; `nil` where one has none.
    public func image(of quad: PixelQuad, within limit: Double = .infinity) -> PixelQuad? {
        let corners = quad.corners.compactMap { image(of: $0.vector, within: limit).map { PixelPoint($0) } }
        return corners.count == 4 ? PixelQuad(corners: corners) : nil
    }
}
