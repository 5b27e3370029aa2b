// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Which targets have most in common with a picture.

#include "Forms.hpp"
#include "ScaleSpace.hpp"
#include "Witness.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

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

/// The masks of the likeliest keys, as exclusive ors with a feature's own key, the likeliest first.
void find_probes(const CFeature &feature, int key_bits, int probe_count, std::vector<uint32_t> &probes) {
    static const FlipOrder order;
    // The forms' sizes, with their bits below.
    std::array<int32_t, CFEATURES_KEY_BITS> doubts;
    for (int bit = 0; bit < key_bits; ++bit) doubts[size_t(bit)] = std::abs(int(feature.key_forms[bit])) * 32 + bit;
    const int flips = std::min(key_bits, flipped_bits);
    std::partial_sort(doubts.begin(), doubts.begin() + flips, doubts.begin() + key_bits);
    std::array<uint32_t, 1 << flipped_bits> masks{};
    for (int set = 1; set < 1 << flips; ++set) {
        masks[size_t(set)] = masks[size_t(set & (set - 1))] | uint32_t(1) << (doubts[size_t(__builtin_ctz(unsigned(set)))] % 32);
    }
    probes.clear();
    for (const uint8_t set : order.sets) {
        if (int(probes.size()) == probe_count) break;
        if (set < 1 << flips) probes.push_back(masks[set]);
    }
}

/// A match with what it says: where the middle of the print is, in cells.
struct Vote {
    CFeaturesMatch match;
    float column, row, weight;
};

constexpr int cells_along = 12, cell_margin = 4, cell_stride = cells_along + 2 * cell_margin;

/// A target at a place, in cells, and how much speaks for it.
struct Candidate {
    uint32_t target;
    int column, row;
    float weight;
};

/// Votes for places of one target: a table of sums over cells.
class Ballot {
public:
    void add(const Vote &vote) {
        // Each vote counts for the four cells around it.
        const int left = int(std::floor(vote.column - 0.5f)), top = int(std::floor(vote.row - 0.5f));
        for (int row = top + cell_margin; row <= top + cell_margin + 1; ++row) {
            for (int column = left + cell_margin; column <= left + cell_margin + 1; ++column) {
                const int cell = row * cell_stride + column;
                if (sums[cell] == 0) touched.push_back(cell);
                sums[cell] += vote.weight;
            }
        }
    }

    /// Appends the best places, no two close to each other, and begins anew.
    void close(uint32_t target, std::vector<Candidate> &candidates) {
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
            const int column = best % cell_stride, row = best / cell_stride;
            candidates.push_back({target, column - cell_margin, row - cell_margin, most});
            least = std::max(least, least_share * most);
            for (int y = std::max(row - 2, 0); y <= std::min(row + 2, cell_stride - 1); ++y) {
                for (int x = std::max(column - 2, 0); x <= std::min(column + 2, cell_stride - 1); ++x) {
                    sums[y * cell_stride + x] = 0;
                }
            }
        }
        for (const int cell : touched) sums[cell] = 0;
        touched.clear();
    }

private:
    float sums[cell_stride * cell_stride] = {};
    std::vector<int> touched;
};

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

    static bool is_nearer(const CFeaturesMatch &a, const CFeaturesMatch &b) {
        return a.distance != b.distance ? a.distance < b.distance : a.posting < b.posting;
    }
};

// Hardware counts the bits where the machine has an instruction for it; the answer is the same.
#if defined(__x86_64__) && defined(__linux__) && !defined(__POPCNT__)
#define CFEATURES_COUNTING __attribute__((target_clones("popcnt", "default")))
#else
#define CFEATURES_COUNTING
#endif

/// Looks one feature up; with an inversion as if light and dark had changed places.
CFEATURES_COUNTING void look_up_feature(
    const CFeaturesIndex &index, const CFeature &feature, int number, const Inversion *inversion,
    const std::vector<uint32_t> &probes, int most_different_bits, Nearest &nearest) {
    const uint64_t first = feature.signature[0] ^ (inversion ? inversion->words[0] : 0);
    const uint64_t second = feature.signature[1] ^ (inversion ? inversion->words[1] : 0);
    const uint32_t mask = (uint32_t(1) << index.key_bits) - 1;
    // Keys lie anywhere in memory: what is needed next is asked for before.
    constexpr size_t ahead = 8;
    for (size_t next = 0; next < probes.size() + ahead; ++next) {
        if (next < probes.size()) __builtin_prefetch(&index.starts[(uint32_t(first) ^ probes[next]) & mask]);
        if (next >= ahead / 2 && next - ahead / 2 < probes.size()) {
            const uint32_t start = index.starts[(uint32_t(first) ^ probes[next - ahead / 2]) & mask];
            if (start < index.posting_count) {
                __builtin_prefetch(&index.postings[start]);
                __builtin_prefetch(&index.postings[start] + 2);
            }
        }
        if (next < ahead) continue;
        const uint32_t key = (uint32_t(first) ^ probes[next - ahead]) & mask;
        const uint32_t end = std::min(index.starts[key + 1], index.posting_count);
        for (uint32_t i = index.starts[key]; i < end; ++i) {
            const CFeaturesPosting &posting = index.postings[i];
            const int distance =
                __builtin_popcountll(first ^ posting.signature[0]) + __builtin_popcountll(second ^ posting.signature[1]);
            if (distance > most_different_bits || posting.target >= index.target_count) continue;
            nearest.add({posting.target, i, uint16_t(number), uint8_t(distance), uint8_t(inversion ? 1 : 0)});
        }
    }
}

/// Adds what a feature's matches say, where that may be.
void vote(
    const CFeaturesIndex &index, const CFeature &feature, const std::vector<CFeaturesMatch> &matches,
    const CFeaturesLookup &lookup, std::vector<Vote> &votes) {
    const double along_x = feature.scale_px * std::cos(double(feature.angle_rad));
    const double along_y = feature.scale_px * std::sin(double(feature.angle_rad));
    const double per_cell = cells_along / lookup.longer_side_px, limit = cells_along + 1.4;
    const float reach = float(lookup.most_different_bits + 4);
    // What looks like many targets says little of each.
    const float rarity = 1 / std::sqrt(float(matches.size()) + 1);
    for (const CFeaturesMatch &match : matches) {
        Witness witness;
        if (!witness.set(index.postings[match.posting], feature, along_x, along_y, match.is_inverse)) continue;
        const double column = witness.middle_x * per_cell, row = witness.middle_y * per_cell;
        if (!(column > -1.4 && row > -1.4 && column < limit && row < limit)) continue;
        if (witness.size < 20 || witness.size > 8 * lookup.longer_side_px) continue;
        const float closeness = 1 - float(match.distance) / reach;
        votes.push_back({match, float(column), float(row), closeness * closeness * rarity});
    }
}

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

/// The likeliest targets and places, the likeliest first.
std::vector<Candidate> find_candidates(
    const std::vector<Vote> &votes, const std::vector<uint32_t> &starts, uint32_t target_count, size_t limit) {
    // Fewer features never agree on a place.
    constexpr uint32_t least_votes = 3;
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
        [](const Candidate &a, const Candidate &b) {
            if (a.weight != b.weight) return a.weight > b.weight;
            if (a.target != b.target) return a.target < b.target;
            return a.row != b.row ? a.row < b.row : a.column < b.column;
        });
    candidates.resize(count);
    return candidates;
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
        Nearest nearest(index->target_count);
        static const Inversion inversion;
        for (int number = 0; number < feature_count; ++number) {
            const CFeature &feature = features[number];
            find_probes(feature, index->key_bits, lookup->probe_count, probes);
            nearest.begin();
            look_up_feature(*index, feature, number, nullptr, probes, lookup->most_different_bits, nearest);
            if (lookup->with_inverse) {
                // Inverse prints are rare: their likeliest keys must do.
                probes.resize((probes.size() + 2) / 3);
                look_up_feature(*index, feature, number, &inversion, probes, lookup->most_different_bits, nearest);
            }
            vote(*index, feature, nearest.matches, *lookup, votes);
        }
        const std::vector<uint32_t> starts = sort_by_target(votes, index->target_count);
        const std::vector<Candidate> candidates =
            find_candidates(votes, starts, index->target_count, size_t(lookup->candidate_limit));
        *match_count = *candidate_count = 0;
        std::vector<CFeaturesMatch> close;
        for (const Candidate &candidate : candidates) {
            close.clear();
            for (uint32_t i = starts[candidate.target]; i < starts[candidate.target + 1]; ++i) {
                if (std::abs(float(candidate.column) + 0.5f - votes[i].column) < 1.6f &&
                    std::abs(float(candidate.row) + 0.5f - votes[i].row) < 1.6f)
                    close.push_back(votes[i].match);
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
