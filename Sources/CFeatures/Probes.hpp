// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CFeatures.h"

#include <vector>

namespace cfeatures {

/// Which bits of a signature change when light and dark change places: the direction of the light turns by half a turn, and
/// the fields with it; forms that are odd under that change their sign.
struct Inversion {
    uint64_t words[2] = {};

    Inversion();
};

/// A signature's first bits, the most doubtful first: those whose forms are nearest to zero.
struct Doubts {
    uint8_t bits[CFEATURES_KEY_FORMS];

    explicit Doubts(const CFeature &feature);
};

/// The masks of the likeliest beginnings of `depth` bits, as exclusive ors with a feature's own signature, the likeliest first.
void find_probes(const Doubts &doubts, int depth, int probe_count, std::vector<uint64_t> &probes);

} // namespace cfeatures
