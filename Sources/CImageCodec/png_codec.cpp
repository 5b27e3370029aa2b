// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CImageCodec.h"

#include <png.h>

#include <cstdlib>
#include <cstring>

namespace {

// libpng leaves a failed call by longjmp. Everything that a jump crosses is plain data, and what must be released is
// reachable from here.
struct Reader {
    const uint8_t *bytes;
    size_t count;
    size_t offset;
    bool ended;
    png_structp png;
    png_infop info;
    png_bytepp rows;
    image_codec_message *message;
};

struct Writer {
    uint8_t *bytes;
    size_t capacity;
    size_t count;
    bool full;
    png_structp png;
    png_infop info;
    image_codec_message *message;
};

void keep(image_codec_message *message, const char *text) {
    std::strncpy(message->text, text, sizeof message->text - 1);
    message->text[sizeof message->text - 1] = 0;
}

void fail(png_structp png, png_const_charp text) {
    keep(static_cast<image_codec_message *>(png_get_error_ptr(png)), text);
    png_longjmp(png, 1);
}

void ignoreWarning(png_structp, png_const_charp) {}

void readBytes(png_structp png, png_bytep target, size_t count) {
    Reader *reader = static_cast<Reader *>(png_get_io_ptr(png));
    if (count > reader->count - reader->offset) {
        reader->ended = true;
        png_error(png, "the data end before the picture does");
    }
    std::memcpy(target, reader->bytes + reader->offset, count);
    reader->offset += count;
}

void writeBytes(png_structp png, png_bytep source, size_t count) {
    Writer *writer = static_cast<Writer *>(png_get_io_ptr(png));
    if (count > writer->capacity - writer->count) {
        writer->full = true;
        png_error(png, "the buffer is too small");
    }
    std::memcpy(writer->bytes + writer->count, source, count);
    writer->count += count;
}

void flushNothing(png_structp) {}

bool open(Reader *reader) {
    reader->message->text[0] = 0;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader->message, fail, ignoreWarning);
    reader->info = reader->png ? png_create_info_struct(reader->png) : nullptr;
    return reader->info != nullptr;
}

image_codec_status close(Reader *reader, image_codec_status status) {
    png_destroy_read_struct(&reader->png, &reader->info, nullptr);
    std::free(reader->rows);
    return status;
}

image_codec_status failure(const Reader *reader) {
    return reader->ended ? IMAGE_CODEC_TRUNCATED : IMAGE_CODEC_DAMAGED;
}

void readHeader(Reader *reader) {
    png_set_read_fn(reader->png, reader, readBytes);
    png_read_info(reader->png, reader->info);
}

int32_t channelsOf(const Reader *reader) {
    return png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_COLOR ? 3 : 1;
}

bool isGray16(const Reader *reader) {
    return png_get_color_type(reader->png, reader->info) == PNG_COLOR_TYPE_GRAY &&
           png_get_bit_depth(reader->png, reader->info) == 16 &&
           !png_get_valid(reader->png, reader->info, PNG_INFO_tRNS);
}

// PNG's numbers have their high byte first.
bool isLittleEndian() {
    const uint16_t one = 1;
    uint8_t first;
    std::memcpy(&first, &one, 1);
    return first == 1;
}

enum class Samples { eightBits, gray16 };

image_codec_status decode(
    const uint8_t *bytes, size_t count, Samples samples, uint8_t *pixels, size_t capacity,
    image_codec_message *message) {
    Reader reader = {bytes, count, 0, false, nullptr, nullptr, nullptr, message};
    if (!open(&reader)) return close(&reader, IMAGE_CODEC_DAMAGED);
    if (setjmp(png_jmpbuf(reader.png))) return close(&reader, failure(&reader));
    readHeader(&reader);

    if (samples == Samples::gray16 && !isGray16(&reader)) {
        keep(message, "not grey with 16 bits");
        return close(&reader, IMAGE_CODEC_UNSUPPORTED);
    }
    const size_t bytesPerPixel = samples == Samples::gray16 ? 2 : channelsOf(&reader);
    const size_t height = png_get_image_height(reader.png, reader.info);
    const size_t bytesPerRow = size_t(png_get_image_width(reader.png, reader.info)) * bytesPerPixel;
    if (capacity < height * bytesPerRow) return close(&reader, IMAGE_CODEC_SMALL_BUFFER);

    if (samples == Samples::gray16) {
        if (isLittleEndian()) png_set_swap(reader.png);
    } else {
        png_set_expand(reader.png);
        png_set_scale_16(reader.png);
        png_set_strip_alpha(reader.png);
    }
    png_set_interlace_handling(reader.png);
    png_read_update_info(reader.png, reader.info);

    reader.rows = static_cast<png_bytepp>(std::malloc(height * sizeof(png_bytep)));
    if (!reader.rows) png_error(reader.png, "no memory for the rows");
    for (size_t row = 0; row < height; ++row) reader.rows[row] = pixels + row * bytesPerRow;
    png_read_image(reader.png, reader.rows);
    png_read_end(reader.png, nullptr);
    return close(&reader, IMAGE_CODEC_OK);
}

image_codec_status encode(
    const uint8_t *pixels, int32_t width, int32_t height, int colorType, int bits, size_t bytesPerPixel,
    uint8_t *bytes, size_t capacity, size_t *count, image_codec_message *message) {
    Writer writer = {bytes, capacity, 0, false, nullptr, nullptr, message};
    message->text[0] = 0;
    writer.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, message, fail, ignoreWarning);
    writer.info = writer.png ? png_create_info_struct(writer.png) : nullptr;
    if (!writer.info || setjmp(png_jmpbuf(writer.png))) {
        png_destroy_write_struct(&writer.png, &writer.info);
        return writer.full ? IMAGE_CODEC_SMALL_BUFFER : IMAGE_CODEC_DAMAGED;
    }
    png_set_write_fn(writer.png, &writer, writeBytes, flushNothing);
    png_set_IHDR(
        writer.png, writer.info, width, height, bits, colorType, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(writer.png, 2);
    png_set_filter(writer.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_write_info(writer.png, writer.info);
    if (bits == 16 && isLittleEndian()) png_set_swap(writer.png);
    for (int32_t row = 0; row < height; ++row) {
        png_write_row(writer.png, pixels + size_t(row) * width * bytesPerPixel);
    }
    png_write_end(writer.png, writer.info);
    png_destroy_write_struct(&writer.png, &writer.info);
    *count = writer.count;
    return IMAGE_CODEC_OK;
}

}  // namespace

image_codec_status image_codec_png_info(
    const uint8_t *bytes, size_t count, image_codec_info *info, image_codec_message *message) {
    Reader reader = {bytes, count, 0, false, nullptr, nullptr, nullptr, message};
    if (!open(&reader)) return close(&reader, IMAGE_CODEC_DAMAGED);
    if (setjmp(png_jmpbuf(reader.png))) return close(&reader, failure(&reader));
    readHeader(&reader);
    info->width = static_cast<int32_t>(png_get_image_width(reader.png, reader.info));
    info->height = static_cast<int32_t>(png_get_image_height(reader.png, reader.info));
    info->channels = channelsOf(&reader);
    return close(&reader, IMAGE_CODEC_OK);
}

image_codec_status image_codec_png_decode(
    const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, image_codec_message *message) {
    return decode(bytes, count, Samples::eightBits, pixels, capacity, message);
}

image_codec_status image_codec_png_decode_gray16(
    const uint8_t *bytes, size_t count, uint16_t *pixels, size_t capacity, image_codec_message *message) {
    return decode(
        bytes, count, Samples::gray16, reinterpret_cast<uint8_t *>(pixels), capacity * sizeof *pixels, message);
}

size_t image_codec_png_bound(int32_t width, int32_t height, int32_t bytes_per_pixel) {
    const size_t raw = (size_t(width) * bytes_per_pixel + 1) * height;
    // zlib's worst case is 5 bytes for each stored block of at least 4 KiB; each 8 KiB of it travel in a chunk of
    // their own, with 12 bytes of frame. Signature, header and end take 57.
    const size_t packed = raw + 5 * (raw / 4096 + 1) + 64;
    return packed + 12 * (packed / 8192 + 1) + 57;
}

image_codec_status image_codec_png_encode(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t channels, uint8_t *bytes, size_t capacity,
    size_t *count, image_codec_message *message) {
    return encode(
        pixels, width, height, channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, 8, channels, bytes, capacity,
        count, message);
}

image_codec_status image_codec_png_encode_gray16(
    const uint16_t *pixels, int32_t width, int32_t height, uint8_t *bytes, size_t capacity, size_t *count,
    image_codec_message *message) {
    return encode(
        reinterpret_cast<const uint8_t *>(pixels), width, height, PNG_COLOR_TYPE_GRAY, 16, sizeof *pixels, bytes,
        capacity, count, message);
}
