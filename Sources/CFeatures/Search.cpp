// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Which targets have most in common with a picture.

#include "Forms.hpp"
#include "ScaleSpace.hpp"
#include "Witness.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

constexpr int flipped_bits = 6;

/// Which bits of a signature change when light and dark change places: the direction of the light turns by half a turn, and
/// the fields with it; forms that are odd under that change their sign.
struct Inversion {
    uint64_t words[2] = {};

    Inversion() {
        for (int bit = 0; bit < CFEATURES_SIGNATURE_BITS; ++bit) {
            const int field = form_order[bit].index / 8;
            if ((field / 4 + field % 4) % 2 == 1) words[bit / 64] |= uint64_t(1) << (bit % 64);
        }
    }
};

/// The masks of the likeliest keys, as exclusive ors with a feature's own key.
void find_probes(const CFeature &feature, int key_bits, int probe_count, std::vector<uint32_t> &probes) {
    std::array<std::pair<float, uint32_t>, CFEATURES_KEY_BITS> doubts;
    for (int bit = 0; bit < key_bits; ++bit) {
        const float form = feature.key_forms[bit];
        doubts[size_t(bit)] = {form * form, uint32_t(1) << bit};
    }
    const int flips = std::min(key_bits, flipped_bits);
    std::partial_sort(doubts.begin(), doubts.begin() + flips, doubts.begin() + key_bits);
    std::array<std::pair<float, uint32_t>, 1 << flipped_bits> sets;
    sets[0] = {0, 0};
    for (int set = 1; set < 1 << flips; ++set) {
        const auto &rest = sets[size_t(set & (set - 1))];
        const auto &doubt = doubts[size_t(__builtin_ctz(unsigned(set)))];
        sets[size_t(set)] = {rest.first + doubt.first, rest.second | doubt.second};
    }
    const int count = std::min(probe_count, 1 << flips);
    std::partial_sort(sets.begin(), sets.begin() + count, sets.begin() + (1 << flips));
    probes.clear();
    for (int i = 0; i < count; ++i) probes.push_back(sets[size_t(i)].second);
}

/// A match with what it says: where the middle of the print is, in cells.
struct Vote {
    CFeaturesMatch match;
    float column, row, weight;
};

constexpr int cells_along = 12, cell_margin = 4, cell_stride = cells_along + 2 * cell_margin;

/// Votes for targets at places, gathered by the table's keys.
class Ballot {
public:
    struct Entry {
        uint64_t key = ~uint64_t(0);
        float sum = 0;
    };

    explicit Ballot(size_t vote_count) {
        size_t size = 1024;
        while (size < 6 * vote_count) size *= 2;
        entries.resize(size);
    }

    /// Each vote counts for the four cells around it.
    void add(const Vote &vote) {
        const int left = int(std::floor(vote.column - 0.5f)), top = int(std::floor(vote.row - 0.5f));
        for (int y = top; y <= top + 1; ++y) {
            for (int x = left; x <= left + 1; ++x) {
                const int cell = (y + cell_margin) * cell_stride + x + cell_margin;
                add(uint64_t(vote.match.target) * (cell_stride * cell_stride) + uint64_t(cell), vote.weight);
            }
        }
    }

    /// The entries with votes, those with most first; at most so many.
    std::vector<Entry> winners(size_t limit) const {
        std::vector<Entry> all;
        for (const Entry &entry : entries) {
            if (entry.sum > 0) all.push_back(entry);
        }
        const size_t count = std::min(limit, all.size());
        std::partial_sort(
            all.begin(), all.begin() + std::ptrdiff_t(count), all.end(), [](const Entry &a, const Entry &b) {
                return a.sum != b.sum ? a.sum > b.sum : a.key < b.key;
            });
        all.resize(count);
        return all;
    }

private:
    std::vector<Entry> entries;

    void add(uint64_t key, float weight) {
        const size_t mask = entries.size() - 1;
        size_t place = size_t((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
        while (entries[place].key != key && entries[place].key != ~uint64_t(0)) place = (place + 1) & mask;
        entries[place].key = key;
        entries[place].sum += weight;
    }
};

/// A target at a place.
struct Candidate {
    uint32_t target;
    float column, row;
    std::vector<CFeaturesMatch> matches;
};

/// The best places, no two of one target close to each other.
std::vector<Candidate> find_candidates(const Ballot &ballot, size_t limit) {
    std::vector<Candidate> candidates;
    for (const Ballot::Entry &entry : ballot.winners(limit * 24)) {
        if (candidates.size() == limit) break;
        const int cell = int(entry.key % (cell_stride * cell_stride));
        const Candidate candidate{
            uint32_t(entry.key / (cell_stride * cell_stride)), float(cell % cell_stride - cell_margin) + 0.5f,
            float(cell / cell_stride - cell_margin) + 0.5f, {}};
        const bool is_known = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate &other) {
            return other.target == candidate.target && std::abs(other.column - candidate.column) < 2.5f &&
                   std::abs(other.row - candidate.row) < 2.5f;
        });
        if (!is_known) candidates.push_back(candidate);
    }
    return candidates;
}

/// Leaves of one feature's matches the two nearest of each target: a print that repeats itself would crowd out the rest.
void keep_nearest(std::vector<Vote> &votes, size_t begin) {
    const auto first = votes.begin() + std::ptrdiff_t(begin);
    std::sort(first, votes.end(), [](const Vote &a, const Vote &b) {
        if (a.match.target != b.match.target) return a.match.target < b.match.target;
        return a.match.distance != b.match.distance ? a.match.distance < b.match.distance
                                                    : a.match.posting < b.match.posting;
    });
    auto kept = first;
    int count = 0;
    for (auto vote = first; vote != votes.end(); ++vote) {
        count = vote != first && vote->match.target == (kept - 1)->match.target ? count + 1 : 1;
        if (count <= 2) *kept++ = *vote;
    }
    votes.erase(kept, votes.end());
}

/// Looks one feature up; `is_inverse` as if light and dark had changed places. Hardware counts the bits where the compiler
/// may say so; the answer is the same.
#if defined(__x86_64__) && !defined(__POPCNT__)
__attribute__((target("popcnt")))
#endif
void look_up_feature(
    const CFeaturesIndex &index, const CFeature &feature, int number, bool is_inverse, const std::vector<uint32_t> &probes,
    const CFeaturesLookup &lookup, std::vector<Vote> &votes) {
    static const Inversion inversion;
    const uint64_t first = feature.signature[0] ^ (is_inverse ? inversion.words[0] : 0);
    const uint64_t second = feature.signature[1] ^ (is_inverse ? inversion.words[1] : 0);
    const uint32_t mask = (uint32_t(1) << index.key_bits) - 1;
    const double along_x = feature.scale_px * std::cos(double(feature.angle_rad));
    const double along_y = feature.scale_px * std::sin(double(feature.angle_rad));
    const double per_cell = cells_along / lookup.longer_side_px, limit = cells_along + 1.4;
    for (const uint32_t probe : probes) {
        const uint32_t key = (uint32_t(first) ^ probe) & mask;
        const uint32_t end = std::min(index.starts[key + 1], index.posting_count);
        for (uint32_t i = index.starts[key]; i < end; ++i) {
            const CFeaturesPosting &posting = index.postings[i];
            const int distance =
                __builtin_popcountll(first ^ posting.signature[0]) + __builtin_popcountll(second ^ posting.signature[1]);
            if (distance > lookup.most_different_bits || posting.target >= index.target_count) continue;
            Witness witness;
            if (!witness.set(posting, feature, along_x, along_y, is_inverse)) continue;
            const double column = witness.middle_x * per_cell, row = witness.middle_y * per_cell;
            if (!(column > -1.4 && row > -1.4 && column < limit && row < limit)) continue;
            if (witness.size < 20 || witness.size > 8 * lookup.longer_side_px) continue;
            votes.push_back(
                {{posting.target, i, uint16_t(number), uint8_t(distance), uint8_t(is_inverse)}, float(column), float(row),
                 0});
        }
    }
}

} // namespace
} // namespace cfeatures

using namespace cfeatures;

uint32_t cfeatures_key(const uint64_t *signature, int32_t key_bits) {
    return uint32_t(signature[0]) & ((uint32_t(1) << key_bits) - 1);
}

CFeaturesStatus cfeatures_look_up(
    const CFeaturesIndex *index, const CFeature *features, int32_t feature_count, const CFeaturesLookup *lookup,
    CFeaturesMatch *matches, int32_t capacity, int32_t *match_count, int32_t *candidate_ends, int32_t *candidate_count) {
    if (!index || !lookup || !match_count || !candidate_count || !(lookup->longer_side_px > 0) || !index->starts || (index->posting_count > 0 && !index->postings) ||
        index->key_bits < 1 || index->key_bits > CFEATURES_KEY_BITS || feature_count < 0 || feature_count > 65535 ||
        (feature_count > 0 && !features) || capacity < 0 || (capacity > 0 && !matches) || lookup->probe_count < 1 ||
        lookup->most_different_bits < 0 || lookup->most_different_bits > CFEATURES_SIGNATURE_BITS ||
        lookup->candidate_limit < 0 || (lookup->candidate_limit > 0 && !candidate_ends))
        return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        std::vector<Vote> votes;
        std::vector<uint32_t> probes;
        const float reach = float(lookup->most_different_bits + 4);
        for (int number = 0; number < feature_count; ++number) {
            find_probes(features[number], index->key_bits, lookup->probe_count, probes);
            const size_t begin = votes.size();
            look_up_feature(*index, features[number], number, false, probes, *lookup, votes);
            if (lookup->with_inverse) look_up_feature(*index, features[number], number, true, probes, *lookup, votes);
            keep_nearest(votes, begin);
            // What looks like many targets says little of each.
            const float rarity = 1 / std::sqrt(float(votes.size() - begin) + 1);
            for (size_t i = begin; i < votes.size(); ++i) {
                const float closeness = 1 - float(votes[i].match.distance) / reach;
                votes[i].weight = closeness * closeness * rarity;
            }
        }
        Ballot ballot(votes.size());
        for (const Vote &vote : votes) ballot.add(vote);
        std::vector<Candidate> candidates = find_candidates(ballot, size_t(lookup->candidate_limit));
        std::vector<uint8_t> is_chosen(index->target_count, 0);
        for (const Candidate &candidate : candidates) is_chosen[candidate.target] = 1;
        for (const Vote &vote : votes) {
            if (!is_chosen[vote.match.target]) continue;
            for (Candidate &candidate : candidates) {
                if (candidate.target == vote.match.target && std::abs(candidate.column - vote.column) < 1.6f &&
                    std::abs(candidate.row - vote.row) < 1.6f)
                    candidate.matches.push_back(vote.match);
            }
        }
        *match_count = *candidate_count = 0;
        for (Candidate &candidate : candidates) {
            std::sort(
                candidate.matches.begin(), candidate.matches.end(), [](const CFeaturesMatch &a, const CFeaturesMatch &b) {
                    if (a.distance != b.distance) return a.distance < b.distance;
                    return a.feature != b.feature ? a.feature < b.feature : a.posting < b.posting;
                });
            const int32_t count = int32_t(std::min(candidate.matches.size(), size_t(capacity - *match_count)));
            std::copy_n(candidate.matches.begin(), count, matches + *match_count);
            *match_count += count;
            candidate_ends[(*candidate_count)++] = *match_count;
        }
        return CFEATURES_OK;
    });
}
