// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// A lamp's mirror image in what is glossy.

#pragma once

#include "LightFit.hpp"

namespace cfeatures {

/// A print's sides, in longer ones.
struct PrintShape {
    double width, height;

    PrintShape(int width_px, int height_px)
        : width(double(width_px) / std::max(width_px, height_px)), height(double(height_px) / std::max(width_px, height_px)) {}
};

/// How well a soft light and one highlight that adds to it explain the fields: a correlation; 0 where no highlight does, or the
/// fields are too few to tell.
///
/// A highlight is as bright as a Gaussian around a place, of one width in both directions: what a rough gloss makes of a small lamp (Torrance and
/// Sparrow 1967). Its place and width are found by Gauss and Newton's steps, from where the light exceeds a lamp's plane most.
///
/// A pale patch has another shape: where a highlight adds most, nearly all of what is seen must be its.
///
/// Laws: `PrintLightTests.aHighlightIsLight`, `PrintLightTests.aPalePatchIsNoHighlight`.
float explained_with_highlight(const std::vector<Field> &fields, const PrintShape &shape);

} // namespace cfeatures
