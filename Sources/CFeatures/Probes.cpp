// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Probes.hpp"

#include "Forms.hpp"
#include "ScaleSpace.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace cfeatures {
namespace {

constexpr int flipped_bits = 6;

/// Sets of the most doubtful bits, one bit for each, the likeliest to have flipped first. Of n forms whose squares are
/// compared, the k-th smallest is about (k / n)² of the largest (Lv et al. 2007, section 4.5): so the order is known before.
struct FlipOrder {
    std::array<uint8_t, 1 << flipped_bits> sets;

    FlipOrder() {
        const auto cost = [](int set) {
            int sum = 0;
            for (int k = 0; k < flipped_bits; ++k) sum += (set >> k & 1) * (k + 1) * (k + 1);
            return sum;
        };
        for (int set = 0; set < 1 << flipped_bits; ++set) sets[size_t(set)] = uint8_t(set);
        std::sort(sets.begin(), sets.end(), [&](int a, int b) { return cost(a) != cost(b) ? cost(a) < cost(b) : a < b; });
    }
};

} // namespace

Inversion::Inversion() {
    for (int bit = 0; bit < CFEATURES_SIGNATURE_BITS; ++bit) {
        const int field = form_order[bit].index / 8;
        if ((field / 4 + field % 4) % 2 == 1) words[bit / 64] |= uint64_t(1) << (63 - bit % 64);
    }
}

namespace {

/// The most doubtful of the first forms, in their order: their sizes, with their bits below; returns how many.
CFEATURES_WIDE int find_doubts(const CFeature &feature, int depth, int32_t *doubts) {
    constexpr int32_t none = INT32_MAX;
    int32_t sizes[CFEATURES_KEY_FORMS];
    for (int bit = 0; bit < CFEATURES_KEY_FORMS; ++bit) {
        const int32_t size = std::abs(int32_t(feature.key_forms[bit])) * CFEATURES_KEY_FORMS + bit;
        sizes[bit] = bit < depth ? size : none;
    }
    const int count = std::min(depth, flipped_bits);
    for (int place = 0; place < count; ++place) {
        int32_t least = none;
        for (const int32_t size : sizes) least = size < least ? size : least;
        doubts[place] = least;
        sizes[least % CFEATURES_KEY_FORMS] = none;
    }
    return count;
}

} // namespace

void find_probes(const CFeature &feature, int depth, int probe_count, std::vector<uint64_t> &probes) {
    static const FlipOrder order;
    int32_t doubts[flipped_bits];
    const int flips = find_doubts(feature, depth, doubts);
    probes.clear();
    for (const uint8_t set : order.sets) {
        if (int(probes.size()) == probe_count) break;
        if (set >= 1 << flips) continue;
        uint64_t mask = 0;
        for (unsigned rest = set; rest != 0; rest &= rest - 1) {
            mask |= uint64_t(1) << (63 - doubts[__builtin_ctz(rest)] % CFEATURES_KEY_FORMS);
        }
        probes.push_back(mask);
    }
}

} // namespace cfeatures
