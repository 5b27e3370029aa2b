// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The points that a motion was found by, and how they err with it.
///
/// Where a search ends, its rays are used up, and none of them may be used again. What they tell of points that are still seen goes
/// on with these: a filter that begins with them knows from its first frame on where it moves.
///
/// Law: `AlignedPointsTests`.
struct AlignedPoints: Sendable {
    private let seen: [WindowSights.Point]
    private let places: [RefinedMotion.Point]
    private let system: MotionSystem
    /// Of all unknowns but the scale, which is held: those of ``StartLayout``, then the noise of each frame's pose.
    private let covariance: DenseMatrix
    /// How the camera sits on the device.
    private let imuFromOptical: Rotation

    /// The points of a motion for which the equations stand about where all is explained best.
    init(
        _ sights: WindowSights, _ places: [RefinedMotion.Point], _ system: MotionSystem, covariance: DenseMatrix,
        imuFromOptical: Rotation
    ) {
        seen = sights.points
        self.places = places
        self.system = system
        self.covariance = covariance
        self.imuFromOptical = imuFromOptical
    }

    /// The points that were seen in most frames, so many at most, as landmarks that are anchored to the device at the start, with the
    /// covariance of the variables of ``StartLayout`` and, after those, of their coordinates.
    ///
    /// - ids: the points to choose from.
    /// - depthError: how well their distances must be known as long as all else is, as a share of them.
    func landmarks(_ count: Int, among ids: Set<UInt64>, depthError: Double) -> (
        landmarks: [Landmark], covariance: DenseMatrix
    ) {
        let chosen = known(among: ids, depthError: depthError).prefix(count)
        var landmarks: [Landmark] = []
        var jacobian = DenseMatrix(rows: StartLayout.count + 3 * chosen.count, columns: covariance.rows)
        for variable in 0..<StartLayout.count { jacobian[variable, variable] = 1 }
        var own: [Matrix3x3] = []
        for (number, (index, variance)) in chosen.enumerated() {
            let anchored = AnchoredPlace(places[index], system.points[index].tangent, imuFromOptical)
            landmarks.append(
                Landmark(
                    id: seen[index].id, anchor: VisualInertialFilter.startSlot, coordinates: anchored.coordinates,
                    imuFromAnchorAxes: RigidTransform(rotation: anchored.imuFromAxes), blur: seen[index].blur))
            own.append(anchored.byPlace * variance * anchored.byPlace.transpose)
            let byUnknown = -1 * (anchored.byPlace * variance)
            for (unknown, cross) in system.cross(ofPoint: index).enumerated()
            where unknown != RefinedMotion.inverseScale {
                let column = unknown < RefinedMotion.inverseScale ? unknown : unknown - 1
                let derivative = byUnknown * cross
                for axis in 0..<3 { jacobian[StartLayout.count + 3 * number + axis, column] = derivative[axis] }
            }
        }
        var joint = covariance.transformed(by: jacobian)
        for (number, own) in own.enumerated() {
            joint.add(StartLayout.count + 3 * number, StartLayout.count + 3 * number, own)
        }
        return (landmarks, joint)
    }

    /// The points whose distances are known well enough, and how well each is known as long as all else is; those that were seen in
    /// most frames first.
    private func known(among ids: Set<UInt64>, depthError: Double) -> [(index: Int, variance: Matrix3x3)] {
        seen.indices.compactMap { index in
            guard ids.contains(seen[index].id), let variance = system.points[index].information.inverse,
                variance[2].z.squareRoot() < depthError * places[index].inverseDepth
            else { return nil }
            return (index, variance)
        }
    }
}

/// A point that is seen from the start, in axes before which it lies.
private struct AnchoredPlace {
    let imuFromAxes: Rotation
    let coordinates: Vector3
    /// How the coordinates change with the point's: along two tangents of its direction, and in inverse depth.
    let byPlace: Matrix3x3

    init(_ place: RefinedMotion.Point, _ tangent: (Vector3, Vector3), _ imuFromOptical: Rotation) {
        imuFromAxes = imuFromOptical * Landmark.axes(before: imuFromOptical.inverse * place.direction)
        let axesFromImu = imuFromAxes.inverse
        let direction = axesFromImu * place.direction
        let coordinates = Vector3(direction.x, direction.y, place.inverseDepth) / direction.z
        func column(_ tangent: Vector3) -> Vector3 {
            let moved = axesFromImu * tangent
            return (Vector3(moved.x, moved.y, 0) - coordinates * moved.z) / direction.z
        }
        self.coordinates = coordinates
        byPlace = Matrix3x3(column(tangent.0), column(tangent.1), Vector3(0, 0, 1 / direction.z))
    }
}
