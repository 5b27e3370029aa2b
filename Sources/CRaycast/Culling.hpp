// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CRaycast.h"
#include "Lanes.hpp"

#include <algorithm>

namespace CRAYCAST_WAY {

/// The ways from a place to eight points.
class Ways {
public:
    CRAYCAST_INLINE Ways(const VectorLanes &points, const float origin[3])
        : way{points.x - every(origin[0]), points.y - every(origin[1]), points.z - every(origin[2])},
          length(root(way.x * way.x + way.y * way.y + way.z * way.z)) {}

    /// Which points a plane has behind it, with all that is not farther from them than a radius.
    CRAYCAST_INLINE Ints lieBehind(const CRaycastPlane &plane, float stray, const Floats &radius) const {
        return dot(plane.normal, way) + radius < every(plane.slack) * (length + radius) - every(stray);
    }

    /// Whether a plane has all points behind it.
    CRAYCAST_INLINE bool allLieBehind(const CRaycastPlane &plane, float stray) const {
        return bitsOf(lieBehind(plane, stray, every(0.f))) == (1 << laneCount) - 1;
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
        const CRaycastOutline &outline = outlines[candidates[index]];
        const Ways ways({load<Floats>(outline.x), load<Floats>(outline.y), load<Floats>(outline.z)}, origin);
        bool isOutside = false;
        for (size_t plane = 0; plane < planeCount; ++plane)
            isOutside |= __builtin_reduce_and(ways.lieBehind(planes[plane], stray, every(0.f))) != 0;
        kept[keptCount] = candidates[index];
        keptCount += !isOutside;
    }
    return keptCount;
}

/// A row of tiles that is halved again and again.
struct TileRow {
    const CRaycastPlane *planes;
    float stray;
    size_t capacity;
    int32_t *lists;
    size_t *counts;

    /// Adds a candidate to those tiles of a part, `columnCount` from `column` on, in which it may be seen. A half is parted
    /// from the other by its plane on that side; its other plane is that of a larger part.
    void add(int32_t candidate, const Ways &ways, size_t part, size_t column, size_t columnCount) const {
        if (columnCount == 1) {
            lists[column * capacity + counts[column]++] = candidate;
            return;
        }
        const size_t left = columnCount / 2, leftPart = part + 1, rightPart = part + 2 * left;
        if (!ways.allLieBehind(planes[2 * leftPart + 1], stray)) add(candidate, ways, leftPart, column, left);
        if (!ways.allLieBehind(planes[2 * rightPart], stray))
            add(candidate, ways, rightPart, column + left, columnCount - left);
    }
};

CRAYCAST_INLINE void divide(
    const CRaycastOutline *outlines, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t columnCount, int32_t *lists, size_t *counts) {
    std::fill_n(counts, columnCount, 0);
    const TileRow row = {planes, stray, count, lists, counts};
    for (size_t index = 0; index < count; ++index) {
        const CRaycastOutline &outline = outlines[candidates[index]];
        const Ways ways({load<Floats>(outline.x), load<Floats>(outline.y), load<Floats>(outline.z)}, origin);
        if (ways.allLieBehind(planes[0], stray) || ways.allLieBehind(planes[1], stray)) continue;
        row.add(candidates[index], ways, 0, 0, columnCount);
    }
}

CRAYCAST_INLINE size_t cullBalls(
    const CRaycastBall *balls, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t planeCount, int32_t *kept) {
    size_t keptCount = 0;
    for (size_t index = 0; index < count; index += laneCount) {
        const size_t lanes = std::min(laneCount, count - index);
        VectorLanes centers = {};
        Floats radius = {};
        int32_t numbers[laneCount];
        for (size_t lane = 0; lane < laneCount; ++lane) {
            numbers[lane] = candidates[index + std::min(lane, lanes - 1)];
            const CRaycastBall &ball = balls[numbers[lane]];
            centers.x[lane] = ball.center[0];
            centers.y[lane] = ball.center[1];
            centers.z[lane] = ball.center[2];
            radius[lane] = ball.radius;
        }
        const Ways ways(centers, origin);
        Ints isOutside = {};
        for (size_t plane = 0; plane < planeCount; ++plane) isOutside |= ways.lieBehind(planes[plane], stray, radius);
        const int outside = bitsOf(isOutside);
        for (size_t lane = 0; lane < lanes; ++lane) {
            kept[keptCount] = numbers[lane];
            keptCount += !(outside >> lane & 1);
        }
    }
    return keptCount;
}

}  // namespace CRAYCAST_WAY
