// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Whether one light on a print explains what a picture shows of it.

#pragma once

#include "Parts.hpp"

namespace cfeatures {

/// `CFeaturesAgreement::lit` of a print whose parts were found.
float explained_by_light(const Drawing &print, const Raster &found, const std::vector<Part> &parts);

} // namespace cfeatures
