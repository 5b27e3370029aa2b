// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// Triangle meshes that rays are cast against: the façade's scene with a Swift owner.
///
/// Adding and placing need the raycaster for themselves; casting may happen on many threads at once.
final class Raycaster: @unchecked Sendable {
    private let scene: OpaquePointer

    /// A raycaster without meshes.
    ///
    /// The façade fails only when memory runs out or the ray casting library is unusable: both stop the program.
    init() {
        var scene: OpaquePointer?
        Self.check(craycast_create(&scene))
        guard let scene else { preconditionFailure("the ray caster made no scene") }
        self.scene = scene
    }

    deinit { craycast_destroy(scene) }

    /// Adds a mesh for good and gives its number, counted from zero.
    func addStatic(_ mesh: RaycastMesh) -> Int32 { mesh.withFacade { craycast_add_static(scene, $0, $1) } }

    /// Adds a rectangle for good, which rays past `CRAYCAST_MESHES` do not meet, and gives its number likewise.
    func addRectangle(_ mesh: RaycastMesh) -> Int32 { mesh.withFacade { craycast_add_rectangle(scene, $0, $1) } }

    /// Adds a mesh that moves and gives its number, counted from zero.
    func addMoving(_ mesh: RaycastMesh) -> Int32 { mesh.withFacade { craycast_add_moving(scene, $0, $1) } }

    /// Moves a mesh.
    func place(_ object: Int32, at worldFromObject: RigidTransform) {
        Self.check(craycast_place(scene, object, worldFromObject.facadeNumbers, nil))
    }

    /// Lets a mesh move while rays are cast, each at its time.
    func place(_ object: Int32, along movement: Movement) {
        guard !movement.isRest else { return place(object, at: movement.worldFromObject) }
        Self.check(
            craycast_place(
                scene, object, movement.worldFromObject.facadeNumbers, movement.worldFromObjectAtLastRow.facadeNumbers))
    }

    /// Gives a moving mesh's vertices new places.
    func deform(_ object: Int32, _ deformation: Deformation) {
        let first = deformation.positions.flatMap { [$0.x, $0.y, $0.z] }
        let last = deformation.positionsAtLastRow.map { $0.flatMap { [$0.x, $0.y, $0.z] } }
        precondition(
            last.map { $0.count == first.count } ?? true,
            "a mesh of \(first.count / 3) vertices cannot end with \((last?.count ?? 0) / 3)")
        Self.check(craycast_deform(scene, object, first, last, deformation.positions.count))
    }

    /// Prepares for rays: after the last change, before the first ray.
    func commit() { Self.check(craycast_commit(scene)) }

    /// The nearest hits of the first `count` rays on something of that subset.
    func intersect(_ rays: RayBatch, count: Int, with subset: CRaycastSubset = CRAYCAST_ALL, hits: HitBatch) {
        var (facadeRays, facadeHits) = (rays.facade, hits.facade)
        Self.check(craycast_intersect(scene, subset, &facadeRays, count, &facadeHits))
    }

    /// Whether something of that subset lies between the ends of each of the first `count` rays.
    ///
    /// At the very edge of a triangle, where single precision decides, the others of the first `count` rays may matter.
    func occluded(
        _ rays: RayBatch, count: Int, by subset: CRaycastSubset = CRAYCAST_ALL,
        into result: UnsafeMutablePointer<UInt8>
    ) {
        var facadeRays = rays.facade
        Self.check(craycast_occluded(scene, subset, &facadeRays, count, result))
    }

    /// Whether something lies on the way from one point to another, up to the last `margin` metres, at that fraction of
    /// what moves.
    func isBlocked(from start: Point3, to end: Point3, margin: Double, time: Float) -> Bool {
        let way = end - start
        let far = 1 - margin / way.length
        guard far > 0 else { return false }
        let rays = RayBatch(capacity: 1, near: 0)
        rays.set(0, origin: start, direction: way, far: Float(far), time: time)
        var result: UInt8 = 0
        occluded(rays, count: 1, into: &result)
        return result != 0
    }

    fileprivate static func check(_ status: CRaycastStatus) {
        precondition(status == CRAYCAST_OK, "ray casting failed with status \(status.rawValue)")
    }
}

extension RigidTransform {
    /// The columns of the rotation, then the translation.
    fileprivate var facadeNumbers: [Float] {
        let columns = rotation.matrix.columns
        return [columns.0, columns.1, columns.2, translation].flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
    }
}

/// A triangle mesh on its way to a raycaster.
struct RaycastMesh: Sendable {
    /// The vertices, in metres.
    var positions: [SIMD3<Float>]
    /// Three vertex indices a triangle.
    var triangles: [SIMD3<UInt32>]

    fileprivate func withFacade(
        _ body: (UnsafePointer<CRaycastMesh>, UnsafeMutablePointer<Int32>) -> CRaycastStatus
    ) -> Int32 {
        let coordinates = positions.flatMap { [$0.x, $0.y, $0.z] }
        let indices = triangles.flatMap { [$0.x, $0.y, $0.z] }
        var object: Int32 = 0
        coordinates.withUnsafeBufferPointer { coordinates in
            indices.withUnsafeBufferPointer { indices in
                var mesh = CRaycastMesh(
                    positions: coordinates.baseAddress, vertex_count: positions.count,
                    triangles: indices.baseAddress, triangle_count: triangles.count)
                Raycaster.check(body(&mesh, &object))
            }
        }
        return object
    }
}

/// Room for a batch of rays, one array a component.
final class RayBatch {
    let capacity: Int
    private let storage: UnsafeMutablePointer<Float>
    private let near: Float
    private static let components = 8

    /// Room for that many rays, which all begin at `near`.
    init(capacity: Int, near: Float) {
        self.capacity = capacity
        self.near = near
        storage = .allocate(capacity: Self.components * capacity)
        storage.initialize(repeating: 0, count: Self.components * capacity)
    }

    deinit { storage.deallocate() }

    /// Sets a ray; one whose end lies before its beginning is not traced.
    @inline(__always) func set(_ index: Int, origin: Point3, direction: Vector3, far: Float, time: Float = 0) {
        set(index, origin: origin, direction: SIMD4(direction, 0), far: far, time: time)
    }

    /// The same with a direction in single precision, of which the fourth number is ignored.
    @inline(__always) func set(_ index: Int, origin: Point3, direction: SIMD4<Float>, far: Float, time: Float) {
        storage[index] = Float(origin.x)
        storage[index + capacity] = Float(origin.y)
        storage[index + 2 * capacity] = Float(origin.z)
        storage[index + 3 * capacity] = direction.x
        storage[index + 4 * capacity] = direction.y
        storage[index + 5 * capacity] = direction.z
        storage[index + 6 * capacity] = far
        storage[index + 7 * capacity] = time
    }

    fileprivate var facade: CRaycastRays {
        CRaycastRays(
            origin_x: storage, origin_y: storage + capacity, origin_z: storage + 2 * capacity,
            direction_x: storage + 3 * capacity, direction_y: storage + 4 * capacity,
            direction_z: storage + 5 * capacity, far: storage + 6 * capacity, time: storage + 7 * capacity, near: near)
    }
}

/// What a ray met.
struct RayHit {
    var object: Int32
    var primitive: UInt32
    /// The weights of the triangle's second and third corners.
    var u: Float
    var v: Float
    /// The distance, as a multiple of the ray's direction.
    var depth: Float
}

/// Room for the hits of a batch of rays: which object, which triangle, where on it.
struct HitBatch {
    let object: UnsafeMutablePointer<Int32>
    let primitive: UnsafeMutablePointer<UInt32>
    let u: UnsafeMutablePointer<Float>
    let v: UnsafeMutablePointer<Float>
    let depth: UnsafeMutablePointer<Float>

    /// Room for that many hits, to be freed with ``deallocate()``.
    init(capacity: Int) {
        object = .allocate(capacity: capacity)
        primitive = .allocate(capacity: capacity)
        u = .allocate(capacity: capacity)
        v = .allocate(capacity: capacity)
        depth = .allocate(capacity: capacity)
        object.initialize(repeating: CRAYCAST_NOTHING, count: capacity)
    }

    private init(_ other: HitBatch, offset: Int) {
        object = other.object + offset
        primitive = other.primitive + offset
        u = other.u + offset
        v = other.v + offset
        depth = other.depth + offset
    }

    func deallocate() {
        object.deallocate()
        primitive.deallocate()
        u.deallocate()
        v.deallocate()
        depth.deallocate()
    }

    /// A hit.
    @inline(__always) subscript(index: Int) -> RayHit {
        RayHit(object: object[index], primitive: primitive[index], u: u[index], v: v[index], depth: depth[index])
    }

    /// Takes a hit over from another batch.
    @inline(__always) func copy(_ other: HitBatch, _ index: Int, to place: Int) {
        object[place] = other.object[index]
        primitive[place] = other.primitive[index]
        u[place] = other.u[index]
        v[place] = other.v[index]
        depth[place] = other.depth[index]
    }

    /// The same room from a later hit on.
    func suffix(from offset: Int) -> HitBatch { HitBatch(self, offset: offset) }

    fileprivate var facade: CRaycastHits {
        CRaycastHits(
            object: object, primitive: primitive, u: u, v: v, depth: depth)
    }
}
