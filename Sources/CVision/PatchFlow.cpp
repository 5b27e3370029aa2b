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
        double xx = 0, xy = 0, yy = 0, x_light = 0, y_light = 0, x_one = 0, y_one = 0;
        for (int row = 0; row < patch_size; row += patch_columns) {
            float row_xx = 0, row_xy = 0, row_yy = 0, row_x_light = 0, row_y_light = 0, row_x = 0, row_y = 0;
            for (int index = row; index < row + patch_rows; ++index) {
                const float slope_x = patch.slope_x[index], slope_y = patch.slope_y[index];
                row_xx += slope_x * slope_x;
                row_xy += slope_x * slope_y;
                row_yy += slope_y * slope_y;
                row_x_light += slope_x * patch.light[index];
                row_y_light += slope_y * patch.light[index];
                row_x += slope_x;
                row_y += slope_y;
            }
            xx += row_xx, xy += row_xy, yy += row_yy;
            x_light += row_x_light, y_light += row_y_light, x_one += row_x, y_one += row_y;
        }
        const double matrix[4][4] = {
            {xx, xy, x_light, x_one},
            {xy, yy, y_light, y_one},
            {x_light, y_light, patch.energy, 0},
            {x_one, y_one, 0, patch_rows * patch_rows}};
        std::copy(&matrix[0][0], &matrix[0][0] + 16, &inverse[0][0]);
        is_usable = invert_positive_definite(inverse);
    }
};

/// Where a patch is found.
struct Place {
    float x, y;
    float correlation;
    CVisionFlowOutcome outcome;
};

/// Shifts a patch from a start to where the level looks like it.
Place align(const ShiftedPatch &shifted, const Level &level, float x, float y, float tolerance_px) {
    constexpr int iterations = 12;
    constexpr double longest_step_px = 2;
    Place place = {x, y, 0, CVISION_FLOW_DIVERGED};
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
        place.correlation = sums.correlation(shifted.patch);
        const double gain = solution[2];
        if (!(gain > 0.1)) return place;
        const double step_x = solution[0] / gain, step_y = solution[1] / gain;
        const double length = std::hypot(step_x, step_y);
        const double share = length > longest_step_px ? longest_step_px / length : 1;
        place.x -= static_cast<float>(share * step_x);
        place.y -= static_cast<float>(share * step_y);
        if (length < tolerance_px) {
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
        Place place = {0, 0, 0, CVISION_FLOW_LEFT};
        for (int level = coarsest_level; level >= 0; --level) {
            const float level_x = on_level(old_x, level), level_y = on_level(old_y, level);
            place = {on_level(x, level), on_level(y, level), 0, CVISION_FLOW_LEFT};
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
        flows[point] = {x, y, place.correlation, place.outcome};
    }
    return CVISION_OK;
}
