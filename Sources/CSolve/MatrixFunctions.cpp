// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Batch.hpp"

#include <eigen3/unsupported/Eigen/MatrixFunctions>

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

} // namespace

CSolveStatus csolve_matrix_exponential(const double *matrix, int32_t size, double *exponential) {
    return apply(matrix, size, exponential, [](const Eigen::MatrixXd &argument) -> Eigen::MatrixXd {
        return argument.exp();
    });
}

CSolveStatus csolve_matrix_logarithm(const double *matrix, int32_t size, double *logarithm) {
    return apply(matrix, size, logarithm, [](const Eigen::MatrixXd &argument) -> Eigen::MatrixXd {
        return argument.log();
    });
}
