// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CFeatures.h"

namespace cfeatures {

/// An order of one feature's matches, the nearest first.
inline bool is_nearer(const CFeaturesMatch &a, const CFeaturesMatch &b) {
    return a.distance != b.distance ? a.distance < b.distance : a.posting < b.posting;
}

// Hardware counts the bits where the machine has an instruction for it; the answer is the same.
#if defined(__x86_64__) && defined(__linux__) && !defined(__POPCNT__)
#define CFEATURES_COUNTING __attribute__((target_clones("popcnt", "default")))
#else
#define CFEATURES_COUNTING
#endif

} // namespace cfeatures
