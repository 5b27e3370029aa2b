// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "RectangleLook.hpp"

namespace CRAYCAST_WAY {

/// Calls a function with the column of each pixel but the first that sees another object than the one before, and with
/// that behind the last pixel.
template <class Body> CRAYCAST_INLINE void forEachBorder(const int32_t *objects, size_t count, const Body &body) {
    size_t column = 1;
    for (; column + laneCount <= count; column += laneCount) {
        const Ints isSame = load<Ints>(objects + column) == load<Ints>(objects + column - 1);
        for (unsigned rest = ~unsigned(bitsOf(isSame)) & 0xff; rest; rest &= rest - 1)
            body(column + size_t(__builtin_ctz(rest)));
    }
    for (; column < count; ++column)
        if (objects[column] != objects[column - 1]) body(column);
    body(count);
}

/// Pixels of one rectangle, collected until there are eight to look at.
class PixelPack {
public:
    /// Adds `added` pixels, at most seven.
    CRAYCAST_INLINE void add(const CRaycastShadedRow &row, size_t column, size_t added) {
        size_t number = 0;
        for (const CRaycastVectors *vectors : {&row.pixels.directions, &row.pixels.next_column, &row.pixels.next_row})
            for (const float *numbers : {vectors->x, vectors->y, vectors->z})
                store(load<Floats>(numbers + column), coordinates[number++] + count);
        store(LightPlaces(row.light + column), light + count);
        store(Places<float>(row.sun_parts + column), sunParts + count);
        count += added;
    }

    CRAYCAST_INLINE bool isEmpty() const { return count == 0; }
    CRAYCAST_INLINE bool isFull() const { return count >= laneCount; }

    /// Takes eight pixels, or the last ones.
    CRAYCAST_INLINE PixelLanes take() {
        PixelLanes pixels(
            vectors(0), vectors(3), vectors(6), load<LightPlaces>(light), load<Places<float>>(sunParts));
        if (!isFull()) pixels.repeatFirst(count);
        for (auto &numbers : coordinates) store(load<Floats>(numbers + laneCount), numbers);
        store(load<LightPlaces>(light + laneCount), light);
        store(load<Places<float>>(sunParts + laneCount), sunParts);
        count -= std::min(count, laneCount);
        return pixels;
    }

private:
    /// Of directions, of those of the next columns and of those of the next rows.
    float coordinates[9][2 * laneCount];
    float (*light[2 * laneCount])[4];
    float *sunParts[2 * laneCount];
    size_t count = 0;

    CRAYCAST_INLINE VectorLanes vectors(size_t first) const {
        return {
            load<Floats>(coordinates[first]), load<Floats>(coordinates[first + 1]),
            load<Floats>(coordinates[first + 2])};
    }
};

/// Rows of pixels that see rectangles, run by run.
class RectangleShading {
public:
    CRAYCAST_INLINE RectangleShading(const CRaycastShadedRow *rows, CRaycastRun *runs, int32_t *firstRuns)
        : rows(rows), runs(runs), firstRuns(firstRuns) {}

    CRAYCAST_INLINE void findRuns(size_t rowCount, size_t width) {
        for (size_t row = 0; row < rowCount; ++row) {
            const int32_t *objects = rows[row].objects;
            size_t first = 0;
            forEachBorder(objects, width, [&](size_t column) __attribute__((always_inline)) {
                runs[runCount++] = {objects[first], int32_t(row), int32_t(first), int32_t(column - first), none};
                first = column;
            });
        }
    }

    /// Shades the runs, and gives the number of those that are handed back.
    CRAYCAST_INLINE size_t shade(const CRaycastSights &sights, const CRaycastCoat *coats, bool finishes) {
        const auto isRectangle = [&](int32_t object) __attribute__((always_inline)) {
            return object != CRAYCAST_NOTHING && sights.poses[object] != CRAYCAST_NO_RECTANGLE;
        };
        for (size_t index = runCount; index-- > 0;)
            if (const int32_t object = runs[index].object; isRectangle(object)) {
                runs[index].next = firstRuns[object];
                firstRuns[object] = int32_t(index);
            }
        size_t keptCount = 0;
        for (size_t index = 0; index < runCount; ++index) {
            fetchAhead(index, sights, coats);
            const int32_t object = runs[index].object;
            bool isFinished = false;
            if (isRectangle(object)) {
                isFinished = finishes && coats[object].is_matt;
                if (firstRuns[object] == int32_t(index)) {
                    firstRuns[object] = none;
                    if (sights.poses[object] != sights.pose) sights.see(sights.owner, object);
                    shadeRuns(
                        index,
                        RectangleLook(sights.rectangles[object], sights.shares[object], coats[object], isFinished));
                }
            }
            if (!isFinished) runs[keptCount++] = runs[index];
        }
        looks.finish();
        return keptCount;
    }

private:
    const CRaycastShadedRow *const rows;
    CRaycastRun *const runs;
    /// By object, the first of its runs that are not shaded yet.
    int32_t *const firstRuns;
    size_t runCount = 0;
    LooksAhead looks;
    static constexpr int32_t none = -1;

    /// Asks memory for what will soon be read of the objects of the next runs: first for what it is, then for what that
    /// points to.
    CRAYCAST_INLINE void fetchAhead(size_t index, const CRaycastSights &sights, const CRaycastCoat *coats) const {
        constexpr size_t near = 3, far = 6;
        if (const int32_t object = objectOf(index + far); object != CRAYCAST_NOTHING) {
            __builtin_prefetch(sights.rectangles + object);
            __builtin_prefetch(coats + object);
            __builtin_prefetch(reinterpret_cast<const char *>(coats + object + 1) - 1);
        }
        if (const int32_t object = objectOf(index + near); object != CRAYCAST_NOTHING) {
            const CRaycastLightLevel *levels = coats[object].light_map.levels;
            __builtin_prefetch(coats[object].texture.levels);
            // Two levels are a line of memory, and meshes have none.
            if (levels != nullptr)
                for (size_t level : {0, 2, 4}) __builtin_prefetch(levels + level);
        }
    }

    CRAYCAST_INLINE int32_t objectOf(size_t index) const {
        return index < runCount ? runs[index].object : CRAYCAST_NOTHING;
    }

    /// Shades a run and all that follow it of its object: what fills no register is collected from several.
    CRAYCAST_INLINE void shadeRuns(size_t first, const RectangleLook &rectangle) {
        PixelPack pack;
        for (int32_t index = int32_t(first); index != none; index = runs[index].next) {
            const CRaycastRun &run = runs[index];
            const CRaycastShadedRow &row = rows[run.row];
            size_t column = size_t(run.first_column);
            const size_t end = column + size_t(run.column_count);
            for (; column + laneCount <= end; column += laneCount)
                rectangle.add(
                    PixelLanes(
                        load(row.pixels.directions, column), load(row.pixels.next_column, column),
                        load(row.pixels.next_row, column), LightPlaces(row.light + column),
                        Places<float>(row.sun_parts + column)),
                    looks);
            if (column < end) pack.add(row, column, end - column);
            if (pack.isFull()) rectangle.add(pack.take(), looks);
        }
        if (!pack.isEmpty()) rectangle.add(pack.take(), looks);
    }
};

CRAYCAST_INLINE size_t shadeRectangles(
    const CRaycastSights *sights, const CRaycastCoat *coats, const CRaycastShadedRow *rows, size_t rowCount,
    size_t count, bool finishes, CRaycastRun *runs, int32_t *firstRuns) {
    RectangleShading shading(rows, runs, firstRuns);
    shading.findRuns(rowCount, count);
    return shading.shade(*sights, coats, finishes);
}

}  // namespace CRAYCAST_WAY
