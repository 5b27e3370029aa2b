// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "LightFit.hpp"
#include "Parts.hpp"

namespace cfeatures {

/// A part's field, in which pixels that are full say nothing as long as a quarter of them are not.
///
/// - visit: called with the print's grey at each pixel that is not full.
template <class Visit> Field field_of(const Part &part, const Drawing &print, const Raster &found, Visit visit) {
    constexpr float full_grey = 252;
    constexpr int pixel_count = part_step * part_step;
    float drawn = 0, seen = 0, all_drawn = 0, all_seen = 0;
    int telling_count = 0;
    for (int y = part.y - part_step / 2; y < part.y + part_step / 2; ++y) {
        for (int x = part.x - part_step / 2; x < part.x + part_step / 2; ++x) {
            const float own = print.light.at(x, y), light = found.at(x, y);
            all_drawn += own;
            all_seen += light;
            if (light >= full_grey) continue;
            drawn += own;
            seen += light;
            ++telling_count;
            visit(own);
        }
    }
    Field field{(part.x + 0.5) / print.light.width, (part.y + 0.5) / print.light.height, 0, 0};
    field.is_full = telling_count < pixel_count / 4;
    const int count = field.is_full ? pixel_count : telling_count;
    field.print = double(field.is_full ? all_drawn : drawn) / count;
    field.seen = double(field.is_full ? all_seen : seen) / count;
    return field;
}

} // namespace cfeatures
