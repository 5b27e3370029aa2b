// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <emmintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Eight numbers at once, in two ways that give the same bits: in registers of 128 bits, which every processor has, or of
// 256. A file that is compiled in one of these ways defines CRAYCAST_WAY, the namespace of what it compiles, and
// CRAYCAST_IS_WIDE. Nothing is contracted to fused operations, which not every processor has.
#pragma STDC FP_CONTRACT OFF
// No such vector is ever passed by value, but to what becomes a part of its caller.
#pragma clang diagnostic ignored "-Wpsabi"

#define CRAYCAST_INLINE inline __attribute__((always_inline))

namespace CRAYCAST_WAY {

constexpr size_t laneCount = 8;
using Floats = float __attribute__((vector_size(4 * laneCount)));
using Ints = int32_t __attribute__((vector_size(4 * laneCount)));
using Shorts = int16_t __attribute__((vector_size(4 * laneCount)));
/// Half as many numbers of twice the size.
using Doubles = double __attribute__((vector_size(4 * laneCount)));

CRAYCAST_INLINE Floats every(float v) { return Floats{v, v, v, v, v, v, v, v}; }
CRAYCAST_INLINE Ints every(int32_t v) { return Ints{v, v, v, v, v, v, v, v}; }

template <class Lanes, class Number> CRAYCAST_INLINE Lanes load(const Number *from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

template <class Lanes, class Number> CRAYCAST_INLINE void store(const Lanes &lanes, Number *to) {
    std::memcpy(to, &lanes, sizeof lanes);
}

/// The first `count` numbers at most.
template <class Lanes, class Number> CRAYCAST_INLINE void store(const Lanes &lanes, size_t count, Number *to) {
    if (count * sizeof *to >= sizeof lanes)
        store(lanes, to);
    else
        std::memcpy(to, &lanes, count * sizeof *to);
}

CRAYCAST_INLINE Floats toFloats(const Ints &v) { return __builtin_convertvector(v, Floats); }
/// Rounded towards zero.
CRAYCAST_INLINE Ints truncated(const Floats &v) { return __builtin_convertvector(v, Ints); }
CRAYCAST_INLINE Floats root(const Floats &v) { return __builtin_elementwise_sqrt(v); }
CRAYCAST_INLINE Floats magnitude(const Floats &v) { return Floats(Ints(v) & every(0x7fffffff)); }
CRAYCAST_INLINE bool isAny(const Ints &mask) { return __builtin_reduce_or(mask) != 0; }

/// A lane in all lanes of its half.
template <int lane> CRAYCAST_INLINE Ints spread(const Ints &v) {
    return __builtin_shufflevector(v, v, lane, lane, lane, lane, lane + 4, lane + 4, lane + 4, lane + 4);
}

/// By turns the numbers of one vector and of another, out of the first half of each half, or out of the second.
CRAYCAST_INLINE Shorts firstByTurns(const Shorts &a, const Shorts &b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27);
}
CRAYCAST_INLINE Shorts secondByTurns(const Shorts &a, const Shorts &b) {
    return __builtin_shufflevector(a, b, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31);
}

template <class Lanes> CRAYCAST_INLINE Lanes join(__m128i first, __m128i second) {
    return Lanes(__builtin_shufflevector(first, second, 0, 1, 2, 3));
}

// What only the processor's own operations do.
#if CRAYCAST_IS_WIDE

/// The greater of two numbers; the second one if one of them is no number.
CRAYCAST_INLINE Floats greater(const Floats &a, const Floats &b) { return _mm256_max_ps(a, b); }
/// The lesser, likewise.
CRAYCAST_INLINE Floats lesser(const Floats &a, const Floats &b) { return _mm256_min_ps(a, b); }
/// Rounded to the nearest whole number.
CRAYCAST_INLINE Ints rounded(const Floats &v) { return Ints(_mm256_cvtps_epi32(v)); }
/// The products of numbers of sixteen bits, two neighbours' in sum.
CRAYCAST_INLINE Ints products(const Ints &a, const Ints &b) {
    return Ints(_mm256_madd_epi16((__m256i)a, (__m256i)b));
}
/// A bit for each lane of a mask.
CRAYCAST_INLINE int bitsOf(const Ints &mask) { return _mm256_movemask_ps((__m256)mask); }

#else

CRAYCAST_INLINE __m128 first(const Floats &v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
CRAYCAST_INLINE __m128 second(const Floats &v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }
CRAYCAST_INLINE __m128i first(const Ints &v) { return (__m128i)__builtin_shufflevector(v, v, 0, 1, 2, 3); }
CRAYCAST_INLINE __m128i second(const Ints &v) { return (__m128i)__builtin_shufflevector(v, v, 4, 5, 6, 7); }
CRAYCAST_INLINE Floats join(__m128 a, __m128 b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7); }

CRAYCAST_INLINE Floats greater(const Floats &a, const Floats &b) {
    return join(_mm_max_ps(first(a), first(b)), _mm_max_ps(second(a), second(b)));
}
CRAYCAST_INLINE Floats lesser(const Floats &a, const Floats &b) {
    return join(_mm_min_ps(first(a), first(b)), _mm_min_ps(second(a), second(b)));
}
CRAYCAST_INLINE Ints rounded(const Floats &v) {
    return join<Ints>(_mm_cvtps_epi32(first(v)), _mm_cvtps_epi32(second(v)));
}
CRAYCAST_INLINE Ints products(const Ints &a, const Ints &b) {
    return join<Ints>(_mm_madd_epi16(first(a), first(b)), _mm_madd_epi16(second(a), second(b)));
}
CRAYCAST_INLINE int bitsOf(const Ints &mask) {
    return _mm_movemask_ps((__m128)first(mask)) | _mm_movemask_ps((__m128)second(mask)) << 4;
}

#endif

/// Eight vectors, coordinate by coordinate.
struct VectorLanes {
    Floats x;
    Floats y;
    Floats z;
};

CRAYCAST_INLINE Floats dot(const float *functional, const VectorLanes &v) {
    return every(functional[0]) * v.x + every(functional[1]) * v.y + every(functional[2]) * v.z;
}

}  // namespace CRAYCAST_WAY
