// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Windows of a print that are looked for in a picture one by one.

#pragma once

#include "CFeatures.h"
#include "Raster.hpp"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace cfeatures {

/// The distance between parts' middles.
constexpr int part_step = CFEATURES_FIELD_PX;

/// What is printed, and how it changes along both axes.
struct Drawing {
    Raster light, across, down;

    explicit Drawing(Raster drawn) : light(std::move(drawn)), across(light.width, light.height), down(across) {
        const int stride = light.stride, count = int(light.values.size());
        for (int i = stride; i < count - stride; ++i) {
            across.values[size_t(i)] = 0.5f * (light.values[size_t(i + 1)] - light.values[size_t(i - 1)]);
            down.values[size_t(i)] = 0.5f * (light.values[size_t(i + stride)] - light.values[size_t(i - stride)]);
        }
    }
};

/// A window of the template, and what is found of it in the picture.
struct Part {
    int x, y;
    float mean, deviation;
    /// Σ ∇T ∇Tᵀ, Σ ∇T and Σ ∇T (T − mean).
    float xx, xy, yy, sum_x, sum_y, light_x, light_y;
    /// A plain part is judged only where what lies beside the print does not blur into it.
    bool is_structured, is_plain;
    /// Whether nothing is drawn there that would tell how far what lies beside the print blurs into it.
    bool is_blurred_border;
    bool is_inside = false;
    /// Whether its structure is seen where it belongs, or, of a plain part, nothing.
    bool agrees = false;
    float dx = 0, dy = 0, correlation = 0, found_deviation = 0;
};

/// The parts of a print, row by row.
///
/// - blur: the standard deviation of the picture's Gaussian, in pixels of the raster.
std::vector<Part> make_parts(const Drawing &print, double blur);

/// How many parts are in a row of a raster so wide.
inline int part_columns(int width) { return (width + part_step / 2 - 1) / part_step; }

/// Marks which of so many parts hang together with the print's border through open ones, side by side.
std::vector<uint8_t> reached_from_border(
    int count, int columns, const std::function<bool(size_t)> &is_open);

/// Looks for the parts that lie inside the picture, each under a gain and an offset of its own; returns whether light and dark
/// have changed places.
bool find_parts(
    const Drawing &print, const Raster &found, const std::vector<uint8_t> &inside, std::vector<Part> &parts);

/// What the parts say together; tells which of them agree.
///
/// - columns: how many are in a row.   - pixel_px: how large the raster's pixels are in the picture.
CFeaturesAgreement judged(std::vector<Part> &parts, int columns, double slack, bool is_inverse, double pixel_px);

} // namespace cfeatures
