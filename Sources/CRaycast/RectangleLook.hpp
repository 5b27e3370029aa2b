// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "RectangleSight.hpp"
#include "TextureLook.hpp"

#include <algorithm>

namespace CRAYCAST_WAY {

/// The looks of neighbours at a texture, eight by eight, of which some are prepared before the first is finished.
class LooksAhead {
public:
    CRAYCAST_INLINE LooksAhead(size_t count, float (*light)[4]) : count(count), light(light) {}

    CRAYCAST_INLINE void add(const CRaycastTexture &texture, const FootprintLanes &footprints) {
        looks[prepared++ % room].prepare(texture, footprints);
        if (prepared >= finished + room) finishNext();
    }

    CRAYCAST_INLINE void finish() {
        while (finished < prepared) finishNext();
    }

private:
    static constexpr size_t room = 2;
    TextureLook looks[room];
    size_t prepared = 0;
    size_t finished = 0;
    const size_t count;
    float (*const light)[4];

    CRAYCAST_INLINE void finishNext() {
        const size_t first = laneCount * finished;
        looks[finished++ % room].finish(std::min(laneCount, count - first), light + first);
    }
};

/// How much a place on a rectangle, a quotient of two linear functions, changes with a step of the direction:
/// (a′ − (a / k) k′) / k.
CRAYCAST_INLINE Floats change(
    const VectorLanes &step, const float *functional, const CRaycastRectangle &rectangle, const Floats &place,
    const Floats &distance) {
    return (dot(functional, step) - place * dot(rectangle.nearness, step)) * distance;
}

CRAYCAST_INLINE VectorLanes difference(const VectorLanes &a, const VectorLanes &b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/// Puts the first vector in the place of those from `count` on, which nobody asks for: what they would see of a plane,
/// perhaps near its horizon, would cost more than a neighbour's look.
CRAYCAST_INLINE void repeatFirst(VectorLanes &lanes, size_t count) {
    const Ints isWanted = Ints{0, 1, 2, 3, 4, 5, 6, 7} < every(int32_t(count));
    for (Floats *numbers : {&lanes.x, &lanes.y, &lanes.z}) *numbers = isWanted ? *numbers : every((*numbers)[0]);
}

CRAYCAST_INLINE void lookAtRectangle(
    const CRaycastRectangle *rectangle, const CRaycastTexture *texture, const float texels[2], const float cells[2],
    const CRaycastPixelRow *row, size_t first, size_t count, const CRaycastLooks *looks) {
    const Floats half = every(0.5f);
    const Floats texelsX = every(texels[0] * 0.5f), texelsY = every(texels[1] * 0.5f);
    const Floats cellsX = every(cells[0] * 0.5f), cellsY = every(cells[1] * 0.5f);
    LooksAhead textureLooks(count, looks->light);
    for (size_t index = 0; index < count; index += laneCount) {
        VectorLanes direction = load(row->directions, first + index);
        VectorLanes columnStep = difference(load(row->next_column, first + index), direction);
        VectorLanes rowStep = difference(load(row->next_row, first + index), direction);
        if (count - index < laneCount)
            for (VectorLanes *lanes : {&direction, &columnStep, &rowStep}) repeatFirst(*lanes, count - index);
        const Floats distance = every(1.f) / dot(rectangle->nearness, direction);
        const Floats across = dot(rectangle->across, direction) * distance;
        const Floats along = dot(rectangle->along, direction) * distance;
        const Floats columnAcross = change(columnStep, rectangle->across, *rectangle, across, distance);
        const Floats columnAlong = change(columnStep, rectangle->along, *rectangle, along, distance);
        const Floats rowAcross = change(rowStep, rectangle->across, *rectangle, across, distance);
        const Floats rowAlong = change(rowStep, rectangle->along, *rectangle, along, distance);
        if (texture)
            textureLooks.add(
                *texture, {across * texelsX + texelsX, along * texelsY + texelsY, columnAcross * texelsX,
                           columnAlong * texelsY, rowAcross * texelsX, rowAlong * texelsY});
        const Floats columnX = columnAcross * cellsX, columnY = columnAlong * cellsY;
        const Floats rowX = rowAcross * cellsX, rowY = rowAlong * cellsY;
        const Floats width = root(((columnX * columnX + columnY * columnY) + (rowX * rowX + rowY * rowY)) * half);
        store(across * cellsX + cellsX, looks->cell_x + index);
        store(along * cellsY + cellsY, looks->cell_y + index);
        store(width, looks->cell_width + index);
    }
    textureLooks.finish();
}

}  // namespace CRAYCAST_WAY
