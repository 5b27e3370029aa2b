// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Where differences of Gaussians have their extrema (Lowe 2004, sections 3 and 4).

#include "Features.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cfeatures {
namespace {

constexpr int border = 5;

/// Three neighbouring differences of scales.
struct Differences {
    const int16_t *planes[3];
    int width;

    int operator()(int plane, int x, int y) const { return planes[plane][int64_t(y) * width + x]; }
    const int16_t *row(int plane, int y) const { return planes[plane] + int64_t(y) * width; }
};

CFEATURES_WIDE void subtract(const Plane &coarse, const Plane &fine, std::vector<int16_t> &difference) {
    const size_t count = coarse.light.size();
    difference.resize(count);
    const uint16_t *from = fine.light.data(), *to = coarse.light.data();
    int16_t *out = difference.data();
    for (size_t i = 0; i < count; ++i) out[i] = int16_t(to[i] - from[i]);
}

typedef int16_t Eight __attribute__((vector_size(16)));
typedef uint8_t EightMarks __attribute__((vector_size(8)));
constexpr int step = 8;

Eight load(const int16_t *from) {
    Eight values;
    std::memcpy(&values, from, sizeof values);
    return values;
}

/// Marks what is strong, and beyond ten of its neighbours, in a row but for its border. `marks` has room for `width + step`.
void mark_candidates(const Differences &d, int y, int16_t threshold, uint8_t *marks) {
    const int16_t *rows[3] = {d.row(1, y - 1), d.row(1, y), d.row(1, y + 1)};
    const int16_t *finer = d.row(0, y), *coarser = d.row(2, y);
    const int end = d.width - border;
    for (int x = border; x < end; x += step) {
        const Eight value = load(rows[1] + x);
        const Eight is_strong = (value >= threshold) | (value <= int16_t(-threshold));
        uint64_t any[2];
        std::memcpy(any, &is_strong, sizeof any);
        if ((any[0] | any[1]) == 0) {
            std::memset(marks + x, 0, step);
            continue;
        }
        Eight most = load(finer + x), least = most;
        const auto include = [&](Eight other) {
            most = most > other ? most : other;
            least = least < other ? least : other;
        };
        include(load(coarser + x));
        include(load(rows[1] + x - 1));
        include(load(rows[1] + x + 1));
        for (const int16_t *row : {rows[0], rows[2]}) {
            for (int i = -1; i <= 1; ++i) include(load(row + x + i));
        }
        const Eight is_extreme = ((value >= threshold) & (value >= most)) | ((value <= int16_t(-threshold)) & (value <= least));
        const EightMarks found = __builtin_convertvector(is_extreme, EightMarks);
        std::memcpy(marks + x, &found, sizeof found);
    }
    std::fill_n(marks + end, step, uint8_t(0));
}

/// Whether the value is beyond all 26 neighbours.
template <int sign> bool is_extremum(const Differences &d, int x, int y, int value) {
    for (int plane = 0; plane < 3; ++plane) {
        for (int row = y - 1; row <= y + 1; ++row) {
            const int16_t *values = d.row(plane, row) + x - 1;
            for (int i = 0; i < 3; ++i) {
                if (sign * values[i] > sign * value) return false;
            }
        }
    }
    return true;
}

/// Fits a parabola in three dimensions around the pixel; leaves out what has no extremum near it, is faint, or is an edge.
bool refine(const Differences &d, int x, int y, float least_strength, Extremum &extremum) {
    const float middle = float(d(1, x, y));
    const float dx = 0.5f * float(d(1, x + 1, y) - d(1, x - 1, y));
    const float dy = 0.5f * float(d(1, x, y + 1) - d(1, x, y - 1));
    const float ds = 0.5f * float(d(2, x, y) - d(0, x, y));
    const float xx = float(d(1, x + 1, y) + d(1, x - 1, y)) - 2 * middle;
    const float yy = float(d(1, x, y + 1) + d(1, x, y - 1)) - 2 * middle;
    const float ss = float(d(2, x, y) + d(0, x, y)) - 2 * middle;
    const float xy = 0.25f * float(d(1, x + 1, y + 1) - d(1, x - 1, y + 1) - d(1, x + 1, y - 1) + d(1, x - 1, y - 1));
    const float xs = 0.25f * float(d(2, x + 1, y) - d(2, x - 1, y) - d(0, x + 1, y) + d(0, x - 1, y));
    const float ys = 0.25f * float(d(2, x, y + 1) - d(2, x, y - 1) - d(0, x, y + 1) + d(0, x, y - 1));

    const float trace = xx + yy, curvature = xx * yy - xy * xy;
    const float ratio = 12;
    if (curvature <= 0 || trace * trace * ratio >= (ratio + 1) * (ratio + 1) * curvature) return false;

    const float a = yy * ss - ys * ys, b = xs * ys - xy * ss, c = xy * ys - yy * xs;
    const float determinant = xx * a + xy * b + xs * c;
    if (std::abs(determinant) < 1e-6f) return false;
    float ox = -(a * dx + b * dy + c * ds) / determinant;
    float oy = -(b * dx + (xx * ss - xs * xs) * dy + (xy * xs - xx * ys) * ds) / determinant;
    float os = -(c * dx + (xy * xs - xx * ys) * dy + (xx * yy - xy * xy) * ds) / determinant;
    if (std::abs(ox) > 1.5f || std::abs(oy) > 1.5f || std::abs(os) > 1.5f) return false;
    ox = std::clamp(ox, -0.6f, 0.6f);
    oy = std::clamp(oy, -0.6f, 0.6f);
    os = std::clamp(os, -0.6f, 0.6f);
    const float peak = std::abs(middle + 0.5f * (dx * ox + dy * oy + ds * os)) / float(1 << light_shift);
    if (peak < least_strength) return false;
    extremum.x = float(x) + ox;
    extremum.y = float(y) + oy;
    extremum.fine_scale = float(extremum.scale) + os;
    extremum.strength = peak;
    return true;
}

} // namespace

void find_extrema(CFeaturesScaleSpace &space, float least_strength) {
    space.extrema.clear();
    const int threshold = std::max(1, int(0.7f * least_strength * float(1 << light_shift)));
    for (int octave = 0; octave < space.octave_count; ++octave) {
        const auto &planes = space.planes[size_t(octave)];
        const int width = planes[0].width, height = planes[0].height;
        for (int scale = 0; scale + 1 < scale_count; ++scale) {
            subtract(planes[size_t(scale + 1)], planes[size_t(scale)], space.differences[size_t(scale)]);
        }
        std::vector<uint8_t> marks(size_t(width) + step);
        for (int scale = 1; scale <= searched_scale_count; ++scale) {
            const Differences d{
                {space.differences[size_t(scale - 1)].data(), space.differences[size_t(scale)].data(),
                 space.differences[size_t(scale + 1)].data()},
                width};
            for (int y = border; y < height - border; ++y) {
                mark_candidates(d, y, int16_t(threshold), marks.data());
                for (int x = border; x < width - border; ++x) {
                    uint64_t eight;
                    std::memcpy(&eight, marks.data() + x, sizeof eight);
                    if (eight == 0) {
                        x += 7;
                        continue;
                    }
                    if (!marks[size_t(x)]) continue;
                    const int value = d(1, x, y);
                    if (!(value > 0 ? is_extremum<1>(d, x, y, value) : is_extremum<-1>(d, x, y, value))) continue;
                    Extremum extremum{octave, scale, 0, 0, 0, 0};
                    if (refine(d, x, y, least_strength, extremum)) space.extrema.push_back(extremum);
                }
            }
        }
    }
}

void keep_strongest(CFeaturesScaleSpace &space, size_t limit) {
    auto &extrema = space.extrema;
    if (extrema.size() <= limit) return;
    // Each cell of a grid keeps its strongest in turn, so that a busy background does not hide what is plain.
    constexpr int columns = 8, rows = 6;
    const float width = float(space.planes[0][0].width), height = float(space.planes[0][0].height);
    struct Ranked {
        int rank;
        float strength;
        uint32_t index;
    };
    std::vector<Ranked> cells[columns * rows];
    for (uint32_t i = 0; i < extrema.size(); ++i) {
        const Extremum &e = extrema[i];
        const float size = float(1 << e.octave);
        const int column = std::clamp(int(e.x * size / width * columns), 0, columns - 1);
        const int row = std::clamp(int(e.y * size / height * rows), 0, rows - 1);
        // What is large is rarer and outlasts blur.
        const float weight = e.strength * std::exp2(0.5f * (float(e.octave) + e.fine_scale / searched_scale_count));
        cells[row * columns + column].push_back({0, weight, i});
    }
    std::vector<Ranked> all;
    all.reserve(extrema.size());
    for (auto &cell : cells) {
        std::sort(cell.begin(), cell.end(), [](const Ranked &a, const Ranked &b) {
            return a.strength != b.strength ? a.strength > b.strength : a.index < b.index;
        });
        for (size_t i = 0; i < cell.size(); ++i) {
            cell[i].rank = int(i) / 4;
            all.push_back(cell[i]);
        }
    }
    std::sort(all.begin(), all.end(), [](const Ranked &a, const Ranked &b) {
        if (a.rank != b.rank) return a.rank < b.rank;
        return a.strength != b.strength ? a.strength > b.strength : a.index < b.index;
    });
    all.resize(limit);
    std::sort(all.begin(), all.end(), [](const Ranked &a, const Ranked &b) { return a.index < b.index; });
    std::vector<Extremum> kept;
    kept.reserve(limit);
    for (const Ranked &ranked : all) kept.push_back(extrema[ranked.index]);
    extrema = std::move(kept);
}

} // namespace cfeatures
