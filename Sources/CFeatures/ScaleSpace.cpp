// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Extrema.hpp"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cfeatures {
namespace {

/// That of the widest step between two scales.
constexpr int most_radius = 9;
static_assert(most_radius <= Plane::room);

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

/// Products are cut, not rounded: half a unit for each is given back.
constexpr uint16_t rounding(int radius) { return uint16_t((radius + 1) / 2); }

/// Where the values lie that are summed up with the same weight: so many places before and behind, in a row.
struct Along {
    const uint16_t *middle;

    [[gnu::always_inline]] const uint16_t *before(int steps) const { return middle - steps; }
    [[gnu::always_inline]] const uint16_t *behind(int steps) const { return middle + steps; }
};

/// The same in a column: so many rows above and below.
template <int radius> struct Across {
    const uint16_t *rows[2 * radius + 1];

    [[gnu::always_inline]] const uint16_t *before(int steps) const { return rows[radius - steps]; }
    [[gnu::always_inline]] const uint16_t *behind(int steps) const { return rows[radius + steps]; }
};

template <int radius, class Taps> void sum_row(const Kernel &kernel, const Taps &taps, uint16_t *out, int count) {
    for (int x = 0; x < count; ++x) {
        uint16_t sum = uint16_t(((uint32_t(taps.before(0)[x]) * kernel.weights[0]) >> 16) + rounding(radius));
        for (int i = 1; i <= radius; ++i) {
            const uint16_t both = uint16_t(taps.before(i)[x] + taps.behind(i)[x]);
            sum = uint16_t(sum + ((uint32_t(both) * kernel.weights[size_t(i)]) >> 16));
        }
        out[x] = sum;
    }
}

#if defined(__x86_64__)
/// The same, sixteen values at once.
template <int radius, class Taps>
__attribute__((target("avx2"))) void sum_row_wide(const Kernel &kernel, const Taps &taps, uint16_t *out, int count) {
    const auto load = [](const uint16_t *from) __attribute__((target("avx2"))) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    };
    __m256i weights[radius + 1];
    for (int i = 0; i <= radius; ++i) weights[i] = _mm256_set1_epi16(int16_t(kernel.weights[size_t(i)]));
    for (int next = 0; next < count; next += 16) {
        // The last step begins so early that it ends with the row.
        const int x = std::min(next, count - 16);
        __m256i sum = _mm256_add_epi16(
            _mm256_mulhi_epu16(load(taps.before(0) + x), weights[0]), _mm256_set1_epi16(rounding(radius)));
#pragma unroll
        for (int i = 1; i <= radius; ++i) {
            const __m256i both = _mm256_add_epi16(load(taps.before(i) + x), load(taps.behind(i) + x));
            sum = _mm256_add_epi16(sum, _mm256_mulhi_epu16(both, weights[i]));
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + x), sum);
    }
}

/// The same, thirty-two values at once; at least so many.
template <int radius, class Taps>
__attribute__((target("avx512bw"))) void sum_row_widest(const Kernel &kernel, const Taps &taps, uint16_t *out, int count) {
    __m512i weights[radius + 1];
    for (int i = 0; i <= radius; ++i) weights[i] = _mm512_set1_epi16(int16_t(kernel.weights[size_t(i)]));
    for (int next = 0; next < count; next += 32) {
        const int x = std::min(next, count - 32);
        __m512i sum = _mm512_add_epi16(
            _mm512_mulhi_epu16(_mm512_loadu_si512(taps.before(0) + x), weights[0]), _mm512_set1_epi16(rounding(radius)));
#pragma unroll
        for (int i = 1; i <= radius; ++i) {
            const __m512i both =
                _mm512_add_epi16(_mm512_loadu_si512(taps.before(i) + x), _mm512_loadu_si512(taps.behind(i) + x));
            sum = _mm512_add_epi16(sum, _mm512_mulhi_epu16(both, weights[i]));
        }
        _mm512_storeu_si512(out + x, sum);
    }
}
#endif

/// Sums up a row of at least 16 values. The radius is known to the compiler, so that everything stays in registers.
template <int radius, class Taps> void sum_up(const Kernel &kernel, const Taps &taps, uint16_t *out, int count) {
#if defined(__x86_64__)
    static const bool is_wide = __builtin_cpu_supports("avx2"), is_widest = __builtin_cpu_supports("avx512bw");
    if (is_widest && count >= 32) return sum_row_widest<radius>(kernel, taps, out, count);
    if (is_wide) return sum_row_wide<radius>(kernel, taps, out, count);
#endif
    sum_row<radius>(kernel, taps, out, count);
}

/// A plane under a Gaussian, row by row as far as it is known; edges continue. Rows summed up along themselves are kept only as
/// long as they are needed, and what the next plane is made of is what was made just before: so all stays in the fastest memory.
class Smoothing {
public:
    Smoothing(Plane &from, float sigma, Lines<uint16_t> &recent, Plane &to)
        : from(&from), to(&to), recent(&recent), kernel(sigma) {
        to.resize(from.width, from.height);
        recent.resize(size_t(2 * kernel.radius + 1) * size_t(whole_lines(from.width)));
    }

    int height() const { return from->height; }

    /// Goes on as far as so many rows of the first plane allow; returns how many rows are done.
    int advance(int row_count) {
        using Advance = int (Smoothing::*)(int);
        static constexpr Advance steps[most_radius] = {
            &Smoothing::advance_by<1>, &Smoothing::advance_by<2>, &Smoothing::advance_by<3>,
            &Smoothing::advance_by<4>, &Smoothing::advance_by<5>, &Smoothing::advance_by<6>,
            &Smoothing::advance_by<7>, &Smoothing::advance_by<8>, &Smoothing::advance_by<9>};
        return (this->*steps[kernel.radius - 1])(row_count);
    }

private:
    Plane *from, *to;
    Lines<uint16_t> *recent;
    Kernel kernel;
    int summed = 0, done = 0;

    template <int radius> int advance_by(int row_count) {
        constexpr int recent_count = 2 * radius + 1;
        const int width = from->width, last = from->height - 1;
        const auto recent_row = [&, length = size_t(whole_lines(width))](int y) {
            return recent->data() + size_t(y % recent_count) * length;
        };
        for (; done <= last && std::min(done + radius, last) < row_count; ++done) {
            for (; summed <= std::min(done + radius, last); ++summed) {
                from->continue_row(summed);
                sum_up<radius>(kernel, Along{from->row(summed)}, recent_row(summed), width);
            }
            Across<radius> rows;
            for (int i = -radius; i <= radius; ++i) rows.rows[radius + i] = recent_row(std::clamp(done + i, 0, last));
            sum_up<radius>(kernel, rows, to->row(done), width);
        }
        return done;
    }
};

/// Makes planes of which each is made of the one before, and finds their extrema, a band of rows after the other.
void smooth(std::vector<Smoothing> &steps, ExtremumSearch &search) {
    constexpr int band = 32;
    const int height = steps.front().height();
    for (int first = band, done = 0; done < height; first += band) {
        done = std::min(first, height);
        for (Smoothing &step : steps) done = step.advance(done);
        search.advance(done);
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
    CFeaturesScaleSpace *space, const CFeaturesPicture *picture, int32_t halvings, float least_strength) {
    if (!space || !picture || !picture->pixels || halvings < 0 || halvings > 4 ||
        !(least_strength > 0 && least_strength <= 255))
        return CFEATURES_INVALID_ARGUMENT;
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
        if (source == &base) {
            std::swap(space->halved, base);
            source = &space->halved;
        }
        space->octave_count = 0;
        space->extrema.clear();
        std::vector<Smoothing> steps;
        for (int octave = 0; octave < most_octaves; ++octave) {
            auto &planes = space->planes[size_t(octave)];
            steps.clear();
            if (octave > 0) {
                const Plane &finer = space->planes[size_t(octave - 1)][searched_scale_count];
                if (std::min(finer.width, finer.height) / 2 < 16) break;
                thin(finer, planes[0]);
            } else {
                // The camera's own picture is taken to be smooth by half a pixel.
                const float sigma = std::sqrt(first_sigma * first_sigma - 0.25f);
                steps.emplace_back(*source, sigma, space->recent[0], base);
            }
            for (size_t scale = 1; scale < scale_count; ++scale) {
                const float before = first_sigma * std::exp2(float(scale - 1) / searched_scale_count);
                const float ratio = std::exp2(1.0f / searched_scale_count);
                steps.emplace_back(
                    planes[scale - 1], before * std::sqrt(ratio * ratio - 1), space->recent[scale], planes[scale]);
            }
            ExtremumSearch search(planes, octave, least_strength);
            smooth(steps, search);
            search.append(space->extrema);
            space->octave_count = octave + 1;
        }
        return CFEATURES_OK;
    });
}
