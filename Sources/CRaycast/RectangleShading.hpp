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
    CRAYCAST_INLINE void add(const CRaycastPixelRow &row, size_t column, size_t first, size_t added) {
        size_t number = 0;
        for (const CRaycastVectors *vectors : {&row.directions, &row.next_column, &row.next_row})
            for (const float *numbers : {vectors->x, vectors->y, vectors->z})
                store(load<Floats>(numbers + column), coordinates[number++] + count);
        store(numbersFrom(first), indices + count);
        count += added;
    }

    CRAYCAST_INLINE bool isEmpty() const { return count == 0; }
    CRAYCAST_INLINE bool isFull() const { return count >= laneCount; }

    /// Takes eight pixels, or the last ones.
    CRAYCAST_INLINE PixelLanes take() {
        const VectorLanes direction = vectors(0);
        PixelLanes pixels = {
            {direction, difference(vectors(3), direction), difference(vectors(6), direction)}, load<Ints>(indices)};
        if (!isFull()) {
            for (VectorLanes *lanes : {&pixels.view.direction, &pixels.view.columnStep, &pixels.view.rowStep})
                for (Floats *numbers : {&lanes->x, &lanes->y, &lanes->z}) repeatFirst(*numbers, count);
            repeatFirst(pixels.index, count);
        }
        for (auto &numbers : coordinates) store(load<Floats>(numbers + laneCount), numbers);
        store(load<Ints>(indices + laneCount), indices);
        count -= std::min(count, laneCount);
        return pixels;
    }

private:
    /// Of directions, of those of the next columns and of those of the next rows.
    float coordinates[9][2 * laneCount];
    int32_t indices[2 * laneCount];
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
    CRAYCAST_INLINE RectangleShading(
        const CRaycastSights &sights, const CRaycastCoat *coats, const CRaycastShadedRows &rows, bool finishes,
        const CRaycastRunRoom &room)
        : sights(sights), coats(coats), rows(rows), finishes(finishes), runs(room.runs), groups(room.groups),
          lastRuns(room.last_runs) {}

    /// Finds the runs, those of a rectangle as a group.
    CRAYCAST_INLINE void findRuns() {
        for (size_t row = 0; row < rows.row_count; ++row) {
            const int32_t *objects = rows.objects + row * rows.count;
            size_t first = 0;
            forEachBorder(objects, rows.count, [&](size_t column) __attribute__((always_inline)) {
                addRun({objects[first], int32_t(row), int32_t(first), int32_t(column - first), none});
                first = column;
            });
        }
    }

    /// Shades the rectangles, one after the other.
    CRAYCAST_INLINE void shade() {
        for (size_t index = 0; index < groupCount; ++index) {
            fetchAhead(index);
            const int32_t object = runs[groups[index]].object;
            lastRuns[object] = none;
            if (sights.poses[object] != sights.pose) sights.see(sights.owner, object);
            isAllFinished &= isFinished(object);
            shadeGroup(
                groups[index],
                RectangleLook(
                    sights.rectangles[object], sights.shares[object], coats[object], rows, isFinished(object)));
        }
        looks.finish();
    }

    /// Keeps the runs that are not finished, and gives their number.
    CRAYCAST_INLINE size_t keepOthers() {
        size_t keptCount = 0;
        if (isAllFinished) return keptCount;
        for (size_t index = 0; index < runCount; ++index)
            if (!isRectangle(runs[index].object) || !isFinished(runs[index].object)) runs[keptCount++] = runs[index];
        return keptCount;
    }

private:
    const CRaycastSights &sights;
    const CRaycastCoat *const coats;
    const CRaycastShadedRows &rows;
    const bool finishes;
    CRaycastRun *const runs;
    size_t runCount = 0;
    /// The first runs of rectangles.
    int32_t *const groups;
    size_t groupCount = 0;
    /// By object, the last of its runs that are found so far.
    int32_t *const lastRuns;
    bool isAllFinished = true;
    LooksAhead looks;
    static constexpr int32_t none = -1;

    CRAYCAST_INLINE bool isRectangle(int32_t object) const {
        return object != CRAYCAST_NOTHING && sights.poses[object] != CRAYCAST_NO_RECTANGLE;
    }

    CRAYCAST_INLINE bool isFinished(int32_t rectangle) const { return finishes && coats[rectangle].is_matt; }

    CRAYCAST_INLINE void addRun(const CRaycastRun &run) {
        const int32_t index = int32_t(runCount++);
        runs[index] = run;
        if (!isRectangle(run.object)) {
            isAllFinished = false;
            return;
        }
        const int32_t last = lastRuns[run.object];
        if (last == none)
            groups[groupCount++] = index;
        else
            runs[last].next = index;
        lastRuns[run.object] = index;
    }

    /// Asks memory for what will soon be read of the next rectangles: first for what they are, then for what that points
    /// to.
    CRAYCAST_INLINE void fetchAhead(size_t index) const {
        constexpr size_t near = 1, far = 3;
        if (index + far < groupCount) {
            const int32_t object = runs[groups[index + far]].object;
            __builtin_prefetch(sights.rectangles + object);
            __builtin_prefetch(coats + object);
            __builtin_prefetch(reinterpret_cast<const char *>(coats + object + 1) - 1);
        }
        if (index + near < groupCount) {
            const CRaycastCoat &coat = coats[runs[groups[index + near]].object];
            __builtin_prefetch(coat.texture.levels);
            // Two levels are a line of memory.
            for (size_t level : {0, 2, 4}) __builtin_prefetch(coat.light_map.levels + level);
        }
    }

    /// Shades the runs of a group: what fills no register is collected from several.
    CRAYCAST_INLINE void shadeGroup(int32_t first, const RectangleLook &rectangle) {
        PixelPack pack;
        for (int32_t index = first; index != none; index = runs[index].next) {
            const CRaycastRun &run = runs[index];
            const CRaycastPixelRow &row = rows.pixels[run.row];
            const size_t rowStart = size_t(run.row) * rows.count;
            size_t column = size_t(run.first_column);
            const size_t end = column + size_t(run.column_count);
            for (; column + laneCount <= end; column += laneCount) {
                const VectorLanes direction = load(row.directions, column);
                rectangle.add(
                    {{direction, difference(load(row.next_column, column), direction),
                      difference(load(row.next_row, column), direction)},
                     numbersFrom(rowStart + column)},
                    looks);
            }
            if (column < end) pack.add(row, column, rowStart + column, end - column);
            if (pack.isFull()) rectangle.add(pack.take(), looks);
        }
        if (!pack.isEmpty()) rectangle.add(pack.take(), looks);
    }
};

CRAYCAST_INLINE size_t shadeRectangles(
    const CRaycastSights *sights, const CRaycastCoat *coats, const CRaycastShadedRows *rows, bool finishes,
    const CRaycastRunRoom *room) {
    RectangleShading shading(*sights, coats, *rows, finishes, *room);
    shading.findRuns();
    shading.shade();
    return shading.keepOthers();
}

}  // namespace CRAYCAST_WAY
