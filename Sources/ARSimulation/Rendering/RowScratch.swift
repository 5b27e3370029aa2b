// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// Room for the rays of a thread's work, used again for each row.
final class RowScratch {
    static let rayCapacity = 2048
    /// Rays of one row, one a pixel.
    let rowRays: RayBatch
    /// Rays of a few pixels at an edge or in half-shadow.
    let rays = RayBatch(capacity: rayCapacity, near: 0)
    let hits = HitBatch(capacity: rayCapacity)
    /// 1 for each ray that meets nothing.
    let seen = UnsafeMutablePointer<UInt8>.allocate(capacity: rayCapacity)
    /// 1 for each sample of pixels at edges that sees its place on the sun.
    let edgeSeen = UnsafeMutablePointer<UInt8>.allocate(capacity: rayCapacity)
    /// The samples whose rays wait in ``rays``.
    let waiting = UnsafeMutablePointer<Int>.allocate(capacity: rayCapacity)
    /// What the pixels of a row cover of a texture, and its mean light there.
    let footprints: UnsafeMutablePointer<CRaycastFootprint>
    let albedos: UnsafeMutablePointer<SIMD4<Float>>
    var probed: [ProbedBlock] = []
    var sunlight: [BlockSunlight] = []
    var edges: [Int] = []
    var halfShadows: [HalfShadow] = []
    private var views: [(object: Int32, view: RectangleView)] = []

    init(width: Int) {
        rowRays = RayBatch(capacity: width, near: 0)
        footprints = .allocate(capacity: width)
        footprints.initialize(repeating: CRaycastFootprint(), count: width)
        albedos = .allocate(capacity: width)
        albedos.initialize(repeating: .zero, count: width)
        seen.initialize(repeating: 0, count: Self.rayCapacity)
        edgeSeen.initialize(repeating: 0, count: Self.rayCapacity)
        waiting.initialize(repeating: 0, count: Self.rayCapacity)
    }

    /// Forgets what belongs to the last row.
    func beginRow() {
        edges.removeAll(keepingCapacity: true)
        halfShadows.removeAll(keepingCapacity: true)
        views.removeAll(keepingCapacity: true)
    }

    /// A rectangle as the row sees it, made once for each of the last few rectangles.
    func view(of rectangle: RectangleRecord, _ object: Int32, from worldFromCamera: RigidTransform) -> RectangleView {
        if let known = views.first(where: { $0.object == object }) { return known.view }
        let view = RectangleView(rectangle, from: worldFromCamera)
        if views.count == 8 { views.removeFirst() }
        views.append((object, view))
        return view
    }

    deinit {
        hits.deallocate()
        seen.deallocate()
        footprints.deallocate()
        albedos.deallocate()
        edgeSeen.deallocate()
        waiting.deallocate()
    }
}
