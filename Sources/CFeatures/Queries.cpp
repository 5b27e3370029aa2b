// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Which postings of an index a picture's features are compared with.

#include "Queries.hpp"

#include <algorithm>

namespace cfeatures {
namespace {

/// How many postings are read where those of removed targets, which are not compared, lie among them.
constexpr uint32_t reading_limit = 4 * Queries::list_limit;

} // namespace

void Queries::look_up(const CFeature *features, const std::vector<Doubts> &doubts, size_t begin, size_t end) {
    static const Inversion inversion;
    queries.clear();
    wanted.clear();
    for (size_t number = begin; number < end; ++number) {
        const uint64_t *own = features[number].signature;
        queries.push_back({{own[0], own[1]}, uint16_t(number), 0});
        if (!lookup.with_inverse) continue;
        queries.push_back({{own[0] ^ inversion.words[0], own[1] ^ inversion.words[1]}, uint16_t(number), 1});
    }
    for (const Query &query : queries) wanted.push_back(query.signature[0]);
    find_ranges();
    depths.clear();
    for (const KeyRange &range : ranges) depths.push_back(range.depth(index, list_limit));
    wanted.clear();
    for (size_t i = 0; i < queries.size(); ++i) {
        Query &query = queries[i];
        // The likeliest targets are compared once more: a third of the probes will do; of inverse prints, which are rare, a
        // third of these.
        const int count = (lookup.probe_count + 2) / 3;
        find_probes(doubts[query.feature], depths[i], query.is_inverse ? (count + 2) / 3 : count, probes);
        query.begin = uint32_t(wanted.size());
        for (const uint64_t probe : probes) wanted.push_back(query.signature[0] ^ probe);
        query.end = uint32_t(wanted.size());
    }
    find_ranges();
    readings.clear();
    for (size_t i = 0; i < queries.size(); ++i) {
        for (uint32_t k = queries[i].begin; k < queries[i].end; ++k) {
            const KeyRange &range = ranges[k];
            const bool is_long = range.size() > list_limit;
            const uint32_t start = is_long ? range.reading_start(index, depths[i], list_limit) : range.begin;
            readings.push_back({start, std::min(range.end, start + reading_limit)});
        }
    }
}

void Queries::find_ranges() {
    for (const uint64_t signature : wanted) __builtin_prefetch(&index.starts[signature >> (64 - index.key_bits)]);
    ranges.clear();
    for (const uint64_t signature : wanted) {
        ranges.emplace_back(index, signature);
        if (ranges.back().begin < index.posting_count) {
            __builtin_prefetch(&index.postings[ranges.back().begin]);
            __builtin_prefetch(&index.postings[ranges.back().begin] + 2);
        }
    }
    find_places(index, ranges, list_limit);
}

} // namespace cfeatures
