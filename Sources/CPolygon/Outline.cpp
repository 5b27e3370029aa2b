// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CPolygon.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <polyclipping/clipper.hpp>
#include <utility>
#include <vector>

namespace {

constexpr int64_t largest_coordinate = int64_t(1) << 60;

struct Ring {
    ClipperLib::Path points;
    bool is_hole;
};

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

bool is_in_range(int64_t coordinate) { return -largest_coordinate <= coordinate && coordinate <= largest_coordinate; }

bool are_in_range(const CPolygonPoint &point) { return is_in_range(point.x_units) && is_in_range(point.y_units); }

/// The tolerance with which Clipper's chords stay within `tolerance` of their arcs.
///
/// Clipper cuts arcs into steps of 2π / n with n = π / acos(1 − tolerance / radius), rounded to whole steps, so that the
/// last chord of an arc can be half as long again as the others. Here n is half as large again and a multiple of four:
/// then chords of one and a half steps keep the tolerance, and half circles have no remainder.
double clipper_tolerance(double radius, double tolerance) {
    const double pi = std::acos(-1.0);
    const double steps = 1.5 * pi / std::acos(1 - std::min(1.0, tolerance / radius));
    // The excess keeps rounding from taking the last step away.
    const double whole_steps = 4 * std::ceil(steps / 4) + 1e-3;
    return radius * (1 - std::cos(pi / whole_steps));
}

/// Whether the path turns by more than a right angle from `before` over `corner` to `after`.
bool turns_back(
    const ClipperLib::IntPoint &before, const ClipperLib::IntPoint &corner, const ClipperLib::IntPoint &after) {
    const double in_x = static_cast<double>(corner.X - before.X), in_y = static_cast<double>(corner.Y - before.Y);
    const double out_x = static_cast<double>(after.X - corner.X), out_y = static_cast<double>(after.Y - corner.Y);
    return in_x * out_x + in_y * out_y < 0;
}

/// Adds a path, cut where it turns back: there Clipper 6.4.2 can lose the half disc around the corner. The pieces' round
/// ends cover the same area.
void add_in_pieces(ClipperLib::ClipperOffset &pen, const CPolygonPoint *points, int64_t count) {
    ClipperLib::Path piece;
    for (int64_t i = 0; i < count; ++i) {
        const ClipperLib::IntPoint point(points[i].x_units, points[i].y_units);
        if (!piece.empty() && piece.back() == point) continue;
        if (piece.size() > 1 && turns_back(piece[piece.size() - 2], piece.back(), point)) {
            pen.AddPath(piece, ClipperLib::jtRound, ClipperLib::etOpenRound);
            piece.erase(piece.begin(), piece.end() - 1);
        }
        piece.push_back(point);
    }
    pen.AddPath(piece, ClipperLib::jtRound, ClipperLib::etOpenRound);
}

} // namespace

struct CPolygonOutline {
    std::vector<Ring> rings;
};

namespace {

void append_ring(const ClipperLib::Path &contour, bool is_hole, double smallest_detail, std::vector<Ring> &rings) {
    Ring ring{{}, is_hole};
    ClipperLib::CleanPolygon(contour, ring.points, smallest_detail);
    if (ring.points.size() > 2) rings.push_back(std::move(ring));
}

/// Appends the outer rings among the nodes, each followed by its holes, then what lies inside the holes.
void append_areas(const ClipperLib::PolyNodes &outers, double smallest_detail, std::vector<Ring> &rings) {
    for (const ClipperLib::PolyNode *outer : outers) {
        append_ring(outer->Contour, false, smallest_detail, rings);
        for (const ClipperLib::PolyNode *hole : outer->Childs)
            append_ring(hole->Contour, true, smallest_detail, rings);
        for (const ClipperLib::PolyNode *hole : outer->Childs) append_areas(hole->Childs, smallest_detail, rings);
    }
}

} // namespace

CPolygonStatus cpolygon_trace(
    const CPolygonPoint *points, const int64_t *path_lengths, int64_t path_count, double radius_units,
    double arc_tolerance_units, double smallest_detail_units, CPolygonOutline **outline) {
    if (outline == nullptr) return CPOLYGON_INVALID_ARGUMENT;
    *outline = nullptr;
    if (points == nullptr || path_lengths == nullptr || path_count < 1) return CPOLYGON_INVALID_ARGUMENT;
    if (!is_positive(radius_units) || !is_positive(arc_tolerance_units) || !is_positive(smallest_detail_units))
        return CPOLYGON_INVALID_ARGUMENT;
    try {
        ClipperLib::ClipperOffset pen;
        pen.ArcTolerance = clipper_tolerance(radius_units, arc_tolerance_units);
        for (int64_t number = 0; number < path_count; ++number) {
            if (path_lengths[number] < 1) return CPOLYGON_INVALID_ARGUMENT;
            const CPolygonPoint *end = points + path_lengths[number];
            if (!std::all_of(points, end, are_in_range)) return CPOLYGON_INVALID_ARGUMENT;
            add_in_pieces(pen, points, path_lengths[number]);
            points = end;
        }
        ClipperLib::PolyTree tree;
        pen.Execute(tree, radius_units);
        auto result = std::make_unique<CPolygonOutline>();
        append_areas(tree.Childs, smallest_detail_units, result->rings);
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
        for (const Ring &ring : outline->rings) count += static_cast<int64_t>(ring.points.size());
    }
    return count;
}

CPolygonStatus cpolygon_copy(
    const CPolygonOutline *outline, CPolygonPoint *points, int64_t *ring_lengths, int8_t *ring_is_hole) {
    if (outline == nullptr || points == nullptr || ring_lengths == nullptr || ring_is_hole == nullptr)
        return CPOLYGON_INVALID_ARGUMENT;
    for (const Ring &ring : outline->rings) {
        *ring_lengths++ = static_cast<int64_t>(ring.points.size());
        *ring_is_hole++ = ring.is_hole ? 1 : 0;
        for (const ClipperLib::IntPoint &point : ring.points) *points++ = {point.X, point.Y};
    }
    return CPOLYGON_OK;
}

void cpolygon_destroy(CPolygonOutline *outline) { delete outline; }
