// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CRaycast.h"
#include "Lanes.hpp"

#include <algorithm>

namespace CRAYCAST_WAY {

CRAYCAST_INLINE VectorLanes load(const CRaycastVectors &vectors, size_t first) {
    return {load<Floats>(vectors.x + first), load<Floats>(vectors.y + first), load<Floats>(vectors.z + first)};
}

/// A rectangle's three functions in a pixel, side by side in each vector: across, along, nearness, and nothing.
class PixelFunctions {
public:
    CRAYCAST_INLINE PixelFunctions(const CRaycastRectangle &rectangle, const CRaycastPixel &pixel) {
        __m128 x = _mm_loadu_ps(rectangle.across), y = _mm_loadu_ps(rectangle.along);
        __m128 z = _mm_loadu_ps(rectangle.nearness), none = _mm_setzero_ps();
        _MM_TRANSPOSE4_PS(x, y, z, none);
        center = value(x, y, z, pixel.direction);
        acrossColumns = value(x, y, z, pixel.across_columns);
        acrossRows = value(x, y, z, pixel.across_rows);
    }

    /// Whether the rectangle may be seen up to half a pixel from the centre.
    CRAYCAST_INLINE bool mayBeSeen() const {
        const __m128 noSign = _mm_set1_ps(-0.f);
        const __m128 change = _mm_mul_ps(
            _mm_add_ps(_mm_andnot_ps(noSign, acrossColumns), _mm_andnot_ps(noSign, acrossRows)), _mm_set1_ps(0.5f));
        const __m128 sum = _mm_add_ps(center, change);
        const __m128 nearest = _mm_shuffle_ps(sum, sum, _MM_SHUFFLE(2, 2, 2, 2));
        const __m128 least = _mm_sub_ps(_mm_andnot_ps(noSign, center), change);
        return (_mm_movemask_ps(_mm_cmple_ps(least, nearest)) & 3) == 3;
    }

    template <int function> CRAYCAST_INLINE Floats at(const Floats &x, const Floats &y) const {
        return every(center[function]) + every(acrossColumns[function]) * x + every(acrossRows[function]) * y;
    }

private:
    __m128 center;
    __m128 acrossColumns;
    __m128 acrossRows;

    static CRAYCAST_INLINE __m128 value(__m128 x, __m128 y, __m128 z, const float v[4]) {
        return _mm_add_ps(
            _mm_add_ps(_mm_mul_ps(x, _mm_set1_ps(v[0])), _mm_mul_ps(y, _mm_set1_ps(v[1]))),
            _mm_mul_ps(z, _mm_set1_ps(v[2])));
    }
};

/// The nearest rectangle that each of eight directions has met so far.
class Nearest {
public:
    CRAYCAST_INLINE Nearest() : nearness(every(0.f)), object(every(int32_t(CRAYCAST_NOTHING))) {}

    CRAYCAST_INLINE void meet(int32_t number, const Floats &across, const Floats &along, const Floats &candidate) {
        const Ints isInside = greater(magnitude(across), magnitude(along)) <= candidate;
        const Ints isMet = isInside & (candidate > nearness);
        nearness = isMet ? candidate : nearness;
        object = isMet ? every(number) : object;
    }

    /// The same at places in a pixel, unless the rectangle lies beside all of it.
    CRAYCAST_INLINE void meetInPixel(
        int32_t number, const CRaycastRectangle &rectangle, const CRaycastPixel &pixel, const Floats &x, const Floats &y) {
        const PixelFunctions functions(rectangle, pixel);
        if (functions.mayBeSeen()) meet(number, functions.at<0>(x, y), functions.at<1>(x, y), functions.at<2>(x, y));
    }

    /// Which directions have met an object, or nothing, a bit each.
    CRAYCAST_INLINE int lanesOn(int32_t number) const { return bitsOf(object == every(number)); }

    /// Writes the first `count` objects and, where they are wanted, their distances.
    CRAYCAST_INLINE void store(size_t count, int32_t *objects, float *distances) const {
        CRAYCAST_WAY::store(object, count, objects);
        if (distances) CRAYCAST_WAY::store(every(1.f) / nearness, count, distances);
    }

private:
    Floats nearness;
    Ints object;
};

/// The ways from a place to an outline's points.
class Ways {
public:
    CRAYCAST_INLINE Ways(const CRaycastOutline &outline, const float origin[3])
        : way{load<Floats>(outline.x) - every(origin[0]), load<Floats>(outline.y) - every(origin[1]),
              load<Floats>(outline.z) - every(origin[2])},
          length(root(way.x * way.x + way.y * way.y + way.z * way.z)) {}

    /// Whether a plane has all of the outline on its other side.
    CRAYCAST_INLINE bool lieBehind(const CRaycastPlane &plane, float stray) const {
        const Floats least = every(plane.slack) * length - every(stray);
        return __builtin_reduce_and(dot(plane.normal, way) < least) != 0;
    }

private:
    VectorLanes way;
    Floats length;
};

CRAYCAST_INLINE size_t cull(
    const CRaycastOutline *outlines, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t planeCount, int32_t *kept) {
    size_t keptCount = 0;
    for (size_t index = 0; index < count; ++index) {
        const Ways ways(outlines[candidates[index]], origin);
        bool isOutside = false;
        for (size_t plane = 0; plane < planeCount && !isOutside; ++plane) isOutside = ways.lieBehind(planes[plane], stray);
        kept[keptCount] = candidates[index];
        keptCount += !isOutside;
    }
    return keptCount;
}

/// Finds the nearest rectangles in so many times eight directions, for which a rectangle's numbers are read once.
template <size_t together> CRAYCAST_INLINE void findNearest(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidateCount,
    const CRaycastVectors &directions, size_t first, Nearest (&nearest)[together]) {
    VectorLanes direction[together];
    for (size_t part = 0; part < together; ++part) direction[part] = load(directions, first + part * laneCount);
    for (size_t number = 0; number < candidateCount; ++number) {
        const CRaycastRectangle &rectangle = rectangles[candidates[number]];
        for (size_t part = 0; part < together; ++part)
            nearest[part].meet(
                candidates[number], dot(rectangle.across, direction[part]), dot(rectangle.along, direction[part]),
                dot(rectangle.nearness, direction[part]));
    }
}

CRAYCAST_INLINE void findRectangles(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidateCount,
    const CRaycastVectors *directions, size_t first, size_t count, int32_t *objects, float *distances) {
    const auto store = [&](const Nearest &nearest, size_t index) __attribute__((always_inline)) {
        nearest.store(count - index, objects + index, distances ? distances + index : nullptr);
    };
    size_t index = 0;
    for (; index + laneCount < count; index += 2 * laneCount) {
        Nearest nearest[2];
        findNearest(rectangles, candidates, candidateCount, *directions, first + index, nearest);
        store(nearest[0], index);
        store(nearest[1], index + laneCount);
    }
    if (index >= count) return;
    Nearest nearest[1];
    findNearest(rectangles, candidates, candidateCount, *directions, first + index, nearest);
    store(nearest[0], index);
}

CRAYCAST_INLINE void findRectanglesInPixel(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidateCount, const CRaycastPixel *pixel,
    const float *columns, const float *rows, size_t count, int32_t *objects, float *distances) {
    Nearest nearest[CRAYCAST_MOST_SAMPLES / laneCount];
    for (size_t number = 0; number < candidateCount; ++number)
        for (size_t index = 0; index < count; index += laneCount)
            nearest[index / laneCount].meetInPixel(
                candidates[number], rectangles[candidates[number]], *pixel, load<Floats>(columns + index),
                load<Floats>(rows + index));
    for (size_t index = 0; index < count; index += laneCount)
        nearest[index / laneCount].store(count - index, objects + index, distances ? distances + index : nullptr);
}

CRAYCAST_INLINE void findDepths(
    const CRaycastDirections *directions, const double nearness[3], size_t first, size_t count, float *depths) {
    constexpr size_t together = laneCount / 2;
    const auto every = [](double v) __attribute__((always_inline)) { return Doubles{v, v, v, v}; };
    for (size_t index = 0; index < count; index += together) {
        const auto x = load<Doubles>(directions->x + first + index), y = load<Doubles>(directions->y + first + index);
        const auto z = load<Doubles>(directions->z + first + index);
        const Doubles closeness = x * every(nearness[0]) + y * every(nearness[1]) + z * every(nearness[2]);
        const auto four = __builtin_convertvector((Doubles{} - z) / closeness, float __attribute__((vector_size(16))));
        store(four, count - index, depths + index);
    }
}

}  // namespace CRAYCAST_WAY
