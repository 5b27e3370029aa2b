// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth
import Foundation

/// What a camera truly sees of surfaces.
struct DepthView: Sendable {
    private var depth: DepthPicture
    private let camera: Camera
    let worldFromCamera: RigidTransform
    /// How many of the camera's pixels lie between two neighbours of the depth picture.
    private var pixelsPerSample = 1

    init(depth: DepthPicture, camera: Camera, worldFromCamera: RigidTransform) {
        (self.depth, self.camera, self.worldFromCamera) = (depth, camera, worldFromCamera)
    }

    /// The same view with fewer than 320 columns: every second, third, … pixel of both directions.
    var reduced: DepthView {
        let step = max(1, depth.size.width / 160)
        let (rows, columns) = (
            Array(stride(from: 0, to: depth.size.height, by: step)),
            Array(stride(from: 0, to: depth.size.width, by: step))
        )
        var view = self
        view.depth = DepthPicture(
            size: ImageSize(width: columns.count, height: rows.count),
            meters: rows.flatMap { row in columns.map { depth.meters[row * depth.size.width + $0] } })
        view.pixelsPerSample = step * pixelsPerSample
        return view
    }

    /// How far what a pixel sees lies along the optical axis, in metres; `nil` outside the picture and where nothing is known.
    private func metres(at pixel: PixelPoint) -> Double? {
        let scale = 1 / Double(pixelsPerSample)
        return depth.metres(at: PixelPoint(scale * pixel.x, scale * pixel.y)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// At how many places of a plane there is a surface, whatever the truth declares, and at how many something lies behind that
    /// is seen through it. Something before the plane hides it and tells nothing; a surface that crosses the plane is not there.
    ///
    /// - Parameters:
    ///   - limit: how far the surface may lie off along the plane's normal, in metres.
    ///   - largestTurn: by how much its normal may differ, in radians.
    func places(
        of plane: PlaneAnswer, movedBy truthFromSession: Similarity, within limit: Double, largestTurn: Double
    ) -> PlaceCounts {
        let places = Polygon2(plane.boundary).places(across: Self.placesAcross)
        let normal = truthFromSession.rotation * (plane.worldFromPlane.rotation * Vector3(0, 1, 0))
        let opticalFromWorld = RigidTransform.opticalFromCamera * worldFromCamera.inverse
        var (surface, behind) = (HeightFit(), 0)
        for place in places {
            let point = truthFromSession * (plane.worldFromPlane * Point3(place.x, 0, place.y))
            let local = opticalFromWorld * point
            let height = (worldFromCamera.translation - point).dot(normal)
            guard local.z > 0, height > 0, let pixel = camera.project(local), let metres = metres(at: pixel)
            else { continue }
            // How far behind the plane lies what is seen, along the normal.
            let beyond = (metres / local.z - 1) * height
            if abs(beyond) <= limit { surface.add(beyond, at: place) } else if beyond > 0 { behind += 1 }
        }
        guard let slope = surface.slope, atan(slope) > largestTurn else {
            return PlaceCounts(there: surface.count, behind: behind)
        }
        return PlaceCounts(there: 0, behind: behind + surface.count)
    }

    private static let placesAcross = 16
}

/// At how many places of a plane depth pictures show a surface where it is, and at how many one behind it.
struct PlaceCounts: Hashable, Sendable {
    var there = 0
    var behind = 0

    var isEmpty: Bool { self == PlaceCounts() }

    static func + (one: PlaceCounts, other: PlaceCounts) -> PlaceCounts {
        PlaceCounts(there: one.there + other.there, behind: one.behind + other.behind)
    }
}

/// A plane through heights above places, by the least sum of distances: a few places at a rim, where something else is seen, do not turn it.
private struct HeightFit {
    private var samples: [(row: Vector3, height: Double)] = []

    var count: Int { samples.count }

    mutating func add(_ height: Double, at place: Point2) {
        samples.append((Vector3(1, place.x, place.y), height))
    }

    /// How steep it is; `nil` where the places lie in a line.
    ///
    /// - Reference: Weiszfeld 1937: squares that are divided by the distances last found.
    var slope: Double? {
        guard count >= 3 else { return nil }
        var solution = Vector3.zero
        for step in 0..<Self.steps {
            var (information, right) = (Matrix3x3.zero, Vector3.zero)
            for (row, height) in samples {
                let weight = step == 0 ? 1 : 1 / max(Self.leastDistance, abs(height - row.dot(solution)))
                information = information + weight * Matrix3x3.outerProduct(row, row)
                right += weight * height * row
            }
            guard let inverse = information.inverse else { return nil }
            solution = inverse * right
        }
        return solution.isFinite ? Vector2(solution.y, solution.z).length : nil
    }

    private static let steps = 6
    /// Distances count as 2 mm at least.
    private static let leastDistance = 0.002
}

extension Polygon2 {
    /// Places inside in rows and columns, at most that many of each.
    fileprivate func places(across count: Int) -> [Point2] {
        let low = vertices.reduce(Point2(repeating: .infinity)) { pointwiseMin($0, $1) }
        let size = vertices.reduce(Point2(repeating: -.infinity)) { pointwiseMax($0, $1) } - low
        return (0..<count * count).compactMap { number in
            let part = Point2(Double(number % count) + 0.5, Double(number / count) + 0.5) / Double(count)
            let place = low + part * size
            return contains(place) ? place : nil
        }
    }
}
