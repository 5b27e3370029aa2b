// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Raster.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cfeatures {
namespace {

/// One of the equal parts of a row or column: its numbers from `first` to `last`, which count in part.
struct Share {
    int first, last;
    float first_weight, weight, last_weight;

    /// Part `i` of `count` of so many numbers.
    Share(int i, int count, int length) {
        const double size = double(length) / count, begin = i * size, end = std::min(begin + size, double(length));
        first = int(begin);
        last = std::max(first, int(std::ceil(end - 1e-9)) - 1);
        weight = float(1 / size);
        first_weight = float((std::min(end, first + 1.0) - begin) / size);
        last_weight = float((end - last) / size);
    }

    float of(int k) const { return k == first ? first_weight : k == last ? last_weight : weight; }
};

/// Where a row of the raster lies in a plane: u and v of the first place times its w, and all three's growth by a place.
struct RowPlaces {
    float u, v, w, du, dv, dw;

    /// Row `y` of a raster that has a print in it.
    RowPlaces(
        const CFeaturesScaleSpace &space, double size_px, const Homography &pixel_from_print, const Raster &raster, int y) {
        const double shift = 0.5 * ((1 << space.halvings) - 1), step = 1.0 / raster.width;
        const double *m = pixel_from_print.m;
        const double px = (0.5 - margin) * step, py = (y + 0.5) / raster.height;
        const double first_w = m[6] * px + m[7] * py + m[8], growth = m[6] * step;
        u = float((m[0] * px + m[1] * py + m[2] - shift * first_w) / size_px);
        v = float((m[3] * px + m[4] * py + m[5] - shift * first_w) / size_px);
        w = float(first_w);
        du = float((m[0] * step - shift * growth) / size_px);
        dv = float((m[3] * step - shift * growth) / size_px);
        dw = float(growth);
    }
};

/// By how much the places of a row are shifted, in sides of the print, and what a shift does to u, v and w.
struct RowShifts {
    const float *across, *down;
    float u_across, u_down, v_across, v_down, w_across, w_down;
};

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

/// How many places are found at once.
constexpr int block = 32;

/// What a plane shows at places u / w, v / w; zero, and not `inside`, where it does not reach.
[[gnu::always_inline]] inline void sample(
    const Plane &plane, const float *u_times_w, const float *v_times_w, const float *w, float *values, uint8_t *inside,
    int count) {
    const float right = float(plane.width - 1), bottom = float(plane.height - 1), unit = 1 / float(1 << light_shift);
    const int stride = plane.stride;
    const uint16_t *light = plane.row(0);
    float part_u[block], part_v[block], is_inside[block];
    int offsets[block];
    for (int i = 0; i < block; ++i) {
        const float inverse = 1 / std::max(w[i], 1e-6f);
        float u = u_times_w[i] * inverse, v = v_times_w[i] * inverse;
        const bool is_good = (w[i] >= 1e-6f) & (u >= 0) & (v >= 0) & (u < right) & (v < bottom);
        u = is_good ? u : 0;
        v = is_good ? v : 0;
        const int column = int(u), row = int(v);
        part_u[i] = u - float(column);
        part_v[i] = v - float(row);
        offsets[i] = row * stride + column;
        is_inside[i] = is_good ? unit : 0;
    }
    // Two neighbours at once, the left one in the low half.
    uint32_t upper[block], lower[block];
    for (int i = 0; i < block; ++i) {
        const uint16_t *from = light + offsets[i];
        std::memcpy(&upper[i], from, sizeof upper[i]);
        std::memcpy(&lower[i], from + stride, sizeof lower[i]);
    }
    float found[block];
    for (int i = 0; i < block; ++i) {
        const int upper_left = int(upper[i] & 0xffff), upper_right = int(upper[i] >> 16);
        const int lower_left = int(lower[i] & 0xffff), lower_right = int(lower[i] >> 16);
        const float top = float(upper_left) + part_u[i] * float(upper_right - upper_left);
        const float low = float(lower_left) + part_u[i] * float(lower_right - lower_left);
        found[i] = (top + part_v[i] * (low - top)) * is_inside[i];
    }
    for (int i = 0; i < count; ++i) {
        values[i] = found[i];
        inside[i] = is_inside[i] > 0;
    }
}

/// One row of the picture as it lies on the print.
CFEATURES_WIDE void unwarp_row(
    const Plane &plane, const RowPlaces &places, float *values, uint8_t *inside, int count) {
    for (int begin = 0; begin < count; begin += block) {
        float u[block], v[block], w[block];
        for (int i = 0; i < block; ++i) {
            const float x = float(begin + i);
            u[i] = places.u + x * places.du;
            v[i] = places.v + x * places.dv;
            w[i] = places.w + x * places.dw;
        }
        sample(plane, u, v, w, values + begin, inside + begin, std::min(block, count - begin));
    }
}

/// The same where each place is shifted. `shifts` has numbers for whole blocks.
CFEATURES_WIDE void unwarp_bent_row(
    const Plane &plane, const RowPlaces &places, const RowShifts &shifts, float *values, uint8_t *inside, int count) {
    for (int begin = 0; begin < count; begin += block) {
        float u[block], v[block], w[block];
        for (int i = 0; i < block; ++i) {
            const float x = float(begin + i), across = shifts.across[begin + i], down = shifts.down[begin + i];
            u[i] = places.u + x * places.du + (across * shifts.u_across + down * shifts.u_down);
            v[i] = places.v + x * places.dv + (across * shifts.v_across + down * shifts.v_down);
            w[i] = places.w + x * places.dw + (across * shifts.w_across + down * shifts.w_down);
        }
        sample(plane, u, v, w, values + begin, inside + begin, std::min(block, count - begin));
    }
}

/// A bend's polynomials of x at the places of a raster's rows, polynomial by polynomial, in whole blocks. Beyond the print its
/// edge's shift goes on.
struct ColumnPowers {
    int stride;
    std::vector<float> values;

    explicit ColumnPowers(const Raster &raster)
        : stride((raster.stride + block - 1) / block * block), values((Bend::degree + 1) * size_t(stride)) {
        for (int i = 0; i < stride; ++i) {
            const int x = std::clamp(i - margin, 0, raster.width - 1);
            const Bend::Powers powers = Bend::powers((x + 0.5) / raster.width);
            for (size_t k = 0; k < powers.size(); ++k) values[k * size_t(stride) + size_t(i)] = float(powers[k]);
        }
    }

    /// The sum of all polynomials of a row.
    void sum(const Bend::Powers &factors, std::vector<float> &sums) const {
        sums.assign(size_t(stride), float(factors[0]));
        for (size_t k = 1; k < factors.size(); ++k) {
            const float factor = float(factors[k]), *of_x = &values[k * size_t(stride)];
            for (size_t i = 0; i < sums.size(); ++i) sums[i] += factor * of_x[i];
        }
    }
};

} // namespace

Raster resampled(const CFeaturesTemplate &print, int longer_side) {
    const double scale = std::min(1.0, double(longer_side) / std::max(print.width, print.height));
    Raster raster(std::max(8, int(std::lround(print.width * scale))), std::max(8, int(std::lround(print.height * scale))));
    std::vector<Share> columns;
    for (int x = 0; x < raster.width; ++x) columns.emplace_back(x, raster.width, print.width);
    std::vector<float> sums(size_t(print.width));
    for (int y = 0; y < raster.height; ++y) {
        const Share rows(y, raster.height, print.height);
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (int k = rows.first; k <= rows.last; ++k) {
            const uint8_t *from = print.pixels + int64_t(k) * print.width;
            const float weight = rows.of(k);
            for (int x = 0; x < print.width; ++x) sums[size_t(x)] += weight * float(from[x]);
        }
        float *out = &raster.at(0, y);
        for (int x = 0; x < raster.width; ++x) {
            const Share &share = columns[size_t(x)];
            float sum = share.first_weight * sums[size_t(share.first)];
            for (int k = share.first + 1; k <= share.last; ++k) sum += share.of(k) * sums[size_t(k)];
            out[x] = sum;
        }
    }
    for (int y = 0; y < raster.height; ++y) {
        std::fill_n(&raster.at(-margin, y), margin, raster.at(0, y));
        std::fill_n(&raster.at(raster.width, y), margin, raster.at(raster.width - 1, y));
    }
    for (int y = 1; y <= margin; ++y) {
        std::copy_n(&raster.at(-margin, 0), raster.stride, &raster.at(-margin, -y));
        std::copy_n(&raster.at(-margin, raster.height - 1), raster.stride, &raster.at(-margin, raster.height - 1 + y));
    }
    return raster;
}

void smooth(Raster &raster, double variance) {
    const int rounds = std::clamp(int(std::lround(2 * variance)), 0, 12);
    std::vector<float> other(raster.values.size());
    const int count = int(raster.values.size());
    for (int round = 0; round < rounds; ++round) {
        for (const int step : {1, raster.stride}) {
            const float *from = raster.values.data();
            for (int i = 0; i < step; ++i) other[size_t(i)] = from[i];
            for (int i = step; i < count - step; ++i) {
                other[size_t(i)] = 0.25f * (from[i - step] + from[i + step]) + 0.5f * from[i];
            }
            for (int i = count - step; i < count; ++i) other[size_t(i)] = from[i];
            raster.values.swap(other);
        }
    }
}

const Plane &fitting_plane(const CFeaturesScaleSpace &space, double pixel_px, double &sigma_px, double &size_px) {
    const double wanted = 0.9 * pixel_px;
    const Plane *plane = &space.planes[0][0];
    sigma_px = first_sigma * double(1 << space.halvings);
    size_px = double(1 << space.halvings);
    for (int octave = 0; octave < space.octave_count; ++octave) {
        for (int scale = 0; scale < searched_scale_count; ++scale) {
            const double sigma =
                double(first_sigma) * std::exp2(octave + double(scale) / searched_scale_count) * double(1 << space.halvings);
            if (sigma > wanted * 1.12 || sigma < sigma_px) continue;
            plane = &space.planes[size_t(octave)][size_t(scale)];
            sigma_px = sigma;
            size_px = double(space.pixel_size(octave));
        }
    }
    return *plane;
}

void unwarp(
    const CFeaturesScaleSpace &space, const Plane &plane, double size_px, const Homography &pixel_from_print, Raster &found,
    std::vector<uint8_t> &inside) {
    for (int y = -margin; y < found.height + margin; ++y) {
        const RowPlaces places(space, size_px, pixel_from_print, found, y);
        const size_t place = found.place(-margin, y);
        unwarp_row(plane, places, &found.values[place], &inside[place], found.stride);
    }
}

void unwarp(
    const CFeaturesScaleSpace &space, const Plane &plane, double size_px, const Homography &pixel_from_print,
    const Bend &bend, Raster &found, std::vector<uint8_t> &inside) {
    const double shift = 0.5 * ((1 << space.halvings) - 1);
    const double *m = pixel_from_print.m;
    const ColumnPowers columns(found);
    Bend::Powers row_across, row_down;
    std::vector<float> across, down;
    for (int y = -margin; y < found.height + margin; ++y) {
        bend.restrict_to(std::clamp((y + 0.5) / found.height, 0.0, 1.0), row_across, row_down);
        columns.sum(row_across, across);
        columns.sum(row_down, down);
        const RowPlaces places(space, size_px, pixel_from_print, found, y);
        const RowShifts shifts{
            across.data(), down.data(),
            float((m[0] - shift * m[6]) / size_px), float((m[1] - shift * m[7]) / size_px),
            float((m[3] - shift * m[6]) / size_px), float((m[4] - shift * m[7]) / size_px),
            float(m[6]), float(m[7])};
        const size_t place = found.place(-margin, y);
        unwarp_bent_row(plane, places, shifts, &found.values[place], &inside[place], found.stride);
    }
}

} // namespace cfeatures
