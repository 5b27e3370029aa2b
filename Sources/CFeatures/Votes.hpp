// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Where matches say that the middle of a print is, and on which places they agree.

#pragma once

#include "Witness.hpp"

#include <cstddef>
#include <vector>

namespace cfeatures {

/// A match with what it says: where the middle of the print is, in cells.
struct Vote {
    CFeaturesMatch match;
    float column, row, weight;
};

/// A target at a place, in cells, and how much speaks for it.
struct Candidate {
    uint32_t target;
    int column, row;
    float weight;

    /// Whether a vote is for this place.
    bool agrees(const Vote &vote) const;

    /// The likeliest first.
    bool is_before(const Candidate &other) const;
};

/// Adds what a match says, where that may be.
///
/// - rarity: how much the feature says of each of its matches.
void add_vote(
    const CFeaturesIndex &index, const CFeature &feature, const Along &along, const CFeaturesMatch &match, float rarity,
    const CFeaturesLookup &lookup, std::vector<Vote> &votes);

/// Votes for places of one target: a table of sums over cells.
class Ballot {
public:
    /// The picture's longer side, in cells.
    static constexpr int cells_along = 12;

    void add(const Vote &vote);

    /// Appends the best places, no two close to each other, and begins anew.
    void close(uint32_t target, std::vector<Candidate> &candidates);

private:
    static constexpr int margin = 4, stride = cells_along + 2 * margin;
    float sums[stride * stride] = {};
    std::vector<int> touched;
};

/// The likeliest targets and places of all votes, the likeliest first.
std::vector<Candidate> find_candidates(std::vector<Vote> &votes, uint32_t target_count, std::size_t limit);

} // namespace cfeatures
