// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Something rectangular with its size and its place in the world.
///
/// Corners go clockwise as one sees them with the normal towards oneself: top left, top right, bottom right, bottom left. What
/// was measured corner by corner has the corners that were measured; they lie in one plane, but their angles are only nearly
/// right ones.
public struct WorldRectangle: Hashable, Sendable {
    /// Top left, top right, bottom right, bottom left, in the world.
    public let corners: [Point3]
    /// The rectangle's axes: the origin where the diagonals cross, +X along the top, to the right, +Y towards the viewer, +Z
    /// down to the bottom, as those of an image anchor. Of a quadrilateral that is no exact rectangle, X and Z are turned
    /// from the mean directions of its sides by the same angle.
    public let worldFromRectangle: RigidTransform
    /// The mean length of top and bottom, and that of the left and the right side.
    public let size: RectangleSize
    /// The covariance of each corner's place, in m², in the world's axes.
    public let cornerCovariances: [Matrix3x3]
    /// The standard deviations of the size's two parts, in metres.
    public let sizeDeviation: RectangleSize
    /// The standard deviation of the direction of +X about the normal, in radians.
    public let turnDeviation: Double

    /// The rectangle with four corners of a plane that faces along `normal`. `nil` where they enclose nothing, or not
    /// clockwise as seen against the normal.
    init?(corners: [Point3], normal: Vector3, errors: CornerErrors) {
        precondition(corners.count == 4, "a rectangle has 4 corners, not \(corners.count)")
        let (top, bottom) = (corners[1] - corners[0], corners[2] - corners[3])
        let (left, right) = (corners[3] - corners[0], corners[2] - corners[1])
        guard
            (0..<4).allSatisfy({ corner in
                let (before, here, after) = (corners[(corner + 3) % 4], corners[corner], corners[(corner + 1) % 4])
                // With y = z × x, a clockwise turn is one about −y.
                return normal.dot((here - before).cross(after - here)) < 0
            }), let x = (top + bottom).normalized(), let z = (left + right).normalized(),
            let halfway = (x + z).normalized(), let apart = (x - z).normalized(),
            let center = Self.crossing(of: corners, normal: normal)
        else { return nil }
        // The bisectors of any angle are at right angles to each other.
        let (xAxis, zAxis) = ((halfway + apart) / 2.0.squareRoot(), (halfway - apart) / 2.0.squareRoot())
        guard let rotation = Rotation(Matrix3x3(xAxis, zAxis.cross(xAxis), zAxis)) else { return nil }
        self.corners = corners
        worldFromRectangle = RigidTransform(rotation: rotation, translation: center)
        size = RectangleSize(width: (top.length + bottom.length) / 2, height: (left.length + right.length) / 2)
        cornerCovariances = (0..<4).map { errors.covariance(ofCorner: $0) }
        let (u, v) = (xAxis / 2, zAxis / 2)
        sizeDeviation = RectangleSize(
            width: errors.deviation(along: [-u, u, u, -u]), height: errors.deviation(along: [-v, -v, v, v]))
        // The mean of what the top and the bottom, and what the left and the right side turn.
        let (across, down) = (xAxis / (4 * size.height), zAxis / (4 * size.width))
        turnDeviation = errors.deviation(along: [across - down, across + down, down - across, -across - down])
    }

    /// An exact rectangle.
    init?(_ shape: RectangleShape, errors: CornerErrors) {
        self.init(corners: shape.corners, normal: shape.normal, errors: errors)
    }

    /// The rectangle in other coordinates.
    static func * (targetFromWorld: RigidTransform, rectangle: WorldRectangle) -> WorldRectangle {
        let turn = targetFromWorld.rotation.matrix
        return WorldRectangle(
            corners: rectangle.corners.map { targetFromWorld * $0 },
            worldFromRectangle: targetFromWorld * rectangle.worldFromRectangle, size: rectangle.size,
            cornerCovariances: rectangle.cornerCovariances.map { turn * $0 * turn.transpose },
            sizeDeviation: rectangle.sizeDeviation, turnDeviation: rectangle.turnDeviation)
    }

    /// The same rectangle with its corners counted from the `steps`-th.
    func turned(by steps: Int) -> WorldRectangle {
        let steps = (steps % 4 + 4) % 4
        func turned<Element>(_ list: [Element]) -> [Element] { (0..<4).map { list[($0 + steps) % 4] } }
        func turned(_ size: RectangleSize) -> RectangleSize {
            steps % 2 == 0 ? size : RectangleSize(width: size.height, height: size.width)
        }
        let shape = RectangleShape(worldFromRectangle: worldFromRectangle, size: size).turned(by: steps)
        return WorldRectangle(
            corners: turned(corners), worldFromRectangle: shape.worldFromRectangle, size: turned(size),
            cornerCovariances: turned(cornerCovariances), sizeDeviation: turned(sizeDeviation),
            turnDeviation: turnDeviation)
    }

    private init(
        corners: [Point3], worldFromRectangle: RigidTransform, size: RectangleSize, cornerCovariances: [Matrix3x3],
        sizeDeviation: RectangleSize, turnDeviation: Double
    ) {
        self.corners = corners
        self.worldFromRectangle = worldFromRectangle
        self.size = size
        self.cornerCovariances = cornerCovariances
        self.sizeDeviation = sizeDeviation
        self.turnDeviation = turnDeviation
    }

    /// Where the diagonals cross.
    private static func crossing(of corners: [Point3], normal: Vector3) -> Point3? {
        let (along, across) = (corners[2] - corners[0], corners[3] - corners[1])
        let denominator = normal.dot(along.cross(across))
        guard abs(denominator) > 1e-12 * along.length * across.length else { return nil }
        return corners[0] + along * (normal.dot((corners[1] - corners[0]).cross(across)) / denominator)
    }

    /// The middle: where the diagonals cross, whose image is ``/ARGeometry/PixelQuad/center``.
    public var center: Point3 { worldFromRectangle.translation }

    /// The direction out of the front, towards the viewer.
    public var normal: Vector3 { worldFromRectangle.rotation * Vector3(0, 1, 0) }

    /// The turn about the world's +Y that leads the world's +X to the direction of the rectangle's, in all four quadrants:
    /// −π … π, anticlockwise seen from above. `nil` where the rectangle's +X is plumb.
    ///
    /// heading = atan2(−x_z, x_x)
    public var heading: Double? {
        let x = worldFromRectangle.rotation * Vector3(1, 0, 0)
        guard x.x * x.x + x.z * x.z > 1e-12 else { return nil }
        return atan2(-x.z, x.x)
    }

    /// How far the corners' angles are from right ones, at most, in radians.
    public var largestAngleDeviation: Double {
        (0..<4).map { corner in
            let ahead = corners[(corner + 1) % 4] - corners[corner]
            let back = corners[(corner + 3) % 4] - corners[corner]
            return abs(atan2(ahead.cross(back).length, ahead.dot(back)) - .pi / 2)
        }.max() ?? 0
    }
}

/// How four corners shift together when what they were made from is off by a standard deviation: one source of errors after
/// the other, each independent of the others.
struct CornerErrors: Hashable, Sendable {
    /// For each source, the shifts of the four corners, in metres.
    var shifts: [[Vector3]] = []

    /// Nothing is uncertain.
    static let none = CornerErrors()

    func covariance(ofCorner corner: Int) -> Matrix3x3 {
        shifts.reduce(Matrix3x3.zero) { $0 + .outerProduct($1[corner], $1[corner]) }
    }

    /// The standard deviation of the sum of the corners' shifts, each along a direction of its own.
    func deviation(along directions: [Vector3]) -> Double {
        shifts.reduce(0) { sum, shift in
            let change = zip(shift, directions).reduce(0) { $0 + $1.0.dot($1.1) }
            return sum + change * change
        }.squareRoot()
    }
}
