// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Raster.hpp"

#include <algorithm>
#include <cmath>

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
};

/// One row of the picture as it lies on the print; zero, and not `inside`, where the picture does not reach.
CFEATURES_WIDE void unwarp_row(
    const Plane &plane, const RowPlaces &places, float *values, uint8_t *inside, int count) {
    constexpr int block = 32;
    const float right = float(plane.width - 1), bottom = float(plane.height - 1), unit = 1 / float(1 << light_shift);
    const int width = plane.width;
    for (int begin = 0; begin < count; begin += block) {
        float part_u[block], part_v[block], is_inside[block];
        int offsets[block];
        for (int i = 0; i < block; ++i) {
            const float x = float(begin + i), w = places.w + x * places.dw;
            const float inverse = 1 / std::max(w, 1e-6f);
            float u = (places.u + x * places.du) * inverse, v = (places.v + x * places.dv) * inverse;
            const bool is_good = (w >= 1e-6f) & (u >= 0) & (v >= 0) & (u < right) & (v < bottom);
            u = is_good ? u : 0;
            v = is_good ? v : 0;
            const int column = int(u), row = int(v);
            part_u[i] = u - float(column);
            part_v[i] = v - float(row);
            offsets[i] = row * width + column;
            is_inside[i] = is_good ? unit : 0;
        }
        int upper_left[block], upper_right[block], lower_left[block], lower_right[block];
        for (int i = 0; i < block; ++i) {
            const uint16_t *upper = plane.light.data() + offsets[i], *lower = upper + width;
            upper_left[i] = upper[0];
            upper_right[i] = upper[1];
            lower_left[i] = lower[0];
            lower_right[i] = lower[1];
        }
        float found[block];
        for (int i = 0; i < block; ++i) {
            const float top = float(upper_left[i]) + part_u[i] * float(upper_right[i] - upper_left[i]);
            const float low = float(lower_left[i]) + part_u[i] * float(lower_right[i] - lower_left[i]);
            found[i] = (top + part_v[i] * (low - top)) * is_inside[i];
        }
        for (int i = 0; i < std::min(block, count - begin); ++i) {
            values[begin + i] = found[i];
            inside[begin + i] = is_inside[i] > 0;
        }
    }
}

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
    const double shift = 0.5 * ((1 << space.halvings) - 1), step = 1.0 / found.width;
    const double *m = pixel_from_print.m;
    const double px = (0.5 - margin) * step;
    for (int y = -margin; y < found.height + margin; ++y) {
        const double py = (y + 0.5) / found.height;
        const double w = m[6] * px + m[7] * py + m[8], dw = m[6] * step;
        const RowPlaces places{
            float((m[0] * px + m[1] * py + m[2] - shift * w) / size_px),
            float((m[3] * px + m[4] * py + m[5] - shift * w) / size_px), float(w),
            float((m[0] * step - shift * dw) / size_px), float((m[3] * step - shift * dw) / size_px), float(dw)};
        const size_t place = size_t(y + margin) * size_t(found.stride);
        unwarp_row(plane, places, &found.values[place], &inside[place], found.stride);
    }
}

void unwarp(
    const CFeaturesScaleSpace &space, const Plane &plane, double size_px, const Homography &pixel_from_print,
    const Bend &bend, Raster &found, std::vector<uint8_t> &inside) {
    const double shift = 0.5 * ((1 << space.halvings) - 1);
    const float unit = 1 / float(1 << light_shift);
    std::vector<Bend::Powers> columns;
    for (int x = -margin; x < found.width + margin; ++x) columns.push_back(Bend::powers((x + 0.5) / found.width));
    Bend::Powers across, down;
    for (int y = -margin; y < found.height + margin; ++y) {
        const double py = (y + 0.5) / found.height;
        bend.restrict_to(std::clamp(py, 0.0, 1.0), across, down);
        for (int x = -margin; x < found.width + margin; ++x) {
            // Beyond the print its edge's shift goes on.
            const Bend::Powers &powers = columns[size_t(std::clamp(x, 0, found.width - 1) + margin)];
            double dx = 0, dy = 0, u, v;
            for (size_t i = 0; i < powers.size(); ++i) {
                dx += across[i] * powers[i];
                dy += down[i] * powers[i];
            }
            const size_t place = found.place(x, y);
            found.values[place] = 0;
            inside[place] = 0;
            if (!pixel_from_print.image((x + 0.5) / found.width + dx, py + dy, u, v)) continue;
            u = (u - shift) / size_px;
            v = (v - shift) / size_px;
            if (!(u >= 0 && v >= 0 && u < plane.width - 1 && v < plane.height - 1)) continue;
            const int column = int(u), row = int(v);
            const float part_u = float(u - column), part_v = float(v - row);
            const uint16_t *upper = plane.light.data() + size_t(row) * size_t(plane.width) + size_t(column);
            const uint16_t *lower = upper + plane.width;
            const float top = float(upper[0]) + part_u * float(upper[1] - upper[0]);
            const float low = float(lower[0]) + part_u * float(lower[1] - lower[0]);
            found.values[place] = (top + part_v * (low - top)) * unit;
            inside[place] = 1;
        }
    }
}

} // namespace cfeatures
