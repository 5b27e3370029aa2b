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

    /// Which of four pixels from a column on have a neighbour that sees another object, a bit each; all four have
    /// neighbours on both sides.
    int unequalPixels(size_t column) const {
        const __m128i four = load(objects + column);
        const auto same = [&](const int32_t *others) { return _mm_cmpeq_epi32(four, load(others)); };
        const __m128i upright = _mm_and_si128(same(above + column), same(below + column));
        const __m128i across = _mm_and_si128(same(objects + column - 1), same(objects + column + 1));
        return ~bitsOf(_mm_and_si128(upright, across)) & 0xf;
    }

    /// Whether a pixel has a neighbour that sees something else than its own object or one of these, if there are any.
    bool isRim(size_t column, const int32_t (*continuations)[4]) const {
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
};

}  // namespace

size_t craycast_find_rims(
    const int32_t *objects, const int32_t *above, const int32_t *below, size_t count,
    const int32_t (*continuations)[4], int32_t *columns) {
    const Row row = {objects, above, below, count};
    size_t found = 0;
    const auto addIfRim = [&](size_t column) {
        columns[found] = int32_t(column);
        found += row.isRim(column, continuations);
    };
    for (size_t column = 0; column < count;) {
        if (column > 0 && column + 5 <= count) {
            for (int lane = 0, rest = row.unequalPixels(column); rest; ++lane, rest >>= 1)
                if (rest & 1) addIfRim(column + size_t(lane));
            column += 4;
        } else {
            addIfRim(column);
            ++column;
        }
    }
    return found;
}
