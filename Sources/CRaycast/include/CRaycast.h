// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Ray casting against triangle meshes, over Embree 3, and the filter through which textures on them are seen.
///
/// A scene holds fixed meshes, which share one acceleration structure, and moving meshes, each placed by a rigid pose,
/// and perhaps deformed, anew from shot to shot. A moving mesh may also move while a shot is taken: each ray has its
/// own instant. Batches of rays are traced in packets.
///
/// - Frames: everything is in one world; a moving mesh is given in its own frame and placed by `world_from_object`.
/// - Units: the caller's; distances are multiples of a ray's direction, which need not have unit length.
/// - Memory: the caller owns every buffer; meshes are copied when they are added.
/// - Threads: `craycast_intersect` and `craycast_occluded` may run at the same time on one committed scene. Everything
///   else needs the scene for itself.
/// - Determinism: a batch's results depend on the scene and on the batch alone, not on the number of threads. A ray's
///   do not depend on its neighbours in the batch either, except that it is not defined which of several triangles at
///   exactly the same distance is hit. The instruction set is at most AVX2, so that wider machines give the same results.
/// - Failure: functions that can fail return a status; nothing is thrown and nothing is printed.

#ifndef CRAYCAST_H
#define CRAYCAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a call.
typedef enum CRaycastStatus {
    /// Done.
    CRAYCAST_OK = 0,
    /// A null pointer, an empty mesh, a triangle's corner without vertex, an object that is no moving mesh, or a
    /// number of vertices that is not the mesh's.
    CRAYCAST_INVALID_ARGUMENT = 1,
    /// Memory ran out.
    CRAYCAST_OUT_OF_MEMORY = 2,
    /// The scene was changed after the last `craycast_commit`, or never committed.
    CRAYCAST_NOT_COMMITTED = 3,
    /// Embree reported an error.
    CRAYCAST_BACKEND_FAILED = 4,
} CRaycastStatus;

/// A scene: meshes, poses and what was built of them. Made by `craycast_create`, freed by `craycast_destroy`.
typedef struct CRaycastScene CRaycastScene;

/// A triangle mesh: packed x y z of the vertices and three vertex indices a triangle.
typedef struct CRaycastMesh {
    /// `3 * vertex_count` coordinates.
    const float *positions;
    size_t vertex_count;
    /// `3 * triangle_count` indices below `vertex_count`.
    const uint32_t *triangles;
    size_t triangle_count;
} CRaycastMesh;

/// A batch of rays, one array a component, each with one entry a ray.
typedef struct CRaycastRays {
    const float *origin_x;
    const float *origin_y;
    const float *origin_z;
    const float *direction_x;
    const float *direction_y;
    const float *direction_z;
    /// Where each ray ends, as a multiple of its direction; a ray that ends before `near` is not traced and hits
    /// nothing. NULL: no ray ends.
    const float *far;
    /// When each ray is cast, from 0, the shot's beginning, to 1, its end. NULL: all at its beginning.
    const float *time;
    /// Where the rays begin, as a multiple of their directions; at least zero.
    float near;
} CRaycastRays;

/// The object of a ray that hits nothing.
#define CRAYCAST_NOTHING (-1)

/// The nearest hits of a batch of rays, one array a quantity, each with room for one entry a ray.
///
/// `object` is required; each of the others may be NULL when it is not wanted. Where nothing was hit `object` is
/// `CRAYCAST_NOTHING`, `depth` is infinite and the others are zero.
typedef struct CRaycastHits {
    /// The number that the mesh got when it was added.
    int32_t *object;
    /// The triangle's index in its mesh.
    uint32_t *primitive;
    /// Barycentric weight of the triangle's second corner.
    float *u;
    /// Barycentric weight of the triangle's third corner; the first one's is `1 - u - v`.
    float *v;
    /// The distance as a multiple of the ray's direction.
    float *depth;
} CRaycastHits;

/// Which meshes rays are cast against.
typedef enum CRaycastSubset {
    CRAYCAST_ALL = 0,
    CRAYCAST_FIXED = 1,
    CRAYCAST_MOVING = 2,
    /// All but the rectangles.
    CRAYCAST_MESHES = 3,
    /// Those of them that do not move.
    CRAYCAST_FIXED_MESHES = 4,
} CRaycastSubset;

/// An empty scene, to be freed with `craycast_destroy`.
CRaycastStatus craycast_create(CRaycastScene **scene);

/// Frees a scene; NULL is allowed.
void craycast_destroy(CRaycastScene *scene);

/// Adds a mesh that stays where its coordinates say. Its number, counted from zero over all meshes, goes to `object`.
CRaycastStatus craycast_add_static(CRaycastScene *scene, const CRaycastMesh *mesh, int32_t *object);

/// The same for a rectangle, which rays cast against `CRAYCAST_MESHES` pass through: `craycast_find_rectangles` finds it.
CRaycastStatus craycast_add_rectangle(CRaycastScene *scene, const CRaycastMesh *mesh, int32_t *object);

/// Adds a mesh that is placed by `craycast_place`; until then its frame is the world.
CRaycastStatus craycast_add_moving(CRaycastScene *scene, const CRaycastMesh *mesh, int32_t *object);

/// Places a moving mesh: twelve numbers, the columns of the rotation, then the translation, for the shot's beginning and
/// for its end, between which it moves evenly. NULL for the end: it rests, and no ray pays for movement.
CRaycastStatus craycast_place(
    CRaycastScene *scene, int32_t object, const float world_from_object[12], const float world_from_object_at_end[12]);

/// Gives the vertices of a moving mesh new places in its frame, `3 * vertex_count` coordinates, for the shot's beginning
/// and for its end, between which each moves evenly. NULL for the end: they rest.
CRaycastStatus craycast_deform(
    CRaycastScene *scene, int32_t object, const float *positions, const float *positions_at_end, size_t vertex_count);

/// Builds what the rays need. To be called after the last change and before the first ray; after `craycast_place`
/// alone it is cheap, after `craycast_deform` it takes time in proportion to the deformed meshes.
CRaycastStatus craycast_commit(CRaycastScene *scene);

/// Finds the nearest triangle along each of `count` rays.
CRaycastStatus craycast_intersect(
    const CRaycastScene *scene, CRaycastSubset subset, const CRaycastRays *rays, size_t count,
    const CRaycastHits *hits);

/// Writes 1 for each of `count` rays that meets a triangle between its ends, 0 for each that does not.
CRaycastStatus craycast_occluded(
    const CRaycastScene *scene, CRaycastSubset subset, const CRaycastRays *rays, size_t count, uint8_t *occluded);

/// Chooses between registers of 256 bits (AVX2) and of 128 for all functions below, and tells which are used now: 256 only
/// if the processor has them, as from the start. Both give the same bits; the choice is there for the test of that.
bool craycast_use_wide_registers(bool wanted);

/// One level of a texture: rows of texels, at least two by two.
typedef struct CRaycastTextureLevel {
    /// The index of its first texel.
    int32_t first_texel;
    int16_t width;
    int16_t height;
} CRaycastTextureLevel;

/// A texture: each level has half of the columns and rows of the one before, and stands behind it.
typedef struct CRaycastTexture {
    /// Red, green and blue light, 0 to 32767 for 0…1, and a fourth number, 0 to 32767, that is ignored.
    const uint16_t *texels;
    const CRaycastTextureLevel *levels;
    int32_t level_count;
} CRaycastTexture;

/// The part of a texture that a pixel covers: a place and the sides of a parallelogram around it, in texels of the finest
/// level, whose first texel has its corner at (0, 0).
typedef struct CRaycastFootprint {
    float x;
    float y;
    float column_x;
    float column_y;
    float row_x;
    float row_y;
} CRaycastFootprint;

/// Writes red, green, blue light, 0…1, and the mean of the ignored numbers for each of `count` footprints: the mean over
/// the parallelogram. It cannot fail, so that it has no status; the texture has at least one level.
///
/// Along its longer side up to eight probes are averaged, each as wide as the shorter side: sharp at grazing angles too.
/// - Reference: Williams 1983, "Pyramidal parametrics"; Schilling, Knittel, Strasser 1996, "Texram"; McCormack et al.
///   1999, "Feline".
void craycast_sample(
    const CRaycastTexture *texture, const CRaycastFootprint *footprints, size_t count, float (*light)[4]);

/// How many numbers are read or written at once, so that there must be room for one less behind the last.
#define CRAYCAST_LANES 8

/// Asks memory for bytes that will soon be read.
static inline void craycast_fetch(const void *bytes, size_t count) {
    const size_t line = 64;
    for (size_t first = 0; first < count; first += line) __builtin_prefetch((const char *)bytes + first);
}

/// Vectors, one array a coordinate, `CRAYCAST_LANES` read at once.
typedef struct CRaycastVectors {
    const float *x;
    const float *y;
    const float *z;
} CRaycastVectors;

/// A rectangle as a camera sees it: three linear functions of a direction `d` in the camera's axes.
///
/// `nearness · d` is one over the distance of the rectangle's plane along `d`, as a multiple of `d`; `across · d` and
/// `along · d`, divided by it, are the place that is seen, −1…1 from one side of the rectangle to the other. The fourth
/// numbers are ignored.
typedef struct CRaycastRectangle {
    float across[4];
    float along[4];
    float nearness[4];
} CRaycastRectangle;

/// A plane through a camera's place. Something lies behind it where the normal's product with the way from the camera is
/// less than `slack`, at most zero, times the way's length: that is a convex cone.
typedef struct CRaycastPlane {
    float normal[3];
    float slack;
} CRaycastPlane;

/// Eight points around a thing; a thing with fewer has some twice.
typedef struct CRaycastOutline {
    float x[8];
    float y[8];
    float z[8];
} CRaycastOutline;

/// Keeps those of `count` candidates that no plane has behind it, and returns how many: things that may be seen from a
/// place between the planes. `stray` is added to the slack, as a length: how far the place may be from `origin`.
///
/// Like the functions below it cannot fail, so that it has no status. `kept` has room for `count`; it may be
/// `candidates`.
size_t craycast_cull(
    const CRaycastOutline *outlines, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t plane_count, int32_t *kept);

/// Does the same for a row of `column_count` tiles, which it halves again and again: a tile keeps the candidates that neither
/// the row has behind one of its two planes nor a half, in which the tile lies, behind its plane on the side of the other.
/// They are written to `lists`, which has room for `count` candidates a tile, and their numbers to `counts`.
///
/// There are two planes for the whole row and for each of its parts, each part before its halves, the left half, with half
/// of the columns rounded down, and all of its parts before the right one.
void craycast_divide(
    const CRaycastOutline *outlines, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t column_count, int32_t *lists, size_t *counts);

/// A ball around a thing.
typedef struct CRaycastBall {
    float center[3];
    float radius;
} CRaycastBall;

/// The same for balls: faster, and it keeps more, because a ball is larger than what is in it.
size_t craycast_cull_balls(
    const CRaycastBall *balls, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t plane_count, int32_t *kept);

/// Writes for each of `count` directions from `first` on which of the candidates, indices of `rectangles`, is the nearest
/// there; `CRAYCAST_NOTHING` where none is, and for the direction zero. The first candidate wins a tie. `distances`, unless
/// it is NULL, gets how far away it is, as a multiple of the direction; infinite where there is none.
void craycast_find_rectangles(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidate_count,
    const CRaycastVectors *directions, size_t first, size_t count, int32_t *objects, float *distances);

/// Directions in double precision, likewise.
typedef struct CRaycastDirections {
    const double *x;
    const double *y;
    const double *z;
} CRaycastDirections;

/// Writes how deep below the camera, along its optical axis, each of `count` directions d from `first` on meets a plane:
/// −z / (nearness · d).
void craycast_find_depths(
    const CRaycastDirections *directions, const double nearness[3], size_t first, size_t count, float *depths);

/// A pixel's view: where its centre looks, and how that changes from one side of the pixel to the other.
///
/// The fourth numbers are ignored.
typedef struct CRaycastPixel {
    float direction[4];
    float across_columns[4];
    float across_rows[4];
} CRaycastPixel;

/// The same for `count` places in a pixel, a multiple of `CRAYCAST_LANES`, given as offsets from its centre in pixels, −½…½.
void craycast_find_rectangles_in_pixel(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidate_count, const CRaycastPixel *pixel,
    const float *columns, const float *rows, size_t count, int32_t *objects, float *distances);

/// Where the pixels of a row look, and where the next pixels in the row and the column do.
typedef struct CRaycastPixelRow {
    CRaycastVectors directions;
    CRaycastVectors next_column;
    CRaycastVectors next_row;
} CRaycastPixelRow;

/// What share of the light a matt surface reflects: the sky's, and the whole sun's, which is zero where a surface is turned
/// away from it.
typedef struct CRaycastShares {
    float sky;
    float sun;
} CRaycastShares;

/// Stands in the place of a pose's number for an object that is no rectangle.
#define CRAYCAST_NO_RECTANGLE (-1)

/// Rectangles as a camera sees them, each computed when it is first looked at.
typedef struct CRaycastSights {
    /// By object number.
    const CRaycastRectangle *rectangles;
    /// Likewise, of the side that the camera sees.
    const CRaycastShares *shares;
    /// For which of the camera's poses each is computed, by number; `CRAYCAST_NO_RECTANGLE` for what is none.
    const int64_t *poses;
    /// The pose from which they are looked at.
    int64_t pose;
    /// Computes an object's rectangle for that pose, and puts the pose's number in place.
    void (*see)(const void *owner, int32_t object);
    const void *owner;
} CRaycastSights;

/// What the pixels' centres of a row see, and with what light.
typedef struct CRaycastSeenRow {
    const int32_t *objects;
    const float (*light)[4];
} CRaycastSeenRow;

/// A row of `count` pixels between its neighbours; beyond the picture's rim stands the row itself.
typedef struct CRaycastSeenRows {
    CRaycastSeenRow above;
    CRaycastSeenRow own;
    CRaycastSeenRow below;
    size_t count;
} CRaycastSeenRows;

/// The samples of a pixel at an edge, `CRAYCAST_LANES` places given as offsets from its centre in pixels, −½…½.
typedef struct CRaycastEdgeSamples {
    const float *columns;
    const float *rows;
    /// Sixteen sets of samples, a bit each, for each of the pixel's neighbours to the left, to the right, above and below:
    /// the samples to which it is the nearest of those neighbours whose bits are in the number of the set, 1, 2, 4 and 8.
    const uint8_t (*nearest)[4];
} CRaycastEdgeSamples;

/// Blends `count` pixels of a row, given by their columns: each gets the mean of its samples, each with the light of the
/// nearest centre, its own or one of its four neighbours', that sees what the sample sees. That is the nearest of the
/// rectangles that the pixel's centre and the eight around it see, or `CRAYCAST_NOTHING`; samples to which no centre gives
/// light are left out.
///
/// Pixels near which something else than rectangles is seen get nothing: their indices among the columns are written to
/// `others`, which has room for `count`, and their number is returned.
size_t craycast_blend_edges(
    const CRaycastSights *sights, const CRaycastSeenRows *rows, const CRaycastPixelRow *pixels,
    const CRaycastEdgeSamples *samples, const int32_t *columns, size_t count, float (*light)[4], int32_t *others);

/// One level of a light map, divided into square tiles of 16×16 cells.
///
/// A tile is the address of 17×17 bytes, row after row: at each corner of a cell how many sixteenths of the sun are seen.
/// The addresses 0, 1 and 2 stand for a tile that nobody has made yet, and for two that are dark or lit everywhere.
typedef struct CRaycastLightLevel {
    /// The tiles' addresses, row after row, which other threads may write, each once.
    const uintptr_t *tiles;
    int32_t columns;
    /// Places beyond these, in cells, are taken for these.
    float end_x;
    float end_y;
} CRaycastLightLevel;

/// The most levels of a light map.
#define CRAYCAST_LIGHT_LEVELS 7

/// How much of the sun is seen from the places of a rectangle: `CRAYCAST_LIGHT_LEVELS` levels, each with half of the cells
/// of the one before in a row and in a column.
typedef struct CRaycastLightMap {
    const CRaycastLightLevel *levels;
    /// Makes a tile that nobody has made yet, puts its address in place, and returns it.
    uintptr_t (*make)(const void *owner, int32_t level, int32_t column, int32_t row);
    const void *owner;
} CRaycastLightMap;

/// What is on a rectangle.
typedef struct CRaycastCoat {
    CRaycastTexture texture;
    /// The numbers of the texture's texels and of the light map's cells, from one side to the other.
    float texels[2];
    float cells[2];
    CRaycastLightMap light_map;
    /// The light of a texture that is the same everywhere, and whether it is.
    float plain[4];
    bool is_plain;
    /// Whether it reflects the same light to all sides.
    bool is_matt;
} CRaycastCoat;

/// Neighbouring rows of `count` pixels on their way to light. What has a number a pixel, or four, has them row after row.
typedef struct CRaycastShadedRows {
    /// What the centres see.
    const int32_t *objects;
    /// Where each row looks.
    const CRaycastPixelRow *pixels;
    float (*light)[4];
    /// For pixels whose light is not finished the part of the sun, 0…1, that reaches them past what is fixed.
    float *sun_parts;
    size_t row_count;
    size_t count;
} CRaycastShadedRows;

/// Neighbours in a row that see the same object, or nothing.
typedef struct CRaycastRun {
    int32_t object;
    int32_t row;
    int32_t first_column;
    int32_t column_count;
    /// The next run of the object, by index; used while rows are shaded.
    int32_t next;
} CRaycastRun;

/// Room for the shading of rows.
typedef struct CRaycastRunRoom {
    /// For as many runs as the rows have pixels.
    CRaycastRun *runs;
    /// Likewise.
    int32_t *groups;
    /// By object number, −1 before and after.
    int32_t *last_runs;
} CRaycastRunRoom;

/// Shades those pixels of some rows, looked at from one pose, that see rectangles. Pixels of the same rectangle are shaded
/// eight at once, whether they are neighbours or not; law: `RectangleShadingTests`.
///
/// Light is finished on matt rectangles where `finishes` says so; on the others it is what `craycast_sample` writes.
/// What is not finished, all that is no rectangle too, is left in the room's runs, row after row, and the number of these
/// runs is returned.
size_t craycast_shade_rectangles(
    const CRaycastSights *sights, const CRaycastCoat *coats, const CRaycastShadedRows *rows, bool finishes,
    const CRaycastRunRoom *room);

/// Stands in the place of an object that continues another where there is none.
#define CRAYCAST_NO_CONTINUATION (-2)

/// Finds those pixels of a row that have a neighbour in it, in the row above or in the row below that sees another
/// object, unless this is one of the four `continuations` of the pixel's own, which are given by object number; NULL where
/// no object has any. Writes their columns, and returns how many there are; `columns` has room for `count`.
size_t craycast_find_rims(
    const int32_t *objects, const int32_t *above, const int32_t *below, size_t count,
    const int32_t (*continuations)[4], int32_t *columns);

#ifdef __cplusplus
}
#endif

#endif
