// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension VisualInertialFilter {
    /// The IMU's pose when the row of an observation was exposed.
    func worldFromImu(of observation: FeatureTrack.Observation) -> RigidTransform {
        clone(of: observation).worldFromImu(
            at: calibration.secondsAfterInstant(of: observation.pixel), gravity: gravity)
    }

    private func clone(of observation: FeatureTrack.Observation) -> Clone {
        guard let clone = clones[observation.clone] else {
            preconditionFailure("there is no clone in slot \(observation.clone)")
        }
        return clone
    }

    /// The ray of an observation, or `nil` outside the camera's domain.
    func sight(of observation: FeatureTrack.Observation) -> Sight? {
        guard let direction = calibration.camera.unproject(observation.pixel), direction.z > 0 else { return nil }
        return Sight(
            worldFromOptical: worldFromImu(of: observation) * calibration.imuFromOptical,
            direction: Vector2(direction.x, direction.y) / direction.z)
    }

    /// A landmark as it stands in the world.
    func anchored(_ landmark: Landmark) -> AnchoredPoint {
        guard let anchor = clones[landmark.anchor] else {
            preconditionFailure("landmark \(landmark.id) has no anchor")
        }
        return AnchoredPoint(
            landmark.coordinates, worldFromAxes: anchor.worldFromImu * landmark.imuFromAnchorAxes)
    }

    /// Where a landmark is in the world, or `nil` while its distance is unknown.
    func pointInWorld(of landmark: Landmark) -> Point3? {
        let point = anchored(landmark).point
        return point.weight > 1e-3 ? point.scaled / point.weight : nil
    }

    /// A triangulated point, anchored to the clone of the newest observation of its track.
    func landmark(
        at triangulation: Triangulation, in sight: Sight, of track: FeatureTrack
    ) -> Landmark? {
        guard let observation = track.observations.last, let clone = clones[observation.clone] else { return nil }
        let point = AnchoredPoint(triangulation.coordinates, worldFromAxes: sight.worldFromOptical).point
        let worldFromAxes = clone.worldFromImu * calibration.imuFromOptical
        guard let coordinates = point.coordinates(in: worldFromAxes) else { return nil }
        return Landmark(
            id: track.id, anchor: observation.clone, coordinates: coordinates,
            imuFromAnchorAxes: calibration.imuFromOptical, slide: track.slide,
            view: worldFromAxes.rotation.inverse * view(of: point, in: observation),
            blur: observation.blur)
    }

    /// Adds what an observation says of camera, clones and a landmark; `false` where the camera cannot see the point.
    func append(
        _ observation: FeatureTrack.Observation, of landmark: Landmark, _ point: AnchoredPoint, variable: Int,
        to measurements: inout Measurements
    ) -> Bool {
        let seconds = calibration.secondsAfterInstant(of: observation.pixel)
        let row = clone(of: observation).row(at: seconds, gravity: gravity)
        guard let reprojection = Reprojection(point.point, rowPose: row.worldFromImu, calibration: calibration) else {
            return false
        }
        measurements.append(
            reprojection, observation, clone: layout.clone(observation.clone), anchor: layout.clone(landmark.anchor),
            anchored: point, landmarkVariable: variable,
            byReadout: calibration.readoutShare(of: observation.pixel) * reprojection.perSecond(of: row))
        return true
    }

    /// Writes what the observations of a track say of camera, clones and the point itself. The block's first three variables
    /// stand for the point's coordinates.
    func write(_ track: FeatureTrack, as landmark: Landmark, into block: inout Measurements) -> Bool {
        let point = anchored(landmark)
        block.rows = 0
        let areSeen = track.observations.allSatisfy {
            append($0, of: landmark, point, variable: block.variables.lowerBound, to: &block)
        }
        return areSeen && whitenPlaces(of: track, at: point.point, in: &block)
    }

    /// Gives a point a place in the state. `block` holds what its track says, its first three rows solved for the point:
    /// U λ̃ + J x̃ + n = r, so that λ̃ = U⁻¹(r − J x̃ − n).
    mutating func addLandmark(_ landmark: Landmark, slot: Int, from block: Measurements) -> Bool {
        precondition(landmarks[slot] == nil, "slot \(slot) already holds a landmark")
        let first = block.variables.lowerBound
        var upper = Matrix3x3.zero
        for column in 0..<3 {
            for row in 0...column { upper[column][row] = block[row, first + column] }
        }
        guard let inverse = upper.inverse else { return false }
        var jacobian = DenseMatrix(rows: 3, columns: block.variables.count - 3)
        for column in 0..<jacobian.columns {
            let entry = Vector3(
                block[0, first + 3 + column], block[1, first + 3 + column], block[2, first + 3 + column])
            let solved = inverse * entry
            for row in 0..<3 { jacobian[row, column] = -solved[row] }
        }
        var noise = DenseMatrix(rows: 3, columns: 3)
        noise.set(0, 0, inverse * inverse.transpose)
        var placed = landmark
        placed.coordinates += inverse * Vector3(block[residual: 0], block[residual: 1], block[residual: 2])
        guard placed.coordinates.z > Landmark.smallestInverseDepth else { return false }
        landmarks[slot] = placed
        let target = layout.landmark(slot)
        covariance.transform(
            target..<(target + StateLayout.landmarkSize), from: (first + 3)..<block.variables.upperBound, by: jacobian,
            noise: noise)
        return true
    }

    /// Anchors a landmark to another clone: the same point, seen from there, in axes before which it lies. `false` where it is
    /// there itself.
    mutating func moveAnchor(ofLandmark slot: Int, to newAnchor: Int) -> Bool {
        guard var landmark = landmarks[slot], let clone = clones[newAnchor], newAnchor != landmark.anchor else {
            return true
        }
        let old = anchored(landmark)
        let imuFromAxes = axes(before: old.point, worldFromImu: clone.worldFromImu)
        let worldFromAxes = clone.worldFromImu * imuFromAxes
        guard let coordinates = old.point.coordinates(in: worldFromAxes) else { return false }

        // g = Rᵀ(X − w p) has the new coordinates g.x/g.z, g.y/g.z, w/g.z. An error θ, ρ of the old anchor moves X by
        // θ×X + w ρ, one of the new anchor by the opposite.
        let axesFromWorld = worldFromAxes.rotation.matrix.transpose
        let depth = (axesFromWorld * (old.point.scaled - worldFromAxes.translation * old.point.weight)).z
        let byScaled =
            (1 / depth)
            * Matrix3x3(
                rows: Vector3(1, 0, -coordinates.x), Vector3(0, 1, -coordinates.y), Vector3(0, 0, -coordinates.z))
            * axesFromWorld
        let turn = byScaled * -Matrix3x3.crossProduct(old.point.scaled)
        let shift = old.point.weight * byScaled
        let byWeight = byScaled * (old.origin - worldFromAxes.translation) + Vector3(0, 0, 1 / depth)
        let byCoordinates = Matrix3x3(byScaled * old.columnAxis, byScaled * old.rowAxis, byWeight)

        let (oldClone, newClone, own) = (
            layout.clone(landmark.anchor), layout.clone(newAnchor), layout.landmark(slot)
        )
        let source = StateLayout.firstClone..<layout.count
        var jacobian = DenseMatrix(rows: 3, columns: source.count)
        jacobian.set(0, oldClone - source.lowerBound, turn)
        jacobian.set(0, oldClone + 3 - source.lowerBound, shift)
        jacobian.set(0, newClone - source.lowerBound, -turn)
        jacobian.set(0, newClone + 3 - source.lowerBound, -shift)
        jacobian.set(0, own - source.lowerBound, byCoordinates)
        covariance.transform(own..<(own + StateLayout.landmarkSize), from: source, by: jacobian)
        landmark.view = landmark.view.map {
            axesFromWorld * (old.columnAxis * $0.x + old.rowAxis * $0.y + old.forward * $0.z)
        }
        landmark.anchor = newAnchor
        landmark.coordinates = coordinates
        landmark.imuFromAnchorAxes = imuFromAxes
        landmarks[slot] = landmark
        return true
    }

    /// The camera's axes, or those by a quarter or half turn from them before which a point lies, wherever it is.
    private func axes(before point: HomogeneousPoint, worldFromImu: RigidTransform) -> RigidTransform {
        let worldFromOptical = worldFromImu * calibration.imuFromOptical
        let toPoint = worldFromOptical.rotation.inverse * (point.scaled - worldFromOptical.translation * point.weight)
        return RigidTransform(
            rotation: calibration.imuFromOptical.rotation * Landmark.axes(before: toPoint),
            translation: calibration.imuFromOptical.translation)
    }
}

extension HomogeneousPoint {
    /// x/z, y/z and 1/z in some axes, or `nil` where the point lies behind them.
    func coordinates(in worldFromAxes: RigidTransform) -> Vector3? {
        let g = worldFromAxes.rotation.inverse * (scaled - worldFromAxes.translation * weight)
        guard g.z > 1e-3 else { return nil }
        return Vector3(g.x, g.y, weight) / g.z
    }
}
