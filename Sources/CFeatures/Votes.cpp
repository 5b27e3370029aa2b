// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Votes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cfeatures {

bool Candidate::agrees(const Vote &vote) const {
    return std::abs(float(column) + 0.5f - vote.column) < 1.6f && std::abs(float(row) + 0.5f - vote.row) < 1.6f;
}

bool Candidate::is_before(const Candidate &other) const {
    if (weight != other.weight) return weight > other.weight;
    if (target != other.target) return target < other.target;
    return row != other.row ? row < other.row : column < other.column;
}

void add_vote(
    const CFeaturesIndex &index, const CFeature &feature, const Along &along, const CFeaturesMatch &match, float rarity,
    const CFeaturesLookup &lookup, std::vector<Vote> &votes) {
    Witness witness;
    if (!witness.set(index.postings[match.posting], feature, along, match.is_inverse)) return;
    constexpr int cells = Ballot::cells_along;
    constexpr double limit = cells + 1.4;
    const double per_cell = cells / lookup.longer_side_px;
    const double column = witness.middle_x * per_cell, row = witness.middle_y * per_cell;
    if (!(column > -1.4 && row > -1.4 && column < limit && row < limit)) return;
    if (witness.size < 20 || witness.size > 8 * lookup.longer_side_px) return;
    const float closeness = 1 - float(match.distance) / float(lookup.most_different_bits + 4);
    votes.push_back({match, float(column), float(row), closeness * closeness * rarity});
}

void Ballot::add(const Vote &vote) {
    // Each vote counts for the four cells around it.
    const int left = int(std::floor(vote.column - 0.5f)), top = int(std::floor(vote.row - 0.5f));
    for (int row = top + margin; row <= top + margin + 1; ++row) {
        for (int column = left + margin; column <= left + margin + 1; ++column) {
            const int cell = row * stride + column;
            if (sums[cell] == 0) touched.push_back(cell);
            sums[cell] += vote.weight;
        }
    }
}

void Ballot::close(uint32_t target, std::vector<Candidate> &candidates) {
    constexpr int most_places = 4;
    constexpr float least_share = 0.4f;
    float least = 0;
    for (int place = 0; place < most_places; ++place) {
        int best = -1;
        float most = least;
        for (const int cell : touched) {
            const float sum = sums[cell];
            if (sum > most || (sum == most && cell < best)) {
                most = sum;
                best = cell;
            }
        }
        if (best < 0) break;
        const int column = best % stride, row = best / stride;
        candidates.push_back({target, column - margin, row - margin, most});
        least = std::max(least, least_share * most);
        for (int y = std::max(row - 2, 0); y <= std::min(row + 2, stride - 1); ++y) {
            for (int x = std::max(column - 2, 0); x <= std::min(column + 2, stride - 1); ++x) sums[y * stride + x] = 0;
        }
    }
    for (const int cell : touched) sums[cell] = 0;
    touched.clear();
}

namespace {

/// The votes in the order of their targets, each target's as they came, and where each target's begin.
std::vector<uint32_t> sort_by_target(std::vector<Vote> &votes, uint32_t target_count) {
    std::vector<uint32_t> starts(size_t(target_count) + 2);
    for (const Vote &vote : votes) ++starts[vote.match.target + 2];
    for (size_t i = 2; i < starts.size(); ++i) starts[i] += starts[i - 1];
    std::vector<Vote> sorted(votes.size());
    for (const Vote &vote : votes) sorted[starts[vote.match.target + 1]++] = vote;
    votes.swap(sorted);
    return starts;
}

} // namespace

std::vector<Candidate> find_candidates(std::vector<Vote> &votes, uint32_t target_count, size_t limit) {
    // Fewer features never agree on a place.
    constexpr uint32_t least_votes = 3;
    const std::vector<uint32_t> starts = sort_by_target(votes, target_count);
    struct Voted {
        float weight;
        uint32_t target;
    };
    std::vector<Voted> voted;
    for (uint32_t target = 0; target < target_count; ++target) {
        if (starts[target + 1] - starts[target] < least_votes) continue;
        float weight = 0;
        for (uint32_t i = starts[target]; i < starts[target + 1]; ++i) weight += votes[i].weight;
        voted.push_back({weight, target});
    }
    std::sort(voted.begin(), voted.end(), [](const Voted &a, const Voted &b) {
        return a.weight != b.weight ? a.weight > b.weight : a.target < b.target;
    });
    std::vector<Candidate> candidates;
    std::vector<float> weights;
    Ballot ballot;
    for (size_t i = 0; i < voted.size(); ++i) {
        // No place has more votes than its target: once enough places have more, the rest need not be looked at.
        if (i % 8 == 0 && candidates.size() > limit) {
            weights.clear();
            for (const Candidate &candidate : candidates) weights.push_back(candidate.weight);
            std::nth_element(weights.begin(), weights.begin() + std::ptrdiff_t(limit), weights.end(), std::greater<>());
            if (voted[i].weight < weights[limit]) break;
        }
        const uint32_t target = voted[i].target;
        for (uint32_t k = starts[target]; k < starts[target + 1]; ++k) ballot.add(votes[k]);
        ballot.close(target, candidates);
    }
    const size_t count = std::min(limit, candidates.size());
    std::partial_sort(
        candidates.begin(), candidates.begin() + std::ptrdiff_t(count), candidates.end(),
        [](const Candidate &a, const Candidate &b) { return a.is_before(b); });
    candidates.resize(count);
    return candidates;
}

} // namespace cfeatures
