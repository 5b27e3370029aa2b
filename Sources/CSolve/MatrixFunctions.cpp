// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Batch.hpp"

#include <algorithm>
#include <complex>
#include <eigen3/Eigen/Cholesky>
#include <eigen3/Eigen/Eigenvalues>
#include <eigen3/unsupported/Eigen/MatrixFunctions>
#include <limits>

namespace {

/// Applies `function`, a map of square matrices, and refuses a result that is not finite.
template <typename Function>
CSolveStatus apply(const double *matrix, int32_t size, double *result, Function &&function) {
    if (size < 0 || !csolve::is_buffer(matrix, size) || !csolve::is_buffer(result, size))
        return CSOLVE_INVALID_ARGUMENT;
    return csolve::guarded([&] {
        const Eigen::Map<const Eigen::MatrixXd> argument(matrix, size, size);
        Eigen::Map<Eigen::MatrixXd> value(result, size, size);
        if (!argument.allFinite()) return CSOLVE_FAILED;
        value = function(argument);
        return value.allFinite() ? CSOLVE_OK : CSOLVE_FAILED;
    });
}

/// Whether an eigenvalue lies on the closed negative real axis, where the principal logarithm is not real or not there.
/// Eigen does not look: it drops the imaginary part.
bool has_eigenvalue_without_logarithm(const Eigen::MatrixXd &matrix) {
    const Eigen::VectorXcd eigenvalues = matrix.eigenvalues();
    return std::any_of(eigenvalues.begin(), eigenvalues.end(), [](const std::complex<double> &value) {
        return value.imag() == 0 && value.real() <= 0;
    });
}

} // namespace

CSolveStatus csolve_matrix_exponential(const double *matrix, int32_t size, double *exponential) {
    return apply(matrix, size, exponential, [](const Eigen::MatrixXd &argument) -> Eigen::MatrixXd {
        return argument.exp();
    });
}

CSolveStatus csolve_matrix_logarithm(const double *matrix, int32_t size, double *logarithm) {
    return apply(matrix, size, logarithm, [](const Eigen::MatrixXd &argument) -> Eigen::MatrixXd {
        if (has_eigenvalue_without_logarithm(argument)) {
            return Eigen::MatrixXd::Constant(
                argument.rows(), argument.cols(), std::numeric_limits<double>::quiet_NaN());
        }
        return argument.log();
    });
}

CSolveStatus csolve_solve_positive_definite(
    const double *matrix, int32_t size, double *right_sides, int32_t count) {
    if (size < 0 || count < 0 || !csolve::is_buffer(matrix, size) || !csolve::is_buffer(right_sides, size))
        return CSOLVE_INVALID_ARGUMENT;
    return csolve::guarded([&] {
        const Eigen::Map<const Eigen::MatrixXd> argument(matrix, size, size);
        Eigen::Map<Eigen::MatrixXd> solutions(right_sides, size, count);
        const Eigen::LLT<Eigen::MatrixXd> factor(argument);
        if (factor.info() != Eigen::Success) return CSOLVE_FAILED;
        factor.solveInPlace(solutions);
        return solutions.allFinite() ? CSOLVE_OK : CSOLVE_FAILED;
    });
}

CSolveStatus csolve_add_squares(double *matrix, int32_t size, const double *rows, int32_t count, double factor) {
    if (size < 0 || count < 0 || !csolve::is_buffer(matrix, int64_t(size) * size) ||
        !csolve::is_buffer(rows, int64_t(size) * count))
        return CSOLVE_INVALID_ARGUMENT;
    // Of no rows at all, Eigen divides by their number where the matrix is large.
    if (size == 0 || count == 0) return CSOLVE_OK;
    return csolve::guarded([&] {
        Eigen::Map<Eigen::MatrixXd> sum(matrix, size, size);
        sum.selfadjointView<Eigen::Lower>().rankUpdate(Eigen::Map<const Eigen::MatrixXd>(rows, size, count), factor);
        return CSOLVE_OK;
    });
}

CSolveStatus csolve_multiply_transposed(
    const double *left, int32_t left_rows, const double *right, int32_t right_rows, int32_t columns, double *product) {
    if (left_rows < 0 || right_rows < 0 || columns < 0 || !csolve::is_buffer(left, int64_t(left_rows) * columns) ||
        !csolve::is_buffer(right, int64_t(right_rows) * columns) ||
        !csolve::is_buffer(product, int64_t(left_rows) * right_rows))
        return CSOLVE_INVALID_ARGUMENT;
    return csolve::guarded([&] {
        Eigen::Map<Eigen::MatrixXd>(product, left_rows, right_rows).noalias() =
            Eigen::Map<const Eigen::MatrixXd>(left, left_rows, columns) *
            Eigen::Map<const Eigen::MatrixXd>(right, right_rows, columns).transpose();
        return CSOLVE_OK;
    });
}
