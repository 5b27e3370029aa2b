// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CRaycast.h"

#include <emmintrin.h>

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
