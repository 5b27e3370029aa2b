// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Whether a print is seen in other inks.

#pragma once

#include "Parts.hpp"

#include <vector>

namespace cfeatures {

/// The correlation of what is seen with what one light shows of the print when each of its greys is printed in an ink of its own,
/// as bright as it may be: a print in other inks. Two inks where the print has one are another print. 0 where fewer than 33
/// fields are seen.
///
/// Law: `PrintLightTests.oneInkIsSeenAsOne`.
float explained_in_other_inks(const Drawing &print, const Raster &found, const std::vector<Part> &parts);

} // namespace cfeatures
