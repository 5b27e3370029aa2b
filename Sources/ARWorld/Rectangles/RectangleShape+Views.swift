// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension RectangleShape {
    /// Whether a view shows its front.
    func facesCamera(of view: RectangleView) -> Bool {
        normal.dot(view.worldFromOptical.translation - worldFromRectangle.translation) > 0
    }

    /// The rectangle whose corners lie where views' rays come closest to each other; `nil` where the stands are too close
    /// together.
    init?(triangulating views: [RectangleView]) {
        guard views.count >= 2 else { return nil }
        var corners: [Point3] = []
        for corner in 0..<4 {
            var (system, right, widest) = (Matrix3x3.zero, Vector3.zero, 0.0)
            var first: Vector3?
            for view in views {
                guard
                    let direction = view.camera.unproject(view.quad.corners[corner]).flatMap({
                        (view.worldFromOptical.rotation * $0).normalized()
                    })
                else { return nil }
                let across = .identity - Matrix3x3.outerProduct(direction, direction)
                system = system + across
                right += across * view.worldFromOptical.translation
                widest = max(widest, direction.cross(first ?? direction).length)
                first = first ?? direction
            }
            // Rays that part by less than 1° leave the distance open by more than a tenth of it.
            guard widest > 0.017, let point = system.inverse.map({ $0 * right }) else { return nil }
            corners.append(point)
        }
        guard let normal = (corners[3] - corners[1]).cross(corners[2] - corners[0]).normalized(),
            let measured = WorldRectangle(corners: corners, normal: normal, errors: .none)
        else { return nil }
        self.init(worldFromRectangle: measured.worldFromRectangle, size: measured.size)
    }
}
