// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Several numbers at once, in sums over matrices.
//
// Every entry is summed up by itself, term after term, rounded after each product and each sum: how many entries a register
// holds changes nothing, so that wider instructions, which are taken where the machine has them, give the same bits.

#pragma once

#include <cstdint>
#include <cstring>

#pragma STDC FP_CONTRACT OFF
// No such vector is ever passed by value, but to what becomes a part of its caller.
#pragma clang diagnostic ignored "-Wpsabi"

#define CSOLVE_INLINE inline __attribute__((always_inline))

#if defined(__x86_64__) && defined(__linux__)
#define CSOLVE_WIDE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define CSOLVE_WIDE
#endif

namespace csolve {

template <int Count> using Lanes = double __attribute__((vector_size(Count * sizeof(double))));

template <int Count> CSOLVE_INLINE Lanes<Count> load(const double *numbers) {
    Lanes<Count> lanes;
    std::memcpy(&lanes, numbers, sizeof lanes);
    return lanes;
}

template <class Lanes> CSOLVE_INLINE void store(const Lanes &lanes, double *numbers) {
    std::memcpy(numbers, &lanes, sizeof lanes);
}

/// Calls `work.variables<Count>(first)` until all variables from 0 to `size` have had their turn, eight at once while there are
/// as many.
template <class Work> CSOLVE_INLINE void for_variables(int32_t size, const Work &work) {
    int32_t first = 0;
    for (; first + 8 <= size; first += 8) work.template variables<8>(first);
    for (; first < size; ++first) work.template variables<1>(first);
}

} // namespace csolve
