// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"
#include "Patch.hpp"

#include <cstring>

using namespace cvision;

namespace {

/// The unknowns of an alignment under an affine warp: g d (2), g D by columns (4, in units of the radius), g B (3), g, o.
///
/// B is how much more the picture is blurred than the patch: what moves evenly by w while it is exposed is seen as
/// T + (w·∇)² T / 24 + …, so that a patch and a picture that are blurred by different ways differ by second derivatives of T,
/// which slopes alone would take for a shift.
constexpr int unknowns = 11;
constexpr int first_shape = 2, first_blur = 6, blur_terms = 3, gain_index = 9, offset_index = 10;

/// What keeps the warp near its start, where the picture leaves it open: noise of 3 grey levels against edges of the
/// patch that move by 0.3 px from picture to picture, squared. Ten times as much drags points along: the way towards what
/// is seen changes shapes from picture to picture, always to the same side.
constexpr float stiffness = 90;

/// What keeps the blur near the patch's own: noise of 3 grey levels against that of a way of 2.4 px, 0.06 of the second
/// differences, squared. Half of it and a sixtieth find points as well, but what a smooth patch is said to slide by then depends
/// on how grey levels are rounded.
constexpr float sharpness = 2500;

constexpr int radius_px = 9;
using KeptPatch = Patch<radius_px>;

/// The terms of a curvature: u² and u v and v², along columns and along rows, in units of the radius.
constexpr int curvature_terms = 6;

/// A patch that may have been shifted, turned, scaled and sheared, as it lies in the caller's memory.
struct WarpedPatch {
    KeptPatch patch;
    /// What each part of a blur adds: four times the derivatives xx, xy and yy, as differences over two pixels: what is finer
    /// than that they take once, as a blur does, and not the more often the finer it is.
    float blur[blur_terms][KeptPatch::size];
    float inverse[unknowns][unknowns];
    /// What each term of a curvature takes from the right side of the normal equations, for a gain of one.
    float curved[unknowns][curvature_terms];
    /// Zero where nothing can be aligned with the patch.
    float is_usable;
    /// The level from which it was taken.
    float level;

    void take(const Level &level, float x, float y);
    void take_blur(const Level &level, float x, float y);
    /// What a curvature, in pixels of the level, takes from the right side, where the patch's noise has some variance.
    void curve(const CVisionCurvature &curvature, double noise_variance, float (&taken)[unknowns]) const;
};
static_assert(sizeof(WarpedPatch) == CVISION_PATCH_FLOATS * sizeof(float), "the header states another size");

/// A pixel's column or row in units of the radius, from the middle.
constexpr float relative(int index) {
    return static_cast<float>(index - radius_px) / static_cast<float>(radius_px);
}

void WarpedPatch::take_blur(const Level &level, float x, float y) {
    constexpr int margin = 2, stride = KeptPatch::columns + 4;
    alignas(16) float grid[(KeptPatch::rows + 2 * margin) * stride];
    sample_grid<radius_px + margin, KeptPatch::rows + 2 * margin, stride>(level, x, y, grid);
    for (int row = 0; row < KeptPatch::rows; ++row) {
        for (int group = 0; group < KeptPatch::columns; group += 4) {
            const float *middle = grid + (row + margin) * stride + margin + group;
            const auto at = [=](int right, int down) { return cv::v_load(middle + down * stride + right); };
            const cv::v_float32x4 twice = at(0, 0) + at(0, 0), weight = KeptPatch::weights(group);
            const int index = row * KeptPatch::columns + group;
            cv::v_store(blur[0] + index, weight * (at(-2, 0) + at(2, 0) - twice));
            cv::v_store(blur[1] + index, weight * (at(1, 1) + at(-1, -1) - at(1, -1) - at(-1, 1)));
            cv::v_store(blur[2] + index, weight * (at(0, -2) + at(0, 2) - twice));
        }
    }
}

void WarpedPatch::take(const Level &level, float x, float y) {
    patch.take(level, x, y);
    take_blur(level, x, y);
    is_usable = 0;
    if (patch.is_flat()) return;
    cv::v_float32x4 sums[unknowns][unknowns], curved_sums[unknowns][curvature_terms];
    for (auto &row : sums) std::fill(row, row + unknowns, cv::v_setzero_f32());
    for (auto &row : curved_sums) std::fill(row, row + curvature_terms, cv::v_setzero_f32());
    for (int row = 0; row < patch.rows; ++row) {
        const cv::v_float32x4 v = cv::v_setall_f32(relative(row));
        for (int group = 0; group < patch.columns; group += 4) {
            const int index = row * patch.columns + group;
            const cv::v_float32x4 u(relative(group), relative(group + 1), relative(group + 2), relative(group + 3));
            const cv::v_float32x4 slope_x = cv::v_load(patch.slope_x + index), slope_y = cv::v_load(patch.slope_y + index);
            const cv::v_float32x4 terms[unknowns] = {
                slope_x, slope_y, u * slope_x, u * slope_y, v * slope_x, v * slope_y, cv::v_load(blur[0] + index),
                cv::v_load(blur[1] + index), cv::v_load(blur[2] + index), cv::v_load(patch.light + index),
                patch.weights(group)};
            const cv::v_float32x4 curvature[curvature_terms] = {
                u * terms[2], v * terms[2], v * terms[4], u * terms[3], v * terms[3], v * terms[5]};
            for (int i = 0; i < unknowns; ++i) {
                for (int j = 0; j <= i; ++j) sums[i][j] += terms[i] * terms[j];
                for (int j = 0; j < curvature_terms; ++j) curved_sums[i][j] += terms[i] * curvature[j];
            }
        }
    }
    double matrix[unknowns][unknowns];
    for (int i = 0; i < unknowns; ++i) {
        for (int j = 0; j <= i; ++j) matrix[i][j] = cv::v_reduce_sum(sums[i][j]);
    }
    for (int i = first_shape; i < first_blur; ++i) matrix[i][i] += stiffness;
    for (int i = first_blur; i < gain_index; ++i) matrix[i][i] += sharpness;
    if (!invert_positive_definite(matrix)) return;
    for (int i = 0; i < unknowns; ++i) {
        for (int j = 0; j < unknowns; ++j) inverse[i][j] = static_cast<float>(matrix[i][j]);
        for (int j = 0; j < curvature_terms; ++j) curved[i][j] = cv::v_reduce_sum(curved_sums[i][j]);
    }
    is_usable = 1;
}

/// The patch's noise makes slopes where there are none, of half its variance, which take as much as others do, and at the patch's
/// edge, where a curvature moves most, there may be more of them than of others.
void WarpedPatch::curve(
    const CVisionCurvature &curvature, double noise_variance, float (&taken)[unknowns]) const {
    const float terms[curvature_terms] = {curvature.xuu, curvature.xuv, curvature.xvv,
                                          curvature.yuu, curvature.yuv, curvature.yvv};
    for (int i = 0; i < unknowns; ++i) {
        taken[i] = 0;
        for (int j = 0; j < curvature_terms; ++j) taken[i] += curved[i][j] * terms[j] * (radius_px * radius_px);
    }
    // The sum of u² over the patch, in pixels².
    constexpr double squares = KeptPatch::pixels * (KeptPatch::rows * KeptPatch::rows - 1) / 12.0;
    const auto noise = static_cast<float>(0.5 * noise_variance * squares);
    taken[0] -= noise * (curvature.xuu + curvature.xvv);
    taken[1] -= noise * (curvature.yuu + curvature.yvv);
}

/// The light where a warp puts the patch's pixels, bilinearly between the picture's. The warp keeps within the border.
void sample_warped(const Level &level, const CVisionWarp &warp, KeptPatch::Samples &samples) {
    const cv::v_float32x4 steps(0, 1, 2, 3), ones = cv::v_setall_f32(1);
    const cv::v_int32x4 low_byte = cv::v_setall_s32(255);
    const cv::v_float32x4 across_x = cv::v_setall_f32(warp.xx), across_y = cv::v_setall_f32(warp.yx);
    for (int row = 0; row < KeptPatch::rows; ++row) {
        const float v = static_cast<float>(row - radius_px), u = -radius_px;
        const cv::v_float32x4 start_x = cv::v_setall_f32(static_cast<float>(warp.x) + warp.xx * u + warp.xy * v);
        const cv::v_float32x4 start_y = cv::v_setall_f32(static_cast<float>(warp.y) + warp.yx * u + warp.yy * v);
        for (int group = 0; group < KeptPatch::columns; group += 4) {
            const cv::v_float32x4 columns = steps + cv::v_setall_f32(static_cast<float>(group));
            const cv::v_float32x4 x = start_x + across_x * columns, y = start_y + across_y * columns;
            const cv::v_int32x4 left = cv::v_floor(x), top = cv::v_floor(y);
            const cv::v_float32x4 right_share = x - cv::v_cvt_f32(left), low_share = y - cv::v_cvt_f32(top);
            alignas(16) int32_t lefts[4], tops[4];
            alignas(16) uint32_t uppers[4], lowers[4];
            cv::v_store_aligned(lefts, left);
            cv::v_store_aligned(tops, top);
            for (int lane = 0; lane < 4; ++lane) {
                uint16_t pair;
                const uint8_t *pixel = level.row(tops[lane]) + lefts[lane];
                std::memcpy(&pair, pixel, 2);
                uppers[lane] = pair;
                std::memcpy(&pair, pixel + level.bytes_per_row, 2);
                lowers[lane] = pair;
            }
            // The lower byte is the left pixel: the processors that arsim runs on are little-endian.
            const auto between = [&](const uint32_t *pairs) {
                const cv::v_int32x4 both = cv::v_reinterpret_as_s32(cv::v_load_aligned(pairs));
                return cv::v_cvt_f32(both & low_byte) * (ones - right_share) + cv::v_cvt_f32(both >> 8) * right_share;
            };
            const cv::v_float32x4 upper = between(uppers);
            cv::v_store_aligned(
                samples.values + row * KeptPatch::columns + group, upper + low_share * (between(lowers) - upper));
        }
    }
}

/// The right side of the normal equations.
struct WarpedSums {
    Likeness likeness;
    float right[unknowns];

    WarpedSums(const WarpedPatch &warped, const KeptPatch::Samples &samples) {
        const KeptPatch &patch = warped.patch;
        cv::v_float32x4 x = cv::v_setzero_f32(), y = x, ux = x, uy = x, vx = x, vy = x, light = x, one = x, square = x;
        cv::v_float32x4 blur[blur_terms] = {x, x, x};
        for (int row = 0; row < patch.rows; ++row) {
            cv::v_float32x4 row_x = cv::v_setzero_f32(), row_y = row_x;
            for (int group = 0; group < patch.columns; group += 4) {
                const int index = row * patch.columns + group;
                const cv::v_float32x4 u(relative(group), relative(group + 1), relative(group + 2), relative(group + 3));
                const cv::v_float32x4 sample = cv::v_load_aligned(samples.values + index);
                const cv::v_float32x4 weighted = sample * patch.weights(group);
                const cv::v_float32x4 sample_x = cv::v_load(patch.slope_x + index) * sample;
                const cv::v_float32x4 sample_y = cv::v_load(patch.slope_y + index) * sample;
                row_x += sample_x;
                row_y += sample_y;
                ux += u * sample_x;
                uy += u * sample_y;
                light += cv::v_load(patch.light + index) * sample;
                for (int i = 0; i < blur_terms; ++i) blur[i] += cv::v_load(warped.blur[i] + index) * sample;
                one += weighted;
                square += weighted * sample;
            }
            const cv::v_float32x4 v = cv::v_setall_f32(relative(row));
            x += row_x;
            y += row_y;
            vx += v * row_x;
            vy += v * row_y;
        }
        const cv::v_float32x4 sums[unknowns] = {x, y, ux, uy, vx, vy, blur[0], blur[1], blur[2], light, one};
        for (int i = 0; i < unknowns; ++i) right[i] = cv::v_reduce_sum(sums[i]);
        likeness = {right[offset_index], cv::v_reduce_sum(square), right[gain_index]};
    }
};

/// Where a warp of the picture's pixels is on a level, and back: its shape is the same on all.
CVisionWarp on_level(CVisionWarp warp, int level) {
    for (double *coordinate : {&warp.x, &warp.y}) *coordinate = std::ldexp(*coordinate + 0.5, -level) - 0.5;
    return warp;
}

CVisionWarp from_level(CVisionWarp warp, int level) { return on_level(warp, -level); }

/// Whether every pixel of the patch is read inside the level's border.
bool reaches_only_border(const Level &level, const CVisionWarp &warp) {
    constexpr float reach_limit = pyramid_border_px - 3;
    const float columns = radius_px + 1, rows = radius_px;
    const float reach_x = std::abs(warp.xx) * columns + std::abs(warp.xy) * rows;
    const float reach_y = std::abs(warp.yx) * columns + std::abs(warp.yy) * rows;
    return reach_x <= reach_limit && reach_y <= reach_limit
        && level.contains(static_cast<float>(warp.x), static_cast<float>(warp.y));
}

/// The warp after a step: the warp of the inverse of x + d + D x. False where that has no inverse.
bool improve(CVisionWarp &warp, const float (&step)[6]) {
    const float xx = 1 + step[2], yx = step[3], xy = step[4], yy = 1 + step[5];
    const float determinant = xx * yy - xy * yx;
    if (!(determinant > 0.25F)) return false;
    const CVisionWarp old = warp;
    warp.xx = (old.xx * yy - old.xy * yx) / determinant;
    warp.xy = (old.xy * xx - old.xx * xy) / determinant;
    warp.yx = (old.yx * yy - old.yy * yx) / determinant;
    warp.yy = (old.yy * xx - old.yx * xy) / determinant;
    warp.x -= static_cast<double>(warp.xx * step[0] + warp.xy * step[1]);
    warp.y -= static_cast<double>(warp.yx * step[0] + warp.yy * step[1]);
    return true;
}

/// Where a curvature of the picture's pixels is on a level.
CVisionCurvature on_level(CVisionCurvature curvature, int level) {
    const auto pixel = static_cast<float>(1 << level);
    for (float *term :
         {&curvature.xuu, &curvature.xuv, &curvature.xvv, &curvature.yuu, &curvature.yuv, &curvature.yvv}) {
        *term *= pixel;
    }
    return curvature;
}

/// Improves a warp of a level's pixels. The curvature, which is small, is put right in the normal equations: what is seen at
/// W(x) is T(x - e(x)) ≈ T(x) - ∇T · e(x).
CVisionFlow align(
    const WarpedPatch &warped, const Level &level, const CVisionCurvature &curvature, CVisionWarp &warp) {
    constexpr int iterations = 12;
    constexpr float tolerance_px = 0.02F;
    KeptPatch::Samples samples;
    CVisionFlow flow = {0, 0, 0, 0, {}, CVISION_FLOW_DIVERGED};
    // How far the patch's edges have moved since the start, and the light's gain.
    float moved[4] = {}, gain = 1;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        if (!reaches_only_border(level, warp)) {
            flow.outcome = CVISION_FLOW_LEFT;
            break;
        }
        sample_warped(level, warp, samples);
        const WarpedSums sums(warped, samples);
        float right[unknowns], curved[unknowns];
        warped.curve(curvature, sums.likeness.patch_noise_variance(warped.patch, gain), curved);
        for (int i = 0; i < unknowns; ++i) right[i] = sums.right[i] + gain * curved[i];
        for (int i = 0; i < 4; ++i) right[i + first_shape] -= stiffness * gain * moved[i];
        float solution[unknowns - 1] = {};
        for (int i = 0; i < unknowns - 1; ++i) {
            for (int j = 0; j < unknowns; ++j) solution[i] += warped.inverse[i][j] * right[j];
        }
        gain = solution[gain_index];
        if (!(gain > 0.1F)) break;
        float step[6];
        for (int i = 0; i < 6; ++i) step[i] = solution[i] / (i < 2 ? gain : gain * radius_px);
        for (int i = 0; i < 4; ++i) moved[i] += step[i + first_shape] * radius_px;
        const float length = std::sqrt(step[0] * step[0] + step[1] * step[1]);
        if (!(length < 3) || !improve(warp, step)) break;
        if (length < tolerance_px) {
            flow.correlation = sums.likeness.correlation(warped.patch);
            sums.likeness.tell_certainty(flow, warped.patch, warped.inverse, gain);
            flow.outcome = CVISION_FLOW_FOLLOWED;
            break;
        }
    }
    return flow;
}

/// Improves a warp of the picture's pixels.
CVisionFlow align(
    const WarpedPatch &warped, const Levels &levels, const CVisionCurvature &curvature, CVisionWarp &warp) {
    const int level = static_cast<int>(warped.level);
    CVisionWarp there = on_level(warp, level);
    CVisionFlow flow = align(warped, levels[level], on_level(curvature, level), there);
    warp = from_level(there, level);
    flow.x_px = warp.x;
    flow.y_px = warp.y;
    return in_pixels_of_picture(flow, level);
}

WarpedPatch *patch_in(float *patches, int32_t slot) {
    return reinterpret_cast<WarpedPatch *>(patches + static_cast<std::ptrdiff_t>(slot) * CVISION_PATCH_FLOATS);
}

bool are_slots(const int32_t *slots, int32_t count, int32_t slot_count) {
    if (count > 0 && slots == nullptr) return false;
    return std::all_of(slots, slots + count, [=](int32_t slot) { return slot >= 0 && slot < slot_count; });
}

} // namespace

CVisionStatus cvision_take_patches(
    const CVisionPyramid *pyramid, int32_t level, const double *pixels_xy, const int32_t *slots, int32_t count,
    float *patches, int32_t slot_count, double noise, double *deviations_px, CVisionSpread *slides) {
    if (!is_valid(pyramid) || level < 0 || level >= pyramid->level_count || count < 0
        || !are_finite(pixels_xy, 2LL * count) || !are_slots(slots, count, slot_count) || !are_finite(&noise, 1)
        || (count > 0 && (patches == nullptr || deviations_px == nullptr || slides == nullptr))) {
        return CVISION_INVALID_ARGUMENT;
    }
    const Levels levels(*pyramid);
    for (int32_t index = 0; index < count; ++index) {
        const float x = on_level(pixels_xy[2 * index], level), y = on_level(pixels_xy[2 * index + 1], level);
        if (!levels[level].contains(x, y)) return CVISION_INVALID_ARGUMENT;
        WarpedPatch *patch = patch_in(patches, slots[index]);
        patch->take(levels[level], x, y);
        patch->level = static_cast<float>(level);
        const double variance = noise * noise;
        CVisionFlow place = {};
        place.deviation_px = HUGE_VALF;
        if (patch->is_usable != 0) {
            place.deviation_px =
                static_cast<float>(place_deviation(patch->inverse, KeptPatch::pixels, variance, variance));
            place.slide = patch->patch.slide(patch->inverse, variance);
        }
        place = in_pixels_of_picture(place, level);
        deviations_px[index] = place.deviation_px;
        slides[index] = place.slide;
    }
    return CVISION_OK;
}

CVisionStatus cvision_align_patches(
    const CVisionPyramid *pyramid, const float *patches, int32_t slot_count, const int32_t *slots, int32_t count,
    const CVisionCurvature *curvatures, CVisionWarp *warps, CVisionFlow *flows) {
    if (!is_valid(pyramid) || count < 0 || !are_slots(slots, count, slot_count)
        || (count > 0 && (patches == nullptr || warps == nullptr || flows == nullptr))) {
        return CVISION_INVALID_ARGUMENT;
    }
    const Levels levels(*pyramid);
    for (int32_t index = 0; index < count; ++index) {
        CVisionWarp &warp = warps[index];
        const WarpedPatch *patch = patch_in(const_cast<float *>(patches), slots[index]);
        if (!(patch->level >= 0 && patch->level < static_cast<float>(levels.count))) return CVISION_INVALID_ARGUMENT;
        const CVisionCurvature curvature = curvatures != nullptr ? curvatures[index] : CVisionCurvature{};
        flows[index] = patch->is_usable != 0 ? align(*patch, levels, curvature, warp)
                                             : CVisionFlow{warp.x, warp.y, 0, 0, {}, CVISION_FLOW_FLAT};
    }
    return CVISION_OK;
}
