// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// How a pyramid lies in its one block of memory: level after level, each with a border of repeated edge pixels.

#pragma once

#include "CVision.h"

#include <cmath>
#include <cstddef>

namespace cvision {

/// Pixels around each level that may be read. What is sampled reaches less far from a point inside the picture.
constexpr int pyramid_border_px = 24;

/// One level: a picture whose border may be read.
struct Level {
    uint8_t *origin;
    int width;
    int height;
    int bytes_per_row;

    uint8_t *row(int y) const { return origin + static_cast<std::ptrdiff_t>(y) * bytes_per_row; }
    int64_t byte_count() const { return static_cast<int64_t>(bytes_per_row) * (height + 2 * pyramid_border_px); }
    bool contains(float x, float y) const { return x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1; }

    /// The light between four pixels, up to the border's end.
    float light(float x, float y) const {
        // Coordinates go down to minus the border: shifted, they are cut instead of rounded down.
        const int column = static_cast<int>(x + pyramid_border_px) - pyramid_border_px;
        const int line = static_cast<int>(y + pyramid_border_px) - pyramid_border_px;
        const uint8_t *upper = row(line) + column, *lower = upper + bytes_per_row;
        const float u = x - column, v = y - line;
        const float above = upper[0] + u * (upper[1] - upper[0]), below = lower[0] + u * (lower[1] - lower[0]);
        return above + v * (below - above);
    }
};

/// The levels of a pyramid.
struct Levels {
    Level levels[CVISION_MAX_PYRAMID_LEVELS];
    int count = 0;

    /// The levels of a pyramid of valid shape; without memory, only their sizes.
    explicit Levels(const CVisionPyramid &pyramid) : count(pyramid.level_count) {
        int width = pyramid.width, height = pyramid.height;
        int64_t offset = 0;
        for (int index = 0; index < count; ++index) {
            // Rows are written in whole vectors of 16 bytes, beyond the last column into the border.
            const int bytes_per_row = (width + 2 * pyramid_border_px + 15) / 16 * 16;
            const int64_t first = static_cast<int64_t>(pyramid_border_px) * bytes_per_row + pyramid_border_px;
            uint8_t *origin = pyramid.pixels != nullptr ? pyramid.pixels + offset + first : nullptr;
            levels[index] = {origin, width, height, bytes_per_row};
            offset += levels[index].byte_count();
            width = (width + 1) / 2;
            height = (height + 1) / 2;
        }
    }

    const Level &operator[](int index) const { return levels[index]; }

    /// The bytes that all levels take together.
    int64_t byte_count() const {
        int64_t bytes = 0;
        for (int level = 0; level < count; ++level) bytes += levels[level].byte_count();
        return bytes;
    }
};

/// Whether a pyramid's sizes are in range and its memory is there.
inline bool has_valid_shape(const CVisionPyramid *pyramid) {
    return pyramid != nullptr && pyramid->width > 0 && pyramid->height > 0 && pyramid->width <= CVISION_MAX_SIDE_PX
        && pyramid->height <= CVISION_MAX_SIDE_PX && pyramid->level_count > 0
        && pyramid->level_count <= CVISION_MAX_PYRAMID_LEVELS;
}

inline bool is_valid(const CVisionPyramid *pyramid) { return has_valid_shape(pyramid) && pyramid->pixels != nullptr; }

/// A coordinate of the picture on a level: levels share their upper left corner, not the centre of its pixel.
inline float on_level(double coordinate_px, int level) {
    return static_cast<float>(std::ldexp(coordinate_px + 0.5, -level) - 0.5);
}

/// A coordinate on a level in the picture.
inline double from_level(double coordinate_px, int level) { return std::ldexp(coordinate_px + 0.5, level) - 0.5; }

} // namespace cvision
