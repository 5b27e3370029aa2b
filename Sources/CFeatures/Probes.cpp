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

/// How many of the forms are nearer to zero than each; of two that are as near, the first is.
CFEATURES_WIDE void rank(const int16_t *forms, int32_t *ranks) {
    int32_t sizes[CFEATURES_KEY_FORMS];
    for (int bit = 0; bit < CFEATURES_KEY_FORMS; ++bit) {
        sizes[bit] = std::abs(int32_t(forms[bit])) * CFEATURES_KEY_FORMS + bit;
        ranks[bit] = 0;
    }
    for (const int32_t size : sizes) {
        for (int bit = 0; bit < CFEATURES_KEY_FORMS; ++bit) ranks[bit] += size < sizes[bit];
    }
}

} // namespace

Doubts::Doubts(const CFeature &feature) {
    int32_t ranks[CFEATURES_KEY_FORMS];
    rank(feature.key_forms, ranks);
    for (int bit = 0; bit < CFEATURES_KEY_FORMS; ++bit) bits[ranks[bit]] = uint8_t(bit);
}

void find_probes(const Doubts &doubts, int depth, int probe_count, std::vector<uint64_t> &probes) {
    static const FlipOrder order;
    const int flips = std::min(depth, flipped_bits);
    uint64_t flipped[flipped_bits];
    for (int flip = 0, place = 0; flip < flips; ++place) {
        if (doubts.bits[place] < depth) flipped[flip++] = uint64_t(1) << (63 - doubts.bits[place]);
    }
    probes.clear();
    for (const uint8_t set : order.sets) {
        if (int(probes.size()) == probe_count) break;
        if (set >= 1 << flips) continue;
        uint64_t mask = 0;
        for (unsigned rest = set; rest != 0; rest &= rest - 1) mask |= flipped[__builtin_ctz(rest)];
        probes.push_back(mask);
    }
}

} // namespace cfeatures
