// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// arsim's door to OpenCV's object detectors: cascades of weak classifiers, and the network YuNet, behind plain C.
//
// Rules that hold for every function here:
// - Each returns a status. On any status other than CFACES_OK the output holds unspecified values; nothing is thrown,
//   printed or aborted.
// - The caller owns every buffer. Its size stands beside its pointer in the comment.
// - A box's corner at the top left is the outer corner of its first pixel: a box from 0 to the width covers the picture.
// - The same input gives the same output, bit for bit. The first call sets OpenCV to one thread and
//   stops it from printing, for the whole process.
// - A detector may be used by one thread at a time.

#ifndef CFACES_H
#define CFACES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum CFacesStatus {
    CFACES_OK = 0,
    /// A null pointer, a size or a number out of range.
    CFACES_INVALID_ARGUMENT = 1,
    /// The file cannot be opened, or it holds no detector of the kind.
    CFACES_UNREADABLE = 2,
    /// Memory ran out.
    CFACES_OUT_OF_MEMORY = 3,
    /// OpenCV refused the input, for a reason that it keeps to itself.
    CFACES_FAILED = 4
} CFacesStatus;

/// A picture that is only read: grey (one channel) or red, green, blue (three), one byte a channel, rows from the top.
typedef struct CFacesPicture {
    /// bytes_per_row × height bytes.
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    /// The distance between the starts of two rows, at least `width` × `channels`.
    int32_t bytes_per_row;
    /// 1 or 3.
    int32_t channels;
} CFacesPicture;

// MARK: Cascades

/// A cascade of weak classifiers that was read from a file.
typedef struct CFacesCascade CFacesCascade;

/// Reads one of OpenCV's cascade files (XML, as `opencv_traincascade` writes it).
///
/// - cascade: receives what `cfaces_close_cascade` gives back.
CFacesStatus cfaces_open_cascade(const char *path, CFacesCascade **cascade);

/// Gives a cascade back; null is allowed.
void cfaces_close_cascade(CFacesCascade *cascade);

/// How a picture is searched.
typedef struct CFacesScan {
    /// How much larger the next size of the window is than the one before, above 1.
    double scale_step;
    /// The sizes of the window that are tried: its longer side, in pixels. Zero for no limit.
    int32_t least_side_px, greatest_side_px;
    /// Zero gives each window that passes the cascade. Otherwise windows that lie on one another are joined to one box,
    /// which is left out where they are fewer than that (OpenCV's own way; its default is 3).
    int32_t least_neighbors;
} CFacesScan;

/// A box in which a cascade sees what it was trained for.
typedef struct CFacesWindow {
    double left_px, top_px, width_px, height_px;
} CFacesWindow;

/// The windows of a grey picture that pass a cascade, in OpenCV's order.
///
/// - picture: one channel.   - windows: room for `capacity`; receives the first of them.
/// - count: receives how many there are, which may be more than `capacity`.
CFacesStatus cfaces_scan(
    CFacesCascade *cascade, const CFacesPicture *picture, const CFacesScan *scan, CFacesWindow *windows,
    int32_t capacity, int32_t *count);

/// A grey picture, smaller or turned: each pixel (column, row) of the result takes the light of the place
/// (xx column + xy row + x, yx column + yy row + y), by bilinear interpolation, or that of the edge beyond it; pixels are
/// counted from their centres.
typedef struct CFacesMap {
    double xx, xy, x, yx, yy, y;
} CFacesMap;

/// Looks at a grey picture through a map.
///
/// - picture: one channel.   - pixels: receives width × height bytes, rows from the top.
CFacesStatus cfaces_resample(
    const CFacesPicture *picture, const CFacesMap *picture_from_result, int32_t width, int32_t height,
    uint8_t *pixels);

/// Makes a grey picture smaller by the mean over each pixel's area.
///
/// - picture: one channel.   - width, height: at most those of the picture.   - pixels: receives width × height bytes.
CFacesStatus cfaces_shrink(const CFacesPicture *picture, int32_t width, int32_t height, uint8_t *pixels);

// MARK: Networks

/// The face detection network YuNet (Wu, Peng and Yu 2023, "YuNet: A Tiny Millisecond-level Face Detector").
typedef struct CFacesNetwork CFacesNetwork;

/// Reads a model file (ONNX).
///
/// - least_score: 0 … 1, what a face exceeds.   - network: receives what `cfaces_close_network` gives back.
CFacesStatus cfaces_open_network(const char *path, double least_score, CFacesNetwork **network);

/// Gives a network back; null is allowed.
void cfaces_close_network(CFacesNetwork *network);

/// A face as the network sees it.
typedef struct CFacesFace {
    CFacesWindow box;
    /// The eye at the viewer's left and at the viewer's right, the nose's tip, and the mouth's corners: x and y in pixels,
    /// counted from pixels' centres.
    double left_eye_px[2], right_eye_px[2], nose_px[2], mouth_left_px[2], mouth_right_px[2];
    /// 0 … 1.
    double score;
} CFacesFace;

/// The faces of a picture, those that overlap others with a better score left out.
///
/// - faces: room for `capacity`; receives the first of them.
/// - count: receives how many there are, which may be more than `capacity`.
CFacesStatus cfaces_detect(
    CFacesNetwork *network, const CFacesPicture *picture, CFacesFace *faces, int32_t capacity, int32_t *count);

#ifdef __cplusplus
}
#endif

#endif
