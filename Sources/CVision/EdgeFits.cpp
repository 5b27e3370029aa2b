// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Edges to a fraction of a pixel: where the light changes most across a line, all along it, and the line through that.

#include "Guard.hpp"
#include "Pyramid.hpp"

#include <algorithm>
#include <array>

using namespace cvision;

namespace {

constexpr int derivative_half_width = 3;
constexpr int largest_reach_px = 16;
constexpr int largest_profile = 2 * (largest_reach_px + derivative_half_width) + 1;
constexpr int sample_limit = CVISION_MAX_PROFILES;
/// How far from a straight line an edge may bend, in parts of its length: paper bows, lenses too.
constexpr float straightness = 0.003f;

static_assert(largest_reach_px + derivative_half_width + 2 < pyramid_border_px, "profiles end inside the border");

/// The derivative of a normal distribution of one pixel's width; a step of one grey level has the response 1.
constexpr std::array<float, 4> derivative_weights = {0, 0.6661f, 0.2973f, 0.0366f};

/// Where an edge crosses the profile at one place along the line.
struct Crossing {
    /// Along the line, 0 at its start and 1 at its end, and across it, in pixels of the level.
    float along, across;
    /// The change of light, in grey levels, positive where the right is brighter.
    float contrast;
};

/// A line on a level, and the profiles across it.
class Profiles {
public:
    Profiles(const Level &level, const double *line, int level_number, int reach, int most)
        : level(level), start_x(on_level(line[0], level_number)), start_y(on_level(line[1], level_number)),
          span_x(on_level(line[2], level_number) - start_x), span_y(on_level(line[3], level_number) - start_y),
          length(std::hypot(span_x, span_y)), reach(reach), most(most) {}

    const Level &level;
    const float start_x, start_y, span_x, span_y, length;
    const int reach, most;

    /// How many profiles are taken: one a pixel on short lines, so that noise is averaged on long ones.
    int count() const { return std::clamp(static_cast<int>(length), 4, most); }

    /// The strongest edge of the profile number `index`; false outside the picture.
    /// - polarity: 1 where the right must be brighter, -1 where the left, 0 where either may.
    bool cross(int index, int polarity, Crossing &crossing) const {
        const float along = (index + 0.5f) / count();
        const float x = start_x + along * span_x, y = start_y + along * span_y;
        if (!level.contains(x, y)) return false;
        // Walking along the line with y downwards, this normal points to the right.
        const float normal_x = -span_y / length, normal_y = span_x / length;
        const int half = reach + derivative_half_width;
        const float spacing = length / count();
        const int strips = std::clamp(static_cast<int>(spacing + 0.5f), 1, 2);
        std::array<int32_t, largest_profile> sums = {};
        for (int strip = 0; strip < strips; ++strip) {
            const float shift = ((strip + 0.5f) / strips - 0.5f) * spacing / length;
            const float base_x = std::clamp(x + shift * span_x, 0.0f, level.width - 1.0f);
            const float base_y = std::clamp(y + shift * span_y, 0.0f, level.height - 1.0f);
            add_light(base_x - half * normal_x, base_y - half * normal_y, normal_x, normal_y, 2 * half + 1, sums.data());
        }
        std::array<float, largest_profile> light;
        const float unit = 1 / (65536.0f * strips);
        for (int i = 0; i <= 2 * half; ++i) light[i] = sums[i] * unit;
        std::array<float, largest_profile> change;
        for (int i = derivative_half_width; i <= half + reach; ++i) {
            if (reach == 1) {
                change[i] = light[i + 1] - light[i - 1];
                continue;
            }
            change[i] = 0;
            for (int k = 1; k <= derivative_half_width; ++k) {
                change[i] += derivative_weights[k] * (light[i + k] - light[i - k]);
            }
        }
        int best = 0;
        float strongest = 0;
        for (int i = half - reach + 1; i < half + reach; ++i) {
            const float value = polarity == 0 ? std::abs(change[i]) : polarity * change[i];
            if (value < std::abs(change[i - 1]) || value < std::abs(change[i + 1])) continue;
            // Of two edges of much the same strength, the nearer one is meant.
            const float distance = static_cast<float>(i - half) / (reach + 1);
            const float weighted = value * (1 - 0.5f * distance * distance);
            if (weighted > strongest) strongest = weighted, best = i;
        }
        crossing = {along, 0, 0};
        if (strongest < 0.25f) return true;
        // The response to a step is a normal distribution: its logarithm is a parabola.
        const float sign = change[best] > 0 ? 1.0f : -1.0f;
        const auto height = [&](int i) { return std::log(std::max(sign * change[i], 1e-3f)); };
        const float before = height(best - 1), middle = height(best), after = height(best + 1);
        const float curvature = before + after - 2 * middle;
        const float offset = curvature < 0 ? std::clamp(0.5f * (before - after) / curvature, -0.75f, 0.75f) : 0;
        crossing.across = best - half + offset;
        crossing.contrast = change[best];
        return true;
    }

private:
    /// Adds the light at places in a row, in 65,536ths of a grey level, between pixels to a 256th.
    void add_light(float x, float y, float step_x, float step_y, int places, int32_t *sums) const {
        constexpr float one = 65536;
        const auto along = static_cast<int32_t>(std::lround(step_x * one)), down = static_cast<int32_t>(std::lround(step_y * one));
        // Half a 256th more, so that cutting rounds.
        int32_t across = static_cast<int32_t>(std::lround(x * one)) + 128;
        int32_t line = static_cast<int32_t>(std::lround(y * one)) + 128;
        for (int i = 0; i < places; ++i, across += along, line += down) {
            const uint8_t *upper = level.row(line >> 16) + (across >> 16), *lower = upper + level.bytes_per_row;
            const int u = across >> 8 & 255, v = line >> 8 & 255;
            const int above = 256 * upper[0] + u * (upper[1] - upper[0]);
            const int below = 256 * lower[0] + u * (lower[1] - lower[0]);
            sums[i] += 256 * above + v * (below - above);
        }
    }
};

/// The line across = offset + slope · (along − ½) through crossings, by least squares with Cauchy's weights.
struct Deviation {
    float offset = 0, slope = 0;

    float at(float along) const { return offset + slope * (along - 0.5f); }

    void fit(const Crossing *crossings, int count, float width) {
        double n = 0, s = 0, ss = 0, a = 0, sa = 0;
        for (int i = 0; i < count; ++i) {
            const double along = crossings[i].along - 0.5, across = crossings[i].across;
            const double residual = (across - at(crossings[i].along)) / width;
            const double weight = 1 / (1 + residual * residual);
            n += weight, s += weight * along, ss += weight * along * along;
            a += weight * across, sa += weight * along * across;
        }
        const double determinant = n * ss - s * s;
        if (determinant <= 1e-9) return;
        offset = static_cast<float>((ss * a - s * sa) / determinant);
        slope = static_cast<float>((n * sa - s * a) / determinant);
    }
};

CVisionEdgeFit fit(const Profiles &profiles, const double *line, int level_number, int polarity, float least_contrast) {
    std::array<Crossing, sample_limit> crossings;
    int seen = 0, found = 0;
    for (int i = 0; i < profiles.count(); ++i) {
        Crossing crossing;
        if (!profiles.cross(i, polarity, crossing)) continue;
        ++seen;
        if (std::abs(crossing.contrast) >= least_contrast) crossings[found++] = crossing;
    }
    CVisionEdgeFit result = {line[0], line[1], line[2], line[3], 0, 0, 0, 0, 0};
    result.visible = static_cast<float>(seen) / profiles.count();
    if (found < 3) return result;

    // The start: the middle of the crossings, against those that belong to something else.
    std::array<float, sample_limit> sorted;
    for (int i = 0; i < found; ++i) sorted[i] = crossings[i].across;
    std::nth_element(sorted.begin(), sorted.begin() + found / 2, sorted.begin() + found);
    Deviation deviation;
    deviation.offset = sorted[found / 2];
    const float tolerance = std::max(1.0f, straightness * profiles.length);
    for (const float width : {2.0f, 1.0f}) deviation.fit(crossings.data(), found, width * tolerance);
    // A blurred edge's crossings scatter: what scatters alike counts alike.
    for (int i = 0; i < found; ++i) sorted[i] = std::abs(crossings[i].across - deviation.at(crossings[i].along));
    std::nth_element(sorted.begin(), sorted.begin() + found / 2, sorted.begin() + found);
    const float width = std::clamp(1.5f * sorted[found / 2], 0.4f, 2.0f);
    for (int round = 0; round < 3; ++round) deviation.fit(crossings.data(), found, width * tolerance);

    int on_line = 0;
    double contrast = 0, sum = 0;
    for (int i = 0; i < found; ++i) {
        const float residual = crossings[i].across - deviation.at(crossings[i].along);
        if (std::abs(residual) > tolerance) continue;
        ++on_line;
        contrast += crossings[i].contrast;
        sum += residual * residual;
    }
    if (on_line < 3) return result;
    const float scale = std::ldexp(1.0f, level_number);
    const double normal_x = -profiles.span_y / profiles.length * scale;
    const double normal_y = profiles.span_x / profiles.length * scale;
    const float first = deviation.at(0), last = deviation.at(1);
    result.start_x += first * normal_x, result.start_y += first * normal_y;
    result.end_x += last * normal_x, result.end_y += last * normal_y;
    result.count = on_line;
    result.support = static_cast<float>(on_line) / seen;
    result.contrast = static_cast<float>(contrast / on_line);
    // The ends of a line through n evenly spread points are twice as uncertain as its middle.
    result.deviation_px = static_cast<float>(2 * std::sqrt(sum / on_line + 1e-4) / std::sqrt(double(on_line))) * scale;
    return result;
}

} // namespace

CVisionStatus cvision_fit_edges(
    const CVisionPyramid *pyramid, int32_t level, const double *lines_xyxy, int32_t count, int32_t reach_px,
    int32_t polarity, double least_contrast, int32_t profile_limit, CVisionEdgeFit *fits) {
    if (!is_valid(pyramid) || level < 0 || level >= pyramid->level_count || count < 0
        || !are_finite(lines_xyxy, 4 * int64_t(count), 1e6) || (count > 0 && fits == nullptr) || reach_px < 1
        || reach_px > largest_reach_px || polarity < -1 || polarity > 1 || !(least_contrast >= 0) || profile_limit < 4
        || profile_limit > CVISION_MAX_PROFILES) {
        return CVISION_INVALID_ARGUMENT;
    }
    const Levels levels(*pyramid);
    for (int32_t i = 0; i < count; ++i) {
        const double *line = lines_xyxy + 4 * static_cast<int64_t>(i);
        const Profiles profiles(levels[level], line, level, reach_px, profile_limit);
        if (profiles.length < 1) {
            fits[i] = {line[0], line[1], line[2], line[3], 0, 0, 0, 0, 0};
        } else {
            fits[i] = fit(profiles, line, level, polarity, static_cast<float>(least_contrast));
        }
    }
    return CVISION_OK;
}
