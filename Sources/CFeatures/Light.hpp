// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Whether one light on a print explains what a picture shows of it.

#pragma once

#include "Parts.hpp"

namespace cfeatures {

/// Fills in what light says of a print that was judged by its parts: `lit`.
void judge_light(const Drawing &print, const Raster &found, const std::vector<Part> &parts, Judgement &judgement);

} // namespace cfeatures
