// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Pictures of numbers in which a print and what a picture shows of it are compared place by place.

#pragma once

#include "Bend.hpp"
#include "Homography.hpp"
#include "ScaleSpace.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cfeatures {

/// How far the windows that are compared reach from their middle, and how far they may reach out of a raster.
constexpr int half_window = 4, margin = half_window + 4;

/// A picture of numbers with a margin, so that windows may reach out.
struct Raster {
    /// Windows are read in whole vectors, which may reach beyond the last row.
    static constexpr size_t spare = 16;

    int width, height, stride;
    std::vector<float> values;

    Raster(int width, int height)
        : width(width), height(height), stride(width + 2 * margin),
          values(size_t(stride) * size_t(height + 2 * margin) + spare) {}
    size_t place(int x, int y) const { return size_t(y + margin) * size_t(stride) + size_t(x + margin); }
    float &at(int x, int y) { return values[place(x, y)]; }
    float at(int x, int y) const { return values[place(x, y)]; }
};

/// The template as it is under `longer_side`, its edge continued into the margin.
Raster resampled(const CFeaturesTemplate &print, int longer_side);

/// Smooths by a variance in squared pixels, with the binomial filter 1 2 1.
void smooth(Raster &raster, double variance);

/// The scale of the picture that shows about as much as a raster whose pixel is so large.
const Plane &fitting_plane(const CFeaturesScaleSpace &space, double pixel_px, double &sigma_px, double &size_px);

/// The picture as it lies on the print; `inside` says which pixels the picture has.
void unwarp(
    const CFeaturesScaleSpace &space, const Plane &plane, double size_px, const Homography &pixel_from_print, Raster &found,
    std::vector<uint8_t> &inside);

/// The same of a print that is bent before the homography carries it into the picture.
void unwarp(
    const CFeaturesScaleSpace &space, const Plane &plane, double size_px, const Homography &pixel_from_print,
    const Bend &bend, Raster &found, std::vector<uint8_t> &inside);

} // namespace cfeatures
