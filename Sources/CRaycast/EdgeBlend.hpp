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
        int32_t object = ofPixel();
        for (int rest = everywhere & ~placesOf(object);; rest &= ~placesOf(object)) {
            if (!body(object)) return false;
            if (!rest) return true;
            object = at(__builtin_ctz(unsigned(rest)));
        }
    }

    /// The pixel's own object.
    CRAYCAST_INLINE int32_t ofPixel() const { return _mm_cvtsi128_si32(_mm_shuffle_epi32(own, 1)); }

    /// Where what the pixel's own centre does not see is seen, a bit each.
    CRAYCAST_INLINE int otherPlaces() const { return everywhere & ~placesOf(ofPixel()); }

    /// Where an object is seen, a bit each: above the pixel to the left, in the middle, to the right, and to the right again,
    /// then likewise beside it, and below.
    CRAYCAST_INLINE int placesOf(int32_t object) const {
        const __m128i same = _mm_set1_epi32(object);
        const __m128i upper = _mm_packs_epi32(_mm_cmpeq_epi32(above, same), _mm_cmpeq_epi32(own, same));
        return _mm_movemask_epi8(_mm_packs_epi16(upper, _mm_packs_epi32(_mm_cmpeq_epi32(below, same), _mm_setzero_si128())));
    }

    /// What is seen at one of the places.
    CRAYCAST_INLINE int32_t at(int place) const {
        alignas(16) int32_t objects[12];
        _mm_store_si128(reinterpret_cast<__m128i *>(objects), above);
        _mm_store_si128(reinterpret_cast<__m128i *>(objects) + 1, own);
        _mm_store_si128(reinterpret_cast<__m128i *>(objects) + 2, below);
        return objects[place];
    }

    /// Which of the neighbours to the left, to the right, above and below are among places, a bit each.
    static CRAYCAST_INLINE int sides(int places) {
        return (places >> 4 & 1) | (places >> 5 & 2) | (places << 1 & 4) | (places >> 6 & 8);
    }

private:
    /// The objects to the left, in the middle and to the right; the last one stands twice.
    __m128i above;
    __m128i own;
    __m128i below;
    static constexpr int everywhere = 0xfff;

    static CRAYCAST_INLINE __m128i around(const CRaycastSeenRow &row, size_t column, size_t count) {
        if (column > 0 && column + 2 < count) {
            const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i *>(row.objects + column - 1));
            return _mm_shuffle_epi32(four, _MM_SHUFFLE(2, 2, 1, 0));
        }
        const size_t left = column > 0 ? column - 1 : column, right = column + 1 < count ? column + 1 : column;
        return _mm_setr_epi32(row.objects[left], row.objects[column], row.objects[right], row.objects[right]);
    }
};

/// Whether a camera sees an object as a rectangle, which is then computed, or it is nothing at all.
CRAYCAST_INLINE bool isFlat(const CRaycastSights &sights, int32_t object) {
    if (object == CRAYCAST_NOTHING) return true;
    const int64_t pose = sights.poses[object];
    if (pose == CRAYCAST_NO_RECTANGLE) return false;
    if (pose != sights.pose) sights.see(sights.owner, object);
    return true;
}

/// The light of a pixel's samples, collected from the centres that see what they see: the neighbours to the left, to the
/// right, above and below, and the pixel's own.
class EdgeLight {
public:
    CRAYCAST_INLINE EdgeLight(const CRaycastSeenRows &rows, size_t column)
        : light{rows.own.light[column > 0 ? column - 1 : column], rows.own.light[std::min(column + 1, rows.count - 1)],
                rows.above.light[column], rows.below.light[column], rows.own.light[column]} {}

    /// Counts the samples, a bit each, that see the pixel's own object.
    CRAYCAST_INLINE void addOwn(int samples) { ownCount = __builtin_popcount(unsigned(samples)); }

    /// Counts those that see another object, which is seen on these sides, a bit each.
    CRAYCAST_INLINE void addOther(int samples, int sidesOn, const CRaycastEdgeSamples &order) {
        uint32_t nearest;
        std::memcpy(&nearest, order.nearest[sidesOn], sizeof nearest);
        counts += bitCounts(uint32_t(samples) * everyByte & nearest);
    }

    CRAYCAST_INLINE void storeMean(float *to) const {
        const __m128i bytes = _mm_cvtsi32_si128(int(counts)), zero = _mm_setzero_si128();
        const auto numbers = Light(_mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, zero), zero)));
        Light sum = part<0>(numbers) + part<1>(numbers) + part<2>(numbers) + part<3>(numbers);
        sum += every(float(ownCount)) * load<Light>(light[sides]);
        const int count = ownCount + int(counts * everyByte >> 24);
        CRAYCAST_WAY::store(count > 0 ? sum / every(float(count)) : load<Light>(light[sides]), to);
    }

private:
    using Light = float __attribute__((vector_size(16)));
    static constexpr int sides = 4;
    static constexpr uint32_t everyByte = 0x01010101;
    const float *const light[sides + 1];
    int ownCount = 0;
    /// A byte for each side.
    uint32_t counts = 0;

    static CRAYCAST_INLINE Light every(float v) { return Light{v, v, v, v}; }

    /// The number of bits in each byte.
    static CRAYCAST_INLINE uint32_t bitCounts(uint32_t bytes) {
        const uint32_t pairs = bytes - (bytes >> 1 & 0x55555555);
        const uint32_t fours = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333);
        return (fours + (fours >> 4)) & 0x0f0f0f0f;
    }

    template <int side> CRAYCAST_INLINE Light part(const Light &numbers) const {
        return __builtin_shufflevector(numbers, numbers, side, side, side, side) * load<Light>(light[side]);
    }
};

/// Where eight places in a row's pixel look, from the directions of its centre and of the next pixels'.
CRAYCAST_INLINE VectorLanes directionsIn(
    const CRaycastPixelRow &row, size_t column, const Floats &x, const Floats &y) {
    const auto coordinate = [&](const float *own, const float *nextColumn, const float *nextRow)
        __attribute__((always_inline)) {
        const Floats center = every(own[column]);
        return center + (every(nextColumn[column]) - center) * x + (every(nextRow[column]) - center) * y;
    };
    return {
        coordinate(row.directions.x, row.next_column.x, row.next_row.x),
        coordinate(row.directions.y, row.next_column.y, row.next_row.y),
        coordinate(row.directions.z, row.next_column.z, row.next_row.z)};
}

/// A pixel at an edge on its way to light.
class EdgePixel {
public:
    CRAYCAST_INLINE EdgePixel(
        const CRaycastSights &sights, const CRaycastSeenRows &rows, const CRaycastEdgeSamples &samples, size_t column)
        : sights(sights), rows(rows), samples(samples), column(column), near(rows, column), own(near.ofPixel()),
          otherPlaces(near.otherPlaces()) {}

    /// Writes its light, seen along the directions of its samples; false where something else than rectangles is near.
    CRAYCAST_INLINE bool blend(const VectorLanes &direction, float (&light)[4]) const {
        if (otherPlaces) {
            // Mostly two surfaces meet.
            const int32_t other = near.at(__builtin_ctz(unsigned(otherPlaces)));
            const int places = near.placesOf(other);
            if (!(otherPlaces & ~places)) return blendPair(other, places, direction, light);
        }
        return blendAll(direction, light);
    }

private:
    const CRaycastSights &sights;
    const CRaycastSeenRows &rows;
    const CRaycastEdgeSamples &samples;
    const size_t column;
    const NearObjects near;
    const int32_t own;
    const int otherPlaces;
    static constexpr int everyLane = (1 << laneCount) - 1;

    CRAYCAST_INLINE void meet(int32_t object, const VectorLanes &direction, Nearest &nearest) const {
        if (object != CRAYCAST_NOTHING) nearest.meet(object, sights.rectangles[object], direction);
    }

    /// An edge that passes beside the pixel leaves its light as it is.
    CRAYCAST_INLINE bool keepsLight(const Nearest &nearest, float (&light)[4]) const {
        if (nearest.lanesOn(own) != everyLane) return false;
        std::memcpy(light, rows.own.light[column], sizeof light);
        return true;
    }

    CRAYCAST_INLINE bool blendPair(
        int32_t other, int otherPlaces, const VectorLanes &direction, float (&light)[4]) const {
        if (!isFlat(sights, own) || !isFlat(sights, other)) return false;
        Nearest nearest;
        meet(own, direction, nearest);
        meet(other, direction, nearest);
        if (keepsLight(nearest, light)) return true;
        EdgeLight edge(rows, column);
        edge.addOwn(nearest.lanesOn(own));
        edge.addOther(nearest.lanesOn(other), NearObjects::sides(otherPlaces), samples);
        edge.storeMean(light);
        return true;
    }

    CRAYCAST_INLINE bool blendAll(const VectorLanes &direction, float (&light)[4]) const {
        Nearest nearest;
        const bool areFlat = near.forEach([&](int32_t object) __attribute__((always_inline)) {
            if (!isFlat(sights, object)) return false;
            meet(object, direction, nearest);
            return true;
        });
        if (!areFlat) return false;
        if (keepsLight(nearest, light)) return true;
        EdgeLight edge(rows, column);
        near.forEach([&](int32_t object) __attribute__((always_inline)) {
            const int lanes = nearest.lanesOn(object);
            if (object == own)
                edge.addOwn(lanes);
            else
                edge.addOther(lanes, NearObjects::sides(near.placesOf(object)), samples);
            return true;
        });
        edge.storeMean(light);
        return true;
    }
};

CRAYCAST_INLINE size_t blendEdges(
    const CRaycastSights *sights, const CRaycastSeenRows *rows, const CRaycastPixelRow *pixels,
    const CRaycastEdgeSamples *samples, const int32_t *columns, size_t count, float (*light)[4], int32_t *others) {
    const Floats x = load<Floats>(samples->columns), y = load<Floats>(samples->rows);
    size_t otherCount = 0;
    for (size_t index = 0; index < count; ++index) {
        const size_t column = size_t(columns[index]);
        const EdgePixel pixel(*sights, *rows, *samples, column);
        if (!pixel.blend(directionsIn(*pixels, column, x, y), light[index])) others[otherCount++] = int32_t(index);
    }
    return otherCount;
}

}  // namespace CRAYCAST_WAY
