// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// A lamp's mirror image in what is glossy.

#pragma once

#include "LightFit.hpp"

namespace cfeatures {

/// How well a soft light and one highlight that adds to it explain the fields: a correlation; 0 where no highlight does.
///
/// A highlight is as bright as a Gaussian around a place, of one width: what a rough gloss makes of a small lamp (Torrance and
/// Sparrow 1967). Its place and width are found by Gauss and Newton's steps, from where the light exceeds a lamp's plane most.
///
/// Law: `FeatureTests.aHighlightIsLight`.
float explained_with_highlight(const std::vector<Field> &fields);

} // namespace cfeatures
