// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CFeatures.h"

#include <vector>

namespace cfeatures {

/// The postings of a signature's key, and where the signature belongs among them.
struct KeyRange {
    /// The signature's first word.
    uint64_t wanted;
    uint32_t begin, end;
    /// The first posting that is not below the signature, once it was looked for.
    uint32_t place;

    KeyRange(const CFeaturesIndex &index, uint64_t wanted);

    uint32_t size() const { return end - begin; }

    /// How many of the first bits postings must share with the signature so that no more than `most` do.
    int depth(const CFeaturesIndex &index, uint32_t most) const;

    /// Where to begin reading for the postings that share the signature's first `depth` bits, of which `most` are read: at the
    /// first of them, or, where they are more, so that what is read lies about the signature.
    uint32_t reading_start(const CFeaturesIndex &index, int depth, uint32_t most) const;
};

/// Finds the places in ranges of more than `most` postings. The ranges are halved in turn, so that what all of them ask for next
/// comes from memory at once: one after the other, each would wait for each of its own halves.
void find_places(const CFeaturesIndex &index, std::vector<KeyRange> &ranges, uint32_t most);

} // namespace cfeatures
