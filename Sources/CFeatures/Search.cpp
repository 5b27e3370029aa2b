// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Which targets have most in common with a picture.

#include "Forms.hpp"
#include "ScaleSpace.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

constexpr int flipped_bits = 8;

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

/// What targets have gathered.
struct Votes {
    std::vector<float> sums;
    /// The last feature that voted for a target, and how much: of its matches only the best counts.
    std::vector<int32_t> last_feature;
    std::vector<float> last_weight;

    explicit Votes(size_t count) : sums(count, 0), last_feature(count, -1), last_weight(count, 0) {}

    void add(uint32_t target, int32_t feature, float weight) {
        if (last_feature[target] == feature) {
            if (weight <= last_weight[target]) return;
            sums[target] += weight - last_weight[target];
        } else {
            sums[target] += weight;
        }
        last_feature[target] = feature;
        last_weight[target] = weight;
    }
};

/// Leaves of one feature's matches the two nearest of each target: a print that repeats itself would crowd out the rest.
void keep_nearest(std::vector<CFeaturesMatch> &matches, size_t begin) {
    const auto first = matches.begin() + std::ptrdiff_t(begin);
    std::sort(first, matches.end(), [](const CFeaturesMatch &a, const CFeaturesMatch &b) {
        if (a.target != b.target) return a.target < b.target;
        return a.distance != b.distance ? a.distance < b.distance : a.posting < b.posting;
    });
    auto kept = first;
    int count = 0;
    for (auto match = first; match != matches.end(); ++match) {
        count = match != first && match->target == (kept - 1)->target ? count + 1 : 1;
        if (count <= 2) *kept++ = *match;
    }
    matches.erase(kept, matches.end());
}

/// Looks one feature up; `is_inverse` as if light and dark had changed places. Hardware counts the bits where the compiler
/// may say so; the answer is the same.
#if defined(__x86_64__) && !defined(__POPCNT__)
__attribute__((target("popcnt")))
#endif
void look_up_feature(
    const CFeaturesIndex &index, const CFeature &feature, int number, bool is_inverse, const std::vector<uint32_t> &probes,
    int most_different_bits, std::vector<CFeaturesMatch> &matches) {
    static const Inversion inversion;
    const uint64_t first = feature.signature[0] ^ (is_inverse ? inversion.words[0] : 0);
    const uint64_t second = feature.signature[1] ^ (is_inverse ? inversion.words[1] : 0);
    const uint32_t mask = (uint32_t(1) << index.key_bits) - 1;
    for (const uint32_t probe : probes) {
        const uint32_t key = (uint32_t(first) ^ probe) & mask;
        const uint32_t end = std::min(index.starts[key + 1], index.posting_count);
        for (uint32_t i = index.starts[key]; i < end; ++i) {
            const CFeaturesPosting &posting = index.postings[i];
            const int distance =
                __builtin_popcountll(first ^ posting.signature[0]) + __builtin_popcountll(second ^ posting.signature[1]);
            if (distance > most_different_bits || posting.target >= index.target_count) continue;
            matches.push_back({posting.target, i, uint16_t(number), uint8_t(distance), uint8_t(is_inverse)});
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
    CFeaturesMatch *matches, int32_t capacity, int32_t *match_count) {
    if (!index || !lookup || !match_count || !index->starts || (index->posting_count > 0 && !index->postings) ||
        index->key_bits < 1 || index->key_bits > CFEATURES_KEY_BITS || feature_count < 0 || feature_count > 65535 ||
        (feature_count > 0 && !features) || capacity < 0 || (capacity > 0 && !matches) || lookup->probe_count < 1 ||
        lookup->most_different_bits < 0 || lookup->most_different_bits > CFEATURES_SIGNATURE_BITS ||
        lookup->candidate_limit < 0)
        return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        std::vector<CFeaturesMatch> all;
        std::vector<uint32_t> probes;
        Votes votes(index->target_count);
        const float reach = float(lookup->most_different_bits + 4);
        for (int number = 0; number < feature_count; ++number) {
            find_probes(features[number], index->key_bits, lookup->probe_count, probes);
            const size_t begin = all.size();
            look_up_feature(*index, features[number], number, false, probes, lookup->most_different_bits, all);
            if (lookup->with_inverse)
                look_up_feature(*index, features[number], number, true, probes, lookup->most_different_bits, all);
            keep_nearest(all, begin);
            // What looks like many targets says little of each.
            const float rarity = 1 / std::sqrt(float(all.size() - begin) + 1);
            for (size_t i = begin; i < all.size(); ++i) {
                const float closeness = 1 - float(all[i].distance) / reach;
                votes.add(all[i].target, number, closeness * closeness * rarity);
            }
        }
        std::vector<uint32_t> candidates;
        for (uint32_t target = 0; target < index->target_count; ++target) {
            if (votes.sums[target] > 0) candidates.push_back(target);
        }
        const size_t count = std::min(candidates.size(), size_t(lookup->candidate_limit));
        std::partial_sort(
            candidates.begin(), candidates.begin() + std::ptrdiff_t(count), candidates.end(), [&](uint32_t a, uint32_t b) {
                return votes.sums[a] != votes.sums[b] ? votes.sums[a] > votes.sums[b] : a < b;
            });
        std::vector<int32_t> rank(index->target_count, -1);
        for (size_t i = 0; i < count; ++i) rank[candidates[i]] = int32_t(i);
        const auto dropped =
            std::remove_if(all.begin(), all.end(), [&](const CFeaturesMatch &m) { return rank[m.target] < 0; });
        all.erase(dropped, all.end());
        std::sort(all.begin(), all.end(), [&](const CFeaturesMatch &a, const CFeaturesMatch &b) {
            if (a.target != b.target) return rank[a.target] < rank[b.target];
            if (a.distance != b.distance) return a.distance < b.distance;
            if (a.feature != b.feature) return a.feature < b.feature;
            return a.posting < b.posting;
        });
        *match_count = int32_t(std::min(all.size(), size_t(capacity)));
        std::copy_n(all.begin(), *match_count, matches);
        return CFEATURES_OK;
    });
}
