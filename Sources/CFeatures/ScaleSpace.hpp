// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// A picture at growing smoothness, in 16 bits: one grey level is 1 << light_shift.

#pragma once

#include "CFeatures.h"
#include "Rounding.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

// Wider instructions give the same bits, and are taken where the machine has them: what is marked so works on whole
// numbers, or on floats one by one or in lanes whose number the source fixes, and Rounding.hpp keeps products apart from sums.
#if defined(__x86_64__) && defined(__linux__)
#define CFEATURES_WIDE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define CFEATURES_WIDE
#endif

namespace cfeatures {

using std::size_t;

constexpr int light_shift = 7;
/// Scales in each octave: three on which features are looked for, one before and two behind.
constexpr int scale_count = 6;
constexpr int searched_scale_count = 3;
constexpr int most_octaves = 6;
constexpr float first_sigma = 1.6f;

/// Memory that begins where a line of the cache does: wide instructions take twice as long where they meet two lines.
template <typename Value> struct LineAllocator {
    using value_type = Value;
    static constexpr std::align_val_t alignment{64};

    LineAllocator() = default;
    template <typename Other> LineAllocator(const LineAllocator<Other> &) {}

    Value *allocate(size_t count) { return static_cast<Value *>(::operator new(count * sizeof(Value), alignment)); }
    void deallocate(Value *values, size_t) { ::operator delete(values, alignment); }

    template <typename Other> bool operator==(const LineAllocator<Other> &) const { return true; }
    template <typename Other> bool operator!=(const LineAllocator<Other> &) const { return false; }
};

template <typename Value> using Lines = std::vector<Value, LineAllocator<Value>>;

/// So many values of 16 bits, and as many more as fill the last line of the cache.
constexpr int whole_lines(int count) { return (count + 31) & ~31; }

/// One picture of the scale space. Each row has room before and behind it, for what smooths it.
struct Plane {
    static constexpr int room = 32;
    int width = 0, height = 0, stride = 0;

    void resize(int new_width, int new_height) {
        width = new_width;
        height = new_height;
        stride = whole_lines(width + 2 * room);
        light.resize(size_t(stride) * size_t(height));
    }
    const uint16_t *row(int y) const { return light.data() + size_t(y) * size_t(stride) + room; }
    uint16_t *row(int y) { return light.data() + size_t(y) * size_t(stride) + room; }

    /// Continues a row's ends into the room beside them.
    void continue_row(int y) {
        uint16_t *ends = row(y);
        std::fill_n(ends - room, room, ends[0]);
        std::fill_n(ends + width, room, ends[width - 1]);
    }

private:
    Lines<uint16_t> light;
};

/// A place in the scale space, as it was found.
struct Extremum {
    int octave, scale;
    /// In the octave's pixels, and in scales of the octave.
    float x, y, fine_scale;
    float strength;
};

/// Runs `work`, which returns a status, and turns a lack of memory into one.
template <typename Work> CFeaturesStatus guarded(Work &&work) noexcept {
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return CFEATURES_OUT_OF_MEMORY;
    } catch (...) {
        return CFEATURES_INVALID_ARGUMENT;
    }
}

} // namespace cfeatures

struct CFeaturesScaleSpace {
    int octave_count = 0;
    /// How often the picture was halved before the first octave.
    int halvings = 0;
    std::array<std::array<cfeatures::Plane, cfeatures::scale_count>, cfeatures::most_octaves> planes;
    cfeatures::Plane halved;
    /// Rows from which each plane is being made.
    std::array<cfeatures::Lines<uint16_t>, cfeatures::scale_count> recent;
    std::vector<cfeatures::Extremum> extrema;

    /// How large an octave's pixel is in the picture's.
    float pixel_size(int octave) const { return float(1 << (octave + halvings)); }
};
