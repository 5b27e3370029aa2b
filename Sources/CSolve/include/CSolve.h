// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// arsim's door to Eigen: dense linear algebra behind plain C, over batches of small matrices and over a filter's
// covariance.
//
// Rules that hold for every function here:
// - Each returns a status. On any status other than CSOLVE_OK the output buffers hold unspecified values; nothing is
//   thrown, printed or aborted.
// - The caller owns every buffer. Its size stands beside its pointer in the comment; a count of zero allows null.
// - Inputs and outputs must not overlap.
// - Matrices are stored by columns. A batch is one value after the other.
// - 4×4 matrices and poses begin at a multiple of 16 bytes, as Swift's SIMD4<Double> does, for the sake of vector loads.
// - Numbers that are infinite or NaN are not refused; they spread through their own element of the batch only.
// - The same input gives the same output, bit for bit, on the same instruction set.
// - Functions may be called from several threads at once, on different output buffers.

#ifndef CSOLVE_H
#define CSOLVE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum CSolveStatus {
    CSOLVE_OK = 0,
    /// A null pointer, a negative count, or a buffer that is not aligned.
    CSOLVE_INVALID_ARGUMENT = 1,
    /// Memory ran out.
    CSOLVE_OUT_OF_MEMORY = 2,
    /// The computation met numbers for which it is undefined.
    CSOLVE_FAILED = 3
} CSolveStatus;

/// What went wrong, in English, for a status; never null, lives for ever.
const char *csolve_status_message(CSolveStatus status);

// MARK: Matrices

/// product[i] = left[i] · right[i], 16 × count doubles each.
CSolveStatus csolve_multiply_4x4(const double *left, const double *right, int64_t count, double *product);

/// inverse[i] = matrix[i]⁻¹, 16 × count doubles each. A singular matrix gives infinities or NaN.
CSolveStatus csolve_invert_4x4(const double *matrix, int64_t count, double *inverse);

/// determinant[i] = |matrix[i]|: 16 × count doubles give count.
CSolveStatus csolve_determinant_4x4(const double *matrix, int64_t count, double *determinant);

/// product[i] = left[i] · right[i], 9 × count doubles each.
CSolveStatus csolve_multiply_3x3(const double *left, const double *right, int64_t count, double *product);

/// inverse[i] = matrix[i]⁻¹, 9 × count doubles each. A singular matrix gives infinities or NaN.
CSolveStatus csolve_invert_3x3(const double *matrix, int64_t count, double *inverse);

/// determinant[i] = |matrix[i]|: 9 × count doubles give count.
CSolveStatus csolve_determinant_3x3(const double *matrix, int64_t count, double *determinant);

/// The matrix exponential Σ Aᵏ/k! of one square matrix of any size, by scaling, squaring and a Padé approximant.
///
/// - matrix, exponential: size × size doubles.
CSolveStatus csolve_matrix_exponential(const double *matrix, int32_t size, double *exponential);

/// The principal logarithm of one square matrix, whose eigenvalues must not lie on the closed negative real axis.
///
/// - matrix, logarithm: size × size doubles. CSOLVE_FAILED where the logarithm is not real.
CSolveStatus csolve_matrix_logarithm(const double *matrix, int32_t size, double *logarithm);

// MARK: Poses

/// A rigid transform: first the rotation, a unit quaternion, then the translation.
typedef struct CSolvePose {
    double rotation_xyzw[4];
    double translation_m[3];
    /// Fills the pose up to 64 bytes; never read.
    double padding;
} CSolvePose;

/// a_from_c[i] = a_from_b[i] · b_from_c[i] as quaternions and translations.
CSolveStatus csolve_compose_poses(
    const CSolvePose *a_from_b, const CSolvePose *b_from_c, int64_t count, CSolvePose *a_from_c);

/// a_from_c[i] = a_from_b[i] · b_from_c[i] as isometries: 4×4 matrices of 16 × count doubles, last rows 0 0 0 1.
CSolveStatus csolve_compose_isometries(
    const double *a_from_b, const double *b_from_c, int64_t count, double *a_from_c);

/// The coordinates in the target frame of points given in the source frame.
///
/// - points_in_source, points_in_target: every `doubles_per_point` doubles begin a point x y z. With 3 the points are
///   packed, any other number must be 4: the layout of Swift's SIMD3<Double>, whose fourth double is never read and
///   left as it was.
CSolveStatus csolve_transform_points(
    const CSolvePose *target_from_source, const double *points_in_source, int64_t count, int32_t doubles_per_point,
    double *points_in_target);

/// quaternions_xyzw[i] = the unit quaternion, of either sign, of the rotation matrix[i]: 9 × count doubles give 4 × count.
CSolveStatus csolve_quaternions_from_3x3(const double *matrix, int64_t count, double *quaternions_xyzw);

/// Solves A x = b for a symmetric, positive definite matrix of any size (Cholesky).
///
/// - matrix: size × size doubles, of which the lower triangle is read.
/// - right_sides: size × count doubles by columns; receives the solutions.
/// CSOLVE_FAILED when the matrix is not positive definite.
CSolveStatus csolve_solve_positive_definite(
    const double *matrix, int32_t size, double *right_sides, int32_t count);

/// Adds `factor` Σ r rᵀ over the rows r to a symmetric matrix of any size: how normal equations are gathered.
///
/// - matrix: size × size doubles, of which the lower triangle is read and written.
/// - rows: `count` rows of `size` doubles, one after the other.
CSolveStatus csolve_add_squares(double *matrix, int32_t size, const double *rows, int32_t count, double factor);

/// product = left · rightᵀ, of matrices of any size.
///
/// - left: left_rows × columns doubles.   - right: right_rows × columns.   - product: left_rows × right_rows.
CSolveStatus csolve_multiply_transposed(
    const double *left, int32_t left_rows, const double *right, int32_t right_rows, int32_t columns, double *product);

// MARK: Covariances
//
// A filter's covariance is a symmetric matrix of size × size doubles; both triangles are kept, and kept equal. A Jacobian
// has one row a measurement and one column for each variable of a range [first, first + columns); it is stored by
// columns, `row_stride` doubles apart. Measurements are whitened: each has unit variance.
//
// `workspace` spares the allocator: `csolve_workspace_count` says how many doubles any of these functions needs at most.

/// How many doubles of workspace a filter of `size` variables needs with at most `rows` measurements at once.
int64_t csolve_workspace_count(int32_t size, int32_t rows);

/// Gives the variables [target, target + count) a new meaning: x_target = J · x_source + n, with n of covariance `noise`.
///
/// Cross-covariances with all other variables follow. The target may be part of the source: that is how a state is
/// propagated. What the target was before is forgotten.
/// - jacobian: count × source_count doubles by columns, packed.
/// - noise: count × count doubles, or null for none.
CSolveStatus csolve_transform_covariance(
    double *covariance, int32_t size, int32_t target, int32_t count, int32_t source, int32_t source_count,
    const double *jacobian, const double *noise, double *workspace, int64_t workspace_count);

/// Multiplies rows by an orthogonal matrix so that the first `eliminated` columns become upper triangular: the rows below
/// the first `eliminated` no longer depend on them (Householder 1958).
///
/// - block: `columns` columns of `rows` doubles each, `row_stride` apart; the residual may be its last column.
CSolveStatus csolve_eliminate_columns(
    double *block, int32_t rows, int32_t columns, int32_t row_stride, int32_t eliminated);

/// Multiplies measurements by the inverse of the covariance's Cholesky factor, after which they are independent, with unit
/// variance.
///
/// - block: `columns` columns of `rows` doubles each, `row_stride` apart; the residual may be its last column.
/// - covariance: rows × rows doubles, of which the lower triangle is read; receives the factor there.
/// CSOLVE_FAILED when the covariance is not positive definite; the block is then as it was.
CSolveStatus csolve_whiten_measurements(
    double *block, int32_t rows, int32_t columns, int32_t row_stride, double *covariance);

/// rᵀ (J P Jᵀ + n I)⁻¹ r: the squared Mahalanobis distances of a residual, by several variances n of the noise.
///
/// - jacobian: rows × columns.   - residual: rows doubles.   - variances: `count` numbers above zero, 1 … 8 of them.
/// - distances: receives as many.
CSolveStatus csolve_mahalanobis(
    const double *covariance, int32_t size, int32_t first, int32_t columns, const double *jacobian, int32_t rows,
    int32_t row_stride, const double *residual, double *workspace, int64_t workspace_count, const double *variances,
    int32_t count, double *distances);

/// Replaces many measurements by at most `columns` that say the same: JᵀJ and Jᵀr stay.
///
/// By a Cholesky factorisation of JᵀJ with pivots; directions that hold less than 1e-14 of the strongest one's
/// information are dropped.
/// - block: in: rows × (columns + 1) doubles, the residual last; out: the first `remaining` rows hold the result.
CSolveStatus csolve_compress_measurements(
    double *block, int32_t rows, int32_t columns, int32_t row_stride, double *workspace, int64_t workspace_count,
    int32_t *remaining);

/// Kalman's update with whitened measurements: P ← P − K J P, correction = K r, K = P Jᵀ (J P Jᵀ + I)⁻¹.
///
/// - jacobian: rows × columns.   - residual: rows doubles.   - correction: receives size doubles.
/// CSOLVE_FAILED when J P Jᵀ + I is not positive definite; the covariance is then as it was.
CSolveStatus csolve_kalman_update(
    double *covariance, int32_t size, int32_t first, int32_t columns, const double *jacobian, int32_t rows,
    int32_t row_stride, const double *residual, double *workspace, int64_t workspace_count, double *correction);

#ifdef __cplusplus
}
#endif

#endif
