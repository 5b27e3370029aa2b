// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Where differences of Gaussians have their extrema (Lowe 2004, sections 3 and 4).

#include "Extrema.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cfeatures {
namespace {

constexpr int border = 5;

typedef int16_t Values __attribute__((vector_size(64)));
constexpr int step = sizeof(Values) / sizeof(int16_t);

CFEATURES_WIDE void subtract(const uint16_t *coarse, const uint16_t *fine, int count, int16_t *out) {
    for (int i = 0; i < count; ++i) out[i] = int16_t(coarse[i] - fine[i]);
}

/// A row and its neighbours, above and below, in three neighbouring differences.
struct Differences {
    const int16_t *rows[3][3];

    Differences(const DifferenceRows &differences, int first, int y) {
        for (int number = 0; number < 3; ++number) {
            for (int i = 0; i < 3; ++i) rows[number][i] = differences.row(first + number, y + i - 1);
        }
    }

    /// The value in a column of one of the differences, and of a row counted from the middle one.
    int operator()(int number, int x, int row) const { return rows[number][row + 1][x]; }
};

[[gnu::always_inline]] inline void load(const int16_t *from, Values &values) { std::memcpy(&values, from, sizeof values); }

/// Whether any number of a comparison is not zero.
[[gnu::always_inline]] inline bool is_any(const Values &marks) {
    uint64_t words[sizeof(Values) / sizeof(uint64_t)], any = 0;
    std::memcpy(words, &marks, sizeof words);
    for (const uint64_t word : words) any |= word;
    return any != 0;
}

/// The largest and the least of values' neighbours.
struct Extremes {
    Values most, least;

    [[gnu::always_inline]] void include(const int16_t *from) {
        Values other;
        load(from, other);
        most = most > other ? most : other;
        least = least < other ? least : other;
    }

    [[gnu::always_inline]] void include_ring(const int16_t *const *rows, int x) {
        include(rows[1] + x - 1);
        include(rows[1] + x + 1);
        for (int column = x - 1; column <= x + 1; ++column) {
            include(rows[0] + column);
            include(rows[2] + column);
        }
    }
};

/// The columns of a row so wide, but for its border, whose values are strong and beyond all 26 neighbours; returns how many
/// there are. `columns` has room for the whole row.
CFEATURES_WIDE int find_in_row(const Differences &d, int width, int16_t threshold, int32_t *columns) {
    const int end = width - border;
    int count = 0;
    for (int x = border; x < end; x += step) {
        Values value;
        load(d.rows[1][1] + x, value);
        Values is_high = value >= threshold, is_low = value <= int16_t(-threshold);
        if (!is_any(is_high | is_low)) continue;
        Extremes around;
        load(d.rows[0][1] + x, around.most);
        around.least = around.most;
        around.include(d.rows[2][1] + x);
        around.include_ring(d.rows[1], x);
        is_high &= value >= around.most;
        is_low &= value <= around.least;
        if (!is_any(is_high | is_low)) continue;
        around.include_ring(d.rows[0], x);
        around.include_ring(d.rows[2], x);
        is_high &= value >= around.most;
        is_low &= value <= around.least;
        const Values found = is_high | is_low;
        if (!is_any(found)) continue;
        int16_t marks[step];
        std::memcpy(marks, &found, sizeof marks);
        for (int i = 0; i < std::min(step, end - x); ++i) {
            if (marks[i] != 0) columns[count++] = x + i;
        }
    }
    return count;
}

/// Fits a parabola in three dimensions around the pixel; leaves out what has no extremum near it, is faint, or is an edge.
bool refine(const Differences &d, int x, int y, float least_strength, Extremum &extremum) {
    const float middle = float(d(1, x, 0));
    const float dx = 0.5f * float(d(1, x + 1, 0) - d(1, x - 1, 0));
    const float dy = 0.5f * float(d(1, x, 1) - d(1, x, -1));
    const float ds = 0.5f * float(d(2, x, 0) - d(0, x, 0));
    const float xx = float(d(1, x + 1, 0) + d(1, x - 1, 0)) - 2 * middle;
    const float yy = float(d(1, x, 1) + d(1, x, -1)) - 2 * middle;
    const float ss = float(d(2, x, 0) + d(0, x, 0)) - 2 * middle;
    const float xy = 0.25f * float(d(1, x + 1, 1) - d(1, x - 1, 1) - d(1, x + 1, -1) + d(1, x - 1, -1));
    const float xs = 0.25f * float(d(2, x + 1, 0) - d(2, x - 1, 0) - d(0, x + 1, 0) + d(0, x - 1, 0));
    const float ys = 0.25f * float(d(2, x, 1) - d(2, x, -1) - d(0, x, 1) + d(0, x, -1));

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

DifferenceRows::DifferenceRows(const std::array<Plane, scale_count> &planes)
    : planes(planes), stride(whole_lines(planes[0].width + step)), values(size_t(difference_count * 3) * size_t(stride)) {}

void DifferenceRows::add(int y) {
    for (int number = 0; number < difference_count; ++number) {
        subtract(
            planes[size_t(number + 1)].row(y), planes[size_t(number)].row(y), planes[0].width,
            values.data() + place(number, y));
    }
}

ExtremumSearch::ExtremumSearch(const std::array<Plane, scale_count> &planes, int octave, float least_strength)
    : planes(planes), octave(octave), next_row(border), next_difference(border - 1), least_strength(least_strength),
      differences(planes), columns(static_cast<size_t>(planes[0].width)) {}

void ExtremumSearch::advance(int row_count) {
    const int width = planes[0].width, height = planes[0].height;
    const int threshold = std::max(1, int(0.7f * least_strength * float(1 << light_shift)));
    for (; next_row < height - border && next_row + 1 < row_count; ++next_row) {
        while (next_difference <= next_row + 1) differences.add(next_difference++);
        for (int scale = 1; scale <= searched_scale_count; ++scale) {
            const Differences d(differences, scale - 1, next_row);
            const int count = find_in_row(d, width, int16_t(threshold), columns.data());
            for (int i = 0; i < count; ++i) {
                Extremum extremum{octave, scale, 0, 0, 0, 0};
                if (refine(d, columns[size_t(i)], next_row, least_strength, extremum)) {
                    found[size_t(scale - 1)].push_back(extremum);
                }
            }
        }
    }
}

void ExtremumSearch::append(std::vector<Extremum> &extrema) const {
    for (const auto &of_scale : found) extrema.insert(extrema.end(), of_scale.begin(), of_scale.end());
}

std::vector<Extremum> strongest(const CFeaturesScaleSpace &space, size_t limit) {
    const auto &extrema = space.extrema;
    if (extrema.size() <= limit) return extrema;
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
    return kept;
}

} // namespace cfeatures
