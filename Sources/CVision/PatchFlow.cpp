// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"
#include "Patch.hpp"

using namespace cvision;

namespace {

/// A patch that may have shifted, with the inverse of its normal equations. Unknowns: g d (2), g, o.
struct ShiftedPatch {
    Patch patch;
    double inverse[4][4];
    bool is_usable = false;

    ShiftedPatch(const Level &level, float x, float y) {
        patch.take(level, x, y);
        if (patch.is_flat()) return;
        cv::v_float32x4 xx = cv::v_setzero_f32(), xy = xx, yy = xx, x_light = xx, y_light = xx, x_one = xx, y_one = xx;
        for (int index = 0; index < patch_size; index += 4) {
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
            {one_x, one_y, 0, patch_rows * patch_rows}};
        std::copy(&matrix[0][0], &matrix[0][0] + 16, &inverse[0][0]);
        is_usable = invert_positive_definite(inverse);
    }
};

/// Where a patch is found.
struct Place {
    float x, y;
    float correlation;
    float deviation_px;
    CVisionFlowOutcome outcome;
};

/// Shifts a patch from a start to where the level looks like it.
Place align(const ShiftedPatch &shifted, const Level &level, float x, float y, float tolerance_px) {
    constexpr int iterations = 12;
    constexpr double longest_step_px = 2;
    Place place = {x, y, 0, 0, CVISION_FLOW_DIVERGED};
    Samples samples;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        if (!level.contains(place.x, place.y)) {
            place.outcome = CVISION_FLOW_LEFT;
            return place;
        }
        sample_grid<0, patch_columns>(level, place.x, place.y, samples.values);
        const LightSums sums = sum_light(shifted.patch, samples);
        const double right[4] = {sums.slope_x, sums.slope_y, sums.light, sums.one};
        double solution[3] = {};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 4; ++j) solution[i] += shifted.inverse[i][j] * right[j];
        }
        const double gain = solution[2];
        if (!(gain > 0.1)) return place;
        const double step_x = solution[0] / gain, step_y = solution[1] / gain;
        const double length = std::hypot(step_x, step_y);
        const double share = length > longest_step_px ? longest_step_px / length : 1;
        place.x -= static_cast<float>(share * step_x);
        place.y -= static_cast<float>(share * step_y);
        if (length < tolerance_px) {
            place.correlation = sums.correlation(shifted.patch);
            place.deviation_px = sums.deviation_px(shifted.patch, shifted.inverse, gain);
            place.outcome = CVISION_FLOW_FOLLOWED;
            return place;
        }
    }
    return place;
}

} // namespace

CVisionStatus cvision_follow_points(
    const CVisionPyramid *from, const CVisionPyramid *to, int32_t coarsest_level, const double *pixels_xy,
    const double *starts_xy, int32_t count, CVisionFlow *flows) {
    if (!is_valid(from) || !is_valid(to) || from->width != to->width || from->height != to->height
        || from->level_count != to->level_count || coarsest_level < 0 || coarsest_level >= from->level_count
        || count < 0 || !are_finite(pixels_xy, 2LL * count) || !are_finite(starts_xy, 2LL * count)
        || (count > 0 && flows == nullptr)) {
        return CVISION_INVALID_ARGUMENT;
    }
    const Levels old_levels(*from), new_levels(*to);
    for (int32_t point = 0; point < count; ++point) {
        const double old_x = pixels_xy[2 * point], old_y = pixels_xy[2 * point + 1];
        double x = starts_xy[2 * point], y = starts_xy[2 * point + 1];
        Place place = {0, 0, 0, 0, CVISION_FLOW_LEFT};
        for (int level = coarsest_level; level >= 0; --level) {
            const float level_x = on_level(old_x, level), level_y = on_level(old_y, level);
            place = {on_level(x, level), on_level(y, level), 0, 0, CVISION_FLOW_LEFT};
            if (!old_levels[level].contains(level_x, level_y)) continue;
            const ShiftedPatch patch(old_levels[level], level_x, level_y);
            if (!patch.is_usable) {
                place.outcome = CVISION_FLOW_FLAT;
                continue;
            }
            place = align(patch, new_levels[level], place.x, place.y, level > 0 ? 0.05F : 0.01F);
            // A coarse level that found nothing leaves the start to the next finer one.
            const bool is_plausible = place.outcome == CVISION_FLOW_FOLLOWED && place.correlation > 0.5F;
            if (level == 0 || is_plausible) {
                x = std::ldexp(place.x + 0.5, level) - 0.5;
                y = std::ldexp(place.y + 0.5, level) - 0.5;
            }
        }
        flows[point] = {x, y, place.correlation, place.deviation_px, place.outcome};
    }
    return CVISION_OK;
}
