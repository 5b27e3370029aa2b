// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What of a print each part says by itself.

#pragma once

#include "Parts.hpp"

#include <vector>

namespace cfeatures {

/// How many straight edges and corners the agreeing parts show, each counted once.
///
/// Parts along one straight edge all say the same: where it lies. A curve is an edge for each 10° that it turns by.
///
/// - columns: how many parts are in a row.
int count_marks(const Drawing &print, const std::vector<Part> &parts, int columns);

} // namespace cfeatures
