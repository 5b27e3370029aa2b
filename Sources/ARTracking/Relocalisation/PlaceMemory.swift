// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision

/// What was seen from where: views with the places of their points.
///
/// After an interruption the camera's attitude is known but for its heading, by gravity, and its place is not. Where a
/// picture shows points that look like remembered ones, two of them give the pose; ``locate(_:camera:levelFromOptical:)``
/// answers only when so many agree that it is beyond doubt.
///
/// Views differ from each other: what looks the same is kept once. When the memory is full, views must differ by more.
/// The same pictures give the same answers, bit for bit.
public struct PlaceMemory: Sendable {
    private(set) var views: [PlaceView] = []
    /// How much two views differ at least: 1 in a new memory.
    private(set) var spacing = 1.0
    /// How many views are kept at most. With some 150 points each takes about 15 kB, and its picture a byte for four pixels and a
    /// margin: 0.1 MB of 640×480 pixels.
    public let capacity: Int

    /// Views with fewer points are not worth keeping.
    static let fewestPoints = 20

    /// An empty memory for at least two views.
    public init(capacity: Int = 128) {
        // One view alone has none that it could be told from: no spacing makes room.
        precondition(capacity > 1, "a memory for \(capacity) views cannot tell any apart")
        self.capacity = capacity
    }

    /// How many views are kept.
    public var count: Int { views.count }

    /// Forgets everything.
    public mutating func removeAll() { self = PlaceMemory(capacity: capacity) }

    /// Keeps a view if it shows something new: if the camera has moved or turned since all views that it shares the sight
    /// of. Cheap where it does not.
    ///
    /// - worldFromOptical: the camera's pose; it should be good to a centimetre, as it is while tracking is normal.
    /// - points: points of the scene that the image shows.
    public mutating func keep(
        _ image: ImageBuffer, camera: Camera, worldFromOptical: RigidTransform, points: [PlacedPoint]
    ) {
        let stand = PlaceStand(worldFromOptical, points: points.map(\.positionInWorld))
        guard points.count >= Self.fewestPoints, isNew(stand) else { return }
        if views.count == capacity {
            thin()
            guard isNew(stand) else { return }
        }
        views.append(PlaceView(image, camera: camera, stand: stand, points: points))
    }

    private func isNew(_ stand: PlaceStand) -> Bool {
        views.allSatisfy { $0.stand.difference(from: stand) >= spacing }
    }

    /// Makes room: the spacing grows until views fall together.
    private mutating func thin() {
        while views.count == capacity {
            spacing *= 1.25
            var kept: [PlaceView] = []
            for view in views where kept.allSatisfy({ $0.stand.difference(from: view.stand) >= spacing }) {
                kept.append(view)
            }
            views = kept
        }
    }
}

/// A point of the scene that a picture shows.
public struct PlacedPoint: Hashable, Sendable {
    /// Where the picture shows it.
    public var pixel: PixelPoint
    /// Where it is.
    public var positionInWorld: Point3
    /// How well its distance from the camera is known: a standard deviation in metres.
    public var distanceDeviation: Double

    /// A point that is seen and placed.
    public init(pixel: PixelPoint, positionInWorld: Point3, distanceDeviation: Double = 0) {
        self.pixel = pixel
        self.positionInWorld = positionInWorld
        self.distanceDeviation = distanceDeviation
    }
}

/// Where a view was taken from.
struct PlaceStand: Sendable {
    var worldFromOptical: RigidTransform
    /// The median distance of the points from the camera, in metres.
    var distance: Double

    init(_ worldFromOptical: RigidTransform, distance: Double) {
        self.worldFromOptical = worldFromOptical
        self.distance = distance
    }

    init(_ worldFromOptical: RigidTransform, points: [Point3]) {
        let distances = points.map { ($0 - worldFromOptical.translation).length }.sorted()
        self.init(worldFromOptical, distance: distances.isEmpty ? 0 : distances[distances.count / 2])
    }

    /// The turn, about any axis, that makes a view differ by 1, and the way over the points' distance that does.
    private static let turnStep = 0.26
    private static let wayStep = 0.16

    /// How differently the scene looks from another stand: turns and ways add up as squares.
    func difference(from other: PlaceStand) -> Double {
        let turn = worldFromOptical.rotation.angle(to: other.worldFromOptical.rotation) / Self.turnStep
        let way = (worldFromOptical.translation - other.worldFromOptical.translation).length
        let nearness = way / max(min(distance, other.distance), 1e-3) / Self.wayStep
        return (turn * turn + nearness * nearness).squareRoot()
    }
}

/// A view that is remembered.
struct PlaceView: Sendable {
    let stand: PlaceStand
    let camera: Camera
    let points: [PlacedPoint]
    let descriptors: PlaceDescriptors
    let detail: PlaceDetail

    init(_ image: ImageBuffer, camera: Camera, stand: PlaceStand, points: [PlacedPoint]) {
        self.stand = stand
        self.camera = camera
        self.points = points
        detail = PlaceDetail(image)
        descriptors = PlacePicture(image).descriptors(
            of: points.map(\.pixel), camera: camera,
            upInOptical: stand.worldFromOptical.rotation.inverse * Vector3(0, 1, 0))
    }

    /// How well the place of one of the points is known, along the direction in which it was seen, as in
    /// ``PlaceSight/deviationInWorld``.
    func deviationInWorld(ofPoint number: Int) -> Vector3 {
        let direction = points[number].positionInWorld - stand.worldFromOptical.translation
        return (direction.normalized() ?? .zero) * points[number].distanceDeviation
    }

    /// Where a camera with a pose is expected to see one of the points, whose surroundings are taken to face the camera that the
    /// view was taken with; `nil` where one of the two cannot see them.
    ///
    /// Law: `PlaceViewTests.aViewExpectsItselfUnchanged`.
    func expectation(ofPoint number: Int, from worldFromOptical: RigidTransform, _ camera: Camera)
        -> PlaceDetail.Expectation?
    {
        let (pixel, place) = (points[number].pixel, points[number].positionInWorld)
        let depth = (stand.worldFromOptical.inverse * place).z
        let opticalFromWorld = worldFromOptical.inverse
        /// Where on the plane at the point's depth the view's camera looks with a pixel.
        func surroundings(_ pixel: PixelPoint) -> Vector3? {
            self.camera.unproject(pixel).flatMap { $0.z > 0 ? $0 * (depth / $0.z) : nil }
        }
        func expected(_ offset: Vector3) -> Vector2? {
            camera.project(opticalFromWorld * (place + stand.worldFromOptical.rotation * offset))?.vector
        }
        guard let middle = surroundings(pixel), let right = surroundings(PixelPoint(pixel.x + 1, pixel.y)),
            let below = surroundings(PixelPoint(pixel.x, pixel.y + 1)), let seen = expected(.zero),
            let seenRight = expected(right - middle), let seenBelow = expected(below - middle)
        else { return nil }
        return PlaceDetail.Expectation(
            pixel: pixel, expected: PixelPoint(seen), byColumn: seenRight - seen, byRow: seenBelow - seen)
    }
}
