// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking

extension KeyPicture {
    /// Moves the pose so that the picture shows points where it saw them, as far as it can be so wrong.
    ///
    /// A tracker corrects itself as it learns: the pose that it gave a picture and the places where it believes points to be
    /// a second later belong to worlds that differ by some millimetres and tenths of a degree. What it believed then is
    /// an observation like the sightings, with those errors, however often the picture is aligned: few points cannot make
    /// it walk away (Gauss–Newton, two steps; points far aside lose their weight by Tukey's biweight).
    ///
    /// Returns whether the picture shows enough of the points.
    @discardableResult mutating func align(to points: [EstimatedLandmark]) -> Bool {
        let shown = points.compactMap { point in sightings[point.id].map { (position: point.position, seen: $0) } }
        for _ in 0..<2 {
            guard let motion = correction(by: shown) else { return false }
            move(by: motion)
        }
        return true
    }

    /// How well a tracker's pose and its points agree a second later, as standard deviations: 5 mm and 0.2°.
    private static let deviations = (translation: 0.005, rotation: 0.0035)
    /// How well a point's pixel and its place agree, in pixels of the frame; beyond eight of them a point is wrong.
    private static let pixelDeviation = 0.7

    /// The step that brings the points nearer to where they were seen; `nil` where too few were.
    private func correction(by points: [(position: Point3, seen: PixelPoint)]) -> Twist? {
        var equations = MotionEquations(
            expecting: (opticalFromWorld * believedWorldFromOptical).twist, deviations: Self.deviations)
        var count = 0
        for (position, seen) in points {
            let local = worldFromOptical(atRow: picture.pixel(ofFrame: seen).y).inverse * position
            guard let shown = camera.projectWithJacobians(local) else { continue }
            let error = (seen.vector - shown.pixel.vector) / Self.pixelDeviation
            let ratio = error.squaredLength / 64
            guard ratio < 1 else { continue }
            count += 1
            let jacobian = shown.pixelByPoint
            for (byPoint, target) in [
                (Vector3(jacobian.x.x, jacobian.y.x, jacobian.z.x), error.x),
                (Vector3(jacobian.x.y, jacobian.y.y, jacobian.z.y), error.y),
            ] {
                // Where the camera moves by (v, ω), a point moves by −v − ω × p: a row g of the Jacobian becomes (−g, g × p).
                let row = Twist(translation: -byPoint, rotation: byPoint.cross(local))
                equations.add((1 / Self.pixelDeviation) * row, target: target, weight: (1 - ratio) * (1 - ratio))
            }
        }
        return count >= 6 ? equations.solution : nil
    }
}

/// The normal equations of a small motion.
private struct MotionEquations {
    /// By rows; symmetric.
    private var normal: [Double]
    private var right: Twist

    /// What is known beforehand: a motion, with these errors.
    init(expecting motion: Twist, deviations: (translation: Double, rotation: Double)) {
        let information = (
            translation: 1 / (deviations.translation * deviations.translation),
            rotation: 1 / (deviations.rotation * deviations.rotation)
        )
        normal = [Double](repeating: 0, count: 36)
        for axis in 0..<3 {
            normal[7 * axis] = information.translation
            normal[7 * (axis + 3)] = information.rotation
        }
        right = Twist(
            translation: information.translation * motion.translation,
            rotation: information.rotation * motion.rotation)
    }

    mutating func add(_ row: Twist, target: Double, weight: Double) {
        right = right + (weight * target) * row
        normal.withUnsafeMutableBufferPointer { normal in
            for index in 0..<6 {
                let scaled = (weight * row[index]) * row
                for other in 0..<6 { normal[6 * index + other] += scaled[other] }
            }
        }
    }

    var solution: Twist? {
        var matrix = SquareMatrix(order: 6)
        for index in 0..<36 { matrix[index / 6, index % 6] = normal[index] }
        let target = (0..<6).map { right[$0] }
        guard let step = matrix.choleskyFactor?.solveByFactor(target) else { return nil }
        return Twist(
            translation: Vector3(step[0], step[1], step[2]), rotation: Vector3(step[3], step[4], step[5]))
    }
}

extension Twist {
    fileprivate subscript(index: Int) -> Double { index < 3 ? translation[index] : rotation[index - 3] }
}
