// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CRaycast.h"
#include "TextureLook.hpp"

namespace CRAYCAST_WAY {

constexpr uintptr_t unmade = 0, dark = 1, lit = 2;
constexpr int tileSide = 16;
constexpr int tileCorners = tileSide + 1;
constexpr uint8_t fullSun = 16;

/// A tile that is the same everywhere.
struct PlainTile {
    uint8_t corners[tileCorners * tileCorners] = {};

    constexpr explicit PlainTile(uint8_t sun) {
        for (uint8_t &corner : corners) corner = sun;
    }
};

constexpr PlainTile darkTile(0), litTile(fullSun);

CRAYCAST_INLINE Floats clamped(const Floats &v, const Floats &high) {
    // The order of operands lets what is no number become zero.
    return lesser(greater(v, every(0.f)), high);
}

/// Places on a light map, eight at once: their levels, their tiles, and where in these they are.
class PlaceLanes {
public:
    CRAYCAST_INLINE PlaceLanes(
        const CRaycastLightMap &map, const Floats &cellX, const Floats &cellY, const Floats &width) {
        // Cells are between one over the square root of two and the square root of two of a pixel wide.
        const Floats inRange = lesser(
            greater(width * every(1.41421356f), every(1.f)), every(float(1 << (CRAYCAST_LIGHT_LEVELS - 1))));
        const Ints exponent = Ints(inRange) >> mantissaBits;
        level = exponent - every(exponentBias);
        const Floats scale = Floats((every(2 * exponentBias) - exponent) << mantissaBits);
        const CRaycastLightLevel &one = map.levels[level[0]];
        Ints columns = every(one.columns);
        Floats endX = every(one.end_x), endY = every(one.end_y);
        if (isAny(level != every(level[0]))) {
#pragma clang loop unroll(full)
            for (int lane = 1; lane < int(laneCount); ++lane) {
                const CRaycastLightLevel &numbers = map.levels[level[lane]];
                columns[lane] = numbers.columns;
                endX[lane] = numbers.end_x;
                endY[lane] = numbers.end_y;
            }
        }
        const Floats x = clamped(cellX * scale, endX), y = clamped(cellY * scale, endY);
        column = tileAt(x);
        row = tileAt(y);
        tile = products(column | row << 16, columns << 16 | every(1));
        const Floats tilesX = x - toFloats(column) * every(float(tileSide));
        const Floats tilesY = y - toFloats(row) * every(float(tileSide));
        const Ints left = cornerBefore(tilesX), top = cornerBefore(tilesY);
        corner = products(left | top << 16, every(tileCorners << 16 | 1));
        toTheRight = tilesX - toFloats(left);
        below = tilesY - toFloats(top);
    }

    /// The sun at the places.
    CRAYCAST_INLINE Floats sunlight(const CRaycastLightMap &map) const {
        if (areInOneTile()) {
            const uintptr_t address = addressOf<0>(map);
            if (address == lit) return every(1.f);
            if (address == dark) return every(0.f);
            const auto *corners = reinterpret_cast<const uint8_t *>(address);
            return blended(
                {fourCorners<0>(corners), fourCorners<1>(corners), fourCorners<2>(corners), fourCorners<3>(corners),
                 fourCorners<4>(corners), fourCorners<5>(corners), fourCorners<6>(corners), fourCorners<7>(corners)});
        }
        return blended(
            {fourCorners<0>(tileOf<0>(map)), fourCorners<1>(tileOf<1>(map)), fourCorners<2>(tileOf<2>(map)),
             fourCorners<3>(tileOf<3>(map)), fourCorners<4>(tileOf<4>(map)), fourCorners<5>(tileOf<5>(map)),
             fourCorners<6>(tileOf<6>(map)), fourCorners<7>(tileOf<7>(map))});
    }

private:
    Ints level;
    Ints tile;
    Ints column;
    Ints row;
    /// The first of the four corners around, and the way from it.
    Ints corner;
    Floats toTheRight;
    Floats below;

    /// The sun between four corners, of which each has a byte.
    CRAYCAST_INLINE Floats blended(const Ints &around) const {
        const Ints byte = every(0xff);
        const Floats upper = between(around & byte, around >> 8 & byte);
        const Floats lower = between(around >> 16 & byte, around >> 24 & byte);
        return (upper + (lower - upper) * below) * every(1.f / fullSun);
    }

    /// The bytes of the corners around a place in its tile.
    template <int lane> CRAYCAST_INLINE int32_t fourCorners(const uint8_t *corners) const {
        const uint8_t *upper = corners + corner[lane];
        uint16_t pairs[2];
        std::memcpy(pairs, upper, sizeof *pairs);
        std::memcpy(pairs + 1, upper + tileCorners, sizeof *pairs);
        return pairs[0] | pairs[1] << 16;
    }

    CRAYCAST_INLINE bool areInOneTile() const {
        return !isAny((tile ^ every(tile[0])) | (level ^ every(level[0])));
    }

    /// The address of a place's tile, which is made where there is none.
    template <int lane> CRAYCAST_INLINE uintptr_t addressOf(const CRaycastLightMap &map) const {
        const uintptr_t address = __atomic_load_n(map.levels[level[lane]].tiles + tile[lane], __ATOMIC_ACQUIRE);
        return address == unmade ? map.make(map.owner, level[lane], column[lane], row[lane]) : address;
    }

    template <int lane> CRAYCAST_INLINE const uint8_t *tileOf(const CRaycastLightMap &map) const {
        const uintptr_t address = addressOf<lane>(map);
        if (address > lit) return reinterpret_cast<const uint8_t *>(address);
        return address == lit ? litTile.corners : darkTile.corners;
    }

    CRAYCAST_INLINE Floats between(const Ints &left, const Ints &right) const {
        const Floats start = toFloats(left);
        return start + (toFloats(right) - start) * toTheRight;
    }

    /// Half a cell before a whole number rounds to that of the tile, or of the cell, to the left of it.
    static CRAYCAST_INLINE Ints tileAt(const Floats &place) {
        return rounded(greater(place * every(1.f / tileSide) - every(0.5f), every(0.f)));
    }

    static CRAYCAST_INLINE Ints cornerBefore(const Floats &place) {
        return rounded(clamped(place - every(0.5f), every(float(tileSide - 1))));
    }
};

}  // namespace CRAYCAST_WAY
