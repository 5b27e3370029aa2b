// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Whether a light on a print explains what a picture shows of it.

#pragma once

#include "Parts.hpp"

namespace cfeatures {

/// What light says of a print whose parts were found and judged: `lit`, `lit_in_inks`, `lit_besides` and `softly_lit`.
///
/// - columns: how many parts are in a row.
void tell_light(
    const Drawing &print, const Raster &found, const std::vector<Part> &parts, int columns,
    CFeaturesAgreement &agreement);

} // namespace cfeatures
