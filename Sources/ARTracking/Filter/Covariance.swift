// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve

/// The covariance of a filter's error state, and the few things that a filter does to it.
struct Covariance: Sendable {
    /// The number of variables.
    let count: Int
    /// count × count numbers, by columns; symmetric.
    private(set) var values: [Double]
    private var workspace: [Double]

    /// Zeros, with room for updates of up to `rows` measurements at once.
    init(count: Int, rows: Int) {
        self.count = count
        values = [Double](repeating: 0, count: count * count)
        workspace = [Double](
            repeating: 0, count: Int(csolve_workspace_count(Int32(count), Int32(rows))))
    }

    /// The covariance of two variables.
    subscript(row: Int, column: Int) -> Double { values[column * count + row] }

    /// The 3×3 block that begins at a row and a column.
    func block(_ row: Int, _ column: Int) -> Matrix3x3 {
        func entry(_ c: Int) -> Vector3 {
            Vector3(self[row, column + c], self[row + 1, column + c], self[row + 2, column + c])
        }
        return Matrix3x3(entry(0), entry(1), entry(2))
    }

    /// Makes variables independent of all others, with this covariance in their order.
    mutating func reset(_ variables: [Int], covariance: DenseMatrix) {
        for variable in variables { reset(variable, variance: 0) }
        for (column, variable) in variables.enumerated() {
            for (row, other) in variables.enumerated() { values[variable * count + other] = covariance[row, column] }
        }
    }

    /// Makes variables independent of all others, with these variances.
    mutating func reset(_ first: Int, variances: Vector3) {
        for offset in 0..<3 { reset(first + offset, variance: variances[offset]) }
    }

    /// Makes a variable independent of all others, with this variance.
    mutating func reset(_ variable: Int, variance: Double) {
        for other in 0..<count {
            values[other * count + variable] = 0
            values[variable * count + other] = 0
        }
        values[variable * count + variable] = variance
    }

    /// Gives variables a new meaning: x_target = J x_source + noise. Cross-covariances follow.
    mutating func transform(
        _ target: Range<Int>, from source: Range<Int>, by jacobian: DenseMatrix, noise: DenseMatrix? = nil
    ) {
        precondition(
            jacobian.rows == target.count && jacobian.columns == source.count,
            "a map from \(source) to \(target) cannot be \(jacobian.rows)×\(jacobian.columns)")
        let status = withBuffers { covariance, count, workspace in
            jacobian.values.withUnsafeBufferPointer { jacobian in
                (noise?.values ?? []).withUnsafeBufferPointer { noise in
                    csolve_transform_covariance(
                        covariance.baseAddress, count, Int32(target.lowerBound), Int32(target.count),
                        Int32(source.lowerBound), Int32(source.count), jacobian.baseAddress,
                        noise.isEmpty ? nil : noise.baseAddress, workspace.baseAddress, Int64(workspace.count))
                }
            }
        }
        precondition(status == CSOLVE_OK, "covariance: \(String(cString: csolve_status_message(status)))")
    }

    /// Adds noise of a variance to a variable.
    mutating func add(_ variance: Double, to variable: Int) { values[variable * count + variable] += variance }

    /// Adds noise to variables that follow upon each other.
    mutating func add(_ noise: DenseMatrix, to first: Int) {
        for column in 0..<noise.columns {
            for row in 0..<noise.rows { values[(first + column) * count + first + row] += noise[row, column] }
        }
    }

    /// Adds noise to a variable and the one after it.
    mutating func add(_ noise: PixelCovariance, to first: Int) {
        values[first * count + first] += noise.xx
        values[first * count + first + 1] += noise.xy
        values[(first + 1) * count + first] += noise.xy
        values[(first + 1) * count + first + 1] += noise.yy
    }

    /// rᵀ (J P Jᵀ + 1)⁻¹ r of whitened measurements, or `nil` when that is no number.
    mutating func squaredDistance(of measurements: Measurements) -> Double? {
        var (variance, distance) = (1.0, 0.0)
        return writeSquaredDistances(of: measurements, variances: &variance, count: 1, to: &distance) ? distance : nil
    }

    /// The same with the noise that the measurements state, and with noise of a share of that variance.
    /// Law: `CovarianceTests.distancesAreThoseOfTheirNoise`.
    mutating func squaredDistances(of measurements: Measurements, noiseShare: Double) -> SquaredDistances? {
        // Memory that a call borrows, no array: this is asked for each point of each frame.
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) { numbers in
            let (variances, distances) = (numbers.baseAddress!, numbers.baseAddress! + 2)
            (variances[0], variances[1]) = (1, noiseShare)
            guard writeSquaredDistances(of: measurements, variances: variances, count: 2, to: distances) else {
                return nil
            }
            return SquaredDistances(stated: distances[0], usual: distances[1])
        }
    }

    /// Makes measurements count less that say what has been heard before, perhaps: of a guess with the variance R, where the
    /// variance P is known, remains one with the variance 1 / (1/R − 1/P), and nothing where P is smaller.
    /// With it the guess is known to R, however often it is heard, or better, if other things tell.
    /// P is the mean of those of the measurements, which are one vector's. Law: `CovarianceTests.aGuessCountsOnce`.
    func weaken(_ rows: Range<Int>, of measurements: inout Measurements) {
        let known = rows.reduce(0) { $0 + variance(of: measurements, row: $1) } / Double(rows.count)
        measurements.scale(rows, by: max(1 - 1 / known, 0).squareRoot())
    }

    /// J P Jᵀ of one of the measurements.
    private func variance(of measurements: Measurements, row: Int) -> Double {
        let variables = measurements.variables.filter { measurements[row, $0] != 0 }
        return variables.reduce(0) { sum, column in
            let first = column * count
            return sum
                + measurements[row, column] * variables.reduce(0) { $0 + measurements[row, $1] * values[first + $1] }
        }
    }

    /// The larger eigenvalue of J P Jᵀ of two measurements.
    func largestVariance(ofPair measurements: Measurements) -> Double {
        let variables = measurements.variables.filter { measurements[0, $0] != 0 || measurements[1, $0] != 0 }
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for column in variables {
            var (x, y) = (0.0, 0.0)
            for row in variables {
                let value = values[column * count + row]
                x += measurements[0, row] * value
                y += measurements[1, row] * value
            }
            xx += x * measurements[0, column]
            xy += x * measurements[1, column]
            yy += y * measurements[1, column]
        }
        return (xx + yy) / 2 + (((xx - yy) / 2) * ((xx - yy) / 2) + xy * xy).squareRoot()
    }

    /// Answers whether there are such numbers.
    private mutating func writeSquaredDistances(
        of measurements: Measurements, variances: UnsafePointer<Double>, count variancesCount: Int,
        to distances: UnsafeMutablePointer<Double>
    ) -> Bool {
        let status = withBuffers { covariance, count, workspace in
            measurements.values.withUnsafeBufferPointer { block in
                csolve_mahalanobis(
                    covariance.baseAddress, count, Int32(measurements.variables.lowerBound),
                    Int32(measurements.variables.count), block.baseAddress, Int32(measurements.rows),
                    Int32(measurements.stride), block.baseAddress! + measurements.residualOffset,
                    workspace.baseAddress, Int64(workspace.count), variances, Int32(variancesCount), distances)
            }
        }
        return status == CSOLVE_OK && (0..<variancesCount).allSatisfy { distances[$0].isFinite }
    }

    /// Kalman's update. The error state's expected value is written to `correction`; `false` when nothing could be done.
    mutating func update(with measurements: Measurements, correction: inout [Double]) -> Bool {
        let status = withBuffers { covariance, count, workspace in
            measurements.values.withUnsafeBufferPointer { block in
                correction.withUnsafeMutableBufferPointer { correction in
                    csolve_kalman_update(
                        covariance.baseAddress, count, Int32(measurements.variables.lowerBound),
                        Int32(measurements.variables.count), block.baseAddress, Int32(measurements.rows),
                        Int32(measurements.stride), block.baseAddress! + measurements.residualOffset,
                        workspace.baseAddress, Int64(workspace.count), correction.baseAddress)
                }
            }
        }
        return status == CSOLVE_OK
    }

    /// Says with few measurements what many say.
    mutating func compress(_ measurements: inout Measurements) {
        var remaining = Int32(0)
        let status = withBuffers { _, _, workspace in
            measurements.values.withUnsafeMutableBufferPointer { block in
                csolve_compress_measurements(
                    block.baseAddress, Int32(measurements.rows), Int32(measurements.variables.count),
                    Int32(measurements.stride), workspace.baseAddress, Int64(workspace.count), &remaining)
            }
        }
        precondition(status == CSOLVE_OK, "measurements: \(String(cString: csolve_status_message(status)))")
        measurements.rows = Int(remaining)
    }

    private mutating func withBuffers<Result>(
        _ body: (UnsafeMutableBufferPointer<Double>, Int32, UnsafeMutableBufferPointer<Double>) -> Result
    ) -> Result {
        let count = Int32(count)
        return values.withUnsafeMutableBufferPointer { values in
            workspace.withUnsafeMutableBufferPointer { workspace in body(values, count, workspace) }
        }
    }
}

/// How far measurements are from what was expected: squared Mahalanobis distances.
struct SquaredDistances: Hashable, Sendable {
    /// With the noise that is stated for them.
    var stated: Double
    /// With the noise that measurements usually have.
    var usual: Double
}
