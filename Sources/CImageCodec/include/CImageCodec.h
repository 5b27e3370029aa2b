// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// PNG and JPEG pictures in memory, over libpng and TurboJPEG.
//
// The caller owns every buffer. Pixels are rows from top to bottom without padding, one byte (grey) or three (red,
// green, blue) each; where a name says `gray16`, one number of 16 bits each. Every function is reentrant and keeps
// nothing between calls.

#ifndef CIMAGECODEC_H
#define CIMAGECODEC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    IMAGE_CODEC_OK = 0,
    /// The data end before the picture does.
    IMAGE_CODEC_TRUNCATED,
    /// The data break the format's rules: a checksum, a marker, a code that does not exist.
    IMAGE_CODEC_DAMAGED,
    /// The data are a picture of a kind that is not read (for example CMYK).
    IMAGE_CODEC_UNSUPPORTED,
    /// The buffer for the result is smaller than needed.
    IMAGE_CODEC_SMALL_BUFFER,
} image_codec_status;

/// What a picture's header says.
typedef struct {
    int32_t width;
    int32_t height;
    /// Bytes of a decoded pixel: 1 for grey pictures (with or without alpha), 3 for all others.
    int32_t channels;
} image_codec_info;

/// The codec's own words about a failure, zero-terminated; empty after a success.
typedef struct {
    char text[200];
} image_codec_message;

/// Reads a PNG's header.
image_codec_status image_codec_png_info(
    const uint8_t *bytes, size_t count, image_codec_info *info, image_codec_message *message);

/// Decodes a whole PNG: palettes and low bit depths are expanded, 16 bits scaled to 8 (rounded), alpha dropped.
///
/// `pixels` holds width × height × channels bytes, as `image_codec_png_info` told. The file is read to its end chunk.
image_codec_status image_codec_png_decode(
    const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, image_codec_message *message);

/// Decodes a whole grey PNG of 16 bits without alpha as it is; others are unsupported.
///
/// `pixels` holds width × height numbers; `capacity` counts numbers.
image_codec_status image_codec_png_decode_gray16(
    const uint8_t *bytes, size_t count, uint16_t *pixels, size_t capacity, image_codec_message *message);

/// The bytes that encoding pixels of so many bytes each may need at most.
size_t image_codec_png_bound(int32_t width, int32_t height, int32_t bytes_per_pixel);

/// Encodes 8-bit pixels as PNG, without any chunk that depends on time or place: equal pixels give equal bytes.
image_codec_status image_codec_png_encode(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t channels, uint8_t *bytes, size_t capacity,
    size_t *count, image_codec_message *message);

/// Encodes grey pixels of 16 bits as PNG, under the same rules.
image_codec_status image_codec_png_encode_gray16(
    const uint16_t *pixels, int32_t width, int32_t height, uint8_t *bytes, size_t capacity, size_t *count,
    image_codec_message *message);

/// Reads a JPEG's header.
image_codec_status image_codec_jpeg_info(
    const uint8_t *bytes, size_t count, image_codec_info *info, image_codec_message *message);

/// Decodes a whole JPEG with the accurate integer transform, whose result no instruction set changes.
image_codec_status image_codec_jpeg_decode(
    const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, image_codec_message *message);

#ifdef __cplusplus
}
#endif

#endif
