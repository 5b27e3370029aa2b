// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Which postings begin as a signature does.

#include "KeyRange.hpp"

#include <algorithm>

namespace cfeatures {

KeyRange::KeyRange(const CFeaturesIndex &index, uint64_t wanted) : wanted(wanted) {
    const uint64_t key = wanted >> (64 - index.key_bits);
    begin = std::min(index.starts[key], index.posting_count);
    end = std::max(begin, std::min(index.starts[key + 1], index.posting_count));
    place = begin;
}

int KeyRange::depth(const CFeaturesIndex &index, uint32_t most) const {
    int depth = index.key_bits;
    if (size() <= most) return depth;
    const uint32_t reach = most / 2;
    const auto exclude = [&](const CFeaturesPosting &posting) {
        const uint64_t difference = wanted ^ posting.signature[0];
        depth = std::max(depth, difference == 0 ? 64 : __builtin_clzll(difference) + 1);
    };
    if (place - begin > reach) exclude(index.postings[place - reach - 1]);
    if (end - place > reach) exclude(index.postings[place + reach]);
    return std::min(depth, CFEATURES_KEY_FORMS);
}

uint32_t KeyRange::reading_start(const CFeaturesIndex &index, int depth, uint32_t most) const {
    const auto begins_so = [&](uint32_t posting) {
        return (index.postings[posting].signature[0] ^ wanted) >> (64 - depth) == 0;
    };
    uint32_t after = 0, before = 0;
    while (after < most / 2 && place + after < end && begins_so(place + after)) ++after;
    while (before < most - after && place - before > begin && begins_so(place - before - 1)) ++before;
    return place - before;
}

void find_places(const CFeaturesIndex &index, std::vector<KeyRange> &ranges, uint32_t most) {
    struct Half {
        KeyRange *range;
        uint32_t end;

        uint32_t middle() const { return range->place + (end - range->place) / 2; }
    };
    std::vector<Half> halves;
    for (KeyRange &range : ranges) {
        if (range.size() <= most) continue;
        halves.push_back({&range, range.end});
        __builtin_prefetch(&index.postings[halves.back().middle()]);
    }
    while (!halves.empty()) {
        size_t left = 0;
        for (Half half : halves) {
            const uint32_t middle = half.middle();
            if (index.postings[middle].signature[0] < half.range->wanted) {
                half.range->place = middle + 1;
            } else {
                half.end = middle;
            }
            if (half.range->place >= half.end) continue;
            __builtin_prefetch(&index.postings[half.middle()]);
            halves[left++] = half;
        }
        halves.resize(left);
    }
}

} // namespace cfeatures
