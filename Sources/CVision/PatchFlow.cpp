// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"
#include "Patch.hpp"

using namespace cvision;

namespace {

/// Smaller than the patches that are kept: what is led from picture to picture need not be placed as well.
using FlowPatch = Patch<7>;

/// A patch that may have shifted, with the inverse of its normal equations. Unknowns: g d (2), g, o.
struct ShiftedPatch {
    FlowPatch patch;
    double inverse[4][4];
    bool is_usable = false;

    ShiftedPatch(const Level &level, float x, float y) {
        patch.take(level, x, y);
        if (patch.is_flat()) return;
        cv::v_float32x4 xx = cv::v_setzero_f32(), xy = xx, yy = xx, x_light = xx, y_light = xx, x_one = xx, y_one = xx;
        for (int index = 0; index < patch.size; index += 4) {
            const cv::v_float32x4 slope_x = cv::v_load(patch.slope_x + index), slope_y = cv::v_load(patch.slope_y + index);
            const cv::v_float32x4 light = cv::v_load(patch.light + index);
            xx += slope_x * slope_x;
            xy += slope_x * slope_y;
            yy += slope_y * slope_y;
            x_light += slope_x * light;
            y_light += slope_y * light;
            x_one += slope_x;
            y_one += slope_y;
        }
        const double both = cv::v_reduce_sum(xy), light_x = cv::v_reduce_sum(x_light), light_y = cv::v_reduce_sum(y_light),
                     one_x = cv::v_reduce_sum(x_one), one_y = cv::v_reduce_sum(y_one);
        const double matrix[4][4] = {
            {cv::v_reduce_sum(xx), both, light_x, one_x},
            {both, cv::v_reduce_sum(yy), light_y, one_y},
            {light_x, light_y, patch.energy, 0},
            {one_x, one_y, 0, FlowPatch::pixels}};
        std::copy(&matrix[0][0], &matrix[0][0] + 16, &inverse[0][0]);
        is_usable = invert_positive_definite(inverse);
    }
};

/// Sums over a patch of what the picture shows there, multiplied with the slopes, and without.
struct ShiftedSums {
    double slope_x, slope_y;
    Likeness likeness;

    ShiftedSums(const FlowPatch &patch, const FlowPatch::Samples &samples) {
        cv::v_float32x4 slopes_x = cv::v_setzero_f32(), slopes_y = slopes_x, light = slopes_x, one = slopes_x,
                        square = slopes_x;
        for (int row = 0; row < patch.size; row += patch.columns) {
            for (int group = 0; group < patch.columns; group += 4) {
                const int index = row + group;
                const cv::v_float32x4 sample = cv::v_load_aligned(samples.values + index);
                const cv::v_float32x4 weighted = sample * patch.weights(group);
                slopes_x += cv::v_load(patch.slope_x + index) * sample;
                slopes_y += cv::v_load(patch.slope_y + index) * sample;
                light += cv::v_load(patch.light + index) * sample;
                one += weighted;
                square += weighted * sample;
            }
        }
        slope_x = cv::v_reduce_sum(slopes_x);
        slope_y = cv::v_reduce_sum(slopes_y);
        likeness = {cv::v_reduce_sum(one), cv::v_reduce_sum(square), cv::v_reduce_sum(light)};
    }
};

/// Shifts a patch from a start to where the level looks like it; places are the level's.
CVisionFlow align(const ShiftedPatch &shifted, const Level &level, CVisionFlow flow, double tolerance_px) {
    constexpr int iterations = 12;
    constexpr double longest_step_px = 2;
    FlowPatch::Samples samples;
    flow.outcome = CVISION_FLOW_DIVERGED;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        const float x = static_cast<float>(flow.x_px), y = static_cast<float>(flow.y_px);
        if (!level.contains(x, y)) {
            flow.outcome = CVISION_FLOW_LEFT;
            return flow;
        }
        sample_grid<7, FlowPatch::rows, FlowPatch::columns>(level, x, y, samples.values);
        const ShiftedSums sums(shifted.patch, samples);
        const double right[4] = {sums.slope_x, sums.slope_y, sums.likeness.light, sums.likeness.one};
        double solution[3] = {};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 4; ++j) solution[i] += shifted.inverse[i][j] * right[j];
        }
        const double gain = solution[2];
        if (!(gain > 0.1)) return flow;
        const double step_x = solution[0] / gain, step_y = solution[1] / gain;
        const double length = std::sqrt(step_x * step_x + step_y * step_y);
        if (!std::isfinite(length)) return flow;
        const double share = length > longest_step_px ? longest_step_px / length : 1;
        flow.x_px -= share * step_x;
        flow.y_px -= share * step_y;
        if (length < tolerance_px) {
            flow.correlation = sums.likeness.correlation(shifted.patch);
            sums.likeness.tell_certainty(flow, shifted.patch, shifted.inverse, gain);
            flow.outcome = CVISION_FLOW_FOLLOWED;
            return flow;
        }
    }
    return flow;
}

/// Follows a point from the coarsest level to the finest.
CVisionFlow follow(
    const Levels &from, const Levels &to, int coarsest, int finest, const double *old_xy, const double *start_xy) {
    double x = start_xy[0], y = start_xy[1];
    CVisionFlow flow = {x, y, 0, 0, {}, CVISION_FLOW_LEFT};
    for (int level = coarsest; level >= finest; --level) {
        const float old_x = on_level(old_xy[0], level), old_y = on_level(old_xy[1], level);
        flow = {on_level(x, level), on_level(y, level), 0, 0, {}, CVISION_FLOW_LEFT};
        if (!from[level].contains(old_x, old_y)) continue;
        const ShiftedPatch patch(from[level], old_x, old_y);
        if (!patch.is_usable) {
            flow.outcome = CVISION_FLOW_FLAT;
            continue;
        }
        flow = align(patch, to[level], flow, level > 0 ? 0.05 : 0.01);
        // A coarse level that found nothing leaves the start to the next finer one.
        const bool is_plausible = flow.outcome == CVISION_FLOW_FOLLOWED && flow.correlation > 0.5F;
        if (level == finest || is_plausible) {
            x = from_level(flow.x_px, level);
            y = from_level(flow.y_px, level);
        }
    }
    flow.x_px = x;
    flow.y_px = y;
    return in_pixels_of_picture(flow, finest);
}

} // namespace

CVisionStatus cvision_follow_points(
    const CVisionPyramid *from, const CVisionPyramid *to, int32_t coarsest_level, int32_t finest_level,
    const double *pixels_xy, const double *starts_xy, int32_t count, CVisionFlow *flows) {
    if (!is_valid(from) || !is_valid(to) || from->width != to->width || from->height != to->height
        || from->level_count != to->level_count || finest_level < 0 || coarsest_level < finest_level
        || coarsest_level >= from->level_count || count < 0 || !are_finite(pixels_xy, 2LL * count)
        || !are_finite(starts_xy, 2LL * count) || (count > 0 && flows == nullptr)) {
        return CVISION_INVALID_ARGUMENT;
    }
    const Levels old_levels(*from), new_levels(*to);
    for (int32_t point = 0; point < count; ++point) {
        flows[point] = follow(
            old_levels, new_levels, coarsest_level, finest_level, pixels_xy + 2 * point, starts_xy + 2 * point);
    }
    return CVISION_OK;
}
