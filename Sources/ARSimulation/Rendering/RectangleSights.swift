// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// A rectangle as a camera sees it: three linear functions of a direction `d` in the camera's axes, as in
/// `CRaycastRectangle`, of which this is the memory's layout.
struct RectangleSight {
    /// With ``along``, divided by ``nearness``: the place that is seen, −1…1 from one side to the other.
    var across = SIMD4<Float>()
    var along = SIMD4<Float>()
    /// One over the plane's distance along `d`.
    var nearness = SIMD4<Float>()
}

/// All rectangles as the camera sees them in a row, each computed when it is first looked at. One thread's own.
final class RectangleSights {
    /// By object number, valid where ``see(_:from:)`` was called for the row's pose.
    let sights: UnsafeMutablePointer<RectangleSight>
    private let poses: UnsafeMutablePointer<Int>
    private let surfaces: SurfaceTable

    /// The sights of that many surfaces.
    init(_ surfaces: SurfaceTable, count: Int) {
        self.surfaces = surfaces
        sights = .allocate(capacity: max(count, 1))
        sights.initialize(repeating: RectangleSight(), count: max(count, 1))
        poses = .allocate(capacity: max(count, 1))
        poses.initialize(repeating: -1, count: max(count, 1))
    }

    deinit {
        sights.deallocate()
        poses.deallocate()
    }

    /// The same as the façade takes it.
    var facade: UnsafePointer<CRaycastRectangle> {
        UnsafeRawPointer(sights).assumingMemoryBound(to: CRaycastRectangle.self)
    }

    /// Makes sure that a rectangle is as it is seen by a row's camera.
    @inline(__always) func see(_ object: Int32, from view: RowView) {
        guard poses[Int(object)] != view.poseNumber, case .rectangle(let rectangle) = surfaces[object] else { return }
        poses[Int(object)] = view.poseNumber
        sights[Int(object)] = rectangle.pointee.sight(from: view)
    }
}
