// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "RectangleSight.hpp"
#include "SunlightLook.hpp"
#include "TextureLook.hpp"

namespace CRAYCAST_WAY {

/// Looks at textures, eight pixels each, of which some are prepared before the first is finished.
class LooksAhead {
public:
    /// Adds a look, the light of which is multiplied by factors.
    CRAYCAST_INLINE void add(
        const CRaycastTexture &texture, const FootprintLanes &footprints, const Floats &factors,
        const LightPlaces &light) {
        Look &look = looks[prepared++ % room];
        look.texture.prepare(texture, footprints);
        look.factors = factors;
        look.light = light;
        if (prepared >= finished + room) finishNext();
    }

    CRAYCAST_INLINE void finish() {
        while (finished < prepared) finishNext();
    }

private:
    struct Look {
        TextureLook texture;
        Floats factors;
        LightPlaces light;
    };
    static constexpr size_t room = 2;
    Look looks[room];
    size_t prepared = 0;
    size_t finished = 0;

    CRAYCAST_INLINE void finishNext() {
        Look &look = looks[finished++ % room];
        look.texture.finish(look.factors, look.light);
    }
};

/// Where eight pixels look, and how that changes to the next pixels.
struct ViewLanes {
    VectorLanes direction;
    VectorLanes columnStep;
    VectorLanes rowStep;
};

CRAYCAST_INLINE VectorLanes difference(const VectorLanes &a, const VectorLanes &b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/// Eight pixels on their way to light.
struct PixelLanes {
    ViewLanes view;
    /// By number among the pixels of all rows.
    Ints index;
};

/// A rectangle as pixels look at it, eight at once.
class RectangleLook {
public:
    CRAYCAST_INLINE RectangleLook(
        const CRaycastRectangle &rectangle, const CRaycastShares &shares, const CRaycastCoat &coat,
        const CRaycastShadedRows &rows, bool finishes)
        : rectangle(rectangle), shares(shares), coat(coat), rows(rows), finishes(finishes) {}

    /// Adds the light of pixels to the looks. What is seen of the sun is written where light is not finished.
    __attribute__((noinline)) void add(const PixelLanes &pixels, LooksAhead &looks) const {
        const ViewLanes &view = pixels.view;
        const Floats distance = every(1.f) / dot(rectangle.nearness, view.direction);
        const Floats across = dot(rectangle.across, view.direction) * distance;
        const Floats along = dot(rectangle.along, view.direction) * distance;
        const Floats columnAcross = change(view.columnStep, rectangle.across, across, distance);
        const Floats columnAlong = change(view.columnStep, rectangle.along, along, distance);
        const Floats rowAcross = change(view.rowStep, rectangle.across, across, distance);
        const Floats rowAlong = change(view.rowStep, rectangle.along, along, distance);
        Floats sunlight = every(0.f);
        if (shares.sun > 0) {
            const Floats half = every(0.5f);
            const Floats cellsX = every(coat.cells[0] * 0.5f), cellsY = every(coat.cells[1] * 0.5f);
            const Floats columnX = columnAcross * cellsX, columnY = columnAlong * cellsY;
            const Floats rowX = rowAcross * cellsX, rowY = rowAlong * cellsY;
            const Floats width = root(((columnX * columnX + columnY * columnY) + (rowX * rowX + rowY * rowY)) * half);
            sunlight = PlaceLanes(coat.light_map, across * cellsX + cellsX, along * cellsY + cellsY, width)
                           .sunlight(coat.light_map);
        }
        if (!finishes)
            for (size_t lane = 0; lane < laneCount; ++lane) rows.sun_parts[pixels.index[lane]] = sunlight[lane];
        const Floats factors = finishes ? every(shares.sky) + every(shares.sun) * sunlight : every(1.f);
        if (coat.is_plain) {
            putPlain(factors, {rows.light, pixels.index});
            return;
        }
        const Floats texelsX = every(coat.texels[0] * 0.5f), texelsY = every(coat.texels[1] * 0.5f);
        looks.add(
            coat.texture,
            {across * texelsX + texelsX, along * texelsY + texelsY, columnAcross * texelsX, columnAlong * texelsY,
             rowAcross * texelsX, rowAlong * texelsY},
            factors, {rows.light, pixels.index});
    }

private:
    const CRaycastRectangle &rectangle;
    const CRaycastShares shares;
    const CRaycastCoat &coat;
    const CRaycastShadedRows &rows;
    const bool finishes;

    /// How much a place on the rectangle, a quotient of two linear functions, changes with a step of the direction:
    /// (a′ − (a / k) k′) / k.
    CRAYCAST_INLINE Floats change(
        const VectorLanes &step, const float *functional, const Floats &place, const Floats &distance) const {
        return (dot(functional, step) - place * dot(rectangle.nearness, step)) * distance;
    }

    CRAYCAST_INLINE void putPlain(const Floats &factors, const LightPlaces &light) const {
        for (size_t lane = 0; lane < laneCount; ++lane)
            for (int color = 0; color < 4; ++color) light[lane][color] = coat.plain[color] * factors[lane];
    }
};

}  // namespace CRAYCAST_WAY
