// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Assertions.hpp"
#include "CCodes.h"

// The text of a result is UTF-8.
#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace {

struct Pair {
    CCodesSymbology symbology;
    ZXing::BarcodeFormat format;
};

constexpr Pair pairs[] = {
    {CCODES_AZTEC, ZXing::BarcodeFormat::Aztec},
    {CCODES_CODABAR, ZXing::BarcodeFormat::Codabar},
    {CCODES_CODE_39, ZXing::BarcodeFormat::Code39},
    {CCODES_CODE_93, ZXing::BarcodeFormat::Code93},
    {CCODES_CODE_128, ZXing::BarcodeFormat::Code128},
    {CCODES_DATA_BAR, ZXing::BarcodeFormat::DataBar},
    {CCODES_DATA_BAR_EXPANDED, ZXing::BarcodeFormat::DataBarExpanded},
    {CCODES_DATA_MATRIX, ZXing::BarcodeFormat::DataMatrix},
    {CCODES_EAN_8, ZXing::BarcodeFormat::EAN8},
    {CCODES_EAN_13, ZXing::BarcodeFormat::EAN13},
    {CCODES_ITF, ZXing::BarcodeFormat::ITF},
    {CCODES_PDF_417, ZXing::BarcodeFormat::PDF417},
    {CCODES_QR, ZXing::BarcodeFormat::QRCode},
    {CCODES_MICRO_QR, ZXing::BarcodeFormat::MicroQRCode},
    {CCODES_UPC_E, ZXing::BarcodeFormat::UPCE},
};

ZXing::BarcodeFormats formats_of(uint32_t symbologies) {
    ZXing::BarcodeFormats formats;
    for (const Pair &pair : pairs) {
        if (symbologies & pair.symbology) formats |= pair.format;
    }
    return formats;
}

/// Appends bytes to the caller's; false where there is no room.
bool append(const void *source, size_t size, uint8_t *bytes, int32_t capacity, int32_t &used, int32_t &start) {
    if (size > static_cast<size_t>(capacity - used)) return false;
    start = used;
    if (size > 0) std::memcpy(bytes + used, source, size);
    used += static_cast<int32_t>(size);
    return true;
}

/// What is read, and what comes of it.
struct Job {
    const ZXing::ImageView &view;
    const ZXing::DecodeHints &hints;
    ZXing::Results results;
};

void read(void *job) {
    Job &own = *static_cast<Job *>(job);
    own.results = ZXing::ReadBarcodes(own.view, own.hints);
}

} // namespace

CCodesStatus ccodes_read(
    const CCodesImage *image, uint32_t symbologies, CCodesEffort effort, CCodesResult *results, int32_t capacity,
    uint8_t *bytes, int32_t byte_capacity, int32_t *count) {
    if (!image || !image->pixels || image->width < 1 || image->height < 1 || image->width > CCODES_MAX_SIDE_PX
        || image->height > CCODES_MAX_SIDE_PX || image->bytes_per_row < image->width || capacity < 0
        || (capacity > 0 && !results) || byte_capacity < 0 || (byte_capacity > 0 && !bytes) || !count
        || (effort != CCODES_UPRIGHT && effort != CCODES_THOROUGH)) {
        return CCODES_INVALID_ARGUMENT;
    }
    try {
        const ZXing::BarcodeFormats formats = formats_of(symbologies);
        if (formats.empty()) return CCODES_INVALID_ARGUMENT;
        const bool is_thorough = effort == CCODES_THOROUGH;
        ZXing::DecodeHints hints;
        hints.setFormats(formats);
        hints.setTryHarder(true);
        // Two lines that agree are not enough: inside other bars, a short code without much of a check is soon seen.
        hints.setMinLineCount(3);
        hints.setTryRotate(is_thorough);
        hints.setTryDownscale(is_thorough);
        hints.setMaxNumberOfSymbols(static_cast<uint8_t>(std::min(capacity, 255)));
        const ZXing::ImageView view(
            image->pixels, image->width, image->height, ZXing::ImageFormat::Lum, image->bytes_per_row);
        int32_t used = 0;
        *count = 0;
        Job job = {view, hints, {}};
        if (!ccodes::survives(read, &job)) return CCODES_OK;
        for (const ZXing::Result &code : job.results) {
            if (*count == capacity) break;
            const auto pair = std::find_if(std::begin(pairs), std::end(pairs), [&](const Pair &pair) {
                return pair.format == code.format();
            });
            if (!code.isValid() || pair == std::end(pairs)) continue;
            CCodesResult result = {};
            result.symbology = pair->symbology;
            result.is_mirrored = code.isMirrored();
            for (int corner = 0; corner < 4; ++corner) {
                // ZXing transposes what is mirrored and leaves its corners as the picture has them, clockwise.
                const int place = code.isMirrored() ? (4 - corner) % 4 : corner;
                result.corners_xy[2 * corner] = code.position()[static_cast<size_t>(place)].x;
                result.corners_xy[2 * corner + 1] = code.position()[static_cast<size_t>(place)].y;
            }
            const std::string text = code.text();
            const ZXing::ByteArray &data = code.bytes();
            if (!append(text.data(), text.size(), bytes, byte_capacity, used, result.text_start)
                || !append(data.data(), data.size(), bytes, byte_capacity, used, result.data_start)) {
                continue;
            }
            result.text_count = static_cast<int32_t>(text.size());
            result.data_count = static_cast<int32_t>(data.size());
            results[(*count)++] = result;
        }
        return CCODES_OK;
    } catch (const std::bad_alloc &) {
        return CCODES_OUT_OF_MEMORY;
    } catch (...) {
        return CCODES_FAILED;
    }
}
