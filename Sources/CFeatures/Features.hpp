// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ScaleSpace.hpp"

namespace cfeatures {

/// Fills `space.extrema`, in the order of octaves, scales, rows and columns.
void find_extrema(CFeaturesScaleSpace &space, float least_strength);

/// Leaves `limit` extrema, spread over the picture.
void keep_strongest(CFeaturesScaleSpace &space, size_t limit);

} // namespace cfeatures
