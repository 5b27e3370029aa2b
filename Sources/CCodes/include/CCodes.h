// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// arsim's door to ZXing-C++ (Apache-2.0, linked dynamically): codes in grey pictures, read behind plain C.
//
// Every function returns a status; nothing is thrown, printed or kept between calls. The same input gives the same
// output. Functions may be called from several threads at once. The caller owns every buffer.

#ifndef CCODES_H
#define CCODES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum CCodesStatus {
    CCODES_OK = 0,
    /// A null pointer, a size out of range, no symbology that is known.
    CCODES_INVALID_ARGUMENT = 1,
    /// Memory ran out.
    CCODES_OUT_OF_MEMORY = 2,
    /// ZXing gave up, for a reason that it keeps to itself.
    CCODES_FAILED = 3
} CCodesStatus;

/// The symbologies, each a bit.
typedef enum CCodesSymbology {
    CCODES_AZTEC = 1 << 0,
    CCODES_CODABAR = 1 << 1,
    CCODES_CODE_39 = 1 << 2,
    CCODES_CODE_93 = 1 << 3,
    CCODES_CODE_128 = 1 << 4,
    CCODES_DATA_BAR = 1 << 5,
    CCODES_DATA_BAR_EXPANDED = 1 << 6,
    CCODES_DATA_MATRIX = 1 << 7,
    CCODES_EAN_8 = 1 << 8,
    /// UPC-A is read as EAN-13 with a leading zero, which it is.
    CCODES_EAN_13 = 1 << 9,
    CCODES_ITF = 1 << 10,
    CCODES_PDF_417 = 1 << 11,
    CCODES_QR = 1 << 12,
    CCODES_MICRO_QR = 1 << 13,
    CCODES_UPC_E = 1 << 14
} CCodesSymbology;

/// Pictures are at most this wide and high.
#define CCODES_MAX_SIDE_PX 16384

/// A grey picture that is only read: one byte a pixel, rows from the top.
typedef struct CCodesImage {
    /// bytes_per_row × height bytes.
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    /// The distance between the starts of two rows, at least `width`.
    int32_t bytes_per_row;
} CCodesImage;

/// How much is tried.
typedef enum CCodesEffort {
    /// What stands upright in the picture, in its own size.
    CCODES_UPRIGHT = 0,
    /// Also what is turned by quarters, and large codes in reduced pictures.
    CCODES_THOROUGH = 1
} CCodesEffort;

/// A code that was read.
typedef struct CCodesResult {
    CCodesSymbology symbology;
    /// The corners in whole pixels, x y x y …, in the code's own order: where its top begins, clockwise as one sees the
    /// code unmirrored. Of a code of bars, the ends of the line along which it was read, each twice.
    int32_t corners_xy[8];
    /// Non-zero when the code was seen from behind or in a mirror: its corners go anticlockwise in the picture.
    int32_t is_mirrored;
    /// Where the payload lies in the caller's bytes: as text (UTF-8), and as the code holds it.
    int32_t text_start, text_count, data_start, data_count;
} CCodesResult;

/// Reads the codes in a picture.
///
/// Codes whose payload does not fit into the bytes that are left are not reported. A picture over which ZXing stumbles, so that
/// one of its assertions fails, holds none.
/// - symbologies: the bits of what is looked for.
/// - results: room for `capacity` results.   - bytes: room for byte_capacity bytes of payloads.
/// - count: receives the number of results.
CCodesStatus ccodes_read(
    const CCodesImage *image, uint32_t symbologies, CCodesEffort effort, CCodesResult *results, int32_t capacity,
    uint8_t *bytes, int32_t byte_capacity, int32_t *count);

#ifdef __cplusplus
}
#endif

#endif
