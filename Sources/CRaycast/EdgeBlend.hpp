// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "RectangleSight.hpp"

namespace CRAYCAST_WAY {

/// The rectangles that the centres of a pixel and of the eight around it see, each once.
class NearRectangles {
public:
    /// Looks around a pixel; false as soon as something else than rectangles is seen.
    CRAYCAST_INLINE bool find(const CRaycastSights &sights, const CRaycastSeenRows &rows, size_t column) {
        const size_t first = column > 0 ? column - 1 : 0, last = std::min(column + 1, rows.count - 1);
        for (const CRaycastSeenRow *row : {&rows.above, &rows.own, &rows.below})
            for (size_t near = first; near <= last; ++near)
                if (!add(row->objects[near], sights)) return false;
        return true;
    }

    CRAYCAST_INLINE const int32_t *begin() const { return objects; }
    CRAYCAST_INLINE const int32_t *end() const { return objects + count; }

private:
    int32_t objects[9];
    size_t count = 0;
    int32_t latest = CRAYCAST_NOTHING;

    CRAYCAST_INLINE bool add(int32_t object, const CRaycastSights &sights) {
        if (object == latest || object == CRAYCAST_NOTHING) return true;
        latest = object;
        for (const int32_t known : *this)
            if (known == object) return true;
        const int64_t pose = sights.poses[object];
        if (pose == CRAYCAST_NO_RECTANGLE) return false;
        if (pose != sights.pose) sights.see(sights.owner, object);
        objects[count++] = object;
        return true;
    }
};

/// The light of a pixel's samples, collected from the centres that see what they see.
class EdgeLight {
public:
    CRAYCAST_INLINE EdgeLight(const CRaycastSeenRows &rows, size_t column)
        : own(rows.own.objects[column]), ownLight(rows.own.light[column]) {
        const size_t left = column > 0 ? column - 1 : column, right = std::min(column + 1, rows.count - 1);
        set(0, rows.own, left);
        set(1, rows.own, right);
        set(2, rows.above, column);
        set(3, rows.below, column);
    }

    /// Adds the light of the samples, a bit each, that see an object.
    CRAYCAST_INLINE void add(int32_t object, int samples, const CRaycastEdgeSamples &order) {
        if (!samples) return;
        if (object == own) return add(ownLight, __builtin_popcount(unsigned(samples)));
        int seeing = 0;
        for (int side = 0; side < sides; ++side) seeing |= (objects[side] == object) << side;
        if (!seeing) return;
        const uint8_t *nearest = order.nearest[seeing];
        for (int side = 0; side < sides; ++side)
            add(light[side], __builtin_popcount(unsigned(samples & nearest[side])));
    }

    CRAYCAST_INLINE void storeMean(float *to) const {
        CRAYCAST_WAY::store(count > 0 ? sum / every(float(count)) : load<Light>(ownLight), to);
    }

private:
    using Light = float __attribute__((vector_size(16)));
    static constexpr int sides = 4;
    const int32_t own;
    const float *const ownLight;
    int32_t objects[sides];
    const float *light[sides];
    Light sum = {};
    int count = 0;

    static CRAYCAST_INLINE Light every(float v) { return Light{v, v, v, v}; }

    CRAYCAST_INLINE void set(int side, const CRaycastSeenRow &row, size_t column) {
        objects[side] = row.objects[column];
        light[side] = row.light[column];
    }

    CRAYCAST_INLINE void add(const float *from, int samples) {
        sum += every(float(samples)) * load<Light>(from);
        count += samples;
    }
};

/// A row's pixel, from the directions of its centre and of the next pixels'.
CRAYCAST_INLINE CRaycastPixel pixelOf(const CRaycastPixelRow &row, size_t column) {
    const float x = row.directions.x[column], y = row.directions.y[column], z = row.directions.z[column];
    const auto step = [&](const CRaycastVectors &next, float (&to)[4]) __attribute__((always_inline)) {
        to[0] = next.x[column] - x;
        to[1] = next.y[column] - y;
        to[2] = next.z[column] - z;
    };
    CRaycastPixel pixel = {{x, y, z, 0}, {}, {}};
    step(row.next_column, pixel.across_columns);
    step(row.next_row, pixel.across_rows);
    return pixel;
}

CRAYCAST_INLINE size_t blendEdges(
    const CRaycastSights *sights, const CRaycastSeenRows *rows, const CRaycastPixelRow *pixels,
    const CRaycastEdgeSamples *samples, const int32_t *columns, size_t count, float (*light)[4], int32_t *others) {
    const Floats x = load<Floats>(samples->columns), y = load<Floats>(samples->rows);
    size_t otherCount = 0;
    for (size_t index = 0; index < count; ++index) {
        const size_t column = size_t(columns[index]);
        NearRectangles rectangles;
        if (!rectangles.find(*sights, *rows, column)) {
            others[otherCount++] = int32_t(index);
            continue;
        }
        const CRaycastPixel pixel = pixelOf(*pixels, column);
        Nearest nearest;
        for (const int32_t object : rectangles) nearest.meetInPixel(object, sights->rectangles[object], pixel, x, y);
        EdgeLight edge(*rows, column);
        for (const int32_t object : rectangles) edge.add(object, nearest.lanesOn(object), *samples);
        edge.add(CRAYCAST_NOTHING, nearest.lanesOn(CRAYCAST_NOTHING), *samples);
        edge.storeMean(light[index]);
    }
    return otherCount;
}

}  // namespace CRAYCAST_WAY
