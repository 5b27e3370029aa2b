// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Texture.hpp"

#include <algorithm>

namespace {

constexpr float mostProbes = 8;
/// Weights of texels are whole numbers with this sum.
constexpr int wholeWeight = 1 << 14;
/// What stands for light 1 after such a weighing.
constexpr float fullLight = 32767.f * wholeWeight;

__m128 select(__m128 mask, __m128 yes, __m128 no) { return _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no)); }

/// Two texels that lie side by side.
__m128i pair(const uint16_t *texel) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(texel)); }

/// Adds the light between four texels; `below` is the weight of the lower two, beside that of the upper two.
__m128 addBetween(__m128 sum, const CRaycastTextureLevel &level, int column, int row, __m128 right, __m128i below) {
    const uint16_t *texel = level.texels + 4 * (ptrdiff_t(row) * level.width + column);
    const __m128i upper = pair(texel), lower = pair(texel + 4 * ptrdiff_t(level.width));
    const __m128 left = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_unpacklo_epi16(upper, lower), below));
    const __m128 next = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_unpackhi_epi16(upper, lower), below));
    return _mm_add_ps(sum, _mm_add_ps(left, _mm_mul_ps(_mm_sub_ps(next, left), right)));
}

template <int lane, typename Vector> Vector broadcast(Vector v);
template <int lane> __m128 broadcast(__m128 v) { return _mm_shuffle_ps(v, v, _MM_SHUFFLE(lane, lane, lane, lane)); }
template <int lane> __m128i broadcast(__m128i v) {
    return _mm_shuffle_epi32(v, _MM_SHUFFLE(lane, lane, lane, lane));
}

/// The last column and row of two levels.
__m128 lastTexels(const CRaycastTextureLevel &fine, const CRaycastTextureLevel &coarse) {
    const __m128i sizes = _mm_unpacklo_epi64(
        _mm_loadl_epi64(reinterpret_cast<const __m128i *>(&fine.width)),
        _mm_loadl_epi64(reinterpret_cast<const __m128i *>(&coarse.width)));
    return _mm_sub_ps(_mm_cvtepi32_ps(sizes), _mm_set1_ps(1));
}

/// What four pixels ask of a texture, one array a quantity.
struct Probes {
    alignas(16) float x[4];
    alignas(16) float y[4];
    alignas(16) float stepX[4];
    alignas(16) float stepY[4];
    /// One over the number of probes.
    alignas(16) float perProbe[4];
    alignas(16) int count[4];
    /// The finer of the two levels that are blended, the part of the coarser, and the finer one's texels per finest.
    alignas(16) int level[4];
    alignas(16) float coarse[4];
    alignas(16) float scale[4];

    Probes(const FootprintLanes &footprint, int levelCount) {
        const __m128 one = _mm_set1_ps(1);
        const auto square = [](__m128 x, __m128 y) { return _mm_add_ps(_mm_mul_ps(x, x), _mm_mul_ps(y, y)); };
        const __m128 column = square(footprint.columnX, footprint.columnY);
        const __m128 row = square(footprint.rowX, footprint.rowY);
        const __m128 isAlongColumns = _mm_cmpge_ps(column, row);
        // The order of operands lets what is no number become the second one.
        const __m128 longer = _mm_max_ps(_mm_sqrt_ps(_mm_max_ps(column, row)), one);
        const __m128 shorter = _mm_max_ps(_mm_sqrt_ps(_mm_min_ps(column, row)), one);
        const __m128 rounded = _mm_add_ps(_mm_div_ps(longer, shorter), _mm_set1_ps(0.5f));
        const __m128i counts = _mm_cvttps_epi32(_mm_min_ps(_mm_max_ps(rounded, one), _mm_set1_ps(mostProbes)));
        const __m128 numbers = _mm_cvtepi32_ps(counts);
        const __m128 share = _mm_div_ps(one, numbers);
        // A number's exponent and its leading bits are a fast and continuous stand-in for the binary logarithm.
        const __m128 width =
            _mm_min_ps(_mm_max_ps(shorter, _mm_mul_ps(longer, share)), _mm_set1_ps(float(1 << (levelCount - 1))));
        const __m128i bits = _mm_castps_si128(width);
        const __m128i exponent = _mm_and_si128(bits, _mm_set1_epi32(0x7f800000));
        // Two levels blend all the way from one to the other: a shorter blend is faster, and moves the corners of
        // patterns.
        const __m128 fraction =
            _mm_mul_ps(_mm_cvtepi32_ps(_mm_and_si128(bits, _mm_set1_epi32(0x7fffff))), _mm_set1_ps(0x1p-23f));

        const __m128 alongX = _mm_mul_ps(select(isAlongColumns, footprint.columnX, footprint.rowX), share);
        const __m128 alongY = _mm_mul_ps(select(isAlongColumns, footprint.columnY, footprint.rowY), share);
        const __m128 back = _mm_mul_ps(_mm_sub_ps(numbers, one), _mm_set1_ps(0.5f));
        _mm_store_ps(x, _mm_sub_ps(footprint.x, _mm_mul_ps(back, alongX)));
        _mm_store_ps(y, _mm_sub_ps(footprint.y, _mm_mul_ps(back, alongY)));
        _mm_store_ps(stepX, alongX);
        _mm_store_ps(stepY, alongY);
        _mm_store_ps(perProbe, share);
        _mm_store_si128(reinterpret_cast<__m128i *>(count), counts);
        _mm_store_si128(
            reinterpret_cast<__m128i *>(level), _mm_sub_epi32(_mm_srli_epi32(exponent, 23), _mm_set1_epi32(127)));
        _mm_store_ps(coarse, fraction);
        _mm_store_ps(scale, _mm_castsi128_ps(_mm_sub_epi32(_mm_set1_epi32(254 << 23), exponent)));
    }

    /// The light that one of the pixels sees.
    __m128 light(const CRaycastTexture &texture, int pixel) const {
        const CRaycastTextureLevel &fine = texture.levels[level[pixel]];
        const bool isBlended = coarse[pixel] > 0;
        const CRaycastTextureLevel &next = isBlended ? (&fine)[1] : fine;
        const float size = scale[pixel], half = 0.5f * size;
        const __m128 sizes = _mm_setr_ps(size, size, half, half);
        const __m128 last = lastTexels(fine, next), lastFirst = _mm_sub_ps(last, _mm_set1_ps(1));
        const __m128 step = _mm_mul_ps(_mm_setr_ps(stepX[pixel], stepY[pixel], stepX[pixel], stepY[pixel]), sizes);
        __m128 place = _mm_sub_ps(
            _mm_mul_ps(_mm_setr_ps(x[pixel], y[pixel], x[pixel], y[pixel]), sizes), _mm_set1_ps(0.5f));
        __m128 fineSum = _mm_setzero_ps(), coarseSum = _mm_setzero_ps();
        for (int probe = 0; probe < count[pixel]; ++probe) {
            // Between texels' centres, not outside the first and the last; what is no number becomes zero.
            const __m128 inside = _mm_min_ps(_mm_max_ps(place, _mm_setzero_ps()), last);
            const __m128i texel = _mm_cvttps_epi32(_mm_min_ps(inside, lastFirst));
            const __m128 part = _mm_sub_ps(inside, _mm_cvtepi32_ps(texel));
            const __m128i weight = _mm_cvtps_epi32(_mm_mul_ps(part, _mm_set1_ps(float(wholeWeight))));
            const __m128i weights = _mm_add_epi32(
                _mm_sub_epi32(_mm_set1_epi32(wholeWeight), weight), _mm_slli_epi32(weight, 16));
            alignas(16) int at[4];
            _mm_store_si128(reinterpret_cast<__m128i *>(at), texel);
            fineSum = addBetween(fineSum, fine, at[0], at[1], broadcast<0>(part), broadcast<1>(weights));
            if (isBlended)
                coarseSum = addBetween(coarseSum, next, at[2], at[3], broadcast<2>(part), broadcast<3>(weights));
            place = _mm_add_ps(place, step);
        }
        const __m128 mean = isBlended
            ? _mm_add_ps(fineSum, _mm_mul_ps(_mm_sub_ps(coarseSum, fineSum), _mm_set1_ps(coarse[pixel])))
            : fineSum;
        return _mm_mul_ps(mean, _mm_set1_ps(perProbe[pixel] / fullLight));
    }
};

}  // namespace

void sampleLanes(const CRaycastTexture &texture, const FootprintLanes &footprints, size_t count, float (*light)[4]) {
    const Probes probes(footprints, texture.level_count);
    for (size_t lane = 0; lane < count; ++lane) _mm_storeu_ps(light[lane], probes.light(texture, int(lane)));
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
        const FootprintLanes footprint = {
            collect(&CRaycastFootprint::x), collect(&CRaycastFootprint::y), collect(&CRaycastFootprint::column_x),
            collect(&CRaycastFootprint::column_y), collect(&CRaycastFootprint::row_x),
            collect(&CRaycastFootprint::row_y)};
        sampleLanes(*texture, footprint, lanes, light + first);
    }
}
