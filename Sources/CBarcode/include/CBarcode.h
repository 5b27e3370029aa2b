// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// arsim's door to libqrencode (LGPL-2.1, linked dynamically): the modules of a QR code, behind plain C.
//
// Every function returns a status; nothing is thrown, printed or kept between calls. The same input gives the same
// output. Functions may be called from several threads at once.

#ifndef CBARCODE_H
#define CBARCODE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum CBarcodeStatus {
    CBARCODE_OK = 0,
    /// A null pointer, an empty payload, a level or a version out of range.
    CBARCODE_INVALID_ARGUMENT = 1,
    /// The payload is longer than the largest code of that level holds.
    CBARCODE_TOO_LONG = 2,
    /// The buffer has less room than a code of the largest version needs.
    CBARCODE_SMALL_BUFFER = 3,
    /// Memory ran out.
    CBARCODE_OUT_OF_MEMORY = 4
} CBarcodeStatus;

/// How much of a code may be lost, as the standard calls it: about 7, 15, 25 and 30 percent.
typedef enum CBarcodeLevel {
    CBARCODE_LEVEL_L = 0,
    CBARCODE_LEVEL_M = 1,
    CBARCODE_LEVEL_Q = 2,
    CBARCODE_LEVEL_H = 3
} CBarcodeLevel;

enum {
    /// The largest version.
    CBARCODE_LARGEST_VERSION = 40,
    /// Modules along a side of a code of the largest version: 17 + 4 · version.
    CBARCODE_LARGEST_SIDE = 177
};

/// The QR code (ISO/IEC 18004, model 2) of a zero-terminated UTF-8 text.
///
/// - version: the smallest version that is taken, 1 to 40; the code is as much larger as the payload needs.
/// - modules: room for CBARCODE_LARGEST_SIDE² bytes; receives side × side modules, row after row: 1 dark, 0 light.
///   The quiet zone is not part of them.
/// - side: receives the number of modules along a side.
CBarcodeStatus cbarcode_qr(
    const char *payload, CBarcodeLevel level, int32_t version, uint8_t *modules, int64_t capacity, int32_t *side);

#ifdef __cplusplus
}
#endif

#endif
