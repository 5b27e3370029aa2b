// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "Matches.hpp"
#include "Probes.hpp"

#include <vector>

namespace cfeatures {

/// A picture's feature, as it is or as if light and dark had changed places.
struct Look {
    uint64_t signature[2];
    uint16_t feature;
    uint8_t is_inverse;
};

/// The two nearest of a feature's matches with one target: a print that repeats itself would crowd out the rest.
struct Pair {
    int count = 0;
    CFeaturesMatch matches[2];

    void add(const CFeaturesMatch &match) {
        if (count < 2) {
            matches[count++] = match;
            return;
        }
        CFeaturesMatch &worse = matches[is_nearer(matches[1], matches[0]) ? 0 : 1];
        if (is_nearer(match, worse)) worse = match;
    }
};

/// A picture's features in buckets, by the first bits of their signatures as they are and as they may be.
class FeatureTable {
public:
    FeatureTable(
        const CFeature *features, const std::vector<Doubts> &doubts, const CFeaturesLookup &lookup,
        const Inversion &inversion);

    /// Of each feature's matches with a target the two nearest, in the order of the features.
    void match(
        const CFeaturesIndex &index, uint32_t target, int most_different_bits, std::vector<CFeaturesMatch> &matches);

private:
    /// Where the looks of each bucket begin, and which they are.
    std::vector<uint32_t> buckets, numbers;
    std::vector<Look> looks;
    std::vector<Pair> nearest;
};

} // namespace cfeatures
