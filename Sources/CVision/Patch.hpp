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

/// The light on a grid of whole pixels' steps, bilinearly between pixels: `rows` rows of `columns` values, a multiple of
/// four, of which the one in row and column `radius` is at x, y.
template <int radius, int rows, int columns> void sample_grid(const Level &level, float x, float y, float *values) {
    const float left = std::floor(x), top = std::floor(y);
    const cv::v_float32x4 right_share = cv::v_setall_f32(x - left), low_share = cv::v_setall_f32(y - top);
    const uint8_t *corner = level.row(static_cast<int>(top) - radius) + static_cast<int>(left) - radius;
    constexpr int groups = columns / 4;
    cv::v_float32x4 above[groups];
    for (int row = 0; row <= rows; ++row, corner += level.bytes_per_row) {
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

/// The standard deviation, in pixels, of a patch's place along the direction in which it is least certain; infinite where
/// the patch is lost in noise.
///
/// The inverse of the normal equations has the place's covariance in its first two rows, for noise of one grey level.
/// The patch's own noise, however, makes slopes where there are none: a slope is half a difference of two pixels, which
/// adds half the noise's variance for each pixel to what the slopes seem to determine.
/// - pixels: how many the patch has.   - noise_variance: that of what differs between patch and picture.
/// - patch_noise_variance: that of the patch.
template <typename Row>
double place_deviation(const Row *inverse, int pixels, double noise_variance, double patch_noise_variance) {
    const double half_sum = 0.5 * (inverse[0][0] + inverse[1][1]);
    const double half_difference = 0.5 * (inverse[0][0] - inverse[1][1]);
    const double product = inverse[0][1];
    const double variance = half_sum + std::sqrt(half_difference * half_difference + product * product);
    const double certainty = 1 / variance - 0.5 * pixels * patch_noise_variance;
    return certainty > 0 ? std::sqrt(noise_variance / certainty) : HUGE_VAL;
}

/// A patch: its light and its slopes. Plain floats, so that the caller can keep it in memory of its own.
template <int radius> struct Patch {
    /// Rows, and columns that count.
    static constexpr int rows = 2 * radius + 1;
    /// Columns in memory: whole vectors, the last one without weight.
    static constexpr int columns = rows + 1;
    static constexpr int size = rows * columns;
    static constexpr int pixels = rows * rows;
    static_assert(columns % 4 == 0, "one column fills the last vector");

    /// The slopes along columns and rows, and the light less its mean.
    float slope_x[size];
    float slope_y[size];
    float light[size];
    /// The sum of the squares of `light`.
    float energy;

    /// The light under a patch.
    struct Samples {
        alignas(16) float values[size];
    };

    /// Weights of four columns: the last one in memory counts nothing.
    static cv::v_float32x4 weights(int first_column) {
        return cv::v_float32x4(1, 1, 1, first_column + 4 < columns ? 1.0F : 0.0F);
    }

    /// The patch around a point inside the level.
    void take(const Level &level, float x, float y) {
        constexpr int stride = columns + 4;
        alignas(16) float grid[(rows + 2) * stride];
        sample_grid<radius + 1, rows + 2, stride>(level, x, y, grid);
        const cv::v_float32x4 half = cv::v_setall_f32(0.5F);
        cv::v_float32x4 sums = cv::v_setzero_f32();
        for (int row = 0; row < rows; ++row) {
            for (int group = 0; group < columns; group += 4) {
                const float *middle = grid + (row + 1) * stride + 1 + group;
                const int index = row * columns + group;
                const cv::v_float32x4 weight = weights(group), half_weight = weight * half;
                const cv::v_float32x4 value = cv::v_load(middle);
                cv::v_store(light + index, value);
                cv::v_store(slope_x + index, half_weight * (cv::v_load(middle + 1) - cv::v_load(middle - 1)));
                cv::v_store(slope_y + index, half_weight * (cv::v_load(middle + stride) - cv::v_load(middle - stride)));
                sums += weight * value;
            }
        }
        const cv::v_float32x4 mean = cv::v_setall_f32(cv::v_reduce_sum(sums) / pixels);
        cv::v_float32x4 squares = cv::v_setzero_f32();
        for (int row = 0; row < size; row += columns) {
            for (int group = 0; group < columns; group += 4) {
                const cv::v_float32x4 value = weights(group) * (cv::v_load(light + row + group) - mean);
                cv::v_store(light + row + group, value);
                squares += value * value;
            }
        }
        energy = cv::v_reduce_sum(squares);
    }

    bool is_flat() const { return !(energy > 1); }

    /// How the patch slides in a picture that differs from it by a mean square that hangs together: where d and e are the
    /// root mean squares of that and of the patch's own light, C² d² e².
    /// - inverse: the inverse of the normal equations, with C in its first two rows.
    template <typename Row> CVisionSpread slide(const Row *inverse, double mean_square) const {
        const double xx = inverse[0][0], xy = inverse[0][1], yy = inverse[1][1];
        const double strength = mean_square * static_cast<double>(energy) / pixels;
        return {
            static_cast<float>(strength * (xx * xx + xy * xy)), static_cast<float>(strength * xy * (xx + yy)),
            static_cast<float>(strength * (xy * xy + yy * yy))};
    }
};

/// What the picture shows under a patch, against the patch.
struct Likeness {
    /// The sums of the picture's light, of its square, and of its product with the patch's light.
    double one = 0, square = 0, light = 0;

    /// How alike the patch and the picture are: the correlation coefficient, −1 … 1.
    template <int radius> float correlation(const Patch<radius> &patch) const {
        const double both = (square - one * one / patch.pixels) * static_cast<double>(patch.energy);
        return both > 0 ? static_cast<float>(light / std::sqrt(both)) : 0;
    }

    /// The mean square of what differs between the picture and the patch, after gain and offset.
    template <int radius> double unexplained(const Patch<radius> &patch) const {
        const double rest = square - one * one / patch.pixels - light * light / static_cast<double>(patch.energy);
        return std::max(rest, 0.0) / patch.pixels;
    }

    /// What the patch leaves unexplained is noise, half of it the patch's.
    template <int radius> double patch_noise_variance(const Patch<radius> &patch, double gain) const {
        return 0.5 * unexplained(patch) / (gain * gain);
    }

    /// Writes how certain the patch's place is. What the patch leaves unexplained is noise for the deviation, and hangs together
    /// for the slide.
    template <int radius, typename Row>
    void tell_certainty(CVisionFlow &flow, const Patch<radius> &patch, const Row *inverse, double gain) const {
        const double patch_noise = patch_noise_variance(patch, gain), rest = 2 * patch_noise;
        flow.deviation_px = static_cast<float>(place_deviation(inverse, patch.pixels, rest, patch_noise));
        flow.slide = patch.slide(inverse, rest);
    }
};

/// What a flow says of its certainty on a level, in pixels of the picture.
inline CVisionFlow in_pixels_of_picture(CVisionFlow flow, int level) {
    const auto pixel = static_cast<float>(1 << level);
    flow.deviation_px *= pixel;
    for (float *entry : {&flow.slide.xx, &flow.slide.xy, &flow.slide.yy}) *entry *= pixel * pixel;
    return flow;
}

} // namespace cvision
