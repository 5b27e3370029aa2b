// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "ScaleSpace.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cfeatures {
namespace {

/// That of the widest step between two scales.
constexpr int most_radius = 9;

/// Half of a symmetric kernel that sums to one, in 1/65536: the middle weight first.
struct Kernel {
    std::array<uint16_t, most_radius + 1> weights{};
    int radius = 0;

    explicit Kernel(float sigma) {
        radius = std::min(most_radius, int(std::ceil(2.8f * sigma)));
        std::array<double, most_radius + 1> exact{};
        double sum = 0;
        for (int i = 0; i <= radius; ++i) {
            exact[size_t(i)] = std::exp(-0.5 * i * i / (double(sigma) * sigma));
            sum += (i == 0 ? 1 : 2) * exact[size_t(i)];
        }
        int rest = 65536;
        for (int i = radius; i > 0; --i) {
            weights[size_t(i)] = uint16_t(std::lround(65536 * exact[size_t(i)] / sum));
            rest -= 2 * weights[size_t(i)];
        }
        weights[0] = uint16_t(std::min(rest, 65535));
    }
};

/// The sums of a row: `rows` holds 2 · radius + 1 pointers, to what lies so many steps before, and behind, each value.
/// At least 16 values. The radius is known to the compiler, so that everything stays in registers.
using RowSum = void (*)(const Kernel &kernel, const uint16_t *const *rows, uint16_t *out, int count);

/// Products are cut, not rounded: half a unit for each is given back.
constexpr uint16_t rounding(int radius) { return uint16_t((radius + 1) / 2); }

template <int radius> void sum_row(const Kernel &kernel, const uint16_t *const *rows, uint16_t *out, int count) {
    const uint16_t *taps[2 * radius + 1];
    uint16_t weights[radius + 1];
    std::copy_n(rows, 2 * radius + 1, taps);
    std::copy_n(kernel.weights.begin(), radius + 1, weights);
    for (int x = 0; x < count; ++x) {
        uint16_t sum = uint16_t(((uint32_t(taps[radius][x]) * weights[0]) >> 16) + rounding(radius));
        for (int i = 1; i <= radius; ++i) {
            const uint16_t both = uint16_t(taps[radius - i][x] + taps[radius + i][x]);
            sum = uint16_t(sum + ((uint32_t(both) * weights[i]) >> 16));
        }
        out[x] = sum;
    }
}

#if defined(__x86_64__)
/// The same, sixteen values at once.
template <int radius>
__attribute__((target("avx2"))) void sum_row_wide(
    const Kernel &kernel, const uint16_t *const *rows, uint16_t *out, int count) {
    const auto load = [](const uint16_t *from) __attribute__((target("avx2"))) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    };
    const uint16_t *taps[2 * radius + 1];
    __m256i weights[radius + 1];
    std::copy_n(rows, 2 * radius + 1, taps);
    for (int i = 0; i <= radius; ++i) weights[i] = _mm256_set1_epi16(int16_t(kernel.weights[size_t(i)]));
    for (int next = 0; next < count; next += 16) {
        // The last step begins so early that it ends with the row.
        const int x = std::min(next, count - 16);
        __m256i sum = _mm256_add_epi16(
            _mm256_mulhi_epu16(load(taps[radius] + x), weights[0]), _mm256_set1_epi16(rounding(radius)));
#pragma unroll
        for (int i = 1; i <= radius; ++i) {
            const __m256i both = _mm256_add_epi16(load(taps[radius - i] + x), load(taps[radius + i] + x));
            sum = _mm256_add_epi16(sum, _mm256_mulhi_epu16(both, weights[i]));
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + x), sum);
    }
}

template <int radius> RowSum row_sum() {
    return __builtin_cpu_supports("avx2") ? sum_row_wide<radius> : sum_row<radius>;
}
#else
template <int radius> RowSum row_sum() { return sum_row<radius>; }
#endif

RowSum row_sum(int radius) {
    static const RowSum sums[most_radius] = {row_sum<1>(), row_sum<2>(), row_sum<3>(), row_sum<4>(), row_sum<5>(),
                                             row_sum<6>(), row_sum<7>(), row_sum<8>(), row_sum<9>()};
    return sums[radius - 1];
}

/// `from` under a Gaussian; edges continue.
void smooth(const Plane &from, float sigma, Plane &scratch, Plane &to) {
    const Kernel kernel(sigma);
    const RowSum sum_row = row_sum(kernel.radius);
    const int width = from.width, height = from.height;
    scratch.resize(width, height);
    to.resize(width, height);
    std::vector<uint16_t> padded(size_t(width + 2 * most_radius));
    uint16_t *first = padded.data() + most_radius;
    const uint16_t *rows[2 * most_radius + 1];
    for (int i = -kernel.radius; i <= kernel.radius; ++i) rows[kernel.radius + i] = first + i;
    for (int y = 0; y < height; ++y) {
        const uint16_t *row = from.row(y);
        std::fill_n(padded.begin(), most_radius, row[0]);
        std::memcpy(first, row, size_t(width) * sizeof(uint16_t));
        std::fill(padded.end() - most_radius, padded.end(), row[width - 1]);
        sum_row(kernel, rows, scratch.row(y), width);
    }
    for (int y = 0; y < height; ++y) {
        for (int i = -kernel.radius; i <= kernel.radius; ++i) {
            rows[kernel.radius + i] = scratch.row(std::clamp(y + i, 0, height - 1));
        }
        sum_row(kernel, rows, to.row(y), width);
    }
}

/// Means of four pixels; an odd last row or column is left out.
void halve(const Plane &from, Plane &to) {
    to.resize(from.width / 2, from.height / 2);
    for (int y = 0; y < to.height; ++y) {
        const uint16_t *upper = from.row(2 * y), *lower = from.row(2 * y + 1);
        uint16_t *out = to.row(y);
        for (int x = 0; x < to.width; ++x) {
            const uint32_t sum = uint32_t(upper[2 * x]) + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1];
            out[x] = uint16_t((sum + 2) >> 2);
        }
    }
}

/// Every second pixel of every second row.
void thin(const Plane &from, Plane &to) {
    to.resize((from.width + 1) / 2, (from.height + 1) / 2);
    for (int y = 0; y < to.height; ++y) {
        const uint16_t *row = from.row(2 * y);
        uint16_t *out = to.row(y);
        for (int x = 0; x < to.width; ++x) out[x] = row[2 * x];
    }
}

void load(const CFeaturesPicture &picture, Plane &plane) {
    plane.resize(picture.width, picture.height);
    for (int y = 0; y < picture.height; ++y) {
        const uint8_t *row = picture.pixels + int64_t(y) * picture.bytes_per_row;
        uint16_t *out = plane.row(y);
        if (picture.channels == 1) {
            for (int x = 0; x < picture.width; ++x) out[x] = uint16_t(row[x] << light_shift);
        } else {
            // 0.299 R + 0.587 G + 0.114 B.
            for (int x = 0; x < picture.width; ++x) {
                const uint32_t luma = 9798u * row[3 * x] + 19235u * row[3 * x + 1] + 3735u * row[3 * x + 2];
                out[x] = uint16_t(luma >> (15 - light_shift));
            }
        }
    }
}

} // namespace
} // namespace cfeatures

using namespace cfeatures;

CFeaturesScaleSpace *cfeatures_create_scale_space(void) { return new (std::nothrow) CFeaturesScaleSpace; }

void cfeatures_destroy_scale_space(CFeaturesScaleSpace *space) { delete space; }

CFeaturesStatus cfeatures_fill_scale_space(
    CFeaturesScaleSpace *space, const CFeaturesPicture *picture, int32_t halvings) {
    if (!space || !picture || !picture->pixels || halvings < 0 || halvings > 4) return CFEATURES_INVALID_ARGUMENT;
    const int shorter = std::min(picture->width, picture->height), longer = std::max(picture->width, picture->height);
    if ((picture->channels != 1 && picture->channels != 3) || shorter >> halvings < CFEATURES_MIN_SIDE_PX ||
        longer > CFEATURES_MAX_SIDE_PX || picture->bytes_per_row < picture->width * picture->channels)
        return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        space->halvings = halvings;
        Plane &base = space->planes[0][0];
        Plane *source = &space->halved, *other = &base;
        load(*picture, *source);
        for (int i = 0; i < halvings; ++i) {
            halve(*source, *other);
            std::swap(source, other);
        }
        // The camera's own picture is taken to be smooth by half a pixel.
        const float step = std::sqrt(first_sigma * first_sigma - 0.25f);
        if (source == &base) {
            std::swap(space->halved, base);
            source = &space->halved;
        }
        smooth(*source, step, space->scratch, base);
        space->octave_count = 0;
        for (int octave = 0; octave < most_octaves; ++octave) {
            auto &planes = space->planes[size_t(octave)];
            if (octave > 0) {
                const Plane &finer = space->planes[size_t(octave - 1)][searched_scale_count];
                if (std::min(finer.width, finer.height) / 2 < 16) break;
                thin(finer, planes[0]);
            }
            for (int scale = 1; scale < scale_count; ++scale) {
                const float before = first_sigma * std::exp2(float(scale - 1) / searched_scale_count);
                const float ratio = std::exp2(1.0f / searched_scale_count);
                smooth(
                    planes[size_t(scale - 1)], before * std::sqrt(ratio * ratio - 1), space->scratch,
                    planes[size_t(scale)]);
            }
            space->octave_count = octave + 1;
        }
        return CFEATURES_OK;
    });
}
