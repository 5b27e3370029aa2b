// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Texture.hpp"

#include <algorithm>

namespace {

constexpr float mostProbes = 8;
/// The weights of a probe's texels are whole numbers with this sum, so that all probes' light fits 31 bits.
constexpr int weightBits = 13;
/// What stands for light 1 after the weighing of one probe.
constexpr float fullLight = 32767.f * (1 << weightBits);
constexpr int mantissaBits = 23;
constexpr int exponentBias = 127;
constexpr ptrdiff_t texelBytes = 4 * sizeof(uint16_t);

__m128 select(__m128 mask, __m128 yes, __m128 no) { return _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no)); }

template <int lane> __m128i broadcast(__m128i v) {
    return _mm_shuffle_epi32(v, _MM_SHUFFLE(lane, lane, lane, lane));
}

template <int lane> int32_t element(const __m128i &v) { return reinterpret_cast<const int32_t *>(&v)[lane]; }

/// Two texels that lie side by side.
__m128i pair(const uint8_t *texel) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(texel)); }

int greatest(__m128i small) {
    const __m128i two = _mm_max_epi16(small, _mm_shuffle_epi32(small, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_cvtsi128_si32(_mm_max_epi16(two, _mm_shuffle_epi32(two, _MM_SHUFFLE(2, 3, 0, 1))));
}

}  // namespace

CRAYCAST_INLINE ProbeLanes::ProbeLanes(const FootprintLanes &footprint, int levelCount) {
    const __m128 one = _mm_set1_ps(1);
    const auto square = [](__m128 x, __m128 y) { return _mm_add_ps(_mm_mul_ps(x, x), _mm_mul_ps(y, y)); };
    const __m128 column = square(footprint.columnX, footprint.columnY);
    const __m128 row = square(footprint.rowX, footprint.rowY);
    const __m128 isAlongColumns = _mm_cmpge_ps(column, row);
    // The order of operands lets what is no number become the second one.
    const __m128 longer = _mm_max_ps(_mm_sqrt_ps(_mm_max_ps(column, row)), one);
    const __m128 shorter = _mm_max_ps(_mm_sqrt_ps(_mm_min_ps(column, row)), one);
    const __m128 rounded = _mm_add_ps(_mm_div_ps(longer, shorter), _mm_set1_ps(0.5f));
    count = _mm_cvttps_epi32(_mm_min_ps(_mm_max_ps(rounded, one), _mm_set1_ps(mostProbes)));
    const __m128 numbers = _mm_cvtepi32_ps(count);
    const __m128 share = _mm_div_ps(one, numbers);
    width = _mm_min_ps(_mm_max_ps(shorter, _mm_mul_ps(longer, share)), _mm_set1_ps(float(1 << (levelCount - 1))));
    stepX = _mm_mul_ps(select(isAlongColumns, footprint.columnX, footprint.rowX), share);
    stepY = _mm_mul_ps(select(isAlongColumns, footprint.columnY, footprint.rowY), share);
    const __m128 back = _mm_mul_ps(_mm_sub_ps(numbers, one), _mm_set1_ps(0.5f));
    x = _mm_sub_ps(footprint.x, _mm_mul_ps(back, stepX));
    y = _mm_sub_ps(footprint.y, _mm_mul_ps(back, stepY));
}

CRAYCAST_INLINE LevelLanes::LevelLanes(
    __m128i firstTexel, __m128i width, __m128i height, __m128 scale, __m128i weight, const ProbeLanes &probes)
    : firstTexel(firstTexel), width(width),
      columnAndRow(_mm_or_si128(_mm_slli_epi32(width, 16), _mm_set1_epi32(1))),
      lastX(_mm_sub_ps(_mm_cvtepi32_ps(width), _mm_set1_ps(1))),
      lastY(_mm_sub_ps(_mm_cvtepi32_ps(height), _mm_set1_ps(1))), weight(weight),
      hasWeight(_mm_cmpgt_epi32(weight, _mm_setzero_si128())),
      x(_mm_sub_ps(_mm_mul_ps(probes.x, scale), _mm_set1_ps(0.5f))),
      y(_mm_sub_ps(_mm_mul_ps(probes.y, scale), _mm_set1_ps(0.5f))), stepX(_mm_mul_ps(probes.stepX, scale)),
      stepY(_mm_mul_ps(probes.stepY, scale)) {
    goOn(hasWeight);
}

CRAYCAST_INLINE void LevelLanes::goOn(__m128i live) {
    // Between texels' centres, not outside the first and the last; what is no number becomes zero.
    const __m128 insideX = _mm_min_ps(_mm_max_ps(x, _mm_setzero_ps()), lastX);
    const __m128 insideY = _mm_min_ps(_mm_max_ps(y, _mm_setzero_ps()), lastY);
    const __m128i column = _mm_cvttps_epi32(_mm_min_ps(insideX, _mm_sub_ps(lastX, _mm_set1_ps(1))));
    const __m128i row = _mm_cvttps_epi32(_mm_min_ps(insideY, _mm_sub_ps(lastY, _mm_set1_ps(1))));
    const __m128 toTheRight = _mm_sub_ps(insideX, _mm_cvtepi32_ps(column));
    const __m128 below = _mm_sub_ps(insideY, _mm_cvtepi32_ps(row));
    x = _mm_add_ps(x, stepX);
    y = _mm_add_ps(y, stepY);

    const __m128i texel = _mm_madd_epi16(_mm_or_si128(column, _mm_slli_epi32(row, 16)), columnAndRow);
    place = _mm_and_si128(_mm_add_epi32(firstTexel, texel), hasWeight);
    // The two rows share the weight, then each row's two texels share the row's.
    const __m128i lower = _mm_cvtps_epi32(_mm_mul_ps(below, _mm_cvtepi32_ps(weight)));
    const __m128i upper = _mm_sub_epi32(weight, lower);
    const __m128i lowerRight = _mm_cvtps_epi32(_mm_mul_ps(toTheRight, _mm_cvtepi32_ps(lower)));
    const __m128i upperRight = _mm_cvtps_epi32(_mm_mul_ps(toTheRight, _mm_cvtepi32_ps(upper)));
    const auto both = [&](__m128i upper, __m128i lower) {
        return _mm_and_si128(_mm_or_si128(upper, _mm_slli_epi32(lower, 16)), live);
    };
    left = both(_mm_sub_epi32(upper, upperRight), _mm_sub_epi32(lower, lowerRight));
    right = both(upperRight, lowerRight);
}

CRAYCAST_INLINE void LevelLanes::fetch(const uint8_t *texels) const {
    // The upper texels have mostly been the lower ones of the row of pixels before.
    const auto fetchBelow = [&](int32_t place, int32_t width) {
        __builtin_prefetch(texels + texelBytes * (ptrdiff_t(place) + width));
    };
    fetchBelow(element<0>(place), element<0>(width));
    fetchBelow(element<1>(place), element<1>(width));
    fetchBelow(element<2>(place), element<2>(width));
    fetchBelow(element<3>(place), element<3>(width));
}

template <int lane> CRAYCAST_INLINE __m128i LevelLanes::light(const uint8_t *texels) const {
    const uint8_t *texel = texels + texelBytes * element<lane>(place);
    const __m128i upper = pair(texel), lower = pair(texel + texelBytes * element<lane>(width));
    return _mm_add_epi32(
        _mm_madd_epi16(_mm_unpacklo_epi16(upper, lower), broadcast<lane>(left)),
        _mm_madd_epi16(_mm_unpackhi_epi16(upper, lower), broadcast<lane>(right)));
}

CRAYCAST_INLINE void LevelLanes::addLight(const uint8_t *texels, __m128i sums[4]) const {
    sums[0] = _mm_add_epi32(sums[0], light<0>(texels));
    sums[1] = _mm_add_epi32(sums[1], light<1>(texels));
    sums[2] = _mm_add_epi32(sums[2], light<2>(texels));
    sums[3] = _mm_add_epi32(sums[3], light<3>(texels));
}

CRAYCAST_FOR_EACH_PROCESSOR
void TextureLook::prepare(const CRaycastTexture &texture, const FootprintLanes &footprints) {
    const ProbeLanes probes(footprints, texture.level_count);
    texels = reinterpret_cast<const uint8_t *>(texture.texels);
    counts = probes.count;
    mostCount = greatest(counts);

    // A number's exponent and its leading bits are a fast and continuous stand-in for the binary logarithm. Two levels
    // blend all the way from one to the other: a shorter blend is faster, and moves the corners of patterns.
    const __m128i bits = _mm_castps_si128(probes.width);
    const __m128i exponent = _mm_srli_epi32(bits, mantissaBits);
    const __m128i number = _mm_sub_epi32(exponent, _mm_set1_epi32(exponentBias));
    const __m128i coarseWeight = _mm_srli_epi32(
        _mm_and_si128(bits, _mm_set1_epi32((1 << mantissaBits) - 1)), mantissaBits - weightBits);
    const __m128i fineWeight = _mm_sub_epi32(_mm_set1_epi32(1 << weightBits), coarseWeight);
    const __m128 scale =
        _mm_castsi128_ps(_mm_slli_epi32(_mm_sub_epi32(_mm_set1_epi32(2 * exponentBias), exponent), mantissaBits));
    isBlended = _mm_movemask_epi8(_mm_cmpgt_epi32(coarseWeight, _mm_setzero_si128())) != 0;

    const auto level = [&](int32_t number) {
        return _mm_loadl_epi64(reinterpret_cast<const __m128i *>(texture.levels + number));
    };
    const __m128i firstTwo = _mm_unpacklo_epi32(level(element<0>(number)), level(element<1>(number)));
    const __m128i otherTwo = _mm_unpacklo_epi32(level(element<2>(number)), level(element<3>(number)));
    const __m128i firstTexel = _mm_unpacklo_epi64(firstTwo, otherTwo);
    const __m128i widthAndHeight = _mm_unpackhi_epi64(firstTwo, otherTwo);
    const __m128i width = _mm_and_si128(widthAndHeight, _mm_set1_epi32(0xffff));
    const __m128i height = _mm_srli_epi32(widthAndHeight, 16);
    fine = LevelLanes(firstTexel, width, height, scale, fineWeight, probes);
    fine.fetch(texels);
    if (!isBlended) return;
    coarse = LevelLanes(
        _mm_add_epi32(firstTexel, _mm_madd_epi16(width, height)), _mm_srli_epi32(width, 1), _mm_srli_epi32(height, 1),
        _mm_mul_ps(scale, _mm_set1_ps(0.5f)), coarseWeight, probes);
    coarse.fetch(texels);
}

CRAYCAST_FOR_EACH_PROCESSOR
void TextureLook::finish(size_t count, float (*light)[4]) {
    __m128i sums[4] = {};
    const auto add = [&](LevelLanes &level) __attribute__((always_inline)) {
        level.addLight(texels, sums);
        for (int probe = 1; probe < mostCount; ++probe) {
            level.goOn(_mm_cmpgt_epi32(counts, _mm_set1_epi32(probe)));
            level.addLight(texels, sums);
        }
    };
    add(fine);
    if (isBlended) add(coarse);
    alignas(16) float scales[4];
    _mm_store_ps(scales, _mm_div_ps(_mm_set1_ps(1 / fullLight), _mm_cvtepi32_ps(counts)));
    for (size_t lane = 0; lane < count; ++lane)
        _mm_storeu_ps(light[lane], _mm_mul_ps(_mm_cvtepi32_ps(sums[lane]), _mm_set1_ps(scales[lane])));
}

void craycast_sample(
    const CRaycastTexture *texture, const CRaycastFootprint *footprints, size_t count, float (*light)[4]) {
    for (size_t first = 0; first < count; first += 4) {
        const size_t lanes = std::min<size_t>(4, count - first);
        CRaycastFootprint four[4] = {};
        std::copy_n(footprints + first, lanes, four);
        const auto collect = [&](float CRaycastFootprint::*part) {
            return _mm_setr_ps(four[0].*part, four[1].*part, four[2].*part, four[3].*part);
        };
        TextureLook look;
        look.prepare(
            *texture,
            {collect(&CRaycastFootprint::x), collect(&CRaycastFootprint::y), collect(&CRaycastFootprint::column_x),
             collect(&CRaycastFootprint::column_y), collect(&CRaycastFootprint::row_x),
             collect(&CRaycastFootprint::row_y)});
        look.finish(lanes, light + first);
    }
}
