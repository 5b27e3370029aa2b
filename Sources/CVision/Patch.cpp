// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Patch.hpp"

using namespace cvision;

namespace {

/// Weights of four columns of a patch: the last one in memory counts nothing.
cv::v_float32x4 weights(int first_column) {
    const float last = first_column + 4 < patch_columns ? 1.0F : 0.0F;
    return cv::v_float32x4(1, 1, 1, last);
}

} // namespace

void Patch::take(const Level &level, float x, float y) {
    constexpr int columns = patch_columns + 4;
    alignas(16) float grid[(patch_rows + 2) * columns];
    sample_grid<1, columns>(level, x, y, grid);
    const cv::v_float32x4 half = cv::v_setall_f32(0.5F);
    cv::v_float32x4 sums = cv::v_setzero_f32();
    for (int row = 0; row < patch_rows; ++row) {
        for (int group = 0; group < patch_columns; group += 4) {
            const float *middle = grid + (row + 1) * columns + 1 + group;
            const int index = row * patch_columns + group;
            const cv::v_float32x4 weight = weights(group), half_weight = weight * half;
            const cv::v_float32x4 value = cv::v_load(middle);
            cv::v_store(light + index, value);
            cv::v_store(slope_x + index, half_weight * (cv::v_load(middle + 1) - cv::v_load(middle - 1)));
            cv::v_store(slope_y + index, half_weight * (cv::v_load(middle + columns) - cv::v_load(middle - columns)));
            sums += weight * value;
        }
    }
    const cv::v_float32x4 mean = cv::v_setall_f32(cv::v_reduce_sum(sums) / (patch_rows * patch_rows));
    cv::v_float32x4 squares = cv::v_setzero_f32();
    for (int row = 0; row < patch_size; row += patch_columns) {
        for (int group = 0; group < patch_columns; group += 4) {
            const cv::v_float32x4 value = weights(group) * (cv::v_load(light + row + group) - mean);
            cv::v_store(light + row + group, value);
            squares += value * value;
        }
    }
    energy = cv::v_reduce_sum(squares);
}

LightSums cvision::sum_light(const Patch &patch, const Samples &samples) {
    cv::v_float32x4 slope_x = cv::v_setzero_f32(), slope_y = slope_x, light = slope_x, one = slope_x, square = slope_x;
    for (int row = 0; row < patch_size; row += patch_columns) {
        for (int group = 0; group < patch_columns; group += 4) {
            const int index = row + group;
            const cv::v_float32x4 sample = cv::v_load_aligned(samples.values + index);
            const cv::v_float32x4 weighted = sample * weights(group);
            slope_x += cv::v_load(patch.slope_x + index) * sample;
            slope_y += cv::v_load(patch.slope_y + index) * sample;
            light += cv::v_load(patch.light + index) * sample;
            one += weighted;
            square += weighted * sample;
        }
    }
    LightSums sums;
    sums.slope_x = cv::v_reduce_sum(slope_x);
    sums.slope_y = cv::v_reduce_sum(slope_y);
    sums.light = cv::v_reduce_sum(light);
    sums.one = cv::v_reduce_sum(one);
    sums.square = cv::v_reduce_sum(square);
    return sums;
}

float LightSums::correlation(const Patch &patch) const {
    const double variance = square - one * one / (patch_rows * patch_rows);
    const double both = variance * static_cast<double>(patch.energy);
    return both > 0 ? static_cast<float>(light / std::sqrt(both)) : 0;
}

double LightSums::unexplained(const Patch &patch) const {
    constexpr double pixels = patch_rows * patch_rows;
    const double rest = square - one * one / pixels - light * light / static_cast<double>(patch.energy);
    return std::max(rest, 0.0) / pixels;
}
