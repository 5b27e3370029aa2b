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

/// Where eight places in a pixel look, given as offsets from its centre in pixels.
CRAYCAST_INLINE VectorLanes directionsIn(const CRaycastPixel &pixel, const Floats &x, const Floats &y) {
    const auto coordinate = [&](int axis) __attribute__((always_inline)) {
        return every(pixel.direction[axis]) + every(pixel.across_columns[axis]) * x + every(pixel.across_rows[axis]) * y;
    };
    return {coordinate(0), coordinate(1), coordinate(2)};
}

/// The nearest rectangle that each of eight directions has met so far.
class Nearest {
public:
    CRAYCAST_INLINE Nearest() : nearness(every(0.f)), object(every(int32_t(CRAYCAST_NOTHING))) {}

    CRAYCAST_INLINE void meet(int32_t number, const CRaycastRectangle &rectangle, const VectorLanes &direction) {
        const Floats across = dot(rectangle.across, direction), along = dot(rectangle.along, direction);
        const Floats candidate = dot(rectangle.nearness, direction);
        const Ints isInside = greater(magnitude(across), magnitude(along)) <= candidate;
        const Ints isMet = isInside & (candidate > nearness);
        nearness = isMet ? candidate : nearness;
        object = isMet ? every(number) : object;
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

/// Finds the nearest rectangles in so many times eight directions, for which a rectangle's numbers are read once.
template <size_t together> CRAYCAST_INLINE void findNearest(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidateCount,
    const CRaycastVectors &directions, size_t first, Nearest (&nearest)[together]) {
    VectorLanes direction[together];
    for (size_t part = 0; part < together; ++part) direction[part] = load(directions, first + part * laneCount);
    for (size_t number = 0; number < candidateCount; ++number) {
        const CRaycastRectangle &rectangle = rectangles[candidates[number]];
        for (size_t part = 0; part < together; ++part)
            nearest[part].meet(candidates[number], rectangle, direction[part]);
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
    for (size_t index = 0; index < count; index += laneCount) {
        const VectorLanes direction = directionsIn(*pixel, load<Floats>(columns + index), load<Floats>(rows + index));
        Nearest nearest;
        for (size_t number = 0; number < candidateCount; ++number)
            nearest.meet(candidates[number], rectangles[candidates[number]], direction);
        nearest.store(count - index, objects + index, distances ? distances + index : nullptr);
    }
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
        if (index + together <= count)
            store(four, depths + index);
        else
            for (size_t lane = 0; index + lane < count; ++lane) depths[index + lane] = four[lane];
    }
}

}  // namespace CRAYCAST_WAY
