// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Batch.hpp"
#include "KalmanUpdate.hpp"

#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/Cholesky>

namespace {

using Matrix = Eigen::Map<Eigen::MatrixXd>;
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
using Vector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Block = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ConstBlock = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// Directions with less than this share of the strongest one's information are rounding noise.
constexpr double smallest_share_of_information = 1e-14;

/// Hands out parts of the caller's workspace.
class Workspace {
public:
    Workspace(double *numbers, int64_t count) : next(numbers), left(count) {}

    Matrix matrix(int64_t rows, int64_t columns) {
        double *const start = next;
        const int64_t count = rows * columns;
        if (count > left) throw std::bad_alloc();
        next += count;
        left -= count;
        return Matrix(start, rows, columns);
    }

    int32_t *integers(int64_t count) { return reinterpret_cast<int32_t *>(matrix(count / 2 + 1, 1).data()); }

private:
    double *next;
    int64_t left;
};

/// A Jacobian without the variables that none of its rows depends on.
struct DenseJacobian {
    Matrix values;
    /// Which variable of the state each column stands for.
    const int32_t *variables;

    DenseJacobian(const ConstBlock &whole, int32_t first, Workspace &space)
        : values(space.matrix(whole.rows(), whole.cols())) {
        int32_t *const used = space.integers(whole.cols());
        int32_t count = 0;
        for (int32_t column = 0; column < whole.cols(); ++column) {
            if ((whole.col(column).array() == 0).all()) continue;
            values.col(count) = whole.col(column);
            used[count++] = first + column;
        }
        variables = used;
        new (&values) Matrix(values.data(), whole.rows(), count);
    }

    /// The covariance of all variables with those that the Jacobian depends on.
    Matrix covariances(const ConstMatrix &whole, Workspace &space) const {
        Matrix columns = space.matrix(whole.rows(), values.cols());
        for (int64_t column = 0; column < values.cols(); ++column) columns.col(column) = whole.col(variables[column]);
        return columns;
    }

    /// The covariance of those that it depends on.
    Matrix covariance(const ConstMatrix &whole, Workspace &space) const {
        Matrix block = space.matrix(values.cols(), values.cols());
        for (int64_t column = 0; column < values.cols(); ++column)
            for (int64_t row = 0; row < values.cols(); ++row)
                block(row, column) = whole(variables[row], variables[column]);
        return block;
    }
};

/// A Jacobian without its zeros.
csolve::SparseRows sparse_rows(const ConstBlock &jacobian, int32_t first, Workspace &space) {
    const int64_t most = jacobian.size();
    double *const values = space.matrix(most, 1).data();
    int32_t *const variables = space.integers(most);
    int32_t *const starts = space.integers(jacobian.rows() + 1);
    int32_t count = 0;
    for (int32_t row = 0; row < jacobian.rows(); ++row) {
        starts[row] = count;
        for (int32_t column = 0; column < jacobian.cols(); ++column) {
            if (jacobian(row, column) == 0) continue;
            variables[count] = first + column;
            values[count++] = jacobian(row, column);
        }
    }
    starts[jacobian.rows()] = count;
    return csolve::SparseRows{starts, variables, values, int32_t(jacobian.rows())};
}

/// J P Jᵀ + I, whose lower triangle alone is written, from J and the rows of J P.
void write_innovation(const csolve::SparseRows &jacobian, const Matrix &product, Matrix &innovation) {
    for (int32_t column = 0; column < jacobian.count; ++column)
        for (int32_t row = column; row < jacobian.count; ++row) {
            double sum = row == column ? 1 : 0;
            for (int32_t entry = jacobian.starts[row]; entry < jacobian.starts[row + 1]; ++entry)
                sum += jacobian.values[entry] * product(jacobian.variables[entry], column);
            innovation(row, column) = sum;
        }
}

bool is_range(int32_t size, int32_t first, int32_t count) {
    return size >= 0 && first >= 0 && count >= 0 && first <= size - count;
}

bool is_jacobian(const double *jacobian, int32_t rows, int32_t columns, int32_t row_stride) {
    return rows >= 0 && row_stride >= rows && csolve::is_buffer(jacobian, int64_t(rows) * columns);
}

} // namespace

int64_t csolve_workspace_count(int32_t size, int32_t rows) {
    const int64_t longest = std::max(size, rows);
    return 5 * longest * (longest + 2);
}

CSolveStatus csolve_transform_covariance(
    double *covariance, int32_t size, int32_t target, int32_t count, int32_t source, int32_t source_count,
    const double *jacobian, const double *noise, double *workspace, int64_t workspace_count) {
    if (!is_range(size, target, count) || !is_range(size, source, source_count) ||
        !csolve::is_buffer(covariance, size) || !csolve::is_buffer(jacobian, int64_t(count) * source_count) ||
        !csolve::is_buffer(workspace, workspace_count))
        return CSOLVE_INVALID_ARGUMENT;
    return csolve::guarded([&] {
        Workspace space(workspace, workspace_count);
        Matrix whole(covariance, size, size);
        const ConstBlock map(jacobian, count, source_count, Eigen::OuterStride<>(count));
        const DenseJacobian dense(map, source, space);
        Matrix cross = space.matrix(count, size);
        cross.noalias() = dense.values * dense.covariances(ConstMatrix(covariance, size, size), space).transpose();
        Matrix own = space.matrix(count, count);
        own.setZero();
        for (int64_t column = 0; column < dense.values.cols(); ++column)
            own.noalias() += cross.col(dense.variables[column]) * dense.values.col(column).transpose();
        if (noise != nullptr) own += ConstMatrix(noise, count, count);
        whole.middleRows(target, count) = cross;
        whole.middleCols(target, count) = cross.transpose();
        whole.block(target, target, count, count) = 0.5 * (own + own.transpose());
        return CSOLVE_OK;
    });
}

CSolveStatus csolve_eliminate_columns(
    double *block, int32_t rows, int32_t columns, int32_t row_stride, int32_t eliminated) {
    if (columns < 0 || eliminated < 0 || eliminated > std::min(rows, columns) ||
        !is_jacobian(block, rows, columns, row_stride))
        return CSOLVE_INVALID_ARGUMENT;
    return csolve::guarded([&] {
        Block matrix(block, rows, columns, Eigen::OuterStride<>(row_stride));
        for (int32_t column = 0; column < eliminated; ++column) {
            // The reflection's normal stands where the column was until all later columns are reflected.
            auto normal = matrix.col(column).tail(rows - column);
            const double length = normal.norm();
            if (length == 0) continue;
            const double pivot = normal(0) > 0 ? -length : length;
            normal(0) -= pivot;
            const double half_square = -pivot * normal(0);
            for (int32_t other = column + 1; other < columns; ++other) {
                auto reflected = matrix.col(other).tail(rows - column);
                reflected -= (normal.dot(reflected) / half_square) * normal;
            }
            normal.setZero();
            normal(0) = pivot;
        }
        return CSOLVE_OK;
    });
}

CSolveStatus csolve_whiten_measurements(
    double *block, int32_t rows, int32_t columns, int32_t row_stride, double *covariance) {
    if (columns < 0 || !is_jacobian(block, rows, columns, row_stride) ||
        !csolve::is_buffer(covariance, static_cast<int64_t>(rows) * rows))
        return CSOLVE_INVALID_ARGUMENT;
    return csolve::guarded([&] {
        Matrix own(covariance, rows, rows);
        const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(own);
        if (factor.info() != Eigen::Success || !own.diagonal().allFinite()) return CSOLVE_FAILED;
        Block measurements(block, rows, columns, Eigen::OuterStride<>(row_stride));
        factor.matrixL().solveInPlace(measurements);
        return CSOLVE_OK;
    });
}

CSolveStatus csolve_mahalanobis(
    const double *covariance, int32_t size, int32_t first, int32_t columns, const double *jacobian, int32_t rows,
    int32_t row_stride, const double *residual, double *workspace, int64_t workspace_count, const double *variances,
    int32_t count, double *distances) {
    if (!is_range(size, first, columns) || !csolve::is_buffer(covariance, size) ||
        !is_jacobian(jacobian, rows, columns, row_stride) || !csolve::is_buffer(residual, rows) ||
        !csolve::is_buffer(workspace, workspace_count) || count < 1 || count > 8 ||
        !csolve::is_buffer(variances, count) || !csolve::is_buffer(distances, count))
        return CSOLVE_INVALID_ARGUMENT;
    return csolve::guarded([&] {
        Workspace space(workspace, workspace_count);
        const ConstMatrix whole(covariance, size, size);
        const ConstBlock map(jacobian, rows, columns, Eigen::OuterStride<>(row_stride));
        const DenseJacobian dense(map, first, space);
        Matrix product = space.matrix(dense.values.cols(), rows);
        product.noalias() = dense.covariance(whole, space) * dense.values.transpose();
        Matrix exact = space.matrix(rows, rows);
        exact.noalias() = dense.values * product;
        Matrix innovation = space.matrix(rows, rows);
        Matrix whitened = space.matrix(rows, 1);
        for (int32_t index = 0; index < count; ++index) {
            if (!(variances[index] > 0)) return CSOLVE_INVALID_ARGUMENT;
            innovation = exact;
            innovation.diagonal().array() += variances[index];
            const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(innovation);
            if (factor.info() != Eigen::Success) return CSOLVE_FAILED;
            whitened = ConstVector(residual, rows);
            factor.matrixL().solveInPlace(whitened);
            distances[index] = whitened.squaredNorm();
        }
        return CSOLVE_OK;
    });
}

CSolveStatus csolve_compress_measurements(
    double *block, int32_t rows, int32_t columns, int32_t row_stride, double *workspace, int64_t workspace_count,
    int32_t *remaining) {
    if (columns < 0 || remaining == nullptr || !is_jacobian(block, rows, columns + 1, row_stride) ||
        !csolve::is_buffer(workspace, workspace_count))
        return CSOLVE_INVALID_ARGUMENT;
    *remaining = rows;
    if (rows <= columns) return CSOLVE_OK;
    return csolve::guarded([&] {
        Workspace space(workspace, workspace_count);
        Block measurements(block, rows, columns + 1, Eigen::OuterStride<>(row_stride));
        const auto jacobian = measurements.leftCols(columns);
        Matrix information = space.matrix(columns, columns);
        information.setZero();
        information.selfadjointView<Eigen::Lower>().rankUpdate(jacobian.transpose());
        Matrix weighted = space.matrix(columns, 1);
        weighted.noalias() = jacobian.transpose() * measurements.col(columns);

        // JᵀJ = Πᵀ L D Lᵀ Π: the new Jacobian is √D Lᵀ Π, and the new residual solves (√D Lᵀ Π)ᵀ r = Jᵀ r.
        const Eigen::LDLT<Eigen::Ref<Eigen::MatrixXd>> factor(information);
        const auto diagonal = factor.vectorD();
        const double smallest = smallest_share_of_information * diagonal.cwiseAbs().maxCoeff();
        const auto &swaps = factor.transpositionsP().indices();
        for (int32_t k = 0; k < columns; ++k) weighted.row(k).swap(weighted.row(swaps(k)));
        factor.matrixL().solveInPlace(weighted);
        Matrix compressed = space.matrix(columns, columns);
        compressed = factor.matrixL().transpose();
        for (int32_t k = columns - 1; k >= 0; --k) compressed.col(k).swap(compressed.col(swaps(k)));
        int32_t row = 0;
        for (int32_t direction = 0; direction < columns; ++direction) {
            if (!(diagonal(direction) > smallest)) continue;
            const double root = std::sqrt(diagonal(direction));
            measurements.row(row).head(columns) = root * compressed.row(direction);
            measurements(row, columns) = weighted(direction, 0) / root;
            ++row;
        }
        *remaining = row;
        return CSOLVE_OK;
    });
}

CSolveStatus csolve_kalman_update(
    double *covariance, int32_t size, int32_t first, int32_t columns, const double *jacobian, int32_t rows,
    int32_t row_stride, const double *residual, double *workspace, int64_t workspace_count, double *correction) {
    if (!is_range(size, first, columns) || !csolve::is_buffer(covariance, size) ||
        !is_jacobian(jacobian, rows, columns, row_stride) || !csolve::is_buffer(residual, rows) ||
        !csolve::is_buffer(correction, size) || !csolve::is_buffer(workspace, workspace_count))
        return CSOLVE_INVALID_ARGUMENT;
    return csolve::guarded([&] {
        Workspace space(workspace, workspace_count);
        const ConstBlock map(jacobian, rows, columns, Eigen::OuterStride<>(row_stride));
        const csolve::SparseRows sparse = sparse_rows(map, first, space);
        // A column for each measurement: of J P, and then of W.
        Matrix gain = space.matrix(size, rows);
        csolve::multiply(sparse, covariance, size, gain.data());
        Matrix innovation = space.matrix(rows, rows);
        write_innovation(sparse, gain, innovation);
        const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(innovation);
        if (factor.info() != Eigen::Success) return CSOLVE_FAILED;

        // With S = L Lᵀ and W = L⁻¹ J P: K J P = WᵀW and K r = Wᵀ L⁻¹ r.
        csolve::solve_lower(innovation.data(), rows, gain.data(), size);
        Matrix whitened = space.matrix(rows, 1);
        whitened = ConstVector(residual, rows);
        factor.matrixL().solveInPlace(whitened);
        Vector(correction, size).noalias() = gain * whitened;
        Matrix by_variable = space.matrix(rows, size);
        by_variable = gain.transpose();
        csolve::subtract_squares(gain.data(), by_variable.data(), rows, covariance, size);
        return CSOLVE_OK;
    });
}
