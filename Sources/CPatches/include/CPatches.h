// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The kernels of patch tracking: windows of a picture as features, filters that answer where a patch is, and the
// alignment of a patch under shift, turn and scale.
//
// Rules that hold for every function here:
// - Each returns a status. On any status other than CPATCHES_OK the output buffers hold unspecified values; nothing is
//   thrown, printed or aborted.
// - The caller owns every buffer. Its size stands beside its pointer in the comment.
// - Pixels have their origin at the centre of the top-left pixel, x to the right, y down.
// - The same input gives the same output, bit for bit. The first call sets OpenCV to one thread, for the whole process.
// - Functions may be called from several threads at once, on different output buffers.

#ifndef CPATCHES_H
#define CPATCHES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum CPatchesStatus {
    CPATCHES_OK = 0,
    /// A null pointer, a size out of range, or a number that is not finite.
    CPATCHES_INVALID_ARGUMENT = 1,
    /// Memory ran out.
    CPATCHES_OUT_OF_MEMORY = 2,
    /// OpenCV refused the input, for a reason that it keeps to itself.
    CPATCHES_FAILED = 3
} CPatchesStatus;

/// What went wrong, in English, for a status; never null, lives for ever.
const char *cpatches_status_message(CPatchesStatus status);

/// A picture that is only read: grey (one channel) or red, green, blue (three), one byte a channel, rows from the top.
typedef struct CPatchesPicture {
    /// bytes_per_row × height bytes.
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    /// The distance between the starts of two rows, at least `width` × `channels`.
    int32_t bytes_per_row;
    /// 1 or 3.
    int32_t channels;
} CPatchesPicture;

/// A square grid laid over a picture: place (u, v), counted from its middle, is the picture's
/// (x + step (u cos turn − v sin turn), y + step (u sin turn + v cos turn)).
typedef struct CPatchesFrame {
    double x_px, y_px;
    /// Pixels from one place to the next, 0.05 … 200.
    double step_px;
    /// Clockwise as the picture shows it, because y goes down.
    double turn_rad;
} CPatchesFrame;

// MARK: Windows

/// The number of channels of features: eight directions of edges, the light, and nine kinds of colour.
#define CPATCHES_CHANNELS 18
/// The greatest side of a window, in cells.
#define CPATCHES_MAX_CELLS 64

/// The number of floats that the spectra of a window's channels take, in the library's own layout; zero for a side that
/// is none of 16, 32, 48 and 64.
int32_t cpatches_spectra_floats(int32_t cells);

/// Describes a window of cells × cells places, each a mean over the step's square.
///
/// Directions of edges are taken without their sign, weighted by the slope and normalised by the slopes around
/// (Dalal and Triggs 2005, "Histograms of oriented gradients"); light is normalised by its spread in the window;
/// colours are shares of nine kinds of chroma. Beyond the picture its edge is repeated. Towards the window's rim features
/// fade.
///
/// - cells: 16, 32, 48 or 64.
/// - spectra: receives cpatches_spectra_floats() floats: each channel's Fourier transform.
CPatchesStatus cpatches_describe(
    const CPatchesPicture *picture, const CPatchesFrame *window, int32_t cells, float *spectra);

/// A described window, and where the patch is in it.
typedef struct CPatchesExample {
    /// cpatches_spectra_floats() floats.
    const float *spectra;
    /// The patch's middle in cells from the window's.
    double x_cells, y_cells;
    double weight;
} CPatchesExample;

/// Improves a filter that answers, in examples, with a bell of height 1 where the patch is and with 0 elsewhere.
///
/// Minimises Σ weight ‖Σ features ⋆ filter − bell‖² + ridge ‖filter / support‖² by conjugate gradients from the filter
/// as it is, where the support fades from 1 in the patch's middle to 0 at `reach` half sizes of the box (Danelljan et
/// al. 2015, "Learning spatially regularized correlation filters"; Galoogahi et al. 2017, "Learning background-aware
/// correlation filters").
///
/// - width_cells, height_cells: the box.
/// - weights: CPATCHES_CHANNELS × cells × cells floats, zero at first: what is improved.
/// - filter: cpatches_spectra_floats() floats, zero at first: the spectra of the filter with these weights.
CPatchesStatus cpatches_train(
    const CPatchesExample *examples, int32_t example_count, int32_t cells, double width_cells, double height_cells,
    double reach, double ridge, int32_t iterations, float *weights, float *filter);

/// A place where a filter answers.
typedef struct CPatchesPeak {
    /// In cells from the window's middle, to a fraction.
    double x_cells, y_cells;
    /// About 1 where the window shows what the filter was trained for, about 0 elsewhere.
    double height;
    /// The height of the highest peak farther away than half the box.
    double second_height;
} CPatchesPeak;

/// Where in a described window a filter answers most strongly.
///
/// - width_cells, height_cells: the box.   - peak: receives one.
CPatchesStatus cpatches_respond(
    const float *spectra, const float *filter, int32_t cells, double width_cells, double height_cells,
    CPatchesPeak *peak);

// MARK: Templates

/// The side of a template, in places.
#define CPATCHES_TEMPLATE_SIDE 32
#define CPATCHES_TEMPLATE_PLACES (CPATCHES_TEMPLATE_SIDE * CPATCHES_TEMPLATE_SIDE)

/// Takes the light of a picture at a template's places, 0 … 255.
///
/// - light: receives CPATCHES_TEMPLATE_PLACES floats.
CPatchesStatus cpatches_take_template(const CPatchesPicture *picture, const CPatchesFrame *frame, float *light);

/// How a template fits.
typedef struct CPatchesFit {
    CPatchesFrame frame;
    /// The correlation coefficient of the light at the template's places, weighted like the fit, −1 … 1.
    double correlation;
    /// Nonzero where the search settled.
    int32_t is_settled;
} CPatchesFit;

/// Shifts, turns and scales templates until they fit a picture best, whatever gain and offset the light has changed by
/// (inverse compositional: Baker and Matthews 2004, "Lucas-Kanade 20 years on").
///
/// - templates: CPATCHES_TEMPLATE_PLACES floats.
/// - width, height: the part of the template's side that the box takes: places outside do not count.
/// - starts: `count` frames to begin from.   - fits: receives `count` results.
CPatchesStatus cpatches_align(
    const CPatchesPicture *picture, const float *light, double width, double height, const CPatchesFrame *starts,
    int32_t count, CPatchesFit *fits);

// MARK: Prints

/// The picture of a flat print: grey, rows from the top, without padding, at least 16×16 pixels.
typedef struct CPatchesPrint {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
} CPatchesPrint;

/// Where a print lies, and how well.
typedef struct CPatchesPrintFit {
    /// Row by row: from the print, the unit square with (0, 0) its upper left corner, to pixels. What lies before the
    /// horizon has a positive third coordinate.
    double pixel_from_print[9];
    /// The share of the print's structured parts inside the picture that look alike where they must be; zero where the
    /// print does not fit at all.
    float structured;
    /// The share of the structured parts inside the picture.
    float visible;
    /// The mean correlation of the parts that agree, 0 … 1.
    float correlation;
    /// How far the agreeing parts lie off by themselves, in pixels of the picture.
    float deviation_px;
    /// How many parts agree.
    int32_t part_count;
} CPatchesPrintFit;

/// Moves a print from about where it is to where it fits best: a homography by Gauss and Newton's steps over all of its
/// structured parts at once (inverse compositional; Baker and Matthews 2004), first on small rasters, then on one as
/// fine as the picture.
///
/// Parts have a gain and an offset each, so that shades and changed colours do not disturb, and a weight by how they
/// fit, so that what hides a part does not pull. How far bright areas have spread is a further unknown. Some ten pixels, or a tenth of the print, may be between start and place.
/// - is_inverse: nonzero where light and dark have changed places.
/// - fit: holds pixel_from_print to start from; receives the fit.
CPatchesStatus cpatches_align_print(
    const CPatchesPicture *picture, const CPatchesPrint *print, int32_t is_inverse, CPatchesPrintFit *fit);

#ifdef __cplusplus
}
#endif

#endif
