// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Pyramid.hpp"

#include "Guard.hpp"

#include <algorithm>
#include <cstring>
#include <opencv2/core/hal/intrin.hpp>

using namespace cvision;

namespace {

/// Takes a row of colours in as grey.
void take_luma(const uint8_t *colors, int width, uint8_t *gray) {
    const cv::v_uint16x8 red_share = cv::v_setall_u16(77), green_share = cv::v_setall_u16(150),
                         blue_share = cv::v_setall_u16(29), half = cv::v_setall_u16(128);
    int x = 0;
    for (; x + 16 <= width; x += 16) {
        cv::v_uint8x16 red, green, blue;
        cv::v_load_deinterleave(colors + 3 * x, red, green, blue);
        cv::v_uint16x8 reds[2], greens[2], blues[2];
        cv::v_expand(red, reds[0], reds[1]);
        cv::v_expand(green, greens[0], greens[1]);
        cv::v_expand(blue, blues[0], blues[1]);
        const auto luma = [&](int i) {
            return (reds[i] * red_share + greens[i] * green_share + blues[i] * blue_share + half) >> 8;
        };
        cv::v_store(gray + x, cv::v_pack(luma(0), luma(1)));
    }
    for (; x < width; ++x) {
        const uint8_t *color = colors + 3 * x;
        gray[x] = static_cast<uint8_t>((77 * color[0] + 150 * color[1] + 29 * color[2] + 128) >> 8);
    }
}

void take_picture(const CVisionPicture &picture, const Level &level) {
    for (int y = 0; y < picture.height; ++y) {
        const uint8_t *row = picture.pixels + static_cast<std::ptrdiff_t>(y) * picture.bytes_per_row;
        if (picture.channels == 3) {
            take_luma(row, picture.width, level.row(y));
        } else {
            std::memcpy(level.row(y), row, picture.width);
        }
    }
}

/// Repeats the pixels at the edges into the border.
void fill_border(const Level &level) {
    for (int y = 0; y < level.height; ++y) {
        uint8_t *row = level.row(y);
        std::memset(row - pyramid_border_px, row[0], pyramid_border_px);
        const int right = level.bytes_per_row - pyramid_border_px - level.width;
        std::memset(row + level.width, row[level.width - 1], right);
    }
    for (int y = 1; y <= pyramid_border_px; ++y) {
        std::memcpy(level.row(-y) - pyramid_border_px, level.row(0) - pyramid_border_px, level.bytes_per_row);
        std::memcpy(
            level.row(level.height - 1 + y) - pyramid_border_px, level.row(level.height - 1) - pyramid_border_px,
            level.bytes_per_row);
    }
}

/// Halves a level with the binomial weights 1 3 3 1 along columns and rows, rounded once: a pixel of the coarse level
/// lies in the middle of four pixels of the fine one.
void halve(const Level &fine, const Level &coarse) {
    constexpr int chunk = 256;
    alignas(16) int16_t columns[2 * chunk + 32];
    for (int y = 0; y < coarse.height; ++y) {
        for (int start = 0; start < coarse.width; start += chunk) {
            // The sum of four rows, from one column before the first pixel pair to one column behind the last.
            const int outputs = std::min(chunk, (coarse.width - start + 7) / 8 * 8);
            const int first = 2 * start - 1;
            const uint8_t *above = fine.row(2 * y - 1) + first;
            const uint8_t *upper = fine.row(2 * y) + first;
            const uint8_t *lower = fine.row(2 * y + 1) + first;
            const uint8_t *below = fine.row(2 * y + 2) + first;
            for (int i = 0; i < 2 * outputs; i += 8) {
                const cv::v_int16x8 outer = cv::v_reinterpret_as_s16(cv::v_load_expand(above + i))
                    + cv::v_reinterpret_as_s16(cv::v_load_expand(below + i));
                const cv::v_int16x8 inner = cv::v_reinterpret_as_s16(cv::v_load_expand(upper + i))
                    + cv::v_reinterpret_as_s16(cv::v_load_expand(lower + i));
                cv::v_store_aligned(columns + i, outer + inner + inner + inner);
            }
            for (int i = 2 * outputs; i < 2 * outputs + 2; ++i) {
                columns[i] = static_cast<int16_t>(above[i] + 3 * (upper[i] + lower[i]) + below[i]);
            }
            const cv::v_int16x8 left(1, 3, 1, 3, 1, 3, 1, 3), right(3, 1, 3, 1, 3, 1, 3, 1);
            const cv::v_int32x4 half = cv::v_setall_s32(32);
            for (int i = 0; i < outputs; i += 8) {
                const int16_t *pairs = columns + 2 * i;
                const auto sum = [&](int offset) {
                    const cv::v_int32x4 weighted = cv::v_dotprod(cv::v_load_aligned(pairs + offset), left, half)
                        + cv::v_dotprod(cv::v_load(pairs + offset + 2), right);
                    return weighted >> 6;
                };
                cv::v_pack_u_store(coarse.row(y) + start + i, cv::v_pack(sum(0), sum(8)));
            }
        }
    }
}

/// Sums over the picture itself.
struct Light {
    uint64_t sum = 0;
    uint64_t sum_of_squares = 0;
    uint64_t saturated = 0;

    explicit Light(const Level &level) {
        for (int y = 0; y < level.height; ++y) {
            const uint8_t *row = level.row(y);
            uint32_t row_sum = 0, row_squares = 0, row_saturated = 0;
            for (int x = 0; x < level.width; ++x) {
                const uint16_t value = row[x];
                row_sum += value;
                // 255² just fits, and products of 16 bits are faster than of 32.
                row_squares += static_cast<uint16_t>(value * value);
                row_saturated += value == 255;
            }
            sum += row_sum;
            sum_of_squares += row_squares;
            saturated += row_saturated;
        }
    }
};

/// The mean squared difference between neighbours, along rows and columns.
double mean_squared_step(const Level &level) {
    uint64_t total = 0;
    for (int y = 0; y + 1 < level.height; ++y) {
        const uint8_t *row = level.row(y), *next = level.row(y + 1);
        uint32_t sum = 0;
        for (int x = 0; x + 1 < level.width; ++x) {
            const int16_t across = static_cast<int16_t>(row[x + 1] - row[x]);
            const int16_t down = static_cast<int16_t>(next[x] - row[x]);
            sum += static_cast<uint32_t>(across * across + down * down);
        }
        total += sum;
    }
    const int64_t pixels = static_cast<int64_t>(level.width - 1) * (level.height - 1);
    return pixels > 0 ? static_cast<double>(total) / static_cast<double>(pixels) : 0;
}

} // namespace

int64_t cvision_pyramid_bytes(int32_t width, int32_t height, int32_t level_count) {
    const CVisionPyramid shape = {nullptr, width, height, level_count};
    return has_valid_shape(&shape) ? Levels(shape).byte_count() : 0;
}

CVisionStatus cvision_build_pyramid(const CVisionPicture *picture, const CVisionPyramid *pyramid) {
    if (!is_valid(picture) || !is_valid(pyramid) || picture->width != pyramid->width
        || picture->height != pyramid->height) {
        return CVISION_INVALID_ARGUMENT;
    }
    const Levels levels(*pyramid);
    take_picture(*picture, levels[0]);
    fill_border(levels[0]);
    for (int level = 1; level < levels.count; ++level) {
        halve(levels[level - 1], levels[level]);
        fill_border(levels[level]);
    }
    return CVISION_OK;
}

CVisionStatus cvision_measure_picture(const CVisionPyramid *pyramid, CVisionPictureMeasures *measures) {
    if (!is_valid(pyramid) || measures == nullptr) return CVISION_INVALID_ARGUMENT;
    const Levels levels(*pyramid);
    const Light light(levels[0]);
    const double pixels = static_cast<double>(pyramid->width) * pyramid->height;
    const double mean = static_cast<double>(light.sum) / pixels;
    measures->mean = mean;
    measures->variance = std::max(0.0, static_cast<double>(light.sum_of_squares) / pixels - mean * mean);
    measures->saturated_fraction = static_cast<double>(light.saturated) / pixels;
    measures->half_size_step = levels.count > 1 ? mean_squared_step(levels[1]) : 0;
    measures->quarter_size_step = levels.count > 2 ? mean_squared_step(levels[2]) : 0;
    return CVISION_OK;
}
