// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Which targets have most in common with a picture.
//
// Features are looked up in the index, each among few postings, however many targets there are: what looks like many of them
// says little of each. The likeliest targets are then compared with all features of the picture, which says where they are.

#include "FeatureTable.hpp"
#include "Matches.hpp"
#include "Probes.hpp"
#include "Queries.hpp"
#include "ScaleSpace.hpp"
#include "Votes.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

/// How many features are looked up at once.
constexpr size_t batch_size = 16;
/// Targets with a smaller share of the votes of the one with most are not compared: so few agree by chance. The first ones are
/// compared in any case: beside a poster that fills the picture, a small print has few.
constexpr float least_share = 1 / 6.0f;
constexpr size_t sure_count = 6;
/// For how many of its matches a feature votes.
constexpr size_t vote_limit = 24;

/// Of one feature's matches, the two nearest of each target: a print that repeats itself would crowd out the rest.
class Nearest {
public:
    explicit Nearest(uint32_t target_count) : slots(target_count) {}

    void begin() {
        ++round;
        matches.clear();
    }

    void add(const CFeaturesMatch &match) {
        Slot &slot = slots[match.target];
        if (slot.round != round) slot = {round, 0, {}};
        // Probes that differ below the index's key bits only come to the same postings.
        for (uint32_t held = 0; held < slot.count; ++held) {
            const CFeaturesMatch &known = matches[slot.places[held]];
            if (known.posting == match.posting && known.is_inverse == match.is_inverse) return;
        }
        if (slot.count < 2) {
            slot.places[slot.count++] = uint32_t(matches.size());
            matches.push_back(match);
            return;
        }
        const bool is_first_worse = is_nearer(matches[slot.places[1]], matches[slot.places[0]]);
        CFeaturesMatch &worse = matches[slot.places[is_first_worse ? 0 : 1]];
        if (is_nearer(match, worse)) worse = match;
    }

    std::vector<CFeaturesMatch> matches;

private:
    struct Slot {
        uint32_t round = 0, count = 0;
        uint32_t places[2] = {};
    };
    std::vector<Slot> slots;
    uint32_t round = 0;
};

/// Compares a query with the postings that are read for it.
CFEATURES_COUNTING void compare(
    const CFeaturesIndex &index, const Query &query, const std::vector<Reading> &readings, int most_different_bits,
    Nearest &nearest) {
    for (uint32_t number = query.begin; number < query.end; ++number) {
        const Reading reading = readings[number];
        for (uint32_t i = reading.begin, compared = 0; i < reading.end && compared < Queries::list_limit; ++i) {
            const CFeaturesPosting &posting = index.postings[i];
            if (posting.target >= index.target_count) continue;
            ++compared;
            const int distance = __builtin_popcountll(query.signature[0] ^ posting.signature[0]) +
                                 __builtin_popcountll(query.signature[1] ^ posting.signature[1]);
            if (distance > most_different_bits) continue;
            nearest.add({posting.target, i, query.feature, uint8_t(distance), query.is_inverse});
        }
    }
}

/// Leaves the nearest of a feature's matches.
void keep_nearest(std::vector<CFeaturesMatch> &matches, size_t limit) {
    if (matches.size() <= limit) return;
    std::nth_element(
        matches.begin(), matches.begin() + std::ptrdiff_t(limit), matches.end(),
        is_nearer);
    matches.resize(limit);
}

/// What all features say of all targets; returns how much each feature says.
std::vector<float> vote(
    const CFeaturesIndex &index, const CFeature *features, const std::vector<Along> &alongs,
    const std::vector<Doubts> &doubts, const CFeaturesLookup &lookup, std::vector<Vote> &votes) {
    std::vector<float> rarities;
    Nearest nearest(index.target_count);
    Queries queries(index, lookup);
    for (size_t begin = 0; begin < doubts.size(); begin += batch_size) {
        const size_t end = std::min(begin + batch_size, doubts.size());
        queries.look_up(features, doubts, begin, end);
        auto query = queries.queries.begin();
        for (size_t number = begin; number < end; ++number) {
            nearest.begin();
            for (; query != queries.queries.end() && query->feature == number; ++query) {
                compare(index, *query, queries.readings, lookup.most_different_bits, nearest);
            }
            // What looks like many targets says little of each.
            rarities.push_back(1 / std::sqrt(float(nearest.matches.size()) + 1));
            keep_nearest(nearest.matches, vote_limit);
            for (const CFeaturesMatch &match : nearest.matches) {
                add_vote(index, features[number], alongs[number], match, rarities.back(), lookup, votes);
            }
        }
    }
    return rarities;
}

} // namespace
} // namespace cfeatures

using namespace cfeatures;

uint32_t cfeatures_key(const uint64_t *signature, int32_t key_bits) {
    return uint32_t(signature[0] >> (64 - key_bits));
}

CFeaturesStatus cfeatures_look_up(
    const CFeaturesIndex *index, const CFeature *features, int32_t feature_count, const CFeaturesLookup *lookup,
    CFeaturesMatch *matches, int32_t capacity, int32_t *match_count, int32_t *candidate_ends, int32_t *candidate_count) {
    if (!index || !lookup || !match_count || !candidate_count || !(lookup->longer_side_px > 0) || !index->starts ||
        !index->target_starts || (index->posting_count > 0 && (!index->postings || !index->places)) ||
        index->key_bits < 1 || index->key_bits > CFEATURES_KEY_BITS || feature_count < 0 || feature_count > 65535 ||
        (feature_count > 0 && !features) || capacity < 0 || (capacity > 0 && !matches) || lookup->probe_count < 1 ||
        lookup->most_different_bits < 0 || lookup->most_different_bits > CFEATURES_SIGNATURE_BITS ||
        lookup->candidate_limit < 0 || (lookup->candidate_limit > 0 && !candidate_ends) || lookup->target_limit < 0)
        return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        static const Inversion inversion;
        const std::vector<Along> alongs(features, features + feature_count);
        const std::vector<Doubts> doubts(features, features + feature_count);
        std::vector<Vote> votes;
        const std::vector<float> rarities = vote(*index, features, alongs, doubts, *lookup, votes);
        const size_t limit = size_t(lookup->candidate_limit);
        std::vector<uint32_t> targets;
        const std::vector<Candidate> voted = find_candidates(votes, index->target_count, limit);
        for (const Candidate &candidate : voted) {
            if (targets.size() == size_t(lookup->target_limit)) break;
            if (targets.size() >= sure_count && candidate.weight < least_share * voted.front().weight) break;
            if (std::find(targets.begin(), targets.end(), candidate.target) == targets.end())
                targets.push_back(candidate.target);
        }
        FeatureTable table(features, doubts, *lookup, inversion);
        std::vector<std::vector<Vote>> votes_of(targets.size());
        std::vector<Candidate> candidates;
        std::vector<CFeaturesMatch> close;
        Ballot ballot;
        for (size_t i = 0; i < targets.size(); ++i) {
            table.match(*index, targets[i], lookup->most_different_bits, close);
            for (const CFeaturesMatch &match : close) {
                add_vote(
                    *index, features[match.feature], alongs[match.feature], match, rarities[match.feature], *lookup,
                    votes_of[i]);
            }
            for (const Vote &vote : votes_of[i]) ballot.add(vote);
            ballot.close(targets[i], candidates);
        }
        std::sort(
            candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) { return a.is_before(b); });
        candidates.resize(std::min(candidates.size(), limit));
        *match_count = *candidate_count = 0;
        for (const Candidate &candidate : candidates) {
            close.clear();
            const auto target = std::find(targets.begin(), targets.end(), candidate.target);
            for (const Vote &vote : votes_of[size_t(target - targets.begin())]) {
                if (candidate.agrees(vote)) close.push_back(vote.match);
            }
            std::sort(close.begin(), close.end(), [](const CFeaturesMatch &a, const CFeaturesMatch &b) {
                if (a.distance != b.distance) return a.distance < b.distance;
                return a.feature != b.feature ? a.feature < b.feature : a.posting < b.posting;
            });
            const int32_t count = int32_t(std::min(close.size(), size_t(capacity - *match_count)));
            std::copy_n(close.begin(), count, matches + *match_count);
            *match_count += count;
            candidate_ends[(*candidate_count)++] = *match_count;
        }
        return CFEATURES_OK;
    });
}
