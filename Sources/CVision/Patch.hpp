// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// A small window of a picture, and how it is found again: the inverse compositional alignment of Baker and Matthews
// (2004, "Lucas-Kanade 20 years on"), with gain and offset of the light as two more unknowns.
//
// The patch T and what the picture I shows where the warp W puts the patch are related by
//
//     I(W(x)) ≈ g T(x) + o + g ∇T(x) · Δ(x),       Δ(x) = d  or  d + D x,
//
// which is linear in g, o, g d and g D. Its least-squares solution needs only sums of I over the patch, weighted by
// T and its slopes; the matrix of the normal equations depends on T alone and is inverted once. The warp is then
// improved by the inverse of x + Δ(x), and all is repeated.

#pragma once

#include "Pyramid.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core/hal/intrin.hpp>

namespace cvision {

constexpr int patch_radius_px = 9;
/// Rows of a patch, and the columns of it that count.
constexpr int patch_rows = 2 * patch_radius_px + 1;
/// Columns in memory: whole vectors, the last one without weight.
constexpr int patch_columns = (patch_rows + 3) / 4 * 4;
static_assert(patch_columns == patch_rows + 1, "one column fills the last vector");
constexpr int patch_size = patch_rows * patch_columns;

/// The light under a patch.
struct Samples {
    alignas(16) float values[patch_size];
};

/// The light on a grid of whole pixels' steps, bilinearly between pixels; its middle is at x, y.
///
/// `margin` more rows and columns are taken on each side. The grid has `columns` columns, a multiple of four.
template <int margin, int columns> void sample_grid(const Level &level, float x, float y, float *values) {
    const float left = std::floor(x), top = std::floor(y);
    const cv::v_float32x4 right_share = cv::v_setall_f32(x - left), low_share = cv::v_setall_f32(y - top);
    const uint8_t *corner = level.row(static_cast<int>(top) - patch_radius_px - margin) + static_cast<int>(left)
        - patch_radius_px - margin;
    constexpr int groups = columns / 4;
    cv::v_float32x4 above[groups];
    for (int row = 0; row <= patch_rows + 2 * margin; ++row, corner += level.bytes_per_row) {
        for (int group = 0; group < groups; ++group) {
            const auto light = [](const uint8_t *pixels) {
                return cv::v_cvt_f32(cv::v_reinterpret_as_s32(cv::v_load_expand_q(pixels)));
            };
            const cv::v_float32x4 here = light(corner + 4 * group);
            const cv::v_float32x4 between = here + right_share * (light(corner + 4 * group + 1) - here);
            if (row > 0) {
                cv::v_store(
                    values + (row - 1) * columns + 4 * group, above[group] + low_share * (between - above[group]));
            }
            above[group] = between;
        }
    }
}

/// Inverts a positive definite matrix of which the lower triangle is given; false where it is none.
///
/// A pivot that keeps less than a millionth of its diagonal is lost in the rounding of the sums.
template <int n> bool invert_positive_definite(double (&matrix)[n][n]) {
    double lower[n][n] = {};
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double rest = matrix[i][j];
            for (int k = 0; k < j; ++k) rest -= lower[i][k] * lower[j][k];
            if (i == j) {
                if (!(rest > 1e-6 * matrix[i][i])) return false;
                lower[i][i] = std::sqrt(rest);
            } else {
                lower[i][j] = rest / lower[j][j];
            }
        }
    }
    double inverse_lower[n][n] = {};
    for (int i = 0; i < n; ++i) {
        inverse_lower[i][i] = 1 / lower[i][i];
        for (int j = 0; j < i; ++j) {
            double sum = 0;
            for (int k = j; k < i; ++k) sum -= lower[i][k] * inverse_lower[k][j];
            inverse_lower[i][j] = sum / lower[i][i];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = std::max(i, j); k < n; ++k) sum += inverse_lower[k][i] * inverse_lower[k][j];
            matrix[i][j] = sum;
        }
    }
    return true;
}

/// A patch: its light and its slopes. Plain floats, so that the caller can keep it in memory of its own.
struct Patch {
    /// The slopes along columns and rows, and the light less its mean.
    float slope_x[patch_size];
    float slope_y[patch_size];
    float light[patch_size];
    /// The sum of the squares of `light`.
    float energy;

    /// The patch around a point inside the level.
    void take(const Level &level, float x, float y);

    bool is_flat() const { return !(energy > 1); }
};

/// The standard deviation, in pixels, of a patch's place along the direction in which it is least certain, for noise of
/// one grey level: the inverse of the normal equations has the place's covariance in its first two rows.
template <typename Row> double place_deviation(const Row *inverse) {
    const double half_sum = 0.5 * (inverse[0][0] + inverse[1][1]);
    const double half_difference = 0.5 * (inverse[0][0] - inverse[1][1]);
    return std::sqrt(half_sum + std::hypot(half_difference, static_cast<double>(inverse[0][1])));
}

/// Sums over a patch of what the picture shows there; their names say what it is multiplied with.
struct LightSums {
    double slope_x = 0, slope_y = 0, light = 0, one = 0, square = 0;

    /// How alike the patch and the picture are: the correlation coefficient, −1 … 1.
    float correlation(const Patch &patch) const;

    /// The standard deviation of the patch's place, for noise as strong as what the patch leaves unexplained.
    template <typename Row> float deviation_px(const Patch &patch, const Row *inverse, double gain) const {
        return static_cast<float>(std::sqrt(unexplained(patch)) * place_deviation(inverse) / gain);
    }

    /// The mean square of what differs between the picture and the patch, after gain and offset.
    double unexplained(const Patch &patch) const;
};

LightSums sum_light(const Patch &patch, const Samples &samples);

} // namespace cvision
