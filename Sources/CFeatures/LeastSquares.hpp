// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "Rounding.hpp"

#include <cmath>

namespace cfeatures {

/// Cholesky's factor of a symmetric matrix, of which the lower triangle is read.
template <int count> struct Cholesky {
    double l[count][count];

    /// False where the matrix is not positive definite.
    bool set(const double (&matrix)[count][count]) {
        for (int i = 0; i < count; ++i) {
            for (int j = 0; j <= i; ++j) {
                double sum = matrix[i][j];
                for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
                if (i == j) {
                    if (!(sum > 1e-12)) return false;
                    l[i][i] = std::sqrt(sum);
                } else {
                    l[i][j] = sum / l[j][j];
                }
            }
        }
        return true;
    }

    void solve(const double *right, double *solution) const {
        for (int i = 0; i < count; ++i) {
            double sum = right[i];
            for (int k = 0; k < i; ++k) sum -= l[i][k] * solution[k];
            solution[i] = sum / l[i][i];
        }
        for (int i = count - 1; i >= 0; --i) {
            for (int k = i + 1; k < count; ++k) solution[i] -= l[k][i] * solution[k];
            solution[i] /= l[i][i];
        }
    }
};

/// The normal equations of a linear problem with so many unknowns.
template <int count> struct NormalEquations {
    double matrix[count][count] = {};
    double right[count] = {};

    void add(const double *row, double residual, double weight) {
        for (int i = 0; i < count; ++i) {
            const double scaled = row[i] * weight;
            right[i] += scaled * residual;
            for (int j = 0; j <= i; ++j) matrix[i][j] += scaled * row[j];
        }
    }

    void add_prior(int parameter, double residual, double weight) {
        matrix[parameter][parameter] += weight;
        right[parameter] += weight * residual;
    }

    /// False where the matrix is not positive definite.
    bool solve(double *step) const {
        Cholesky<count> factor;
        if (!factor.set(matrix)) return false;
        factor.solve(right, step);
        return true;
    }
};

} // namespace cfeatures
