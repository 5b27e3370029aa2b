// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "FeatureTable.hpp"

#include <algorithm>

namespace cfeatures {
namespace {

/// By how many bits of their signatures features are laid into buckets, and what is left of a word.
constexpr int bucket_bits = 12, shift = 64 - bucket_bits;

/// Compares a target's postings with the looks of their buckets: those whose first bits agree.
CFEATURES_COUNTING void match_target(
    const CFeaturesIndex &index, uint32_t target, const Look *looks, const uint32_t *buckets, const uint32_t *numbers,
    int most_different_bits, Pair *nearest) {
    constexpr uint32_t ahead = 12;
    const uint32_t begin = index.target_starts[target], end = index.target_starts[target + 1];
    for (uint32_t i = begin; i < end; ++i) {
        if (i + ahead < end && index.places[i + ahead] < index.posting_count) {
            __builtin_prefetch(&index.postings[index.places[i + ahead]]);
        }
        const uint32_t place = index.places[i];
        if (place >= index.posting_count) continue;
        const CFeaturesPosting &posting = index.postings[place];
        if (posting.target != target) continue;
        const uint64_t bucket = posting.signature[0] >> shift;
        for (uint32_t k = buckets[bucket]; k < buckets[bucket + 1]; ++k) {
            const Look &look = looks[numbers[k]];
            const int distance = __builtin_popcountll(look.signature[0] ^ posting.signature[0]) +
                                 __builtin_popcountll(look.signature[1] ^ posting.signature[1]);
            if (distance > most_different_bits) continue;
            nearest[look.feature].add({target, place, look.feature, uint8_t(distance), look.is_inverse});
        }
    }
}

} // namespace

FeatureTable::FeatureTable(
    const CFeature *features, const std::vector<Doubts> &doubts, const CFeaturesLookup &lookup,
    const Inversion &inversion)
    : buckets((size_t(1) << bucket_bits) + 1), nearest(doubts.size()) {
    std::vector<uint16_t> bucket_of;
    std::vector<uint64_t> probes;
    std::vector<uint32_t> look_of;
    const size_t most = doubts.size() * size_t(lookup.probe_count + (lookup.probe_count + 2) / 3);
    bucket_of.reserve(most);
    look_of.reserve(most);
    looks.reserve(2 * doubts.size());
    const auto add = [&](const Look &look) {
        for (const uint64_t probe : probes) {
            const uint16_t bucket = uint16_t((look.signature[0] ^ probe) >> shift);
            ++buckets[size_t(bucket) + 1];
            bucket_of.push_back(bucket);
            look_of.push_back(uint32_t(looks.size()));
        }
        looks.push_back(look);
    };
    for (size_t number = 0; number < doubts.size(); ++number) {
        const uint64_t *own = features[number].signature;
        find_probes(doubts[number], bucket_bits, lookup.probe_count, probes);
        add({{own[0], own[1]}, uint16_t(number), 0});
        if (!lookup.with_inverse) continue;
        probes.resize((probes.size() + 2) / 3);
        add({{own[0] ^ inversion.words[0], own[1] ^ inversion.words[1]}, uint16_t(number), 1});
    }
    for (size_t i = 1; i < buckets.size(); ++i) buckets[i] += buckets[i - 1];
    numbers.resize(look_of.size());
    std::vector<uint32_t> next(buckets);
    for (size_t i = 0; i < look_of.size(); ++i) numbers[next[bucket_of[i]]++] = look_of[i];
}

void FeatureTable::match(
    const CFeaturesIndex &index, uint32_t target, int most_different_bits, std::vector<CFeaturesMatch> &matches) {
    for (Pair &pair : nearest) pair.count = 0;
    match_target(index, target, looks.data(), buckets.data(), numbers.data(), most_different_bits, nearest.data());
    matches.clear();
    for (const Pair &pair : nearest) matches.insert(matches.end(), pair.matches, pair.matches + pair.count);
}

} // namespace cfeatures
