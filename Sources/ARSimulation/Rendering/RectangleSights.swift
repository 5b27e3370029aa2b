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

/// All rectangles as the camera sees them in a row, and how much light they reflect towards it, each computed when it is
/// first looked at. One thread's own.
final class RectangleSights {
    /// By object number, valid where ``see(_:from:)`` was called for the row's pose.
    private let sights: UnsafeMutablePointer<RectangleSight>
    private let shares: UnsafeMutablePointer<CRaycastShares>
    private let nearnesses: UnsafeMutablePointer<Vector3>
    /// For which poses they are valid, by number; zero for none.
    private let poses: UnsafeMutablePointer<Int64>
    /// The rectangles that are about to be computed for their pose.
    private let awaited: UnsafeMutablePointer<Int32>
    private var awaitedCount = 0
    private let surfaces: SurfaceTable
    /// The light of the current shot, whose rows' poses have numbers of their own.
    var illumination: Illumination
    /// The row for which the façade asks.
    private var view: RowView?

    /// The sights of that many surfaces.
    init(_ surfaces: SurfaceTable, count: Int, illumination: Illumination) {
        self.surfaces = surfaces
        self.illumination = illumination
        sights = .allocate(capacity: max(count, 1))
        sights.initialize(repeating: RectangleSight(), count: max(count, 1))
        shares = .allocate(capacity: max(count, 1))
        shares.initialize(repeating: CRaycastShares(), count: max(count, 1))
        nearnesses = .allocate(capacity: max(count, 1))
        nearnesses.initialize(repeating: .zero, count: max(count, 1))
        awaited = .allocate(capacity: max(count, 1))
        poses = .allocate(capacity: max(count, 1))
        for object in 0..<count {
            let isRectangle = if case .rectangle = surfaces[Int32(object)] { true } else { false }
            (poses + object).initialize(to: isRectangle ? 0 : Int64(CRAYCAST_NO_RECTANGLE))
        }
    }

    deinit {
        sights.deallocate()
        shares.deallocate()
        nearnesses.deallocate()
        poses.deallocate()
        awaited.deallocate()
    }

    /// The same as the façade takes it.
    var facade: UnsafePointer<CRaycastRectangle> {
        UnsafeRawPointer(sights).assumingMemoryBound(to: CRaycastRectangle.self)
    }

    /// The rectangles for a row's camera, which the façade asks for as it needs them; valid until the next row's.
    func facade(for view: RowView) -> CRaycastSights {
        self.view = view
        return CRaycastSights(
            rectangles: facade, shares: shares, poses: poses, pose: Int64(view.poseNumber),
            see: { owner, object in
                guard let owner else { preconditionFailure("sights have an owner") }
                let sights = Unmanaged<RectangleSights>.fromOpaque(owner).takeUnretainedValue()
                guard let view = sights.view else { preconditionFailure("somebody looks from nowhere") }
                sights.see(object, from: view)
            }, owner: Unmanaged.passUnretained(self).toOpaque())
    }

    /// Makes sure that a rectangle is as it is seen by a row's camera.
    @inline(__always) func see(_ object: Int32, from view: RowView) {
        let pose = poses[Int(object)]
        guard pose != Int64(view.poseNumber), pose != Int64(CRAYCAST_NO_RECTANGLE) else { return }
        poses[Int(object)] = Int64(view.poseNumber)
        compute(object, from: view)
    }

    /// Makes sure of that for many rectangles, the lists of which a function hands over one after the other: memory is asked
    /// for all that are to be computed before the first of them is.
    @inline(__always) func see(from view: RowView, _ forEachList: ((UnsafeBufferPointer<Int32>) -> Void) -> Void) {
        forEachList { list in
            for object in list where poses[Int(object)] != Int64(view.poseNumber) {
                poses[Int(object)] = Int64(view.poseNumber)
                awaited[awaitedCount] = object
                awaitedCount += 1
                craycast_fetch(surfaces.rectangles + Int(object), MemoryLayout<RectangleRecord>.size)
                craycast_fetch(sights + Int(object), MemoryLayout<RectangleSight>.size)
            }
        }
        for index in 0..<awaitedCount { compute(awaited[index], from: view) }
        awaitedCount = 0
    }

    private func compute(_ object: Int32, from view: RowView) {
        let rectangle = surfaces.rectangles + Int(object)
        let nearness = rectangle.pointee.nearness(from: view.origin)
        nearnesses[Int(object)] = view.axes.transpose * nearness
        sights[Int(object)] = rectangle.pointee.sight(from: view, nearness: nearness)
        let reflected = illumination.shares(normal: rectangle.pointee.normal(towards: view.origin), translucency: 0)
        shares[Int(object)] = CRaycastShares(sky: reflected.sky, sun: reflected.sun)
    }

    /// One over the distance of a rectangle's plane along a direction in the axes of a row's camera, as a linear function of
    /// it, in double precision.
    func nearness(of object: Int32, from view: RowView) -> Vector3 {
        see(object, from: view)
        return nearnesses[Int(object)]
    }
}
