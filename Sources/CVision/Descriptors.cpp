// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"
#include "Pyramid.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

using namespace cvision;

// Counting bits is one instruction where there is one; the answer is the same without.
#if defined(__x86_64__) && defined(__linux__)
#define COUNTS_BITS __attribute__((target_clones("popcnt", "default")))
#else
#define COUNTS_BITS
#endif

namespace {

constexpr int words = CVISION_DESCRIPTOR_BITS / 64;
constexpr int largest_point_count = 256;
/// True pairs differ in a quarter of their bits at most, 16 of 64; unrelated ones in 32 ± 4.
constexpr int most_different_bits_of_first_word = 24;

/// The pattern on one level: places in its pixels.
CVisionDescriptor describe(
    const cv::Mat &light, int level, const CVisionDescriptorPattern &pattern, const CVisionWarp &warp) {
    const float x = on_level(warp.x, level), y = on_level(warp.y, level);
    const float scale = std::ldexp(1.0F, -level);
    const float right = static_cast<float>(light.cols - 1), bottom = static_cast<float>(light.rows - 1);
    uint8_t values[largest_point_count];
    for (int i = 0; i < pattern.point_count; ++i) {
        const float u = pattern.points_xy[2 * i] * scale, v = pattern.points_xy[2 * i + 1] * scale;
        const float column = std::clamp(x + warp.xx * u + warp.xy * v, 0.0F, right);
        const float row = std::clamp(y + warp.yx * u + warp.yy * v, 0.0F, bottom);
        values[i] = *light.ptr(static_cast<int>(row + 0.5F), static_cast<int>(column + 0.5F));
    }
    CVisionDescriptor descriptor = {};
    for (int bit = 0; bit < CVISION_DESCRIPTOR_BITS; ++bit) {
        const uint64_t is_darker = values[pattern.pairs[2 * bit]] < values[pattern.pairs[2 * bit + 1]];
        descriptor.words[bit / 64] |= is_darker << (bit % 64);
    }
    return descriptor;
}

COUNTS_BITS void find_nearest(
    const CVisionDescriptor *queries, int32_t query_count, int32_t variant_count, const CVisionDescriptor *candidates,
    int32_t candidate_count, int32_t most_different_bits, CVisionNearest *nearest) {
    for (int32_t query = 0; query < query_count; ++query) {
        CVisionNearest best = {-1, CVISION_DESCRIPTOR_BITS, CVISION_DESCRIPTOR_BITS};
        for (int32_t candidate = 0; candidate < candidate_count; ++candidate) {
            const uint64_t *b = candidates[candidate].words;
            int distance = CVISION_DESCRIPTOR_BITS;
            for (int32_t variant = 0; variant < variant_count; ++variant) {
                const uint64_t *a = queries[static_cast<int64_t>(query) * variant_count + variant].words;
                int different = __builtin_popcountll(a[0] ^ b[0]);
                if (different > most_different_bits_of_first_word) continue;
                for (int word = 1; word < words; ++word) different += __builtin_popcountll(a[word] ^ b[word]);
                distance = std::min(distance, different);
            }
            if (distance < best.distance) {
                best = {candidate, distance, best.distance};
            } else if (distance < best.second_distance) {
                best.second_distance = distance;
            }
        }
        if (best.distance > most_different_bits) best.index = -1;
        nearest[query] = best;
    }
}

bool is_finite(const CVisionWarp &warp) {
    return std::isfinite(warp.x) && std::isfinite(warp.y) && std::isfinite(warp.xx) && std::isfinite(warp.xy)
        && std::isfinite(warp.yx) && std::isfinite(warp.yy);
}

bool is_valid_pattern(const CVisionDescriptorPattern *pattern) {
    if (pattern == nullptr || pattern->points_xy == nullptr || pattern->pairs == nullptr || pattern->point_count < 1
        || pattern->point_count > largest_point_count) {
        return false;
    }
    return std::all_of(
        pattern->pairs, pattern->pairs + 2 * CVISION_DESCRIPTOR_BITS,
        [=](uint8_t point) { return point < pattern->point_count; });
}

} // namespace

CVisionStatus cvision_describe_points(
    const CVisionPyramid *pyramid, int32_t level, const CVisionDescriptorPattern *pattern, const CVisionWarp *warps,
    int32_t count, CVisionDescriptor *descriptors) {
    if (!is_valid(pyramid) || level < 0 || level >= pyramid->level_count || !is_valid_pattern(pattern) || count < 0
        || (count > 0 && (warps == nullptr || descriptors == nullptr))
        || !std::all_of(warps, warps + count, is_finite)) {
        return CVISION_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const Level source = Levels(*pyramid)[level];
        const cv::Mat sharp(source.height, source.width, CV_8UC1, source.origin, source.bytes_per_row);
        cv::Mat light;
        cv::GaussianBlur(sharp, light, cv::Size(7, 7), 1.6, 1.6, cv::BORDER_REPLICATE);
        for (int32_t i = 0; i < count; ++i) descriptors[i] = describe(light, level, *pattern, warps[i]);
        return CVISION_OK;
    });
}

CVisionStatus cvision_match_descriptors(
    const CVisionDescriptor *queries, int32_t query_count, int32_t variant_count, const CVisionDescriptor *candidates,
    int32_t candidate_count, int32_t most_different_bits, CVisionNearest *nearest) {
    if (query_count < 0 || variant_count < 1 || candidate_count < 0
        || (query_count > 0 && (queries == nullptr || nearest == nullptr))
        || (candidate_count > 0 && candidates == nullptr)) {
        return CVISION_INVALID_ARGUMENT;
    }
    find_nearest(
        queries, query_count, variant_count, candidates, candidate_count, most_different_bits, nearest);
    return CVISION_OK;
}
