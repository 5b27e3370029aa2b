// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CPolygon.h"

#include "Strips.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <numeric>
#include <polyclipping/clipper.hpp>
#include <utility>
#include <vector>

using cpolygon::Band;
using ClipperLib::IntPoint;
using ClipperLib::Path;
using ClipperLib::Paths;

namespace {

constexpr int64_t largest_coordinate = int64_t(1) << 60;

bool is_in_range(int64_t coordinate) { return -largest_coordinate <= coordinate && coordinate <= largest_coordinate; }

bool are_in_range(const CPolygonPoint &point) { return is_in_range(point.x_units) && is_in_range(point.y_units); }

/// The arguments of a call, checked and moved so that the bounding box starts at the origin: then the result does not
/// depend on where the polygons are.
struct Input {
    bool is_valid = false;
    std::vector<Band> bands;
    IntPoint origin{0, 0};
    IntPoint size{0, 0};

    Input(
        const CPolygonPoint *points, const int64_t *lengths, int64_t count, const CPolygonChord *chords,
        const int64_t *chord_counts) {
        if (points == nullptr || lengths == nullptr || count < 0 || (chords != nullptr && chord_counts == nullptr))
            return;
        if (std::any_of(lengths, lengths + count, [](int64_t length) { return length < 0; })) return;
        const CPolygonPoint *end = points + std::accumulate(lengths, lengths + count, int64_t(0));
        if (!std::all_of(points, end, are_in_range)) return;
        place(points, end);
        for (int64_t number = 0; number < count; ++number) {
            Band band;
            if (chords != nullptr) {
                if (chord_counts[number] < 0) return;
                band.chords.assign(chords, chords + chord_counts[number]);
                if (!are_nested(band.chords, lengths[number])) return;
                chords += chord_counts[number];
            }
            for (const CPolygonPoint *stop = points + lengths[number]; points < stop; ++points)
                band.points.emplace_back(points->x_units - origin.X, points->y_units - origin.Y);
            if (band.points.size() > 2) bands.push_back(std::move(band));
        }
        is_valid = true;
    }

  private:
    void place(const CPolygonPoint *points, const CPolygonPoint *end) {
        if (points == end) return;
        const auto by_x = [](const CPolygonPoint &a, const CPolygonPoint &b) { return a.x_units < b.x_units; };
        const auto by_y = [](const CPolygonPoint &a, const CPolygonPoint &b) { return a.y_units < b.y_units; };
        const auto [left, right] = std::minmax_element(points, end, by_x);
        const auto [bottom, top] = std::minmax_element(points, end, by_y);
        origin = IntPoint(left->x_units, bottom->y_units);
        size = IntPoint(right->x_units - origin.X, top->y_units - origin.Y);
    }

    static bool are_nested(const std::vector<CPolygonChord> &chords, int64_t length) {
        CPolygonChord outer{-1, length};
        for (const CPolygonChord &chord : chords) {
            if (chord.first <= outer.first || chord.second >= outer.second || chord.first >= chord.second) return false;
            outer = chord;
        }
        return true;
    }
};

/// The rings around the area; false when Clipper gives up.
bool unite(const Paths &polygons, Paths &rings) {
    ClipperLib::Clipper clipper;
    // Without a polygon that encloses something, Clipper would say that it failed.
    if (!clipper.AddPaths(polygons, ClipperLib::ptSubject, true)) return true;
    return clipper.Execute(ClipperLib::ctUnion, rings, ClipperLib::pftPositive, ClipperLib::pftPositive);
}

} // namespace

struct CPolygonOutline {
    Paths rings;
};

CPolygonStatus cpolygon_unite(
    const CPolygonPoint *points, const int64_t *polygon_lengths, int64_t polygon_count, const CPolygonChord *chords,
    const int64_t *chord_counts, double smallest_detail_units, CPolygonOutline **outline) {
    if (outline == nullptr) return CPOLYGON_INVALID_ARGUMENT;
    *outline = nullptr;
    if (!std::isfinite(smallest_detail_units) || smallest_detail_units <= 0) return CPOLYGON_INVALID_ARGUMENT;
    try {
        const Input input(points, polygon_lengths, polygon_count, chords, chord_counts);
        if (!input.is_valid) return CPOLYGON_INVALID_ARGUMENT;
        const cpolygon::Strips strips(input.bands, input.size);
        std::vector<Paths> rings_of_strips(strips.count());
        for (size_t strip = 0; strip < strips.count(); ++strip)
            if (!unite(strips.contents(strip), rings_of_strips[strip])) return CPOLYGON_FAILED;
        auto result = std::make_unique<CPolygonOutline>();
        for (const Path &joined : strips.join(rings_of_strips)) {
            Path ring;
            ClipperLib::CleanPolygon(joined, ring, smallest_detail_units);
            if (ring.size() < 3) continue;
            for (IntPoint &point : ring) point = IntPoint(point.X + input.origin.X, point.Y + input.origin.Y);
            result->rings.push_back(std::move(ring));
        }
        *outline = result.release();
        return CPOLYGON_OK;
    } catch (const std::bad_alloc &) {
        return CPOLYGON_OUT_OF_MEMORY;
    } catch (...) {
        return CPOLYGON_FAILED;
    }
}

int64_t cpolygon_ring_count(const CPolygonOutline *outline) {
    return outline == nullptr ? 0 : static_cast<int64_t>(outline->rings.size());
}

int64_t cpolygon_point_count(const CPolygonOutline *outline) {
    int64_t count = 0;
    if (outline != nullptr) {
        for (const Path &ring : outline->rings) count += static_cast<int64_t>(ring.size());
    }
    return count;
}

CPolygonStatus cpolygon_copy(const CPolygonOutline *outline, CPolygonPoint *points, int64_t *ring_lengths) {
    if (outline == nullptr || points == nullptr || ring_lengths == nullptr) return CPOLYGON_INVALID_ARGUMENT;
    for (const Path &ring : outline->rings) {
        *ring_lengths++ = static_cast<int64_t>(ring.size());
        for (const IntPoint &point : ring) *points++ = {point.X, point.Y};
    }
    return CPOLYGON_OK;
}

void cpolygon_destroy(CPolygonOutline *outline) { delete outline; }
