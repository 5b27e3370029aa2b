// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// arsim's door to OpenCV: kernels over images and batches of points behind plain C.
//
// Rules that hold for every function here:
// - Each returns a status. On any status other than CVISION_OK the output buffers hold unspecified values; nothing is
//   thrown, printed or aborted.
// - The caller owns every buffer. Its size stands beside its pointer in the comment; a count of zero allows null.
// - Buffers of points are packed doubles: x y x y … or x y z x y z ….
// - Pixels have their origin at the centre of the top-left pixel, x to the right, y down.
// - Points in space are in optical axes: +X right, +Y down, +Z forward.
// - The same input gives the same output, bit for bit. The first call sets OpenCV to one thread, for the whole process.
// - Functions may be called from several threads at once, on different output buffers.

#ifndef CVISION_H
#define CVISION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum CVisionStatus {
    CVISION_OK = 0,
    /// A null pointer, a negative count or size, a number that is not finite, or an enum value that is not listed.
    CVISION_INVALID_ARGUMENT = 1,
    /// The input is well-formed, but there is no answer: no chessboard, no pose.
    CVISION_NOT_FOUND = 2,
    /// Memory ran out.
    CVISION_OUT_OF_MEMORY = 3,
    /// OpenCV refused the input, for a reason that it keeps to itself.
    CVISION_FAILED = 4
} CVisionStatus;

/// What went wrong, in English, for a status; never null, lives for ever.
const char *cvision_status_message(CVisionStatus status);

// MARK: Images

/// A grey picture that is only read: one byte a pixel, rows from the top.
typedef struct CVisionGrayImage {
    /// bytes_per_row × height bytes.
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    /// The distance between the starts of two rows, at least `width`.
    int32_t bytes_per_row;
} CVisionGrayImage;

/// A picture that is only read: grey (one channel) or red, green, blue (three), one byte a channel, rows from the top.
typedef struct CVisionPicture {
    /// bytes_per_row × height bytes.
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    /// The distance between the starts of two rows, at least `width` × `channels`.
    int32_t bytes_per_row;
    /// 1 or 3.
    int32_t channels;
} CVisionPicture;

/// A picture to be drawn on: grey (one channel) or red, green, blue (three), one byte a channel, rows from the top.
typedef struct CVisionCanvas {
    /// bytes_per_row × height bytes.
    uint8_t *pixels;
    int32_t width;
    int32_t height;
    /// The distance between the starts of two rows, at least `width` × `channels`.
    int32_t bytes_per_row;
    /// 1 or 3.
    int32_t channels;
} CVisionCanvas;

// MARK: Cameras

/// The lens models.
typedef enum CVisionCameraModel {
    /// No distortion.
    CVISION_PINHOLE = 0,
    /// `distortion` is k1 k2 p1 p2 k3: OpenCV's standard model (Brown and Conrady).
    CVISION_RADIAL_TANGENTIAL = 1,
    /// `distortion` is k1 k2 k3 k4, the fifth number is ignored: OpenCV's fisheye, Kalibr's equidistant
    /// (Kannala and Brandt).
    CVISION_EQUIDISTANT = 2
} CVisionCameraModel;

/// A camera.
typedef struct CVisionCamera {
    CVisionCameraModel model;
    /// Focal lengths and principal point, in pixels.
    double fx, fy, cx, cy;
    /// The model's parameters in the order stated with the model, the rest ignored.
    double distortion[5];
} CVisionCamera;

/// The pixels of points given in the camera's optical frame.
///
/// OpenCV checks no domain: a point behind the camera, or beyond the radius where the distortion folds over, gets some
/// pixel or NaN.
/// - points_xyz: 3 × count doubles, in metres.   - pixels_xy: receives 2 × count doubles.
CVisionStatus cvision_project_points(
    const CVisionCamera *camera, const double *points_xyz, int32_t count, double *pixels_xy);

/// The points at depth one (X/Z, Y/Z) that project to the pixels.
///
/// OpenCV iterates to a fixed point, here at most 200 times or until a step is below 1e-12. Where that diverges, as it
/// does near the edge of a strong distortion, the answer is wrong without notice: check by projecting it.
/// - pixels_xy: 2 × count doubles.   - normalized_xy: receives 2 × count doubles.
CVisionStatus cvision_undistort_points(
    const CVisionCamera *camera, const double *pixels_xy, int32_t count, double *normalized_xy);

/// How `cvision_solve_pnp` starts.
typedef enum CVisionPnPMethod {
    /// Levenberg-Marquardt from a direct linear estimate (6 points, not coplanar) or a homography (4 coplanar points).
    CVISION_PNP_ITERATIVE = 0,
    /// Infinitesimal plane-based pose estimation (Collins and Bartoli 2014): at least 4 coplanar points.
    CVISION_PNP_PLANAR = 1
} CVisionPnPMethod;

/// Where an object of known shape stands before the camera: opticalFromObject.
///
/// Pixels of an equidistant camera are undistorted first, so that the error is then minimised at depth one instead of in
/// pixels.
/// - points_xyz: 3 × count doubles in the object's frame, in metres.   - pixels_xy: 2 × count doubles.
/// - rotation_vector: receives 3 doubles, the axis times the angle in radians.
/// - translation_m: receives 3 doubles.
/// CVISION_NOT_FOUND when OpenCV finds no pose. It does not always notice points that allow no single one, such as
/// points on a line: check by projecting.
CVisionStatus cvision_solve_pnp(
    const CVisionCamera *camera, CVisionPnPMethod method, const double *points_xyz, const double *pixels_xy,
    int32_t count, double *rotation_vector, double *translation_m);

// MARK: Chessboards

/// The inner corners of a chessboard, row by row.
///
/// The board has (columns + 1) × (rows + 1) squares and a white border about as wide as a square. A board that looks the
/// same after half a turn may be reported from either end.
/// - columns, rows: the number of inner corners, each at least 3.
/// - subpixel_half_window_px: corners are refined in windows of (2h + 1)² pixels, which should hold no second corner: h
///   below half the corners' spacing, and 2h + 5 at most the picture's shorter side. Zero leaves the corners as they
///   were found, to about a pixel; refined ones are good to 0.05 px on a clean picture, to 0.2 px where the board's
///   edges run along the pixel rows.
/// - corners_xy: receives 2 × columns × rows doubles.
/// CVISION_NOT_FOUND when the whole board was not seen.
CVisionStatus cvision_find_chessboard_corners(
    const CVisionGrayImage *image, int32_t columns, int32_t rows, int32_t subpixel_half_window_px, double *corners_xy);

// MARK: Pyramids

/// Pictures are at most this wide and high, and pyramids have at most so many levels.
#define CVISION_MAX_SIDE_PX 16384
#define CVISION_MAX_PYRAMID_LEVELS 6

/// A grey picture in several sizes. Level 0 is the picture, each further level half as wide and high, rounded up.
///
/// Levels share their upper left corner: pixel x of level l lies at (x + 0.5)·2ˡ − 0.5 of the picture.
typedef struct CVisionPyramid {
    /// cvision_pyramid_bytes() bytes, in the library's own layout.
    uint8_t *pixels;
    /// The size of the picture, each 1 … CVISION_MAX_SIDE_PX.
    int32_t width;
    int32_t height;
    /// 1 … CVISION_MAX_PYRAMID_LEVELS.
    int32_t level_count;
} CVisionPyramid;

/// The memory that a pyramid needs, in bytes; zero for sizes out of range.
int64_t cvision_pyramid_bytes(int32_t width, int32_t height, int32_t level_count);

/// Fills a pyramid with a picture of its size. Each level is the finer one under the binomial filter 1 3 3 1.
///
/// Of colours the luma 0.299 R + 0.587 G + 0.114 B is taken, to within one grey level.
CVisionStatus cvision_build_pyramid(const CVisionPicture *picture, const CVisionPyramid *pyramid);

/// The means of squares of a picture's pixels, rounded, as a grey picture; what is left of a square at the right and at the bottom is
/// left out.
///
/// Of colours the luma 0.299 R + 0.587 G + 0.114 B is taken, to within one grey level.
///
/// - side_px: of the squares, at most that of the picture.
/// - means: receives width / side_px × height / side_px bytes, row after row.
CVisionStatus cvision_reduce_picture(const CVisionPicture *picture, int32_t side_px, uint8_t *means);

/// What is measured on a whole picture. Light is in grey levels, 0 … 255.
typedef struct CVisionPictureMeasures {
    double mean;
    double variance;
    /// The fraction of pixels at 255.
    double saturated_fraction;
    /// The mean of the squared differences between neighbours along rows plus that along columns, on level 1 and on
    /// level 2; zero where the pyramid has no such level.
    double half_size_step, quarter_size_step;
} CVisionPictureMeasures;

/// Measures a picture of which the pyramid was built.
///
/// - measures: receives one.
CVisionStatus cvision_measure_picture(const CVisionPyramid *pyramid, CVisionPictureMeasures *measures);

// MARK: Corners

/// A rectangle of a picture's pixels.
typedef struct CVisionCell {
    int32_t left_px, top_px, width_px, height_px;
} CVisionCell;

/// A place that can be followed.
typedef struct CVisionCorner {
    /// A whole pixel.
    double x_px, y_px;
    /// The smaller eigenvalue of the mean of ∇I ∇Iᵀ over 5×5 pixels, in squared grey levels per pixel of the level on
    /// which it was found; zero where nothing was found.
    float strength;
} CVisionCorner;

/// The strongest corner of each cell (Shi and Tomasi 1994, "Good features to track").
///
/// - level: the level that is searched; on level 1 corners are twice as large, and noise counts a quarter.
/// - cells: cell_count rectangles inside the picture.   - taken_xy: 2 × taken_count doubles, places to keep away from.
/// - spacing_px: how far corners keep away, along rows or columns, from what is taken and from each other.
/// - least_strength: what a corner exceeds.   - corners: receives cell_count corners.
CVisionStatus cvision_find_corners(
    const CVisionPyramid *pyramid, int32_t level, const CVisionCell *cells, int32_t cell_count, const double *taken_xy,
    int32_t taken_count, double spacing_px, double least_strength, CVisionCorner *corners);

// MARK: Following points

/// How the search for a point ended.
typedef enum CVisionFlowOutcome {
    CVISION_FLOW_FOLLOWED = 0,
    /// The point lies, or came to lie, outside the picture.
    CVISION_FLOW_LEFT = 1,
    /// There is too little to see around it.
    CVISION_FLOW_FLAT = 2,
    /// The search did not settle.
    CVISION_FLOW_DIVERGED = 3
} CVisionFlowOutcome;

/// A covariance in the picture, in pixels².
typedef struct CVisionSpread {
    float xx, xy, yy;
} CVisionSpread;

/// Where a point is found.
typedef struct CVisionFlow {
    /// Unspecified unless it was followed.
    double x_px, y_px;
    /// How alike the windows around the point are: the correlation coefficient, −1 … 1; zero unless the
    /// point was followed.
    float correlation;
    /// How well the place is determined: its standard deviation along the direction in which it is least certain, from
    /// what the two windows differ by and from the slopes in them. Zero unless the point was followed.
    float deviation_px;
    /// How the place slides where what the windows differ by is no noise but hangs together, as things at different
    /// distances that share a window do: C² d² e², with the place's covariance C for noise of one grey level, and, as root
    /// mean squares in grey levels, what the windows differ by d and what the window itself varies by e. Neither gain nor
    /// offset of the light changes it. Zero unless the point was followed.
    CVisionSpread slide;
    CVisionFlowOutcome outcome;
} CVisionFlow;

/// Finds points of one picture in the next: patches of 15×15 pixels are shifted, from a coarse level to a fine one, until
/// they fit best, whatever gain and offset the light has changed by.
///
/// - from, to: pyramids of the same size.   - coarsest_level, finest_level: the levels to begin and to end with.
/// - pixels_xy: 2 × count doubles, the points in `from`.   - starts_xy: 2 × count doubles, where to begin in `to`.
/// - flows: receives `count` results.
CVisionStatus cvision_follow_points(
    const CVisionPyramid *from, const CVisionPyramid *to, int32_t coarsest_level, int32_t finest_level,
    const double *pixels_xy, const double *starts_xy, int32_t count, CVisionFlow *flows);

/// The number of floats that a patch takes in the caller's memory.
#define CVISION_PATCH_FLOATS 2470

/// Where an affine warp puts a patch: its pixel (u, v), counted from its middle, goes to
/// (x + xx u + xy v, y + yx u + yy v).
typedef struct CVisionWarp {
    double x, y;
    float xx, xy, yx, yy;
} CVisionWarp;

/// How what a patch shows is curved, beyond what an affine warp can do: what was seen at its pixel (u, v), counted from its
/// middle, is seen where the warp puts (u + xuu u² + xuv u v + xvv v², v + yuu u² + yuv u v + yvv v²). In 1/px of the picture.
typedef struct CVisionCurvature {
    float xuu, xuv, xvv, yuu, yuv, yvv;
} CVisionCurvature;

/// Takes the patches of 19×19 pixels of a level around points, to be found again in later pictures.
///
/// - level: that of the pyramid; what is said of places is in pixels of the picture, whatever the level.
/// - pixels_xy: 2 × count doubles, inside the picture.   - slots: `count` numbers below slot_count: where each patch goes.
/// - patches: CVISION_PATCH_FLOATS × slot_count floats.
/// - noise: the standard deviation of the picture's noise, in grey levels.
/// - deviations_px: receives `count` numbers: how uncertainly a patch can be placed in pictures with that noise, as a
///   standard deviation along the worst direction; infinite where it cannot.
/// - slides: receives `count` spreads: how patches slide in pictures that differ from them by as much.
CVisionStatus cvision_take_patches(
    const CVisionPyramid *pyramid, int32_t level, const double *pixels_xy, const int32_t *slots, int32_t count,
    float *patches, int32_t slot_count, double noise, double *deviations_px, CVisionSpread *slides);

/// Finds patches on the levels that they were taken from, from starts close by: each is shifted, turned, scaled and sheared
/// until it fits best, whatever gain and offset the light has changed by, and whichever of the two is blurred more, and which way.
///
/// - patches, slot_count: as for `cvision_take_patches`.   - slots: `count` numbers: which patch.
/// - curvatures: `count` curvatures, small over a patch, or null where there are none.
/// - warps: `count` warps to start from; receives where the patches fit.   - flows: receives `count` results.
CVisionStatus cvision_align_patches(
    const CVisionPyramid *pyramid, const float *patches, int32_t slot_count, const int32_t *slots, int32_t count,
    const CVisionCurvature *curvatures, CVisionWarp *warps, CVisionFlow *flows);

/// The rows and the columns of a pattern's samples, and at how many places at once it is compared.
#define CVISION_PATTERN_SIDE 9
#define CVISION_PATTERN_PLACES 8

/// A grey picture with 16 bits a pixel, row after row.
typedef struct CVisionDeepPicture {
    const uint16_t *pixels;
    int32_t width, height;
} CVisionDeepPicture;

/// How a place in a picture moves from one column of samples to the next and from one row to the next, in pixels.
typedef struct CVisionSteps {
    float x_by_column, y_by_column, x_by_row, y_by_row;
} CVisionSteps;

/// A pattern of mean 0 and length 1, as a sum: of its detail and of what changes evenly from column to column and from row to row, both
/// counted from the middle: share · detail + by_column · column + by_row · row.
typedef struct CVisionPattern {
    /// By rows; of length 1, orthogonal to one, to the columns and to the rows.
    float detail[CVISION_PATTERN_SIDE * CVISION_PATTERN_SIDE];
    float detail_share, by_column, by_row;
} CVisionPattern;

/// How alike a pattern is to what a picture shows at some places: the correlation coefficients, −1 … 1, and those of the detail, whatever
/// changes evenly across either: the partial correlation coefficients, given columns and rows.
///
/// - level: a value near the picture's: values are counted from there, so that single precision holds their squares' sum.
/// - starts_x, starts_y: CVISION_PATTERN_PLACES floats each: where the first sample lies. All samples must lie between the
///   middles of the picture's outermost pixels, a hundredth of a pixel from them or farther.
/// - least_deviations: where the sum of the squared deviations from their mean, or from the plane that fits them best, is no more, there is
///   nothing to compare.
/// - correlations, detail_correlations: receive CVISION_PATTERN_PLACES numbers each; zero where there is nothing to compare.
CVisionStatus cvision_correlate_pattern(
    const CVisionDeepPicture *picture, const CVisionPattern *pattern, float level, const float *starts_x,
    const float *starts_y, CVisionSteps steps, float least_deviations, float *correlations,
    float *detail_correlations);

// MARK: Descriptors

/// The number of comparisons that a descriptor holds.
#define CVISION_DESCRIPTOR_BITS 256

/// What the picture shows around a point, as the answers to comparisons of its light at pairs of places.
typedef struct CVisionDescriptor {
    uint64_t words[CVISION_DESCRIPTOR_BITS / 64];
} CVisionDescriptor;

/// Where a descriptor looks.
typedef struct CVisionDescriptorPattern {
    /// 2 × point_count floats: places, counted from the described point, in the patch's own axes.
    const float *points_xy;
    /// 1 … 256.
    int32_t point_count;
    /// 2 × CVISION_DESCRIPTOR_BITS numbers below point_count: bit i says whether the light at the first of pair i is
    /// less than at the second.
    const uint8_t *pairs;
} CVisionDescriptorPattern;

/// Describes points by comparisons of light (Calonder et al. 2010, "BRIEF"), on a level smoothed by a Gaussian of 1.6 of
/// its pixels. Gain, offset and gamma of the light change nothing but by rounding.
///
/// - warps: `count` warps, which put the pattern's places into the picture: where, how turned, and how large. Places
///   outside the picture take the light of its edge.   - descriptors: receives `count` descriptors.
CVisionStatus cvision_describe_points(
    const CVisionPyramid *pyramid, int32_t level, const CVisionDescriptorPattern *pattern, const CVisionWarp *warps,
    int32_t count, CVisionDescriptor *descriptors);

/// The candidate that is most like a point.
typedef struct CVisionNearest {
    /// -1 where none is near enough.
    int32_t index;
    /// How many bits differ, and how many from the second nearest; 256 where there is none.
    int32_t distance, second_distance;
} CVisionNearest;

/// The candidates nearest to points, all compared with all; of equally near ones the first.
///
/// Most pairs are told apart by their first 64 bits alone, which must differ in no more than 24.
/// - queries: variant_count descriptors for each of the query_count points, of which the nearest counts.
/// - most_different_bits: how far the nearest may be.   - nearest: receives query_count answers.
CVisionStatus cvision_match_descriptors(
    const CVisionDescriptor *queries, int32_t query_count, int32_t variant_count, const CVisionDescriptor *candidates,
    int32_t candidate_count, int32_t most_different_bits, CVisionNearest *nearest);

// MARK: Straight edges

/// A straight piece of an edge, with the brighter side on the right of the way from its start to its end.
typedef struct CVisionEdgeSegment {
    double start_x, start_y, end_x, end_y;
    /// How much brighter the right is, in grey levels, where the edge is sharp; a blurred one counts less.
    float contrast;
} CVisionEdgeSegment;

/// The straight pieces of the edges on a level, the longest first, in pixels of the picture.
///
/// Thin edges as Canny (1986) defines them, linked along their direction and split where they bend by more than a pixel
/// of the level (Ramer 1972).
/// - least_contrast: the step of light that starts an edge, in grey levels; noisy pictures raise it to five standard
///   deviations of their noise. Edges go on down to half of it, or to 3.5 deviations.
/// - least_length_px: shorter pieces are left out, and those of less than four pixels of the level.
/// - segments: room for `capacity` segments.   - count: receives how many there are.
CVisionStatus cvision_find_edge_segments(
    const CVisionPyramid *pyramid, int32_t level, double least_contrast, double least_length_px,
    CVisionEdgeSegment *segments, int32_t capacity, int32_t *count);

/// How many profiles across a line are looked at, at most.
#define CVISION_MAX_PROFILES 96

/// A line that was fitted to an edge.
typedef struct CVisionEdgeFit {
    /// The given ends, moved across the line onto the edge.
    double start_x, start_y, end_x, end_y;
    /// The fraction of the profiles inside the picture whose edge lies on the line: within a pixel of the level, or on
    /// long lines within 0.3 % of the length, for paper bows.
    float support;
    /// The fraction of the line inside the picture.
    float visible;
    /// How much brighter the right is on average, in grey levels; what changes sign along the edge cancels.
    float contrast;
    /// The standard deviation of the ends across the line, by the spread of what supports it.
    float deviation_px;
    /// How many profiles support the line; below three the line is the given one.
    int32_t count;
} CVisionEdgeFit;

/// Fits lines to the edges next to given ones, to a fraction of a pixel.
///
/// In profiles across each line, the light's steepest change is found, as the vertex of a Gaussian's logarithm; a line
/// goes through these by least squares, robustly (Cauchy's weights).
/// - lines_xyxy: 4 × count doubles, start and end of each, in pixels of the picture, at most 1e6.
/// - reach_px: how far across the line edges are looked for, 1 … 16 pixels of the level. With 1, what stands three pixels
///   away disturbs less, and noise more: light changes between a pixel's two neighbours, not under a smooth window.
/// - polarity: 1 where the right must be brighter, -1 where the left, 0 where either may, and may change.
/// - least_contrast: the least step of light, in grey levels.
/// - profile_limit: how many profiles a line has at most, 4 … CVISION_MAX_PROFILES; short ones have one a pixel.
/// - fits: receives `count` lines.
CVisionStatus cvision_fit_edges(
    const CVisionPyramid *pyramid, int32_t level, const double *lines_xyxy, int32_t count, int32_t reach_px,
    int32_t polarity, double least_contrast, int32_t profile_limit, CVisionEdgeFit *fits);

// MARK: Codes

/// The finder patterns of QR codes: squares of 7×7 modules, dark, light and dark in parts of 1 1 3 1 1 from side to side.
///
/// A pixel is dark when it is darker than the mean of its surroundings, an eighth of the picture wide. The outlines are
/// good to about half a pixel of the level.
/// - quads_xy: room for 8 × capacity doubles: receives the outlines' corners, clockwise, beginning anywhere, in pixels of
///   the picture.   - count: receives how many there are.
CVisionStatus cvision_find_finder_patterns(
    const CVisionPyramid *pyramid, int32_t level, double *quads_xy, int32_t capacity, int32_t *count);

/// The homography that takes points to points with the least squared distances.
///
/// - sources_xy, targets_xy: 2 × count doubles each, at least four points.
/// - target_from_source: receives 9 doubles, row by row.
/// CVISION_NOT_FOUND when the points determine none.
CVisionStatus cvision_fit_homography(
    const double *sources_xy, const double *targets_xy, int32_t count, double *target_from_source);

/// Looks at a plane from the front: each sample takes the light of the place that a homography says, between pixels by
/// cubic interpolation; places outside the picture take that of its edge.
///
/// - picture_from_sample: 9 doubles, row by row, from the samples' columns and rows to pixels of the picture.
/// - samples: receives width × height bytes, rows from the top.
CVisionStatus cvision_sample_plane(
    const CVisionPyramid *pyramid, int32_t level, const double *picture_from_sample, int32_t width, int32_t height,
    uint8_t *samples);

// MARK: Drawing

/// A colour. On a grey canvas its luma 0.299 R + 0.587 G + 0.114 B is drawn.
typedef struct CVisionColor {
    uint8_t red, green, blue;
} CVisionColor;

/// Coordinates to draw at are at most this far from zero, in pixels: clip before.
#define CVISION_MAX_COORDINATE_PX 1000000.0

/// Lines are at most this thick and capital letters this high, in pixels.
#define CVISION_MAX_STROKE_PX 32767

/// Draws straight segments from point to point, anti-aliased, to 1/256 of a pixel; what lies outside is cut off.
///
/// - points_xy: 2 × count doubles.   - closed: non-zero joins the last point to the first.
/// - thickness_px: 1 … CVISION_MAX_STROKE_PX.
CVisionStatus cvision_draw_polyline(
    CVisionCanvas canvas, const double *points_xy, int32_t count, int32_t closed, int32_t thickness_px,
    CVisionColor color);

/// Fills a polygon, which may be concave and may cross itself (even-odd rule), anti-aliased, to 1/256 of a pixel.
///
/// - points_xy: 2 × count doubles.   - opacity: 0 leaves the canvas as it is, 1 hides what was there.
CVisionStatus cvision_fill_polygon(
    CVisionCanvas canvas, const double *points_xy, int32_t count, double opacity, CVisionColor color);

/// Draws one line of text in a plain sans-serif stroke font.
///
/// - text: printable ASCII, ended by zero; any other byte is drawn as a question mark.
/// - left_px, baseline_px: where the first letter starts; rounded to whole pixels.
/// - capital_height_px: the height of a capital letter.   - thickness_px: that of its strokes; both as for lines.
CVisionStatus cvision_draw_text(
    CVisionCanvas canvas, const char *text, double left_px, double baseline_px, int32_t capital_height_px,
    int32_t thickness_px, CVisionColor color);

/// The width that `cvision_draw_text` would need, in pixels.
///
/// - width_px: receives one number.
CVisionStatus cvision_measure_text(
    const char *text, int32_t capital_height_px, int32_t thickness_px, int32_t *width_px);

#ifdef __cplusplus
}
#endif

#endif
