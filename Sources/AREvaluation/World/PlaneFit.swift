// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// How far a plane is from a true one.
public struct PlaneError: Hashable, Sendable {
    /// The angle between the normals, in radians.
    public var turn: Double
    /// How far the plane lies in front of the true one, along the true normal at the middle of their overlap, in metres;
    /// negative behind it.
    public var offset: Double
    /// The area of the overlap of the outlines by that of both together, the plane laid flat on the true one.
    public var overlapWithWhole: Double
    /// The same with the part of the true plane that has come into view, in its place.
    public var overlapWithSeen: Double
    /// The same with the part of the true plane that was seen well; what of the plane lies on the rest of the true one counts neither
    /// for nor against. `nil` where nothing was seen well.
    public var overlapWithWellSeen: Double?
}

/// A plane laid over a true one.
struct PlaneFit {
    let turn: Double
    let offset: Double
    /// The plane's outline in the true plane's x and z.
    let outline: Polygon2
    let overlap: Polygon2.Overlap
    let overlapWithWhole: Double

    /// Lays a plane over a true one; `nil` where they do not overlap or stand at a right angle or worse.
    init?(_ answer: PlaneAnswer, movedBy truthFromSession: Similarity, on truth: TruePlane) {
        let normal = truthFromSession.rotation * (answer.worldFromPlane.rotation * Vector3(0, 1, 0))
        let approach = normal.dot(truth.plane.normal)
        guard approach > 0 else { return nil }
        let corners = answer.boundary.map {
            truthFromSession * (answer.worldFromPlane * Point3($0.x, 0, $0.y))
        }
        outline = Polygon2(corners.map(truth.place))
        overlap = outline.overlap(with: truth.outline)
        guard let middle = overlap.centroid, let corner = corners.first else { return nil }
        turn = normal.angle(to: truth.plane.normal)
        offset = normal.dot(corner - truth.pointInWorld(middle)) / approach
        overlapWithWhole = Polygon2.intersectionOverUnion(overlap.area, outline.area, truth.area)
    }

    /// Whether the plane can be the true one.
    func isClose(_ options: WorldEvaluationOptions) -> Bool {
        turn <= options.largestPlaneTurn && abs(offset) <= options.largestPlaneOffset
            && overlap.area >= options.leastPlaneOverlap * outline.area
    }

    /// What is told of it.
    func deviation(_ seen: SeenPart) -> PlaneError {
        PlaneError(
            turn: turn, offset: offset, overlapWithWhole: overlapWithWhole,
            overlapWithSeen: seen.intersectionOverUnion(with: outline),
            overlapWithWellSeen: seen.intersectionOverUnionWithWellSeen(outline, overlap: overlap.area))
    }
}

extension Vector3 {
    /// The angle between two directions, in radians; exact for small ones, too.
    func angle(to other: Vector3) -> Double { 2 * atan2((self - other).length, (self + other).length) }
}
