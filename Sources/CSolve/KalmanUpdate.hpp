// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The three large sums of Kalman's update, each over all of a filter's variables.

#pragma once

#include <cstdint>

namespace csolve {

/// A Jacobian by rows, without zeros: what is seen of a point depends on a few of many variables.
struct SparseRows {
    /// The first entry of each row, and behind the last row's the end.
    const int32_t *starts;
    /// The variable of each entry, and its value.
    const int32_t *variables;
    const double *values;
    int32_t count;
};

/// J P, by rows: `product` receives `size` numbers for each row of the Jacobian.
void multiply(const SparseRows &jacobian, const double *covariance, int32_t size, double *product);

/// Solves L W = G for rows of `size` numbers, in place. `root` is a lower triangle of count × count numbers by columns.
void solve_lower(const double *root, int32_t count, double *rows, int32_t size);

/// P − Wᵀ W for rows W of `size` numbers. `columns` is W by columns: `count` numbers for each variable.
void subtract_squares(const double *rows, const double *columns, int32_t count, double *covariance, int32_t size);

} // namespace csolve
