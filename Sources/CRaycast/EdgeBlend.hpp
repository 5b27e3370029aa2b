// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "RectangleSight.hpp"

namespace CRAYCAST_WAY {

/// What the centres of a pixel and of the eight around it see.
class NearObjects {
public:
    CRAYCAST_INLINE NearObjects(const CRaycastSeenRows &rows, size_t column)
        : above(around(rows.above, column, rows.count)), own(around(rows.own, column, rows.count)),
          below(around(rows.below, column, rows.count)) {}

    /// Calls a function with each object once, the pixel's own first, as long as it returns true; whether it has been so.
    template <class Body> CRAYCAST_INLINE bool forEach(const Body &body) const {
        int32_t object = _mm_cvtsi128_si32(_mm_shuffle_epi32(own, 1));
        for (int rest = everywhere & ~placesOf(object);; rest &= ~placesOf(object)) {
            if (!body(object)) return false;
            if (!rest) return true;
            object = at(__builtin_ctz(unsigned(rest)));
        }
    }

    /// Which of the neighbours to the left, to the right, above and below see an object, a bit each.
    CRAYCAST_INLINE int sidesOn(int32_t object) const {
        const __m128i same = _mm_set1_epi32(object);
        const __m128i beside = _mm_unpacklo_epi64(_mm_shuffle_epi32(own, _MM_SHUFFLE(2, 0, 2, 0)), upright());
        return _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(beside, same)));
    }

private:
    /// The objects to the left, in the middle and to the right; the last one stands twice.
    __m128i above;
    __m128i own;
    __m128i below;
    static constexpr int everywhere = 0xfff;

    static CRAYCAST_INLINE __m128i around(const CRaycastSeenRow &row, size_t column, size_t count) {
        const size_t left = column > 0 ? column - 1 : column, right = column + 1 < count ? column + 1 : column;
        return _mm_setr_epi32(row.objects[left], row.objects[column], row.objects[right], row.objects[right]);
    }

    CRAYCAST_INLINE __m128i upright() const {
        return _mm_shuffle_epi32(_mm_unpacklo_epi32(above, below), _MM_SHUFFLE(3, 2, 3, 2));
    }

    CRAYCAST_INLINE int placesOf(int32_t object) const {
        const __m128i same = _mm_set1_epi32(object);
        const auto bits = [&](__m128i row) __attribute__((always_inline)) {
            return _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(row, same)));
        };
        return bits(above) | bits(own) << 4 | bits(below) << 8;
    }

    CRAYCAST_INLINE int32_t at(int place) const {
        alignas(16) int32_t objects[12];
        _mm_store_si128(reinterpret_cast<__m128i *>(objects), above);
        _mm_store_si128(reinterpret_cast<__m128i *>(objects) + 1, own);
        _mm_store_si128(reinterpret_cast<__m128i *>(objects) + 2, below);
        return objects[place];
    }
};

/// The rectangles among what is seen near a pixel.
class NearRectangles {
public:
    /// Collects them, as the camera sees them; false as soon as something else is seen.
    CRAYCAST_INLINE bool find(const CRaycastSights &sights, const NearObjects &near) {
        return near.forEach([&](int32_t object) __attribute__((always_inline)) {
            if (object == CRAYCAST_NOTHING) return true;
            const int64_t pose = sights.poses[object];
            if (pose == CRAYCAST_NO_RECTANGLE) return false;
            if (pose != sights.pose) sights.see(sights.owner, object);
            objects[count++] = object;
            return true;
        });
    }

    CRAYCAST_INLINE const int32_t *begin() const { return objects; }
    CRAYCAST_INLINE const int32_t *end() const { return objects + count; }

private:
    int32_t objects[9];
    size_t count = 0;
};

/// The light of a pixel's samples, collected from the centres that see what they see: the neighbours to the left, to the
/// right, above and below, and the pixel's own.
class EdgeLight {
public:
    CRAYCAST_INLINE EdgeLight(const CRaycastSeenRows &rows, size_t column)
        : light{rows.own.light[column > 0 ? column - 1 : column], rows.own.light[std::min(column + 1, rows.count - 1)],
                rows.above.light[column], rows.below.light[column], rows.own.light[column]},
          ownObject(rows.own.objects[column]) {}

    /// Counts the samples, a bit each, that see an object.
    CRAYCAST_INLINE void add(
        int32_t object, int samples, const NearObjects &near, const CRaycastEdgeSamples &order) {
        if (object == ownObject) {
            counts[sides] += __builtin_popcount(unsigned(samples));
            return;
        }
        const uint8_t *nearest = order.nearest[near.sidesOn(object)];
        for (int side = 0; side < sides; ++side) counts[side] += __builtin_popcount(unsigned(samples & nearest[side]));
    }

    CRAYCAST_INLINE void storeMean(float *to) const {
        Light sum = {};
        int count = 0;
        for (int center = 0; center <= sides; ++center) {
            sum += every(float(counts[center])) * load<Light>(light[center]);
            count += counts[center];
        }
        CRAYCAST_WAY::store(count > 0 ? sum / every(float(count)) : load<Light>(light[sides]), to);
    }

private:
    using Light = float __attribute__((vector_size(16)));
    static constexpr int sides = 4;
    const float *const light[sides + 1];
    const int32_t ownObject;
    int counts[sides + 1] = {};

    static CRAYCAST_INLINE Light every(float v) { return Light{v, v, v, v}; }
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

/// Asks memory for what is seen around a pixel that will soon be blended, for its light, and for where it looks.
CRAYCAST_INLINE void fetch(
    const CRaycastSights &sights, const CRaycastSeenRows &rows, const CRaycastPixelRow &pixels, size_t column) {
    for (const CRaycastVectors *vectors : {&pixels.directions, &pixels.next_row})
        for (const float *numbers : {vectors->x, vectors->y, vectors->z}) __builtin_prefetch(numbers + column);
    for (const CRaycastSeenRow *row : {&rows.above, &rows.own, &rows.below}) {
        __builtin_prefetch(row->light[column]);
        if (const int32_t object = row->objects[column]; object != CRAYCAST_NOTHING)
            __builtin_prefetch(sights.rectangles + object);
    }
}

CRAYCAST_INLINE size_t blendEdges(
    const CRaycastSights *sights, const CRaycastSeenRows *rows, const CRaycastPixelRow *pixels,
    const CRaycastEdgeSamples *samples, const int32_t *columns, size_t count, float (*light)[4], int32_t *others) {
    const Floats x = load<Floats>(samples->columns), y = load<Floats>(samples->rows);
    constexpr size_t ahead = 4;
    constexpr int everyLane = (1 << laneCount) - 1;
    size_t otherCount = 0;
    for (size_t index = 0; index < count; ++index) {
        const size_t column = size_t(columns[index]);
        if (index + ahead < count) fetch(*sights, *rows, *pixels, size_t(columns[index + ahead]));
        const NearObjects near(*rows, column);
        NearRectangles rectangles;
        if (!rectangles.find(*sights, near)) {
            others[otherCount++] = int32_t(index);
            continue;
        }
        const VectorLanes direction = directionsIn(pixelOf(*pixels, column), x, y);
        Nearest nearest;
        for (const int32_t object : rectangles) nearest.meet(object, sights->rectangles[object], direction);
        // An edge that passes beside the pixel leaves its light as it is.
        if (nearest.lanesOn(rows->own.objects[column]) == everyLane) {
            std::memcpy(light[index], rows->own.light[column], sizeof *light);
            continue;
        }
        EdgeLight edge(*rows, column);
        for (const int32_t object : rectangles) edge.add(object, nearest.lanesOn(object), near, *samples);
        edge.add(CRAYCAST_NOTHING, nearest.lanesOn(CRAYCAST_NOTHING), near, *samples);
        edge.storeMean(light[index]);
    }
    return otherCount;
}

}  // namespace CRAYCAST_WAY
