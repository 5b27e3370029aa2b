// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// arsim's door to Clipper: the outline of a pen's way, behind plain C.
//
// Coordinates are whole numbers of a unit that the caller chooses, x to the right and y up, with magnitudes up to 2⁶⁰;
// below 2²⁹ the arithmetic is several times faster. Rings run counter-clockwise around filled areas and clockwise around
// holes, the last point joined to the first.
//
// Every function returns a status; nothing is thrown, printed or aborted. The same input gives the same output. Functions
// may be called from several threads at once; one outline may be read by several threads.

#ifndef CPOLYGON_H
#define CPOLYGON_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum CPolygonStatus {
    CPOLYGON_OK = 0,
    /// A null pointer, a path without points, a coordinate out of range, or a length that is not above zero.
    CPOLYGON_INVALID_ARGUMENT = 1,
    /// Memory ran out.
    CPOLYGON_OUT_OF_MEMORY = 2,
    /// Clipper found no result.
    CPOLYGON_FAILED = 3
} CPolygonStatus;

/// A point, in units.
typedef struct CPolygonPoint {
    int64_t x_units;
    int64_t y_units;
} CPolygonPoint;

/// Areas bounded by rings. Made by cpolygon_trace, ended by cpolygon_destroy.
typedef struct CPolygonOutline CPolygonOutline;

/// The outline of everything within a radius of the paths: a round pen drawn along each of them, all united.
///
/// Joins and ends are round, made of chords that stay within the tolerance of the arc, on its inner side. A path of one
/// point gives a disc. Rings may touch each other and themselves in points, and where edges cross in a point that is not
/// whole, rounding may let them overlap by a unit.
///
/// Points of rings that lie nearer than the smallest detail to a neighbour, or to the line between their neighbours, are
/// left out, and rings that vanish by that.
///
/// - points: the paths' points, one path after the other; path_lengths holds path_count numbers of points.
/// - outline: receives the outline, which the caller destroys; null unless the status is CPOLYGON_OK.
CPolygonStatus cpolygon_trace(
    const CPolygonPoint *points, const int64_t *path_lengths, int64_t path_count, double radius_units,
    double arc_tolerance_units, double smallest_detail_units, CPolygonOutline **outline);

/// The number of rings.
int64_t cpolygon_ring_count(const CPolygonOutline *outline);

/// The number of points of all rings.
int64_t cpolygon_point_count(const CPolygonOutline *outline);

/// Copies the rings: each outer ring is followed by its holes.
///
/// - points: room for cpolygon_point_count points, one ring after the other.
/// - ring_lengths, ring_is_hole: room for cpolygon_ring_count numbers each: points of the ring, and 1 for a hole, else 0.
CPolygonStatus cpolygon_copy(
    const CPolygonOutline *outline, CPolygonPoint *points, int64_t *ring_lengths, int8_t *ring_is_hole);

/// Ends an outline. Null is allowed.
void cpolygon_destroy(CPolygonOutline *outline);

#ifdef __cplusplus
}
#endif

#endif
