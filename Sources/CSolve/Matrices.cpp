// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Batch.hpp"

#include <eigen3/Eigen/LU>

namespace {

template <int Size>
CSolveStatus multiply(const double *left, const double *right, int64_t count, double *product) {
    using Batch = csolve::Matrices<Size>;
    if (!Batch::is_batch(left, count) || !Batch::is_batch(right, count) || !Batch::is_batch(product, count))
        return CSOLVE_INVALID_ARGUMENT;
    for (int64_t i = 0; i < count; ++i) {
        Batch::at(product, i).noalias() = Batch::at(left, i) * Batch::at(right, i);
    }
    return CSOLVE_OK;
}

template <int Size> CSolveStatus invert(const double *matrix, int64_t count, double *inverse) {
    using Batch = csolve::Matrices<Size>;
    if (!Batch::is_batch(matrix, count) || !Batch::is_batch(inverse, count)) return CSOLVE_INVALID_ARGUMENT;
    for (int64_t i = 0; i < count; ++i) Batch::at(inverse, i) = Batch::at(matrix, i).inverse();
    return CSOLVE_OK;
}

template <int Size> CSolveStatus determinant(const double *matrix, int64_t count, double *determinant) {
    using Batch = csolve::Matrices<Size>;
    if (!Batch::is_batch(matrix, count) || !csolve::is_buffer(determinant, count)) return CSOLVE_INVALID_ARGUMENT;
    for (int64_t i = 0; i < count; ++i) determinant[i] = Batch::at(matrix, i).determinant();
    return CSOLVE_OK;
}

} // namespace

CSolveStatus csolve_multiply_4x4(const double *left, const double *right, int64_t count, double *product) {
    return multiply<4>(left, right, count, product);
}

CSolveStatus csolve_invert_4x4(const double *matrix, int64_t count, double *inverse) {
    return invert<4>(matrix, count, inverse);
}

CSolveStatus csolve_determinant_4x4(const double *matrix, int64_t count, double *result) {
    return determinant<4>(matrix, count, result);
}

CSolveStatus csolve_multiply_3x3(const double *left, const double *right, int64_t count, double *product) {
    return multiply<3>(left, right, count, product);
}

CSolveStatus csolve_invert_3x3(const double *matrix, int64_t count, double *inverse) {
    return invert<3>(matrix, count, inverse);
}

CSolveStatus csolve_determinant_3x3(const double *matrix, int64_t count, double *result) {
    return determinant<3>(matrix, count, result);
}
