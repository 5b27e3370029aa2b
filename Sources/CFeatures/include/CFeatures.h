// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Kernels by which pictures are recognised: features, their index, and how well a picture lies where it is thought to be.
//
// Rules that hold for every function here:
// - Each returns a status. On any status other than CFEATURES_OK the output buffers hold unspecified values; nothing is
//   thrown, printed or aborted.
// - The caller owns every buffer. Its size stands beside its pointer in the comment; a count of zero allows null.
// - Pixels have their origin at the centre of the top-left pixel, x to the right, y down.
// - A print is the unit square, (0, 0) its upper left corner, whatever its proportions.
// - The same input gives the same output, bit for bit.
// - Functions may be called from several threads at once, on different scale spaces and output buffers.

#ifndef CFEATURES_H
#define CFEATURES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum CFeaturesStatus {
    CFEATURES_OK = 0,
    /// A null pointer, or a count or size out of range.
    CFEATURES_INVALID_ARGUMENT = 1,
    /// Memory ran out.
    CFEATURES_OUT_OF_MEMORY = 2
} CFeaturesStatus;

// MARK: Scale space

/// Pictures have at most so many columns and rows, and at least CFEATURES_MIN_SIDE_PX.
#define CFEATURES_MAX_SIDE_PX 16384
#define CFEATURES_MIN_SIDE_PX 32

/// A picture that is only read: grey (one channel) or red, green, blue (three), one byte a channel, rows from the top.
typedef struct CFeaturesPicture {
    /// bytes_per_row × height bytes.
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    int32_t bytes_per_row;
    /// 1 or 3.
    int32_t channels;
} CFeaturesPicture;

/// A picture at growing smoothness: Gaussians of 1.6 · 2^(i/3) pixels, thinned out by two each time that they have doubled
/// (Lowe 2004). Its memory is used again for the next picture.
typedef struct CFeaturesScaleSpace CFeaturesScaleSpace;

/// An empty scale space; null when memory ran out.
CFeaturesScaleSpace *cfeatures_create_scale_space(void);

/// Frees a scale space; null is allowed.
void cfeatures_destroy_scale_space(CFeaturesScaleSpace *space);

/// Fills a scale space with a picture.
///
/// - halvings: how often the picture is halved before, 0 … 4: what is smaller is not seen.
/// - least_strength: what features exceed that are found in it, in grey levels: above 0, 255 at most.
CFeaturesStatus cfeatures_fill_scale_space(
    CFeaturesScaleSpace *space, const CFeaturesPicture *picture, int32_t halvings, float least_strength);

// MARK: Features

/// The number of forms, linear in a descriptor, whose signs are a feature's signature.
#define CFEATURES_SIGNATURE_BITS 128
/// How many of them, the most telling first, may be an index's key.
#define CFEATURES_KEY_BITS 20
/// By how many of them, the key's among them, postings are told apart before they are compared.
#define CFEATURES_KEY_FORMS 32

/// What a picture shows around a place, at a scale.
typedef struct CFeature {
    /// The place in the picture, the Gaussian's standard deviation at which it stands out, and the light's direction there,
    /// from +x towards +y.
    float x_px, y_px, scale_px, angle_rad;
    /// How much it stands out, in grey levels.
    float strength;
    /// The signs of the descriptor's forms, the most telling in the highest bit of the first word.
    uint64_t signature[CFEATURES_SIGNATURE_BITS / 64];
    /// The first of the forms, the descriptor having the length 1000.
    int16_t key_forms[CFEATURES_KEY_FORMS];
} CFeature;

/// The features of a picture: extrema of differences of Gaussians (Lowe 2004), with the strongest directions of the
/// light around them, described by histograms of gradients in 4×4 fields.
///
/// - direction_limit: how many directions a place may have, 1 … 4.
/// - features: room for `capacity` features, of which the strongest of each part of the picture are kept.
/// - count: receives how many there are.
CFeaturesStatus cfeatures_find(
    const CFeaturesScaleSpace *space, int32_t direction_limit, CFeature *features, int32_t capacity, int32_t *count);

// MARK: Index

/// A feature of a target, as an index holds it: 32 bytes, little-endian in files.
typedef struct CFeaturesPosting {
    uint64_t signature[CFEATURES_SIGNATURE_BITS / 64];
    /// The place on the print, in 1/65535 of its sides.
    uint16_t x, y;
    /// What a step by one standard deviation along the feature's direction, and across it, is on the print, in 1/32767 of
    /// its sides.
    int16_t along_x, along_y, across_x, across_y;
    /// Whose feature it is.
    uint32_t target;
} CFeaturesPosting;

/// Features of targets, in the order of their signatures' first words.
typedef struct CFeaturesIndex {
    /// posting_count postings.
    const CFeaturesPosting *postings;
    uint32_t posting_count;
    /// 2^key_bits + 1 numbers: where the postings of each key begin.
    const uint32_t *starts;
    /// 1 … CFEATURES_KEY_BITS.
    int32_t key_bits;
    uint32_t target_count;
    /// posting_count numbers: where the postings of each target are, target by target.
    const uint32_t *places;
    /// target_count + 1 numbers: where the places of each target begin.
    const uint32_t *target_starts;
} CFeaturesIndex;

/// The first bits of a signature as a key.
uint32_t cfeatures_key(const uint64_t *signature, int32_t key_bits);

/// A feature of a target that looks like one of a picture.
typedef struct CFeaturesMatch {
    uint32_t target;
    uint32_t posting;
    /// The picture's feature, and in how many bits of their signatures they differ.
    uint16_t feature;
    uint8_t distance;
    /// 1 where they are alike once light and dark have changed places.
    uint8_t is_inverse;
} CFeaturesMatch;

/// How a picture is looked up.
typedef struct CFeaturesLookup {
    /// How many beginnings of its signature each feature may have had, the likeliest first (Lv et al. 2007, "Multi-probe
    /// LSH"), 1 … 64, when it is compared with a target; the index is asked for a third of them.
    int32_t probe_count;
    /// In how many bits of a signature a match may differ.
    int32_t most_different_bits;
    /// How many candidates there are at most: targets at different places.
    int32_t candidate_limit;
    /// How many targets are compared with all features of the picture, 0 or more.
    int32_t target_limit;
    /// The picture's longer side: places are told apart by a twelfth of it.
    double longer_side_px;
    /// Whether prints are looked for whose light and dark have changed places.
    int32_t with_inverse;
} CFeaturesLookup;

/// The targets that have most in common with a picture, where, and what.
///
/// Each feature is compared with few postings and votes for few targets, however many there are: where many postings begin
/// as its signature does, those that go on as it does. The targets with most votes are then compared with all features:
/// six in any case, more where they have a sixth of the votes that the first one has.
///
/// Each match says where the print's middle is: those of one target that say nearly the same make a candidate (Lowe 2004,
/// section 7.3).
/// - matches: room for `capacity` matches: receives those of the candidates, candidate by candidate, the likeliest
///   first, and within one by distance.   - match_count: receives how many there are.
/// - candidate_ends: room for candidate_limit numbers: receives where each candidate's matches end.
/// - candidate_count: receives how many there are.
CFeaturesStatus cfeatures_look_up(
    const CFeaturesIndex *index, const CFeature *features, int32_t feature_count, const CFeaturesLookup *lookup,
    CFeaturesMatch *matches, int32_t capacity, int32_t *match_count, int32_t *candidate_ends, int32_t *candidate_count);

// MARK: Places

/// Where a print may be.
typedef struct CFeaturesPlace {
    /// pixelFromPrint, row by row, scaled so that what lies before the horizon has a positive third coordinate.
    double pixel_from_print[9];
    /// How many features of the picture agree.
    int32_t support;
    /// 1 where most of them are alike once light and dark have changed places.
    int32_t is_inverse;
} CFeaturesPlace;

/// The places that matches of one target agree on, those with most support first.
///
/// Each match alone says, to the first order, where the whole print is; places are what many say.
/// - matches: match_count matches, of one target.
/// - least_support: 3 or more.   - places: room for `capacity` places.   - count: receives how many there are.
CFeaturesStatus cfeatures_find_places(
    const CFeaturesIndex *index, const CFeature *features, const CFeaturesMatch *matches, int32_t match_count,
    int32_t least_support, CFeaturesPlace *places, int32_t capacity, int32_t *count);

// MARK: Agreement

/// A target's picture: grey, rows from the top, without padding.
typedef struct CFeaturesTemplate {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
} CFeaturesTemplate;

/// The side of a template's fields in pixels, and how many rows and columns of them it has at most.
#define CFEATURES_FIELD_PX 8
#define CFEATURES_FIELD_ROWS 16
/// No correlation.
#define CFEATURES_NO_PART (-128)

/// How well a print lies where it is thought to be.
typedef struct CFeaturesAgreement {
    /// The share of the print's structured parts that the picture shows where they must be, of those inside the picture.
    float structured;
    /// The share of the structured parts inside the picture.
    float visible;
    /// The share of the structured parts inside the picture that may be hidden: they do not agree, and nothing that agrees,
    /// plain ground neither, lies between them and the print's border, over which a hand or another thing comes. What is
    /// missing in the midst of the print is not hidden.
    float hidden;
    /// The mean correlation of the parts that agree, 0 … 1.
    float correlation;
    /// How many structured parts agree.
    int32_t part_count;
    /// How many straight edges and corners these parts show: all that lie along one edge say the same, and a curve is an edge
    /// for each 10° that it turns by. 0 where it was not looked at closely.
    ///
    /// Law: `PrintMarkTests.partsAlongAnEdgeSayTheSame`.
    int32_t mark_count;
    /// How many places of 2×2 parts show something else, as clearly as the rest of the print: another print, not a hand
    /// before this one, or glare on it.
    int32_t contradiction_count;
    /// How many structured parts inside the picture show at least half as much contrast as the rest of the print, and
    /// correlate with what is printed there by less than 0.3: other letters on the same shield. What is blurred, dim or hidden
    /// by plain things has less contrast.
    int32_t mismatch_count;
    /// How many of these cannot be hidden: what agrees lies between them and the print's border.
    int32_t mismatch_besides;
    /// 1 where light and dark have changed places.
    int32_t is_inverse;
    /// The spread of the agreeing parts about their places, per axis, in pixels of the picture.
    float deviation_px;
    /// The correlation of what the picture shows of the whole print, in fields of 8×8 pixels, with what one light on it would
    /// show: a gain that is a plane, an offset, and a camera's tone curve, which is a parabola that rises. Nearly 1 for the
    /// print itself; less for another one that shares its drawing but not its inks, for other inks, and where something lies
    /// over the print. Where the picture is as bright as it can be, and should be brighter, nothing is said of the light. Where
    /// 0.8 agree, the fields along the print's border in which nothing is drawn are left out if that says more: what lies beside
    /// the print blurs into them. 0 where fewer than 15 fields are seen, or it was not looked at closely.
    ///
    /// Law: `PrintLightTests.surroundingsSayNothingOfTheLight`.
    float lit;
    /// The same of what nothing lies over. A thing that does comes over the border, hides the drawing, and is of another light
    /// than the print: it is what hangs together with the border, shows no structure of the print, and either fails to show
    /// what is printed or is not explained by the light on the rest. What lies beside it is left out, too. 0 where less than
    /// two fifths of the fields are left, structure is covered on all four sides, as it is in another print that has only
    /// its middle in common, or most of what is covered looks as plain ground beside it; then nothing is left out of the
    /// colours either. It is `lit` where nothing is hidden.
    float lit_besides;
    /// The same with the light on what is folded or glossy: a gain of polynomials of the sixth degree that are the dearer the
    /// more they bend, an offset of the second degree, and, where 114 fields are seen and not full, one highlight:
    /// a Gaussian, round, on the print or a fifth beside it, that adds light, nearly all of which is seen where it is strongest.
    /// At least `lit`, which it is where that is 0.99 or more, fewer than 102 fields are seen and not full, or less than 0.8 agree.
    float softly_lit;
    /// The same as `lit` where each grey of the print may have any other grey, the same all over the print: nearly 1 for the print in
    /// other inks, less where two inks are seen for one of the print's. At least `lit`, which it is where that is 0.99 or more,
    /// fewer than 33 fields are seen and not full, or less than 0.95 agree.
    float lit_in_inks;
    /// The fields that `lit_besides` leaves out, row by row, the first column in the lowest bit; none where it is 0.
    uint16_t covered[CFEATURES_FIELD_ROWS];
    /// The correlation of each structured part inside the picture with what is printed there, in hundredths, and CFEATURES_NO_PART
    /// elsewhere: one part in each field, row by row, CFEATURES_FIELD_ROWS to the row.
    int8_t likeness[CFEATURES_FIELD_ROWS * CFEATURES_FIELD_ROWS];
} CFeaturesAgreement;

/// Moves a print to where its own picture says that it is, part by part, and says how well it then lies.
///
/// Parts are windows of 9×9 pixels of the template that are shifted to fit the picture best, each under a gain and an
/// offset of its own, so that uneven light, glare and changed colours disturb only where they are; the homography follows
/// them by robust least squares.
/// - pixel_from_print: 9 doubles, row by row; receives the better one.
/// - longer_side: how many pixels of the template the print's longer side has, 32 … 128.
/// - rounds: how often at most, 0 … 8; no more where it has settled.   - slack: how far a part may lie off and still agree, in pixels of the template.
/// - least_told: from which share of agreeing parts on it is told how many marks are seen and how light explains it, too: 0 always,
///   more than 1 never.
CFeaturesStatus cfeatures_align(
    const CFeaturesScaleSpace *space, const CFeaturesTemplate *print, double *pixel_from_print, int32_t longer_side,
    int32_t rounds, double slack, double least_told, CFeaturesAgreement *agreement);

/// Bends a print until it fits the picture, as a cloth that waves: parts are looked for as in `cfeatures_align`, but a smooth
/// shift, of polynomials of the sixth degree that are the dearer the more they bend, carries them before the homography does.
///
/// The print's longer side has 48 pixels first, then 64, and 128 where at least 0.7 agree then.
///
/// - slack: how far a part may lie off its place on the bent print and still agree, in pixels of the template that is being
///   compared: the same number is twice as far on the print at 64 as at 128.
/// - agreement: where less than 0.7 agree at 64 pixels, that; nothing agrees where the print would have to fold, or be
///   drawn out to a quarter or to four times.
/// - bending: receives the root mean square of the shift over the print, in sides of it; 0 where it ended at 64.
CFeaturesStatus cfeatures_align_bent(
    const CFeaturesScaleSpace *space, const CFeaturesTemplate *print, const double *pixel_from_print, double slack,
    CFeaturesAgreement *agreement, double *bending);

/// How many marks (`CFeaturesAgreement.mark_count`) a whole print has, where it is seen from near.
///
/// - count: receives how many there are.
CFeaturesStatus cfeatures_count_marks(const CFeaturesTemplate *print, int32_t *count);

// MARK: Colours

/// The mean colour of a cell of a print, and of what is seen of it: red, green and blue, 0 … 255.
typedef struct CFeaturesColorCell {
    /// Where on the print its middle is, 0 … 1.
    double x, y;
    double own[3], seen[3];
} CFeaturesColorCell;

/// How far the colours that are seen are more than each of the print's in another one.
///
/// Cells mix their inks' colours by the inks' shares, and so does every print of that drawing: where four inks or fewer lie in no
/// plane, whatever colours they are printed in are an affine map of their own ones. Inks that lie in a plane or on a line, as
/// three greys do, may have others: each grey that plain areas of the print have may have a chroma of its own. The map that explains chroma
/// (red against green, yellow against blue) best, with a plane over the print for each number of the affine part, is found by
/// robust least squares.
/// - print: the whole print in grey.   - cells_per_side: how many cells a side of it has.
/// - unexplained: receives the mean of what it leaves in the worst tenth of the cells, by the colours' standard deviation: 0
///   for a print in whatever inks, more where one ink is seen in two colours. 0 where all cells look the same, or there are
///   less than ten; infinite where no map can be found.
///
/// Law: `TargetColorTests.oneInkHasOneColor`.
CFeaturesStatus cfeatures_compare_inks(
    const CFeaturesTemplate *print, const CFeaturesColorCell *cells, int32_t count, int32_t cells_per_side,
    double *unexplained);

// MARK: Views

/// The picture as it is seen from aside: smoothed so that nothing finer than the view's pixels is left, then warped.
///
/// - picture: grey.   - picture_from_view: 6 doubles, row by row: the affine map.
/// - blur_px: the standard deviation of a further Gaussian, in pixels of the view, isotropic; 0 for none.
/// - view: receives width × height bytes; outside the picture it has the light of its edge.
CFeaturesStatus cfeatures_render_view(
    const CFeaturesPicture *picture, const double *picture_from_view, double blur_px, uint8_t *view, int32_t width,
    int32_t height);

#ifdef __cplusplus
}
#endif

#endif
