// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// arsim's door to Clipper: the union of polygons, behind plain C.
//
// Coordinates are whole numbers of a unit that the caller chooses, x to the right and y up, with magnitudes up to 2⁶⁰;
// where all polygons together are less than 2³⁰ units wide and high the arithmetic is several times faster. Rings run
// counter-clockwise around filled areas and clockwise around holes, the last point joined to the first.
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
    /// A null pointer, a count below zero, a coordinate out of range, or a length that is not above zero.
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

/// A chord from one point of a polygon to another, given by their numbers.
typedef struct CPolygonChord {
    int64_t first;
    int64_t second;
} CPolygonChord;

/// Areas bounded by rings. Made by cpolygon_unite, ended by cpolygon_destroy.
typedef struct CPolygonOutline CPolygonOutline;

/// The outline of everything around which the polygons wind, added up, at least once counter-clockwise.
///
/// Polygons may cross themselves and each other. Rings may touch each other and themselves in points, and where edges
/// cross in a point that is not whole, rounding may let them overlap by a unit.
///
/// Points of rings that lie nearer than the smallest detail to a neighbour, or to the line between their neighbours, are
/// left out, and rings that vanish by that.
///
/// The plane is cut into upright strips, each strip is united by itself, and the outlines are joined along the cuts. A
/// polygon that is a long band should say where it can be divided: then each strip looks at the band's pieces nearby
/// only, and the cost grows with n log n for n points.
///
/// - points: the polygons' points, one polygon after the other; polygon_lengths holds polygon_count numbers of points.
/// - chords: where polygons can be divided, one polygon after the other; chord_counts holds polygon_count numbers of
///   chords. From chord to chord of a polygon `first` grows and `second` falls, and first < second. Null for none.
/// - outline: receives the outline, which the caller destroys; null unless the status is CPOLYGON_OK.
CPolygonStatus cpolygon_unite(
    const CPolygonPoint *points, const int64_t *polygon_lengths, int64_t polygon_count, const CPolygonChord *chords,
    const int64_t *chord_counts, double smallest_detail_units, CPolygonOutline **outline);

/// The number of rings.
int64_t cpolygon_ring_count(const CPolygonOutline *outline);

/// The number of points of all rings.
int64_t cpolygon_point_count(const CPolygonOutline *outline);

/// Copies the rings.
///
/// - points: room for cpolygon_point_count points, one ring after the other.
/// - ring_lengths: room for cpolygon_ring_count numbers of points.
CPolygonStatus cpolygon_copy(const CPolygonOutline *outline, CPolygonPoint *points, int64_t *ring_lengths);

/// Ends an outline. Null is allowed.
void cpolygon_destroy(CPolygonOutline *outline);

#ifdef __cplusplus
}
#endif

#endif
