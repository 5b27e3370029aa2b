// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "KeyRange.hpp"
#include "Probes.hpp"

#include <cstddef>
#include <vector>

namespace cfeatures {

/// A feature as it is looked up: as it is, or as if light and dark had changed places.
struct Query {
    uint64_t signature[2];
    uint16_t feature;
    uint8_t is_inverse;
    /// Which of the readings are its own.
    uint32_t begin = 0, end = 0;
};

/// Postings that are read one after the other.
struct Reading {
    uint32_t begin, end;
};

/// Which postings some features of a picture are compared with: few, however many there are.
///
/// Keys and postings lie anywhere in memory: what all of these features need is asked for before any of it is read.
class Queries {
public:
    /// How many postings a beginning of a signature may have before it is told apart by more bits, and how many are compared.
    static constexpr uint32_t list_limit = 16;

    std::vector<Query> queries;
    std::vector<Reading> readings;

    Queries(const CFeaturesIndex &index, const CFeaturesLookup &lookup) : index(index), lookup(lookup) {}

    /// Looks up the features `begin` to `end`; each one's queries follow the one's before.
    void look_up(const CFeature *features, const std::vector<Doubts> &doubts, std::size_t begin, std::size_t end);

private:
    const CFeaturesIndex &index;
    const CFeaturesLookup &lookup;
    std::vector<uint64_t> wanted, probes;
    std::vector<int> depths;
    std::vector<KeyRange> ranges;

    void find_ranges();
};

} // namespace cfeatures
