// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "KalmanUpdate.hpp"

#include "Lanes.hpp"

#include <algorithm>

#pragma STDC FP_CONTRACT OFF

namespace csolve {

namespace {

struct Product {
    const SparseRows &jacobian;
    const double *covariance;
    int32_t size;
    double *product;

    template <int Count> CSOLVE_INLINE void variables(int32_t first) const {
        for (int32_t row = 0; row < jacobian.count; ++row) {
            Lanes<Count> sum = {};
            for (int32_t entry = jacobian.starts[row]; entry < jacobian.starts[row + 1]; ++entry)
                sum += jacobian.values[entry]
                       * load<Count>(covariance + int64_t(jacobian.variables[entry]) * size + first);
            store(sum, product + int64_t(row) * size + first);
        }
    }
};

struct LowerSolution {
    const double *root;
    int32_t count;
    double *rows;
    int32_t size;

    template <int Count> CSOLVE_INLINE void variables(int32_t first) const {
        for (int32_t row = 0; row < count; ++row) {
            Lanes<Count> rest = load<Count>(rows + int64_t(row) * size + first);
            for (int32_t other = 0; other < row; ++other)
                rest -= root[int64_t(other) * count + row] * load<Count>(rows + int64_t(other) * size + first);
            store(rest / root[int64_t(row) * count + row], rows + int64_t(row) * size + first);
        }
    }
};

struct Downdate {
    const double *rows;
    const double *columns;
    int32_t count;
    double *covariance;
    int32_t size;

    /// What lies on the diagonal and below it of some of the covariance's rows, and a little beside.
    template <int Count> CSOLVE_INLINE void variables(int32_t first) const {
        int32_t column = 0;
        for (; column + 4 <= std::min(first + Count, size); column += 4) block<Count, 4>(first, column);
        for (; column < std::min(first + Count, size); ++column) block<Count, 1>(first, column);
    }

    template <int Count, int Columns> CSOLVE_INLINE void block(int32_t first, int32_t column) const {
        Lanes<Count> rest[Columns];
        for (int32_t c = 0; c < Columns; ++c) rest[c] = load<Count>(covariance + int64_t(column + c) * size + first);
        const double *const factors = columns + int64_t(column) * count;
        for (int32_t row = 0; row < count; ++row) {
            const Lanes<Count> term = load<Count>(rows + int64_t(row) * size + first);
            for (int32_t c = 0; c < Columns; ++c) rest[c] -= factors[int64_t(c) * count + row] * term;
        }
        for (int32_t c = 0; c < Columns; ++c) store(rest[c], covariance + int64_t(column + c) * size + first);
    }
};

} // namespace

CSOLVE_WIDE void multiply(const SparseRows &jacobian, const double *covariance, int32_t size, double *product) {
    for_variables(size, Product{jacobian, covariance, size, product});
}

CSOLVE_WIDE void solve_lower(const double *root, int32_t count, double *rows, int32_t size) {
    for_variables(size, LowerSolution{root, count, rows, size});
}

CSOLVE_WIDE void subtract_squares(
    const double *rows, const double *columns, int32_t count, double *covariance, int32_t size) {
    for_variables(size, Downdate{rows, columns, count, covariance, size});
    // Both triangles are kept equal; tile by tile, so that no column is fetched again for each of its numbers.
    constexpr int32_t tile = 8;
    for (int32_t left = 0; left < size; left += tile)
        for (int32_t top = left; top < size; top += tile)
            for (int32_t column = left; column < std::min(left + tile, size); ++column)
                for (int32_t row = std::max(top, column + 1); row < std::min(top + tile, size); ++row)
                    covariance[int64_t(row) * size + column] = covariance[int64_t(column) * size + row];
}

} // namespace csolve
