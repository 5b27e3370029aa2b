// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CImageCodec.h"

#include <turbojpeg.h>

#include <cstring>
#include <limits>

namespace {

// A decompressor that is released with its scope.
struct Decompressor {
    tjhandle handle = tjInitDecompress();
    ~Decompressor() {
        if (handle) tjDestroy(handle);
    }
};

// Whether the data end before the end marker. TurboJPEG's own words do not tell damage from a cut: it invents an end
// where one is missing, and complains of what follows from that.
bool isCut(const uint8_t *bytes, size_t count) {
    size_t offset = 2;
    while (offset + 4 <= count && bytes[offset] == 0xFF && bytes[offset + 1] != 0xDA) {
        offset += 2 + (size_t(bytes[offset + 2]) << 8 | bytes[offset + 3]);
    }
    if (offset + 4 > count) return true;
    for (; offset + 2 <= count; ++offset) {
        if (bytes[offset] == 0xFF && bytes[offset + 1] == 0xD9) return false;
    }
    return true;
}

image_codec_status fail(tjhandle handle, const uint8_t *bytes, size_t count, image_codec_message *message) {
    std::strncpy(message->text, tjGetErrorStr2(handle), sizeof message->text - 1);
    message->text[sizeof message->text - 1] = 0;
    return isCut(bytes, count) ? IMAGE_CODEC_TRUNCATED : IMAGE_CODEC_DAMAGED;
}

// Padding between segments, which many cameras write, harms nothing; TurboJPEG gives warnings by their text alone.
bool isHarmless(tjhandle handle) {
    return tjGetErrorCode(handle) == TJERR_WARNING && std::strstr(tjGetErrorStr2(handle), "extraneous bytes");
}

image_codec_status readHeader(
    tjhandle handle, const uint8_t *bytes, size_t count, image_codec_info *info, image_codec_message *message) {
    message->text[0] = 0;
    if (count > std::numeric_limits<unsigned long>::max()) return IMAGE_CODEC_UNSUPPORTED;
    int subsampling = 0;
    int colorspace = 0;
    // Tables without a picture are a success to TurboJPEG, which then leaves the size alone.
    info->width = 0;
    if (tjDecompressHeader3(handle, bytes, count, &info->width, &info->height, &subsampling, &colorspace) != 0 ||
        info->width <= 0) {
        return fail(handle, bytes, count, message);
    }
    if (colorspace == TJCS_CMYK || colorspace == TJCS_YCCK) {
        std::strcpy(message->text, "CMYK");
        return IMAGE_CODEC_UNSUPPORTED;
    }
    info->channels = colorspace == TJCS_GRAY ? 1 : 3;
    return IMAGE_CODEC_OK;
}

}  // namespace

image_codec_status image_codec_jpeg_info(
    const uint8_t *bytes, size_t count, image_codec_info *info, image_codec_message *message) {
    Decompressor decompressor;
    return readHeader(decompressor.handle, bytes, count, info, message);
}

image_codec_status image_codec_jpeg_decode(
    const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, image_codec_message *message) {
    Decompressor decompressor;
    image_codec_info info;
    const image_codec_status header = readHeader(decompressor.handle, bytes, count, &info, message);
    if (header != IMAGE_CODEC_OK) return header;
    if (capacity < size_t(info.width) * info.height * info.channels) return IMAGE_CODEC_SMALL_BUFFER;
    const int failed = tjDecompress2(
        decompressor.handle, bytes, count, pixels, info.width, 0, info.height,
        info.channels == 1 ? TJPF_GRAY : TJPF_RGB, TJFLAG_ACCURATEDCT);
    if (!failed || (isHarmless(decompressor.handle) && !isCut(bytes, count))) return IMAGE_CODEC_OK;
    return fail(decompressor.handle, bytes, count, message);
}
