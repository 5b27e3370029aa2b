// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CRaycast.h"
#include "Lanes.hpp"

#include <algorithm>

namespace CRAYCAST_WAY {

constexpr float mostProbes = 8;
/// The weights of a probe's texels are whole numbers with this sum, so that all probes' light fits 31 bits.
constexpr int weightBits = 13;
/// What stands for light 1 after the weighing of one probe.
constexpr float fullLight = 32767.f * (1 << weightBits);
constexpr int mantissaBits = 23;
constexpr int exponentBias = 127;
constexpr ptrdiff_t texelBytes = 4 * sizeof(uint16_t);

/// What eight pixels cover of a texture: eight `CRaycastFootprint`s, quantity by quantity.
struct FootprintLanes {
    Floats x;
    Floats y;
    Floats columnX;
    Floats columnY;
    Floats rowX;
    Floats rowY;
};

/// Up to eight probes in a row for each of eight pixels.
struct ProbeLanes {
    /// The first one's place and the way to the next, in texels of the finest level.
    Floats x;
    Floats y;
    Floats stepX;
    Floats stepY;
    Ints count;
    /// How wide each probe is, in the same texels: at least one, and not wider than the coarsest level's.
    Floats width;

    CRAYCAST_INLINE ProbeLanes(const FootprintLanes &footprint, int levelCount) {
        const Floats one = every(1.f);
        const Floats column = footprint.columnX * footprint.columnX + footprint.columnY * footprint.columnY;
        const Floats row = footprint.rowX * footprint.rowX + footprint.rowY * footprint.rowY;
        const Ints isAlongColumns = column >= row;
        // The order of operands lets what is no number become the second one.
        const Floats longer = greater(root(greater(column, row)), one);
        const Floats shorter = greater(root(lesser(column, row)), one);
        count = truncated(lesser(greater(longer / shorter + every(0.5f), one), every(mostProbes)));
        const Floats numbers = toFloats(count);
        const Floats share = one / numbers;
        width = lesser(greater(shorter, longer * share), every(float(1 << (levelCount - 1))));
        stepX = (isAlongColumns ? footprint.columnX : footprint.rowX) * share;
        stepY = (isAlongColumns ? footprint.columnY : footprint.rowY) * share;
        const Floats back = (numbers - one) * every(0.5f);
        x = footprint.x - back * stepX;
        y = footprint.y - back * stepY;
    }
};

/// The levels at which eight pixels look at a texture, each at its own, and their next probes there.
class LevelLanes {
public:
    LevelLanes() = default;

    /// The levels with these first texels and sizes, `scale` times as many texels as the finest has. Of its probes' light
    /// each pixel takes a part of that `weight`; where this is zero there need be no level.
    CRAYCAST_INLINE LevelLanes(
        const Ints &firstTexel, const Ints &width, const Ints &height, const Floats &scale, const Ints &weight,
        const ProbeLanes &probes)
        : firstTexel(firstTexel), width(width), columnAndRow(width << 16 | every(1)),
          lastX(toFloats(width) - every(1.f)), lastY(toFloats(height) - every(1.f)), weight(weight),
          hasWeight(weight > every(0)), x(probes.x * scale - every(0.5f)), y(probes.y * scale - every(0.5f)),
          stepX(probes.stepX * scale), stepY(probes.stepY * scale) {
        goOn(hasWeight);
    }

    /// Goes on to the next probes; those that are not `live` have no light.
    CRAYCAST_INLINE void goOn(const Ints &live) {
        // Between texels' centres, not outside the first and the last; what is no number becomes zero.
        const Floats insideX = lesser(greater(x, every(0.f)), lastX);
        const Floats insideY = lesser(greater(y, every(0.f)), lastY);
        const Ints column = truncated(lesser(insideX, lastX - every(1.f)));
        const Ints row = truncated(lesser(insideY, lastY - every(1.f)));
        const Floats toTheRight = insideX - toFloats(column);
        const Floats below = insideY - toFloats(row);
        x += stepX;
        y += stepY;

        place = (firstTexel + products(column | row << 16, columnAndRow)) & hasWeight;
        // The two rows share the weight, then each row's two texels share the row's.
        const Ints lower = rounded(below * toFloats(weight));
        const Ints upper = weight - lower;
        const Ints lowerRight = rounded(toTheRight * toFloats(lower));
        const Ints upperRight = rounded(toTheRight * toFloats(upper));
        left = ((upper - upperRight) | (lower - lowerRight) << 16) & live;
        right = (upperRight | lowerRight << 16) & live;
    }

    /// Asks memory for the probes' texels.
    CRAYCAST_INLINE void fetch(const uint8_t *texels) const {
        // The upper texels have mostly been the lower ones of the row of pixels before.
        const Ints below = place + width;
        for (size_t lane = 0; lane < laneCount; ++lane) __builtin_prefetch(texels + texelBytes * ptrdiff_t(below[lane]));
    }

    /// Adds the probes' weighed light: to each sum that of one pixel, and of that four pixels on.
    CRAYCAST_INLINE void addLight(const uint8_t *texels, Ints sums[4]) const {
        sums[0] += light<0>(texels);
        sums[1] += light<1>(texels);
        sums[2] += light<2>(texels);
        sums[3] += light<3>(texels);
    }

private:
    Ints firstTexel;
    Ints width;
    /// Of a row and a column of texels make a place.
    Ints columnAndRow;
    Floats lastX;
    Floats lastY;
    Ints weight;
    Ints hasWeight;
    Floats x;
    Floats y;
    Floats stepX;
    Floats stepY;
    /// The texel up and to the left of each probe, and the weights of it and the one below, and of those to their right.
    Ints place;
    Ints left;
    Ints right;

    /// Two texels that lie side by side.
    static CRAYCAST_INLINE __m128i pair(const uint8_t *texel) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i *>(texel));
    }

    template <int lane> CRAYCAST_INLINE Ints light(const uint8_t *texels) const {
        const uint8_t *one = texels + texelBytes * ptrdiff_t(place[lane]);
        const uint8_t *other = texels + texelBytes * ptrdiff_t(place[lane + 4]);
        const Shorts upper = join<Shorts>(pair(one), pair(other));
        const Shorts lower = join<Shorts>(
            pair(one + texelBytes * ptrdiff_t(width[lane])), pair(other + texelBytes * ptrdiff_t(width[lane + 4])));
        return products(Ints(firstByTurns(upper, lower)), spread<lane>(left))
            + products(Ints(secondByTurns(upper, lower)), spread<lane>(right));
    }
};

/// Where eight pixels put their light.
struct LightPlaces {
    float (*light)[4];
    Ints index;

    CRAYCAST_INLINE float *operator[](size_t lane) const { return light[index[lane]]; }
};

/// The numbers of eight neighbours.
CRAYCAST_INLINE Ints numbersFrom(size_t first) { return every(int32_t(first)) + Ints{0, 1, 2, 3, 4, 5, 6, 7}; }

/// Puts the first lane in the place of those from `count` on.
template <class Lanes> CRAYCAST_INLINE void repeatFirst(Lanes &lanes, size_t count) {
    lanes = numbersFrom(0) < every(int32_t(count)) ? lanes : every(lanes[0]);
}

/// How eight pixels look at a texture. Memory takes its time, so that it is worth while to prepare a few looks before the
/// first of them is finished.
class TextureLook {
public:
    /// Finds out which texels the pixels see, and asks memory for the first.
    CRAYCAST_INLINE void prepare(const CRaycastTexture &texture, const FootprintLanes &footprints) {
        const ProbeLanes probes(footprints, texture.level_count);
        texels = reinterpret_cast<const uint8_t *>(texture.texels);
        counts = probes.count;
        mostCount = __builtin_reduce_max(counts);

        // A number's exponent and its leading bits are a fast and continuous stand-in for the binary logarithm. Two
        // levels blend all the way from one to the other: a shorter blend is faster, and moves the corners of patterns.
        const Ints bits = Ints(probes.width);
        const Ints exponent = bits >> mantissaBits;
        const Ints coarseWeight = (bits & every((1 << mantissaBits) - 1)) >> (mantissaBits - weightBits);
        const Ints fineWeight = every(1 << weightBits) - coarseWeight;
        const Floats scale = Floats((every(2 * exponentBias) - exponent) << mantissaBits);
        isBlended = isAny(coarseWeight);

        const Ints number = exponent - every(exponentBias);
        // Neighbours look mostly at the same level.
        const CRaycastTextureLevel &one = texture.levels[number[0]];
        Ints firstTexel = every(one.first_texel), width = every(int32_t(one.width)), height = every(int32_t(one.height));
        if (isAny(number != every(number[0]))) {
#pragma clang loop unroll(full)
            for (int lane = 1; lane < int(laneCount); ++lane) {
                const CRaycastTextureLevel &level = texture.levels[number[lane]];
                firstTexel[lane] = level.first_texel;
                width[lane] = level.width;
                height[lane] = level.height;
            }
        }
        fine = LevelLanes(firstTexel, width, height, scale, fineWeight, probes);
        fine.fetch(texels);
        if (!isBlended) return;
        coarse = LevelLanes(
            firstTexel + products(width, height), width >> 1, height >> 1, scale * every(0.5f), coarseWeight, probes);
        coarse.fetch(texels);
    }

    /// Writes what `craycast_sample` does, times a factor each. Lanes that nobody asks for repeat the first, and so write
    /// the same there.
    CRAYCAST_INLINE void finish(const Floats &factors, const LightPlaces &light) {
        Ints sums[4] = {};
        add(fine, sums);
        if (isBlended) add(coarse, sums);
        const Floats scales = every(1 / fullLight) / toFloats(counts);
        put<0>(sums, scales, factors, light);
        put<1>(sums, scales, factors, light);
        put<2>(sums, scales, factors, light);
        put<3>(sums, scales, factors, light);
    }

private:
    const uint8_t *texels;
    Ints counts;
    int mostCount;
    bool isBlended;
    LevelLanes fine;
    LevelLanes coarse;

    CRAYCAST_INLINE void add(LevelLanes &level, Ints sums[4]) const {
        level.addLight(texels, sums);
        for (int probe = 1; probe < mostCount; ++probe) {
            level.goOn(counts > every(probe));
            level.addLight(texels, sums);
        }
    }

    template <int lane>
    static CRAYCAST_INLINE void put(
        const Ints sums[4], const Floats &scales, const Floats &factors, const LightPlaces &light) {
        const Floats both = toFloats(sums[lane]) * Floats(spread<lane>(Ints(scales)))
            * Floats(spread<lane>(Ints(factors)));
        const auto *numbers = reinterpret_cast<const float *>(&both);
        std::memcpy(light[lane], numbers, 4 * sizeof *numbers);
        std::memcpy(light[lane + 4], numbers + 4, 4 * sizeof *numbers);
    }
};

CRAYCAST_INLINE void sample(
    const CRaycastTexture *texture, const CRaycastFootprint *footprints, size_t count, float (*light)[4]) {
    for (size_t index = 0; index < count; index += laneCount) {
        const size_t lanes = std::min(laneCount, count - index);
        FootprintLanes together;
        for (size_t lane = 0; lane < laneCount; ++lane) {
            const CRaycastFootprint &footprint = footprints[index + (lane < lanes ? lane : 0)];
            together.x[lane] = footprint.x;
            together.y[lane] = footprint.y;
            together.columnX[lane] = footprint.column_x;
            together.columnY[lane] = footprint.column_y;
            together.rowX[lane] = footprint.row_x;
            together.rowY[lane] = footprint.row_y;
        }
        TextureLook look;
        look.prepare(*texture, together);
        LightPlaces places = {light, numbersFrom(index)};
        repeatFirst(places.index, lanes);
        look.finish(every(1.f), places);
    }
}

}  // namespace CRAYCAST_WAY
