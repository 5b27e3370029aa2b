// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Patch.hpp"

using namespace cvision;

void Patch::take(const Level &level, float x, float y) {
    constexpr int columns = 20;
    alignas(16) float grid[(patch_rows + 2) * columns];
    sample_grid<1, columns>(level, x, y, grid);
    float sum = 0;
    for (int row = 0; row < patch_rows; ++row) {
        const float *middle = grid + (row + 1) * columns + 1;
        float *lights = light + row * patch_columns;
        for (int column = 0; column < patch_rows; ++column) {
            lights[column] = middle[column];
            sum += middle[column];
            slope_x[row * patch_columns + column] = 0.5F * (middle[column + 1] - middle[column - 1]);
            slope_y[row * patch_columns + column] = 0.5F * (middle[column + columns] - middle[column - columns]);
        }
        lights[patch_rows] = slope_x[row * patch_columns + patch_rows] = slope_y[row * patch_columns + patch_rows] = 0;
    }
    const float mean = sum / (patch_rows * patch_rows);
    energy = 0;
    for (int row = 0; row < patch_rows; ++row) {
        for (int column = 0; column < patch_rows; ++column) {
            float &value = light[row * patch_columns + column];
            value -= mean;
            energy += value * value;
        }
    }
}

LightSums cvision::sum_light(const Patch &patch, const Samples &samples) {
    cv::v_float32x4 slope_x = cv::v_setzero_f32(), slope_y = slope_x, light = slope_x, one = slope_x, square = slope_x;
    const cv::v_float32x4 all(1, 1, 1, 1), all_but_last(1, 1, 1, 0);
    for (int row = 0; row < patch_size; row += patch_columns) {
        for (int group = 0; group < patch_columns; group += 4) {
            const int index = row + group;
            const cv::v_float32x4 sample = cv::v_load_aligned(samples.values + index);
            const cv::v_float32x4 weighted = sample * (group + 4 < patch_columns ? all : all_but_last);
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
