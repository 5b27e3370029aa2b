// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>

namespace cfeatures {

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

    /// Cholesky's decomposition; false where the matrix is not positive definite.
    bool solve(double *step) const {
        double l[count][count];
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
        for (int i = 0; i < count; ++i) {
            double sum = right[i];
            for (int k = 0; k < i; ++k) sum -= l[i][k] * step[k];
            step[i] = sum / l[i][i];
        }
        for (int i = count - 1; i >= 0; --i) {
            for (int k = i + 1; k < count; ++k) step[i] -= l[k][i] * step[k];
            step[i] /= l[i][i];
        }
        return true;
    }
};

} // namespace cfeatures
