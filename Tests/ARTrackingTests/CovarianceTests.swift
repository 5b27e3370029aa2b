// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve
import TestSupport
import Testing

@testable import ARTracking

/// What a filter does to its covariance, against the definitions, entry by entry.
@Suite struct CovarianceTests {
    static let count = 24

    /// A random covariance of full rank.
    static func covariance(_ random: inout TestRandom, rows: Int = 64) -> Covariance {
        var covariance = Covariance(count: count, rows: rows)
        for variable in 0..<count { covariance.reset(variable, variance: random.uniform(0.1...2)) }
        var mix = DenseMatrix(rows: count, columns: count)
        for column in 0..<count {
            for row in 0..<count { mix[row, column] = random.uniform(-1...1) }
        }
        covariance.transform(0..<count, from: 0..<count, by: mix)
        return covariance
    }

    static func measurements(_ random: inout TestRandom, of variables: Range<Int>, rows: Int) -> Measurements {
        var measurements = Measurements(of: variables, capacity: rows + 3)
        _ = measurements.appendRows(rows)
        for row in 0..<rows {
            for variable in variables { measurements[row, variable] = random.uniform(-1...1) }
            measurements[residual: row] = random.uniform(-1...1)
        }
        return measurements
    }

    /// rᵀ (J P Jᵀ + n 1)⁻¹ r of two measurements, with n = 1 and a tenth, by the inverse of two rows and columns.
    @Test func distancesAreThoseOfTheirNoise() throws {
        var random = TestRandom("covariance distances")
        var covariance = Self.covariance(&random)
        let measurements = Self.measurements(&random, of: 3..<17, rows: 2)
        func expected(_ noise: Double) -> Double {
            func spread(_ a: Int, _ b: Int) -> Double {
                (3..<17).reduce(0) { sum, i in
                    (3..<17).reduce(sum) { $0 + measurements[a, i] * covariance[i, $1] * measurements[b, $1] }
                }
            }
            let (xx, xy, yy) = (spread(0, 0) + noise, spread(0, 1), spread(1, 1) + noise)
            let (x, y) = (measurements[residual: 0], measurements[residual: 1])
            return (yy * x * x - 2 * xy * x * y + xx * y * y) / (xx * yy - xy * xy)
        }
        let (stated, usual) = (expected(1), expected(0.1))
        let distances = covariance.squaredDistances(of: measurements, noiseShare: 0.1)
        let (found, alone) = try (#require(distances), covariance.squaredDistance(of: measurements))
        #expect(abs(found.stated - stated) < 1e-10 * (1 + stated))
        #expect(abs(found.usual - usual) < 1e-10 * (1 + usual))
        #expect(alone == found.stated)
    }

    @Test func newVariablesCarryTheirCorrelations() {
        var random = TestRandom("covariance 1")
        let before = Self.covariance(&random)
        var after = before
        let (target, source) = (4..<7, 2..<12)
        var map = DenseMatrix(rows: 3, columns: 10)
        var noise = DenseMatrix(rows: 3, columns: 3)
        for row in 0..<3 {
            for column in 0..<10 { map[row, column] = random.uniform(-1...1) }
            noise[row, row] = 0.3
        }
        after.transform(target, from: source, by: map, noise: noise)
        // The whole map: the identity but for the target's rows.
        func entry(_ row: Int, _ column: Int) -> Double {
            guard target.contains(row) else { return row == column ? 1 : 0 }
            return source.contains(column) ? map[row - 4, column - 2] : 0
        }
        for row in 0..<Self.count {
            for column in 0..<Self.count {
                var expected = row == column && target.contains(row) ? 0.3 : 0
                for i in 0..<Self.count {
                    for j in 0..<Self.count { expected += entry(row, i) * before[i, j] * entry(column, j) }
                }
                #expect(abs(after[row, column] - expected) < 1e-12 * (1 + abs(expected)))
            }
        }
    }

    @Test func compressionKeepsTheInformation() {
        var random = TestRandom("covariance 2")
        var covariance = Self.covariance(&random)
        let all = Self.measurements(&random, of: 3..<15, rows: 40)
        var few = all
        covariance.compress(&few)
        #expect(few.rows <= 12)
        func information(_ m: Measurements, _ a: Int, _ b: Int) -> Double {
            (0..<m.rows).reduce(0) { $0 + m[$1, a] * m[$1, b] }
        }
        func weighted(_ m: Measurements, _ a: Int) -> Double {
            (0..<m.rows).reduce(0) { $0 + m[$1, a] * m[residual: $1] }
        }
        for a in 3..<15 {
            #expect(abs(weighted(all, a) - weighted(few, a)) < 1e-11)
            for b in 3..<15 { #expect(abs(information(all, a, b) - information(few, a, b)) < 1e-11) }
        }
    }

    /// Two measurements in turn say what both say at once, and an update is the minimum of the sum of squares.
    @Test func updatesMinimise() throws {
        var random = TestRandom("covariance 3")
        let prior = Self.covariance(&random)
        let measurements = Self.measurements(&random, of: 3..<15, rows: 10)
        var posterior = prior
        var x = [Double](repeating: 0, count: Self.count)
        #expect(posterior.update(with: measurements, correction: &x))
        // The gradient of xᵀ P⁻¹ x + |r − J x|² is zero, so x = P Jᵀ (r − J x); and P⁺ = P − P Jᵀ J P⁺.
        func misfit(_ row: Int) -> Double {
            measurements[residual: row] - measurements.variables.reduce(0) { $0 + measurements[row, $1] * x[$1] }
        }
        for i in 0..<Self.count {
            var expected = 0.0
            for row in 0..<10 {
                let gain = measurements.variables.reduce(0) { $0 + prior[i, $1] * measurements[row, $1] }
                expected += gain * misfit(row)
            }
            #expect(abs(x[i] - expected) < 1e-10)
            for j in 0..<Self.count {
                var expected = prior[i, j]
                for row in 0..<10 {
                    let gain = measurements.variables.reduce(0) { $0 + prior[i, $1] * measurements[row, $1] }
                    expected -=
                        gain * measurements.variables.reduce(0) { $0 + measurements[row, $1] * posterior[$1, j] }
                }
                #expect(abs(posterior[i, j] - expected) < 1e-10)
                #expect(posterior[i, j] == posterior[j, i])
            }
        }
    }

    /// What may have been heard before says nothing the second time, and nothing where more is known: three numbers of a variance are known as
    /// well as is guessed, then.
    @Test(arguments: [0.01, 1, 100], [1.0, 30.0]) func aGuessCountsOnce(guessed: Double, spread: Double) {
        var known = Covariance(count: Self.count, rows: 8)
        for variable in 4..<7 { known.reset(variable, variance: 1) }
        known.reset(4, variance: spread)
        var guess = Measurements(of: 2..<9, capacity: 3)
        _ = guess.appendRows(3)
        for row in 0..<3 { guess[row, 4 + row] = 1 / guessed.squareRoot() }
        func hear(_ known: inout Covariance) {
            var (new, x) = (guess, [Double](repeating: 0, count: Self.count))
            known.weaken(0..<3, of: &new)
            #expect(known.update(with: new, correction: &x))
        }
        func variance(_ covariance: Covariance) -> Double { (4..<7).reduce(0) { $0 + covariance[$1, $1] } / 3 }
        var once = known
        hear(&once)
        if guessed > variance(known) {
            for variable in 4..<7 { #expect(once[variable, variable] == known[variable, variable]) }
        } else if spread == 1 {
            #expect(abs(variance(once) - guessed) < 1e-12)
        } else {
            // Of what is known unequally well, all is not known equally well, but no worse as a whole.
            #expect(variance(once) <= guessed)
            #expect(variance(once) > 0.3 * guessed)
        }
        var twice = once
        hear(&twice)
        for variable in 4..<7 { #expect(abs(twice[variable, variable] - once[variable, variable]) < 1e-12) }
    }

    /// One measurement changes every entry by the same roundings as plain numbers do, one after the other: registers of any width
    /// give the same bits, and nothing is fused.
    @Test(arguments: [8, 16, 24, 29]) func bitsAreThoseOfPlainSums(size: Int) {
        var random = TestRandom(case: size)
        var prior = Covariance(count: size, rows: 1)
        for variable in 0..<size { prior.reset(variable, variance: random.uniform(0.5...2)) }
        var mix = DenseMatrix(rows: size, columns: size)
        for column in 0..<size { for row in 0..<size { mix[row, column] = random.uniform(-1...1) } }
        prior.transform(0..<size, from: 0..<size, by: mix)
        let measurement = Self.measurements(&random, of: 1..<7, rows: 1)
        var posterior = prior
        var correction = [Double](repeating: 0, count: size)
        #expect(posterior.update(with: measurement, correction: &correction))

        let covariances = (0..<size).map { row in
            (1..<7).reduce(0.0) { $0 + measurement[0, $1] * prior[row, $1] }
        }
        let deviation = (1..<7).reduce(1.0) { $0 + measurement[0, $1] * covariances[$1] }.squareRoot()
        let whitened = covariances.map { $0 / deviation }
        for i in 0..<size {
            #expect(correction[i] == whitened[i] * (measurement[residual: 0] / deviation))
            for j in 0..<size { #expect(posterior[i, j] == prior[i, j] - whitened[i] * whitened[j]) }
        }
    }

    @Test func compressedUpdatesAreTheSame() {
        var random = TestRandom("covariance 4")
        var (one, other) = (Self.covariance(&random), Covariance(count: 0, rows: 0))
        other = one
        let all = Self.measurements(&random, of: 3..<15, rows: 40)
        var few = all
        one.compress(&few)
        var (x, y) = ([Double](repeating: 0, count: Self.count), [Double](repeating: 0, count: Self.count))
        #expect(one.update(with: few, correction: &x) && other.update(with: all, correction: &y))
        for i in 0..<Self.count {
            #expect(abs(x[i] - y[i]) < 1e-10)
            for j in 0..<Self.count { #expect(abs(one[i, j] - other[i, j]) < 1e-10) }
        }
    }

    @Test func eliminationKeepsLengthsAndFreesRows() {
        var random = TestRandom("covariance 5")
        let before = Self.measurements(&random, of: 0..<9, rows: 14)
        var after = before
        after.eliminateFirstColumns(3)
        for row in 3..<14 {
            for column in 0..<3 { #expect(after[row, column] == 0) }
        }
        #expect(after[1, 0] == 0 && after[2, 0] == 0 && after[2, 1] == 0)
        func product(_ m: Measurements, _ a: Int, _ b: Int) -> Double {
            (0..<m.rows).reduce(0.0) { (sum: Double, row: Int) in sum + m[row, a] * m[row, b] }
        }
        for a in 0..<9 {
            for b in 0..<9 {
                #expect(abs(product(before, a, b) - product(after, a, b)) < 1e-12)
            }
        }
    }

    /// Sums of many rows' squares, entry by entry; the upper triangle is nobody's.
    @Test(arguments: [0, 1, 3, 700], [1.0, -1.0]) func addsSquares(rows count: Int, factor: Double) {
        var random = TestRandom()
        let size = 7
        let before = (0..<size * size).map { _ in random.uniform(-1...1) }
        let rows = (0..<size * count).map { _ in random.uniform(-1...1) }
        var matrix = before
        #expect(csolve_add_squares(&matrix, Int32(size), rows, Int32(count), factor) == CSOLVE_OK)
        for column in 0..<size {
            for row in 0..<size {
                var expected = before[column * size + row]
                if row >= column {
                    for k in 0..<count { expected += factor * rows[k * size + row] * rows[k * size + column] }
                }
                #expect(abs(matrix[column * size + row] - expected) < 1e-11)
            }
        }
        #expect(csolve_add_squares(nil, Int32(size), rows, Int32(count), factor) == CSOLVE_INVALID_ARGUMENT)
        // No rows change nothing, however large the matrix is.
        for size in [4, 60, 300] {
            var unchanged = [Double](repeating: 1, count: size * size)
            #expect(csolve_add_squares(&unchanged, Int32(size), [0.0], 0, factor) == CSOLVE_OK)
            #expect(unchanged.allSatisfy { $0 == 1 })
        }
        #expect(csolve_add_squares(&matrix, -1, rows, Int32(count), factor) == CSOLVE_INVALID_ARGUMENT)
    }

    /// A product with a transposed matrix is what its sums say, and J S Jᵀ is two of them.
    @Test func multipliesAndTransforms() {
        var random = TestRandom()
        func matrix(_ rows: Int, _ columns: Int) -> DenseMatrix {
            var matrix = DenseMatrix(rows: rows, columns: columns)
            for index in matrix.values.indices { matrix.values[index] = random.uniform(-1...1) }
            return matrix
        }
        for (rows, columns, others) in [(1, 1, 1), (3, 5, 2), (40, 17, 61), (2, 0, 3), (0, 4, 1)] {
            let (left, right) = (matrix(rows, columns), matrix(others, columns))
            let product = left.timesTransposed(right)
            #expect(product.rows == rows && product.columns == others)
            for row in 0..<rows {
                for other in 0..<others {
                    let expected = (0..<columns).reduce(0) { $0 + left[row, $1] * right[other, $1] }
                    #expect(abs(product[row, other] - expected) < 1e-12)
                }
            }
        }
        let (jacobian, half) = (matrix(3, 4), matrix(4, 4))
        let symmetric = half.timesTransposed(half)
        let transformed = symmetric.transformed(by: jacobian)
        for row in 0..<3 {
            for column in 0..<3 {
                var expected = 0.0
                for i in 0..<4 {
                    for j in 0..<4 { expected += jacobian[row, i] * symmetric[i, j] * jacobian[column, j] }
                }
                #expect(abs(transformed[row, column] - expected) < 1e-12)
            }
        }
        var product = [0.0]
        #expect(csolve_multiply_transposed([1.0], 1, [1.0], 1, -1, &product) == CSOLVE_INVALID_ARGUMENT)
        #expect(csolve_multiply_transposed(nil, 1, [1.0], 1, 1, &product) == CSOLVE_INVALID_ARGUMENT)
        #expect(csolve_multiply_transposed([1.0], 1, [1.0], 1, 1, nil) == CSOLVE_INVALID_ARGUMENT)
    }

    /// A A⁻¹ v = v by the two halves of the root, and what is not positive definite has none.
    @Test func solvesByTheRoot() throws {
        var random = TestRandom()
        for _ in 0..<50 {
            let mix = Matrix3x3(random.vector3(), random.vector3(), random.vector3())
            let matrix = mix * mix.transpose + Matrix3x3(diagonal: Vector3(repeating: 0.1))
            let root = try #require(CholeskyRoot(matrix))
            let vector = random.vector3()
            #expect((matrix * root.solvingTransposed(root.solving(vector)) - vector).length < 1e-10)
            #expect(CholeskyRoot(matrix - Matrix3x3(diagonal: Vector3(repeating: matrix.trace))) == nil)
        }
    }
}
