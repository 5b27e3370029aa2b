// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CRaycast.h"

#include <emmintrin.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

constexpr int channelBits = 10;
constexpr int mostProbes = 8;

/// Red, green, blue light, each in its own unit: what stands `n` bits up in the word comes out 2²ⁿ times too large.
inline __m128 lanes(uint32_t texel) {
    const __m128i masks = _mm_setr_epi32(0x3ff, 0x3ff << channelBits, 0x3ff << 2 * channelBits, 0);
    const __m128 roots = _mm_cvtepi32_ps(_mm_and_si128(_mm_set1_epi32(int(texel)), masks));
    return _mm_mul_ps(roots, roots);
}

/// What to multiply lanes with to get linear light.
inline __m128 lightPerLane() {
    constexpr float full = 1023.f * 1023.f;
    return _mm_setr_ps(1 / full, 0x1p-20f / full, 0x1p-40f / full, 0);
}

inline __m128 mix(__m128 a, __m128 b, float fraction) {
    return _mm_add_ps(a, _mm_mul_ps(_mm_sub_ps(b, a), _mm_set1_ps(fraction)));
}

/// A coordinate between two texels' centres, not outside the first and the last.
struct Between {
    int texel;
    float fraction;

    Between(float coordinate, int count) {
        // Written so that what is no number becomes zero.
        const float positive = coordinate > 0 ? coordinate : 0;
        const float inside = std::min(positive, float(count - 1));
        texel = std::min(int(inside), count - 2);
        fraction = inside - float(texel);
    }
};

/// The mean of a few probes on one level, interpolated between the four nearest texels each.
__m128 probe(const CRaycastTextureLevel &level, float scale, float x, float y, float stepX, float stepY, int count) {
    __m128 sum = _mm_setzero_ps();
    x = x * scale - 0.5f;
    y = y * scale - 0.5f;
    stepX *= scale;
    stepY *= scale;
    for (int number = 0; number < count; ++number) {
        const Between column(x + float(number) * stepX, level.width), row(y + float(number) * stepY, level.height);
        const uint32_t *above = level.texels + ptrdiff_t(row.texel) * level.width + column.texel;
        const uint32_t *below = above + level.width;
        sum = _mm_add_ps(
            sum,
            mix(mix(lanes(above[0]), lanes(above[1]), column.fraction),
                mix(lanes(below[0]), lanes(below[1]), column.fraction), row.fraction));
    }
    return sum;
}

__m128 sample(const CRaycastTexture &texture, const CRaycastFootprint &footprint) {
    const float columnSquare = footprint.column_x * footprint.column_x + footprint.column_y * footprint.column_y;
    const float rowSquare = footprint.row_x * footprint.row_x + footprint.row_y * footprint.row_y;
    const bool isAlongColumns = columnSquare >= rowSquare;
    const float longer = std::sqrt(isAlongColumns ? columnSquare : rowSquare);
    if (!(longer > 1)) return probe(texture.levels[0], 1, footprint.x, footprint.y, 0, 0, 1);

    const float shorter = std::max(1.f, std::sqrt(isAlongColumns ? rowSquare : columnSquare));
    const float ratio = longer / shorter;
    const int count = ratio < mostProbes ? int(ratio + 0.5f) : mostProbes;
    const float perProbe = 1 / float(std::max(count, 1));
    // A number's exponent and its leading bits are a fast and continuous stand-in for the binary logarithm.
    const float width = std::max(shorter, longer * perProbe);
    uint32_t bits;
    std::memcpy(&bits, &width, sizeof bits);
    const int last = texture.level_count - 1;
    const int level = std::min(int(bits >> 23) - 127, last);
    const float fraction = float(bits & 0x7fffff) * 0x1p-23f;
    // Two levels blend all the way from one to the other: a shorter blend is faster, and moves the corners of patterns.
    const float coarse = level == last ? 0 : fraction;

    const float stepX = (isAlongColumns ? footprint.column_x : footprint.row_x) * perProbe;
    const float stepY = (isAlongColumns ? footprint.column_y : footprint.row_y) * perProbe;
    const float back = 0.5f * float(count - 1);
    const float x = footprint.x - back * stepX, y = footprint.y - back * stepY;
    const float scale = 1 / float(1 << level);
    __m128 light = _mm_mul_ps(
        probe(texture.levels[level], scale, x, y, stepX, stepY, count), _mm_set1_ps((1 - coarse) * perProbe));
    if (coarse > 0)
        light = _mm_add_ps(
            light, _mm_mul_ps(
                       probe(texture.levels[level + 1], scale / 2, x, y, stepX, stepY, count),
                       _mm_set1_ps(coarse * perProbe)));
    return light;
}

}  // namespace

void craycast_sample(
    const CRaycastTexture *texture, const CRaycastFootprint *footprints, size_t count, float (*light)[4]) {
    for (size_t index = 0; index < count; ++index)
        _mm_storeu_ps(light[index], _mm_mul_ps(sample(*texture, footprints[index]), lightPerLane()));
}
