// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What every function of the façade does around its work: buffers are checked, seen as Eigen's types, and no exception
// leaves.

#pragma once

#include "CSolve.h"

#include <cstddef>
#include <cstdint>
#include <eigen3/Eigen/Core>
#include <new>

namespace csolve {

/// The alignment that the header promises for 4×4 matrices and poses, in bytes.
constexpr std::size_t vector_alignment = 16;

/// Lets products add in the order of one machine on every machine: Eigen cuts long sums by the processor's caches.
inline void fix_order_of_sums() {
    static const bool is_fixed = (Eigen::setCpuCacheSizes(32 << 10, 256 << 10, 2 << 20), true);
    static_cast<void>(is_fixed);
}

/// Runs `work`, which returns a status, and turns whatever it throws into one.
template <typename Work> CSolveStatus guarded(Work &&work) noexcept {
    fix_order_of_sums();
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return CSOLVE_OUT_OF_MEMORY;
    } catch (...) {
        return CSOLVE_FAILED;
    }
}

/// Whether a buffer of that many elements is there and begins at a multiple of `alignment` bytes.
inline bool is_buffer(const void *buffer, int64_t count, std::size_t alignment = alignof(double)) {
    if (count < 0) return false;
    return count == 0 || (buffer != nullptr && reinterpret_cast<std::uintptr_t>(buffer) % alignment == 0);
}

/// Square matrices one after the other, seen in the caller's memory.
template <int Size> struct Matrices {
    static constexpr bool is_aligned = Size == 4;
    static constexpr int map_options = is_aligned ? Eigen::Aligned16 : Eigen::Unaligned;
    using Matrix = Eigen::Matrix<double, Size, Size>;

    static bool is_batch(const double *numbers, int64_t count) {
        return is_buffer(numbers, count, is_aligned ? vector_alignment : alignof(double));
    }
    static Eigen::Map<const Matrix, map_options> at(const double *numbers, int64_t index) {
        return Eigen::Map<const Matrix, map_options>(numbers + index * Size * Size);
    }
    static Eigen::Map<Matrix, map_options> at(double *numbers, int64_t index) {
        return Eigen::Map<Matrix, map_options>(numbers + index * Size * Size);
    }
};

} // namespace csolve
