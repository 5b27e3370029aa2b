// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension VisualInertialFilter {
    /// Calls heading and place of a clone's camera what they are believed to be: from here on, they are without error, and all others
    /// err by how far off they are from there. Nobody can measure how a world is called: what samples and pictures say stays
    /// as likely as it was (Baarda 1973, "S-transformations and criterion matrices").
    ///
    /// A world that is turned by −ψ about up, u, and moved by −τ has θ − ψ u and ρ − τ for the errors of every pose. With p the camera's
    /// place, R and Rc the turns of the IMU and of the camera on it, and φ and t how these err, the camera has no error of heading
    /// with ψ = uᵀ (θ + R Rc φ), and none of its place with τ = ρ + (θ − ψ u) × p + R t.
    ///
    /// Law: `FilterJacobianTests.aNamedWorldErrsByWhatLiesBetween`.
    mutating func nameWorld(byClone named: Int) {
        guard let clone = clones[named] else { preconditionFailure("slot \(named) holds no clone") }
        let camera = clone.worldFromImu * calibration.imuFromOptical
        let up = (-1 / gravity.length) * gravity
        let (θ, ρ) = (layout.clone(named), layout.clone(named) + 3)
        let variables = 0..<layout.landmark(0)
        let byTurn = Matrix3x3.outerProduct(up, up)
        let byTurnOnDevice = byTurn * camera.rotation.matrix
        let place = Matrix3x3.crossProduct(camera.translation)

        func rename(_ target: Range<Int>, _ rotation: Int, _ position: Int) {
            var jacobian = DenseMatrix(rows: target.count, columns: variables.count)
            for row in 0..<target.count { jacobian[row, target.lowerBound + row] = 1 }
            func subtract(_ row: Int, _ column: Int, _ block: Matrix3x3) {
                jacobian.add(row - target.lowerBound, column - variables.lowerBound, -block)
            }
            subtract(rotation, θ, byTurn)
            subtract(rotation, StateLayout.extrinsicRotation, byTurnOnDevice)
            subtract(position, ρ, .identity)
            subtract(position, θ, place * (byTurn - .identity))
            subtract(position, StateLayout.extrinsicRotation, place * byTurnOnDevice)
            subtract(position, StateLayout.extrinsicTranslation, clone.worldFromImu.rotation.matrix)
            covariance.transform(target, from: variables, by: jacobian)
        }
        rename(0..<StateLayout.gyroscopeBias, StateLayout.rotation, StateLayout.position)
        // What the others are renamed by is renamed last.
        for slot in clones.indices.filter({ clones[$0] != nil && $0 != named }) + [named] {
            let first = layout.clone(slot)
            rename(first..<(first + StateLayout.cloneSize), first, first + 3)
        }
    }
}
