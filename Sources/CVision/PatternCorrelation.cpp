// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

// The same answer on every processor.
#pragma STDC FP_CONTRACT OFF

using namespace cvision;

// All places at once where registers hold so many numbers; the answer is the same without.
#if defined(__x86_64__) && defined(__linux__)
#define HOLDS_ALL_PLACES __attribute__((target_clones("avx2", "default")))
#else
#define HOLDS_ALL_PLACES
#endif

// What is built for wide registers must be a part of what uses it.
#define INLINED inline __attribute__((always_inline))

namespace {

constexpr int lanes = CVISION_PATTERN_PLACES;
constexpr int side = CVISION_PATTERN_SIDE;

/// One number for each of the places.
using Floats = float __attribute__((vector_size(4 * lanes)));
using Ints = int32_t __attribute__((vector_size(4 * lanes)));

// Numbers of all places are handed on by reference: how they are by value depends on the processor that is built for.

INLINED void load(const float *numbers, Floats &result) { std::memcpy(&result, numbers, sizeof result); }

/// Whether samples from there on, that far apart in columns and in rows, lie between an axis' outermost pixels: with a little to
/// spare, because places are summed in single precision.
bool are_inside(const float *starts, float by_column, float by_row, int32_t size) {
    if (!std::isfinite(by_column) || !std::isfinite(by_row)) return false;
    constexpr float last = side - 1;
    const float spare = 0.005f + 1e-6f * static_cast<float>(size);
    const float low = std::min(0.f, last * by_column) + std::min(0.f, last * by_row) - spare;
    const float high = std::max(0.f, last * by_column) + std::max(0.f, last * by_row) + spare;
    for (int lane = 0; lane < lanes; ++lane) {
        if (!(starts[lane] + low >= 0) || !(starts[lane] + high <= static_cast<float>(size - 1))) return false;
    }
    return true;
}

/// What lies between pixels at one column and the next, by how far to the right of the first.
INLINED void load_along(const uint16_t *pixels, const Ints &indices, const Floats &right, Floats &value) {
    Ints pairs;
    for (int lane = 0; lane < lanes; ++lane) {
        int32_t pair;
        std::memcpy(&pair, pixels + indices[lane], sizeof pair);
        pairs[lane] = pair;
    }
    const Floats first = __builtin_convertvector(pairs & 0xffff, Floats);
    const Floats second = __builtin_convertvector((pairs >> 16) & 0xffff, Floats);
    value = first + right * (second - first);
}

/// What lies between the pixels around places, by how far these lie to the right of the left ones and below the upper ones.
INLINED void load_between(const uint16_t *pixels, int32_t width, const Floats &x, const Floats &y, Floats &value) {
    const Ints column = __builtin_convertvector(x, Ints), row = __builtin_convertvector(y, Ints);
    const Ints index = row * width + column;
    const Floats right = x - __builtin_convertvector(column, Floats), below = y - __builtin_convertvector(row, Floats);
    Floats above, under;
    load_along(pixels, index, right, above);
    load_along(pixels + width, index, right, under);
    value = above + below * (under - above);
}

/// The sums over all samples of what the picture shows, of its squares, and of its products with the pattern's detail, with the columns and
/// with the rows, both counted from the middle.
struct Sums {
    Floats values{}, squares{}, products{}, by_column{}, by_row{};
};

constexpr int middle = side / 2;

/// The sum of the squares of all samples' columns, counted from the middle, and of their rows.
constexpr float ramp_squares() {
    int sum = 0;
    for (int place = -middle; place <= middle; ++place) sum += place * place;
    return static_cast<float>(side * sum);
}

HOLDS_ALL_PLACES void add_up(
    const CVisionDeepPicture &picture, const float *detail, float level, const float *starts_x, const float *starts_y,
    const CVisionSteps &steps, Sums &sums) {
    Floats row_x, row_y;
    load(starts_x, row_x);
    load(starts_y, row_y);
    Floats values{}, squares{}, products{}, by_column{}, by_row{};
    for (int row = 0; row < side; ++row) {
        Floats x = row_x, y = row_y, values_of_row{};
        for (int column = 0; column < side; ++column) {
            Floats value;
            load_between(picture.pixels, picture.width, x, y, value);
            value -= level;
            values_of_row += value;
            by_column += value * static_cast<float>(column - middle);
            squares += value * value;
            products += value * detail[side * row + column];
            x += steps.x_by_column;
            y += steps.y_by_column;
        }
        values += values_of_row;
        by_row += values_of_row * static_cast<float>(row - middle);
        row_x += steps.x_by_row;
        row_y += steps.y_by_row;
    }
    sums.values = values;
    sums.squares = squares;
    sums.products = products;
    sums.by_column = by_column;
    sums.by_row = by_row;
}

} // namespace

CVisionStatus cvision_correlate_pattern(
    const CVisionDeepPicture *picture, const CVisionPattern *pattern, float level, const float *starts_x,
    const float *starts_y, CVisionSteps steps, float least_deviations, float *correlations,
    float *detail_correlations) {
    return guarded([&] {
        if (!picture || !picture->pixels || !pattern || !starts_x || !starts_y || !correlations
            || !detail_correlations
            || int64_t(picture->width) * picture->height > INT32_MAX
            || !are_inside(starts_x, steps.x_by_column, steps.x_by_row, picture->width)
            || !are_inside(starts_y, steps.y_by_column, steps.y_by_row, picture->height)) {
            return CVISION_INVALID_ARGUMENT;
        }
        Sums sums;
        add_up(*picture, pattern->detail, level, starts_x, starts_y, steps, sums);
        const Floats deviations = sums.squares - sums.values * sums.values / static_cast<float>(side * side);
        const Floats ramps = sums.by_column * sums.by_column + sums.by_row * sums.by_row;
        const Floats detail_deviations = deviations - ramps / ramp_squares();
        const Floats products = pattern->detail_share * sums.products + pattern->by_column * sums.by_column
            + pattern->by_row * sums.by_row;
        const auto correlate = [&](const Floats &products, const Floats &deviations, float *correlations) {
            for (int lane = 0; lane < lanes; ++lane) {
                const float deviation = deviations[lane];
                correlations[lane] = deviation > least_deviations ? products[lane] / std::sqrt(deviation) : 0;
            }
        };
        correlate(products, deviations, correlations);
        correlate(sums.products, detail_deviations, detail_correlations);
        return CVISION_OK;
    });
}
