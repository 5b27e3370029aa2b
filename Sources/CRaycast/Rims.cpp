// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CRaycast.h"

#include <emmintrin.h>

namespace {

__m128i load(const int32_t *from) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)); }

/// A bit for each of four lanes of a mask.
int bitsOf(__m128i mask) { return _mm_movemask_ps(_mm_castsi128_ps(mask)); }

/// A row of objects between its neighbours.
struct Row {
    const int32_t *objects;
    const int32_t *above;
    const int32_t *below;
    size_t count;
    /// By object number, if there are any.
    const int32_t (*continuations)[4];

    /// Which of four pixels from a column on are at a rim, a bit each; all four have neighbours on both sides.
    int rims(size_t column) const {
        const __m128i four = load(objects + column);
        const __m128i around[] = {
            load(above + column), load(below + column), load(objects + column - 1), load(objects + column + 1)};
        const auto same = [&](int side) { return _mm_cmpeq_epi32(four, around[side]); };
        const int unequal =
            ~bitsOf(_mm_and_si128(_mm_and_si128(same(0), same(1)), _mm_and_si128(same(2), same(3)))) & 0xf;
        if (!unequal || !continuations) return unequal;
        const int32_t own = objects[column];
        if (own != CRAYCAST_NOTHING && bitsOf(_mm_cmpeq_epi32(four, _mm_set1_epi32(own))) == 0xf)
            return rims(own, around);
        int rims = 0;
        for (int lane = 0; lane < 4; ++lane)
            if (unequal >> lane & 1) rims |= int(isRim(column + size_t(lane))) << lane;
        return rims;
    }

    /// Whether a pixel has a neighbour that sees something else than its own object or one of these, if there are any.
    bool isRim(size_t column) const {
        const int32_t own = objects[column];
        const int32_t left = objects[column > 0 ? column - 1 : column];
        const int32_t right = objects[column + 1 < count ? column + 1 : column];
        const __m128i around = _mm_setr_epi32(left, right, above[column], below[column]);
        __m128i goesOn = _mm_cmpeq_epi32(around, _mm_set1_epi32(own));
        if (continuations && own != CRAYCAST_NOTHING)
            for (const int32_t continuation : continuations[own])
                goesOn = _mm_or_si128(goesOn, _mm_cmpeq_epi32(around, _mm_set1_epi32(continuation)));
        return bitsOf(goesOn) != 0xf;
    }

private:
    /// Which of four pixels that see the same object are at a rim, with what the neighbours on each side see.
    int rims(int32_t object, const __m128i around[4]) const {
        const __m128i own = _mm_set1_epi32(object);
        __m128i goesOn[4];
        for (int side = 0; side < 4; ++side) goesOn[side] = _mm_cmpeq_epi32(around[side], own);
        for (const int32_t number : continuations[object]) {
            const __m128i continuation = _mm_set1_epi32(number);
            for (int side = 0; side < 4; ++side)
                goesOn[side] = _mm_or_si128(goesOn[side], _mm_cmpeq_epi32(around[side], continuation));
        }
        return ~bitsOf(_mm_and_si128(_mm_and_si128(goesOn[0], goesOn[1]), _mm_and_si128(goesOn[2], goesOn[3]))) & 0xf;
    }
};

}  // namespace

size_t craycast_find_rims(
    const int32_t *objects, const int32_t *above, const int32_t *below, size_t count,
    const int32_t (*continuations)[4], int32_t *columns) {
    const Row row = {objects, above, below, count, continuations};
    size_t found = 0;
    for (size_t column = 0; column < count;) {
        if (column > 0 && column + 5 <= count) {
            if (const int rims = row.rims(column))
                for (int lane = 0; lane < 4; ++lane) {
                    columns[found] = int32_t(column) + lane;
                    found += size_t(rims >> lane & 1);
                }
            column += 4;
        } else {
            columns[found] = int32_t(column);
            found += row.isRim(column);
            ++column;
        }
    }
    return found;
}
