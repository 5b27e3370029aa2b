// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CRaycast.h"

#include <emmintrin.h>

#include <algorithm>

namespace {

constexpr uintptr_t unmade = 0, dark = 1, lit = 2;
constexpr int tileSide = 16;
constexpr int tileCorners = tileSide + 1;
constexpr float fullLight = 16;
constexpr int mantissaBits = 23;
constexpr int exponentBias = 127;

__m128 clamp(__m128 v, __m128 high) {
    // The order of operands lets what is no number become zero.
    return _mm_min_ps(_mm_max_ps(v, _mm_setzero_ps()), high);
}

/// Places on a light map, four at once: their levels, their tiles, and where in these they are.
struct PlaceLanes {
    alignas(16) int32_t level[4];
    alignas(16) int32_t tile[4];
    alignas(16) int32_t column[4];
    alignas(16) int32_t row[4];
    /// The first of the four corners around, and the way from it.
    alignas(16) int32_t corner[4];
    alignas(16) float toTheRight[4];
    alignas(16) float below[4];

    PlaceLanes(const CRaycastLightMap &map, __m128 cellX, __m128 cellY, __m128 width) {
        const __m128 one = _mm_set1_ps(1);
        const __m128 inRange =
            _mm_min_ps(_mm_max_ps(width, one), _mm_set1_ps(float(1 << (CRAYCAST_LIGHT_LEVELS - 1))));
        const __m128i exponent = _mm_srli_epi32(_mm_castps_si128(inRange), mantissaBits);
        store(level, _mm_sub_epi32(exponent, _mm_set1_epi32(exponentBias)));
        const __m128 scale = _mm_castsi128_ps(
            _mm_slli_epi32(_mm_sub_epi32(_mm_set1_epi32(2 * exponentBias), exponent), mantissaBits));
        __m128 columns = numbersOf(map, 0), endX = numbersOf(map, 1), endY = numbersOf(map, 2);
        __m128 none = numbersOf(map, 3);
        _MM_TRANSPOSE4_PS(columns, endX, endY, none);
        const __m128 x = clamp(_mm_mul_ps(cellX, scale), endX), y = clamp(_mm_mul_ps(cellY, scale), endY);
        const __m128i tileX = tileAt(x), tileY = tileAt(y);
        store(column, tileX);
        store(row, tileY);
        const __m128i columnAndRow = _mm_or_si128(_mm_slli_epi32(_mm_castps_si128(columns), 16), _mm_set1_epi32(1));
        store(tile, _mm_madd_epi16(_mm_or_si128(tileX, _mm_slli_epi32(tileY, 16)), columnAndRow));
        const auto inTile = [](__m128 place, __m128i tile) {
            return _mm_sub_ps(place, _mm_mul_ps(_mm_cvtepi32_ps(tile), _mm_set1_ps(tileSide)));
        };
        const __m128 tilesX = inTile(x, tileX), tilesY = inTile(y, tileY);
        const __m128i left = cornerBefore(tilesX), top = cornerBefore(tilesY);
        store(corner, _mm_madd_epi16(
            _mm_or_si128(left, _mm_slli_epi32(top, 16)), _mm_set1_epi32(tileCorners << 16 | 1)));
        _mm_store_ps(toTheRight, _mm_sub_ps(tilesX, _mm_cvtepi32_ps(left)));
        _mm_store_ps(below, _mm_sub_ps(tilesY, _mm_cvtepi32_ps(top)));
    }

    uintptr_t address(const CRaycastLightMap &map, int lane) const {
        const uintptr_t address =
            __atomic_load_n(map.levels[level[lane]].tiles + tile[lane], __ATOMIC_ACQUIRE);
        return address == unmade ? map.make(map.owner, level[lane], column[lane], row[lane]) : address;
    }

    float sunlight(uintptr_t address, int lane) const {
        if (address <= lit) return address == lit ? 1.f : 0.f;
        const uint8_t *upper = reinterpret_cast<const uint8_t *>(address) + corner[lane], *lower = upper + tileCorners;
        const auto between = [](float a, float b, float part) { return a + (b - a) * part; };
        return between(
                   between(upper[0], upper[1], toTheRight[lane]), between(lower[0], lower[1], toTheRight[lane]),
                   below[lane])
            * (1 / fullLight);
    }

private:
    static void store(int32_t (&to)[4], __m128i v) { _mm_store_si128(reinterpret_cast<__m128i *>(to), v); }

    /// A lane's level from its `columns` on: the fourth number is nothing.
    __m128 numbersOf(const CRaycastLightMap &map, int lane) const {
        const CRaycastLightLevel &numbers = map.levels[level[lane]];
        return _mm_loadu_ps(reinterpret_cast<const float *>(&numbers.columns));
    }

    /// Half a cell before a whole number rounds to that of the tile, or of the cell, to the left of it.
    static __m128i tileAt(__m128 place) {
        return _mm_cvtps_epi32(_mm_max_ps(
            _mm_sub_ps(_mm_mul_ps(place, _mm_set1_ps(1.f / tileSide)), _mm_set1_ps(0.5f)), _mm_setzero_ps()));
    }

    static __m128i cornerBefore(__m128 place) {
        return _mm_cvtps_epi32(clamp(_mm_sub_ps(place, _mm_set1_ps(0.5f)), _mm_set1_ps(tileSide - 1)));
    }
};

}  // namespace

void craycast_find_sunlight(
    const CRaycastLightMap *map, const CRaycastLooks *looks, size_t count, float *sunlight) {
    for (size_t index = 0; index < count; index += 4) {
        const PlaceLanes places(
            *map, _mm_loadu_ps(looks->cell_x + index), _mm_loadu_ps(looks->cell_y + index),
            _mm_loadu_ps(looks->cell_width + index));
        for (size_t lane = 0; lane < std::min<size_t>(4, count - index); ++lane)
            sunlight[index + lane] = places.sunlight(places.address(*map, int(lane)), int(lane));
    }
}

size_t craycast_find_rims(
    const int32_t *objects, const int32_t *above, const int32_t *below, size_t count, int32_t *columns) {
    size_t found = 0;
    const auto isRim = [&](size_t column) {
        const int32_t object = objects[column];
        return above[column] != object || below[column] != object || (column > 0 && objects[column - 1] != object)
            || (column + 1 < count && objects[column + 1] != object);
    };
    const auto load = [](const int32_t *from) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)); };
    for (size_t column = 0; column < count;) {
        if (column > 0 && column + 5 <= count) {
            const __m128i four = load(objects + column);
            const auto same = [&](const int32_t *others) { return _mm_cmpeq_epi32(four, load(others)); };
            const __m128i upright = _mm_and_si128(same(above + column), same(below + column));
            const __m128i across = _mm_and_si128(same(objects + column - 1), same(objects + column + 1));
            const int clear = _mm_movemask_ps(_mm_castsi128_ps(_mm_and_si128(upright, across)));
            for (int lane = 0, rest = ~clear & 0xf; rest; ++lane, rest >>= 1)
                if (rest & 1) columns[found++] = int32_t(column) + lane;
            column += 4;
        } else {
            if (isRim(column)) columns[found++] = int32_t(column);
            ++column;
        }
    }
    return found;
}
