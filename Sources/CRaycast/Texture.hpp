// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CRaycast.h"

#include <emmintrin.h>

/// Compiles a function twice, and lets the processor choose. With AVX the same operations on the same four numbers take
/// fewer instructions; nothing is contracted, so that both give the same bits.
#define CRAYCAST_FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
/// What must become part of such a function.
#define CRAYCAST_INLINE inline __attribute__((always_inline))

/// What four pixels cover of a texture: four `CRaycastFootprint`s, quantity by quantity.
struct FootprintLanes {
    __m128 x;
    __m128 y;
    __m128 columnX;
    __m128 columnY;
    __m128 rowX;
    __m128 rowY;
};

/// Up to eight probes in a row for each of four pixels.
struct ProbeLanes {
    /// The first one's place and the way to the next, in texels of the finest level.
    __m128 x;
    __m128 y;
    __m128 stepX;
    __m128 stepY;
    __m128i count;
    /// How wide each probe is, in the same texels: at least one, and not wider than the coarsest level's.
    __m128 width;

    ProbeLanes(const FootprintLanes &footprint, int levelCount);
};

/// The levels at which four pixels look at a texture, each at its own, and their next probes there.
class LevelLanes {
public:
    LevelLanes() = default;

    /// The levels with these first texels and sizes, `scale` times as many texels as the finest has. Of its probes' light
    /// each pixel takes a part of that `weight`; where this is zero there need be no level.
    LevelLanes(
        __m128i firstTexel, __m128i width, __m128i height, __m128 scale, __m128i weight, const ProbeLanes &probes);

    /// Goes on to the next probes; those that are not `live` have no light.
    void goOn(__m128i live);

    /// Asks memory for the probes' texels.
    void fetch(const uint8_t *texels) const;

    /// Adds the probes' weighed light.
    void addLight(const uint8_t *texels, __m128i sums[4]) const;

private:
    __m128i firstTexel;
    __m128i width;
    /// Of a row and a column of texels make a place.
    __m128i columnAndRow;
    __m128 lastX;
    __m128 lastY;
    __m128i weight;
    __m128i hasWeight;
    __m128 x;
    __m128 y;
    __m128 stepX;
    __m128 stepY;
    /// The texel up and to the left of each probe, and the weights of it and the one below, and of those to their right.
    __m128i place;
    __m128i left;
    __m128i right;

    template <int lane> __m128i light(const uint8_t *texels) const;
};

/// How four pixels look at a texture. Memory takes its time, so that it is worth while to prepare a few looks before the
/// first of them is finished.
class TextureLook {
public:
    /// Finds out which texels the pixels see, and asks memory for the first.
    void prepare(const CRaycastTexture &texture, const FootprintLanes &footprints);

    /// Writes what `craycast_sample` does for the first `count` of the pixels.
    void finish(size_t count, float (*light)[4]);

private:
    const uint8_t *texels;
    __m128i counts;
    int mostCount;
    bool isBlended;
    LevelLanes fine;
    LevelLanes coarse;
};
