// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Which targets have most in common with a picture.
//
// Features are looked up in the index, each among few postings, however many targets there are: what looks like many of them
// says little of each. The likeliest targets are then compared with all features of the picture, which says where they are.

#include "FeatureTable.hpp"
#include "Matches.hpp"
#include "Probes.hpp"
#include "ScaleSpace.hpp"
#include "Votes.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

/// How many postings a beginning of a signature may have before it is told apart by more bits, and how many are compared.
constexpr uint32_t list_limit = 16;
/// How many postings are read where those of removed targets, which are not compared, lie among them.
constexpr uint32_t reading_limit = 4 * list_limit;
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

/// The first posting of a range whose signature's beginning is not below another's.
uint32_t lower_bound(const CFeaturesIndex &index, uint32_t begin, uint32_t end, uint64_t first) {
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (index.postings[middle].signature[0] < first) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

/// Where to begin reading a range for the postings that share a signature's first bits: at the first of them, or, where they are
/// more than are compared, so that what is compared lies about the signature.
uint32_t reading_start(const CFeaturesIndex &index, uint32_t begin, uint32_t end, uint64_t wanted, int depth) {
    const uint64_t rest = depth < 64 ? ~uint64_t(0) >> depth : 0;
    const uint32_t first = lower_bound(index, begin, end, wanted & ~rest);
    const uint32_t place = lower_bound(index, first, end, wanted);
    if (place - first <= list_limit / 2) return first;
    const uint32_t last = (wanted | rest) == ~uint64_t(0) ? end : lower_bound(index, place, end, (wanted | rest) + 1);
    return last - first <= list_limit ? first : std::min(place - list_limit / 2, last - list_limit);
}

/// How many bits of a signature postings must share with it so that they are at most so many.
int depth_of(const CFeaturesIndex &index, uint64_t first, uint32_t most) {
    const uint64_t key = first >> (64 - index.key_bits);
    const uint32_t begin = index.starts[key], end = std::min(index.starts[key + 1], index.posting_count);
    if (begin >= end || end - begin <= most) return index.key_bits;
    const uint32_t place = lower_bound(index, begin, end, first), reach = most / 2;
    int depth = index.key_bits;
    const auto exclude = [&](const CFeaturesPosting &posting) {
        const uint64_t difference = first ^ posting.signature[0];
        depth = std::max(depth, difference == 0 ? 64 : __builtin_clzll(difference) + 1);
    };
    if (place - begin > reach) exclude(index.postings[place - reach - 1]);
    if (end - place > reach) exclude(index.postings[place + reach]);
    return std::min(depth, CFEATURES_KEY_FORMS);
}

/// Looks one feature up; with an inversion as if light and dark had changed places.
CFEATURES_COUNTING void look_up_feature(
    const CFeaturesIndex &index, const CFeature &feature, int number, const Inversion *inversion,
    const std::vector<uint64_t> &probes, int depth, int most_different_bits, Nearest &nearest) {
    const uint64_t first = feature.signature[0] ^ (inversion ? inversion->words[0] : 0);
    const uint64_t second = feature.signature[1] ^ (inversion ? inversion->words[1] : 0);
    const int shift = 64 - index.key_bits;
    // Keys lie anywhere in memory: what is needed next is asked for before.
    constexpr size_t ahead = 8;
    for (size_t next = 0; next < probes.size() + ahead; ++next) {
        if (next < probes.size()) __builtin_prefetch(&index.starts[(first ^ probes[next]) >> shift]);
        if (next >= ahead / 2 && next - ahead / 2 < probes.size()) {
            const uint32_t start = index.starts[(first ^ probes[next - ahead / 2]) >> shift];
            if (start < index.posting_count) {
                __builtin_prefetch(&index.postings[start]);
                __builtin_prefetch(&index.postings[start] + 2);
            }
        }
        if (next < ahead) continue;
        const uint64_t wanted = first ^ probes[next - ahead];
        const uint32_t key = uint32_t(wanted >> shift);
        uint32_t begin = index.starts[key], end = std::min(index.starts[key + 1], index.posting_count);
        if (begin + list_limit < end) begin = reading_start(index, begin, end, wanted, depth);
        end = std::min(end, begin + reading_limit);
        for (uint32_t i = begin, compared = 0; i < end && compared < list_limit; ++i) {
            const CFeaturesPosting &posting = index.postings[i];
            if (posting.target >= index.target_count) continue;
            ++compared;
            const int distance =
                __builtin_popcountll(first ^ posting.signature[0]) + __builtin_popcountll(second ^ posting.signature[1]);
            if (distance > most_different_bits) continue;
            nearest.add({posting.target, i, uint16_t(number), uint8_t(distance), uint8_t(inversion ? 1 : 0)});
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
    const std::vector<Doubts> &doubts, const CFeaturesLookup &lookup, const Inversion &inversion,
    std::vector<Vote> &votes) {
    std::vector<float> rarities;
    std::vector<uint64_t> probes;
    Nearest nearest(index.target_count);
    // The likeliest targets are compared once more: a third of the probes will do.
    const int probe_count = (lookup.probe_count + 2) / 3;
    for (size_t number = 0; number < doubts.size(); ++number) {
        const CFeature &feature = features[number];
        nearest.begin();
        int depth = depth_of(index, feature.signature[0], list_limit);
        find_probes(doubts[number], depth, probe_count, probes);
        look_up_feature(index, feature, int(number), nullptr, probes, depth, lookup.most_different_bits, nearest);
        if (lookup.with_inverse) {
            // Inverse prints are rare: their likeliest keys must do.
            depth = depth_of(index, feature.signature[0] ^ inversion.words[0], list_limit);
            find_probes(doubts[number], depth, (probe_count + 2) / 3, probes);
            look_up_feature(index, feature, int(number), &inversion, probes, depth, lookup.most_different_bits, nearest);
        }
        // What looks like many targets says little of each.
        rarities.push_back(1 / std::sqrt(float(nearest.matches.size()) + 1));
        keep_nearest(nearest.matches, vote_limit);
        for (const CFeaturesMatch &match : nearest.matches) {
            add_vote(index, feature, alongs[number], match, rarities.back(), lookup, votes);
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
        const std::vector<float> rarities = vote(*index, features, alongs, doubts, *lookup, inversion, votes);
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
