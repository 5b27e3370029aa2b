// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve

/// The normal equations of a ``RefinedMotion`` about where it stands, its points eliminated, and what is needed to get them
/// back. The unknowns are those of ``StartLayout``, with κ v, κ g and κ ba for v, g and ba, κ, and the ``PoseNoise`` of each
/// frame.
///
/// Rays and points are gathered by the variables of ``RayLayout``, on fewer of which a ray depends; what those are by the unknowns is the
/// same for all rays of a frame.
///
/// Laws: `MotionAlignmentTests.derivativesAreThoseOfTheCost`, `MotionSystemTests.solvesAllAtOnce`.
struct MotionSystem {
    let points: [EliminatedPoint]
    /// The number of unknowns.
    private let size: Int
    private let frameCount: Int
    /// The squares of all rays' rows: the lower triangle of their normal equations in the variables of all rays, the right sides as the last row.
    private let squares: [Double]
    /// See ``RayLayout/byCommonUnknowns(_:)``.
    private let byCommonUnknowns: DenseMatrix
    private let priors: [MotionPrior]
    private let noise: PoseNoisePrior
    private let noiseGradient: [Double]

    struct EliminatedPoint {
        /// Two directions at right angles to the point's: along them, and in inverse depth, it moves.
        let tangent: (Vector3, Vector3)
        fileprivate(set) var information = Matrix3x3.zero
        /// The frames from the first to the last that saw it.
        fileprivate let frames: Range<Int>
        /// What it has to do with the variables of these frames' rays, and, last, with the residuals.
        fileprivate var cross: [Vector3]

        fileprivate init(_ direction: Vector3, seenIn frames: Range<Int>) {
            self.frames = frames
            cross = [Vector3](repeating: .zero, count: RayLayout.count(ofFrames: frames.count) + 1)
            let first = direction.anyPerpendicular() ?? Vector3(1, 0, 0)
            tangent = (first, direction.cross(first))
        }

        /// Adds a ray's row, which changes by `own` with the point.
        fileprivate mutating func add(_ own: Vector3, _ row: [Double], ofFrame frame: Int) {
            information = information + Matrix3x3.outerProduct(own, own)
            for (index, value) in row.enumerated() {
                cross[RayLayout.variable(index, ofFrame: frame - frames.lowerBound, of: frames.count)] += own * value
            }
        }

        /// What the point does when the variables of all rays change, the last of which is minus one for the residuals.
        fileprivate func step(for variables: [Double], of frameCount: Int, damping: Double) -> Vector3 {
            guard let root = CholeskyRoot(damped(damping)) else { return .zero }
            let places = RayLayout.variables(ofFrames: frames, of: frameCount)
            let rest = zip(cross, places).reduce(Vector3.zero) { $0 - $1.0 * variables[$1.1] }
            return root.solvingTransposed(root.solving(rest))
        }

        fileprivate func damped(_ damping: Double) -> Matrix3x3 {
            let d = Vector3(information[0].x, information[1].y, information[2].z)
            return information + Matrix3x3(diagonal: d * damping + Vector3(repeating: 1e-9))
        }
    }

    /// `nil` where there is no memory.
    init?(_ residuals: MotionResiduals) {
        let frameCount = residuals.frames.count
        size = residuals.motion.unknownCount
        self.frameCount = frameCount
        (priors, noise, noiseGradient) = (residuals.priors, residuals.noise, residuals.noiseGradient)
        byCommonUnknowns = RayLayout.byCommonUnknowns(residuals.frames)
        var row = [Double](repeating: 0, count: RayLayout.count + 1)
        var rows = [[Double]](repeating: [], count: frameCount)
        for frame in rows.indices { rows[frame].reserveCapacity(2 * residuals.places.count * row.count) }
        points = zip(residuals.views, residuals.places).map { views, place in
            let frames = views.map(\.frame)
            var point = EliminatedPoint(place.direction, seenIn: (frames.min() ?? 0)..<(frames.max() ?? 0) + 1)
            for view in views {
                for axis in 0..<2 {
                    let own = view.writeRow(axis, of: place, point.tangent, into: &row)
                    rows[view.frame] += row
                    point.add(own, row, ofFrame: view.frame)
                }
            }
            return point
        }
        let width = byCommonUnknowns.columns
        var squares = [Double](repeating: 0, count: width * width)
        for (frame, rows) in rows.enumerated() {
            let variables = RayLayout.variables(ofFrames: frame..<frame + 1, of: frameCount)
            guard Self.addSquares(of: rows, in: variables, factor: 1, to: &squares, width) else { return nil }
        }
        self.squares = squares
    }

    /// Adds the squares of rows that depend on some variables, in their order, to those of all; `false` where there is no memory.
    private static func addSquares(
        of rows: [Double], in variables: [Int], factor: Double, to squares: inout [Double], _ width: Int
    ) -> Bool {
        let count = variables.count
        var sum = [Double](repeating: 0, count: count * count)
        guard csolve_add_squares(&sum, Int32(count), rows, Int32(rows.count / count), factor) == CSOLVE_OK else {
            return false
        }
        for column in 0..<count {
            for row in column..<count {
                squares[variables[column] * width + variables[row]] += sum[column * count + row]
            }
        }
        return true
    }

    // MARK: Solutions

    /// A step of the unknowns, and of each point.
    struct Step {
        var unknowns: [Double]
        var points: [Vector3]
    }

    /// The Levenberg-Marquardt step, for which diagonals grow by `damping`, as a share of themselves; `nil` where there is none.
    func step(damping: Double) -> Step? {
        guard var (matrix, right) = reduced(damping: damping) else { return nil }
        for i in 0..<size { matrix[i * size + i] *= 1 + max(damping, 1e-9) }
        guard csolve_solve_positive_definite(matrix, Int32(size), &right, 1) == CSOLVE_OK else { return nil }
        let variables = rayVariables(for: right)
        return Step(unknowns: right, points: points.map { $0.step(for: variables, of: frameCount, damping: damping) })
    }

    /// How the variables of all rays change with a step of the unknowns; and, last, minus one.
    private func rayVariables(for unknowns: [Double]) -> [Double] {
        var variables = (0..<byCommonUnknowns.columns).map { column in
            (0..<RefinedMotion.commonCount).reduce(0) { $0 + byCommonUnknowns[$1, column] * unknowns[$1] }
        }
        for (index, variable) in noiseVariables.enumerated() {
            variables[variable] += unknowns[RefinedMotion.commonCount + index]
        }
        variables[variables.count - 1] = -1
        return variables
    }

    /// Where the noise of the poses stands among the variables of all rays.
    private var noiseVariables: [Int] {
        (0..<frameCount).flatMap { frame in
            (0..<PoseNoise.size).map { RayLayout.variable(RayLayout.turn + $0, ofFrame: frame, of: frameCount) }
        }
    }

    /// What a point has to do with the unknowns: how its equations change with each.
    func cross(ofPoint index: Int) -> [Vector3] {
        var cross = [Vector3](repeating: .zero, count: byCommonUnknowns.columns)
        let places = RayLayout.variables(ofFrames: points[index].frames, of: frameCount)
        for (place, value) in zip(places, points[index].cross) { cross[place] = value }
        let byCommon = (0..<RefinedMotion.commonCount).map { unknown in
            cross.indices.reduce(Vector3.zero) { $0 + cross[$1] * byCommonUnknowns[unknown, $1] }
        }
        return byCommon + noiseVariables.map { cross[$0] }
    }

    /// The covariance of what is metric: that of all with the inverse scale held, which only spares the steps. In it, the
    /// noise of the poses follows upon the variables of ``StartLayout``.
    func covariance() -> DenseMatrix? {
        guard let matrix = reduced(damping: 0)?.matrix else { return nil }
        let metric = (0..<size).filter { $0 != RefinedMotion.inverseScale }
        let values = metric.flatMap { column in metric.map { matrix[column * size + $0] } }
        var inverse = DenseMatrix(rows: metric.count, columns: metric.count)
        for index in metric.indices { inverse[index, index] = 1 }
        let count = Int32(metric.count)
        let status = csolve_solve_positive_definite(values, count, &inverse.values, count)
        return status == CSOLVE_OK ? inverse : nil
    }

    /// The equations without the points; `nil` where there is no memory.
    private func reduced(damping: Double) -> (matrix: [Double], right: [Double])? {
        // What was seen in the same frames is taken away at once.
        var rows: [Range<Int>: [Double]] = [:]
        for point in points {
            // A point that nothing holds takes nothing away.
            guard let root = CholeskyRoot(point.damped(damping)) else { continue }
            let columns = point.cross.map(root.solving)
            for axis in 0..<3 { rows[point.frames, default: []] += columns.lazy.map { $0[axis] } }
        }
        var squares = squares
        for (frames, rows) in rows.sorted(by: {
            ($0.key.lowerBound, $0.key.upperBound) < ($1.key.lowerBound, $1.key.upperBound)
        }) {
            let variables = RayLayout.variables(ofFrames: frames, of: frameCount)
            guard Self.addSquares(of: rows, in: variables, factor: -1, to: &squares, byCommonUnknowns.columns) else {
                return nil
            }
        }
        return equations(squares)
    }

    /// The equations with the points where they are: what an unknown does by itself.
    func withPointsHeld() -> (matrix: [Double], right: [Double]) { equations(squares) }

    /// The equations of the unknowns, the lower triangle by columns, from the lower triangle of those of the variables of all rays.
    private func equations(_ squares: [Double]) -> (matrix: [Double], right: [Double]) {
        let (common, width) = (RefinedMotion.commonCount, byCommonUnknowns.columns)
        var rays = DenseMatrix(rows: width, columns: width)
        for column in 0..<width {
            for row in column..<width {
                rays[row, column] = squares[column * width + row]
                rays[column, row] = squares[column * width + row]
            }
        }
        let half = byCommonUnknowns.timesTransposed(rays)
        let whole = half.timesTransposed(byCommonUnknowns)
        let noiseVariables = noiseVariables
        var matrix = [Double](repeating: 0, count: size * size)
        for column in 0..<common {
            for row in column..<common { matrix[column * size + row] = whole[row, column] }
            for (index, variable) in noiseVariables.enumerated() {
                matrix[column * size + common + index] = half[column, variable]
            }
        }
        for (column, columnVariable) in noiseVariables.enumerated() {
            for (row, rowVariable) in noiseVariables.enumerated().dropFirst(column) {
                matrix[(common + column) * size + common + row] = rays[rowVariable, columnVariable]
            }
        }
        var right = (0..<common).map { whole[common, $0] } + noiseVariables.map { rays[width - 1, $0] }
        addPriors(&matrix, &right)
        return (matrix, right)
    }

    private func addPriors(_ matrix: inout [Double], _ right: inout [Double]) {
        for prior in priors {
            for (row, rowValue) in prior.derivatives {
                right[row] += rowValue * prior.residual
                for (column, columnValue) in prior.derivatives where column <= row {
                    matrix[column * size + row] += rowValue * columnValue
                }
            }
        }
        let first = RefinedMotion.commonCount
        for (column, gradient) in noiseGradient.enumerated() {
            right[first + column] -= gradient
            for row in column..<noiseGradient.count {
                matrix[(first + column) * size + first + row] += noise.information[row, column]
            }
        }
    }
}

/// The lower triangular root L of a symmetric, positive definite A = L Lᵀ.
struct CholeskyRoot {
    private let diagonal, below: Vector3

    /// `nil` where the matrix is not positive definite.
    init?(_ a: Matrix3x3) {
        guard a[0].x > 0 else { return nil }
        let first = a[0].x.squareRoot()
        let (b, c) = (a[0].y / first, a[0].z / first)
        guard a[1].y - b * b > 0 else { return nil }
        let second = (a[1].y - b * b).squareRoot()
        let d = (a[1].z - c * b) / second
        guard a[2].z - c * c - d * d > 0 else { return nil }
        diagonal = Vector3(first, second, (a[2].z - c * c - d * d).squareRoot())
        below = Vector3(b, c, d)
    }

    /// L⁻ᵀ v.
    func solvingTransposed(_ v: Vector3) -> Vector3 {
        let z = v.z / diagonal.z
        let y = (v.y - below.z * z) / diagonal.y
        return Vector3((v.x - below.x * y - below.y * z) / diagonal.x, y, z)
    }

    /// L⁻¹ v, whose products are those by A⁻¹: uᵀ A⁻¹ v = (L⁻¹ u)ᵀ L⁻¹ v.
    func solving(_ v: Vector3) -> Vector3 {
        let x = v.x / diagonal.x
        let y = (v.y - below.x * x) / diagonal.y
        return Vector3(x, y, (v.z - below.y * x - below.z * y) / diagonal.z)
    }
}
