// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ScaleSpace.hpp"

namespace cfeatures {

constexpr int difference_count = scale_count - 1;

/// Three rows of all differences of neighbouring scales: a row's neighbours are read often, and stay in the fastest memory.
class DifferenceRows {
public:
    explicit DifferenceRows(const std::array<Plane, scale_count> &planes);

    /// Takes a row in; the one three rows before is forgotten.
    void add(int y);

    const int16_t *row(int number, int y) const { return values.data() + place(number, y); }

private:
    const std::array<Plane, scale_count> &planes;
    int stride;
    Lines<int16_t> values;

    size_t place(int number, int y) const { return size_t(number * 3 + y % 3) * size_t(stride); }

};

/// Finds the extrema of an octave while its planes are being made: what was made just before is in the fastest memory.
class ExtremumSearch {
public:
    ExtremumSearch(const std::array<Plane, scale_count> &planes, int octave, float least_strength);

    /// Goes on as far as so many rows of all planes allow.
    void advance(int row_count);

    /// Appends what was found in the whole planes, in the order of scales, rows and columns.
    void append(std::vector<Extremum> &extrema) const;

private:
    const std::array<Plane, scale_count> &planes;
    int octave, next_row, next_difference;
    float least_strength;
    DifferenceRows differences;
    std::vector<int32_t> columns;
    std::array<std::vector<Extremum>, searched_scale_count> found;
};

/// At most `limit` of the extrema, spread over the picture, in their order.
std::vector<Extremum> strongest(const CFeaturesScaleSpace &space, size_t limit);

} // namespace cfeatures
