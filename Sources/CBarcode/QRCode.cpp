// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CBarcode.h"

#include <cerrno>
#include <memory>
#include <qrencode.h>

CBarcodeStatus cbarcode_qr(
    const char *payload, CBarcodeLevel level, int32_t version, uint8_t *modules, int64_t capacity, int32_t *side) {
    if (!payload || !payload[0] || !modules || !side) return CBARCODE_INVALID_ARGUMENT;
    if (level < CBARCODE_LEVEL_L || level > CBARCODE_LEVEL_H) return CBARCODE_INVALID_ARGUMENT;
    if (version < 1 || version > CBARCODE_LARGEST_VERSION) return CBARCODE_INVALID_ARGUMENT;
    if (capacity < int64_t(CBARCODE_LARGEST_SIDE) * CBARCODE_LARGEST_SIDE) return CBARCODE_SMALL_BUFFER;

    const bool is_case_sensitive = true;
    const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
        QRcode_encodeString(payload, version, static_cast<QRecLevel>(level), QR_MODE_8, is_case_sensitive),
        QRcode_free);
    if (!code) return errno == ERANGE ? CBARCODE_TOO_LONG : CBARCODE_OUT_OF_MEMORY;

    *side = code->width;
    // The lowest bit of a symbol's byte is its colour; the others tell what it is for.
    for (int index = 0; index < code->width * code->width; ++index) modules[index] = code->data[index] & 1;
    return CBARCODE_OK;
}
