// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <vector>

using namespace cvision;

namespace {

constexpr int fraction_bits = 8;
constexpr int font = cv::FONT_HERSHEY_SIMPLEX;

bool is_valid(const CVisionCanvas &canvas) {
    return canvas.pixels != nullptr && canvas.width > 0 && canvas.height > 0
        && (canvas.channels == 1 || canvas.channels == 3)
        && canvas.bytes_per_row >= static_cast<int64_t>(canvas.width) * canvas.channels;
}

bool is_thickness(int32_t thickness_px) { return thickness_px >= 1 && thickness_px <= CVISION_MAX_STROKE_PX; }

bool is_letter_size(int32_t capital_height_px, int32_t thickness_px) {
    return is_thickness(thickness_px) && capital_height_px >= 1 && capital_height_px <= CVISION_MAX_STROKE_PX;
}

cv::Mat view(const CVisionCanvas &canvas) {
    return cv::Mat(
        canvas.height, canvas.width, CV_8UC(canvas.channels), canvas.pixels,
        static_cast<size_t>(canvas.bytes_per_row));
}

/// The colour as the canvas stores it: one luma, or red, green, blue.
cv::Scalar stored(CVisionColor color, int32_t channels) {
    if (channels == 3) return cv::Scalar(color.red, color.green, color.blue);
    return cv::Scalar(std::round(0.299 * color.red + 0.587 * color.green + 0.114 * color.blue));
}

/// The points in OpenCV's fixed-point coordinates, relative to `origin`.
std::vector<cv::Point> fixed_point(const double *points_xy, int32_t count, cv::Point origin = {}) {
    std::vector<cv::Point> points;
    points.reserve(static_cast<size_t>(count));
    for (int32_t i = 0; i < count; ++i) {
        points.emplace_back(
            static_cast<int>(std::lround((points_xy[2 * i] - origin.x) * (1 << fraction_bits))),
            static_cast<int>(std::lround((points_xy[2 * i + 1] - origin.y) * (1 << fraction_bits))));
    }
    return points;
}

/// The canvas's pixels that a polygon can touch, its anti-aliased rim included.
cv::Rect touched_pixels(const double *points_xy, int32_t count, const CVisionCanvas &canvas) {
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        left = std::min(left, points_xy[2 * i]);
        right = std::max(right, points_xy[2 * i]);
        top = std::min(top, points_xy[2 * i + 1]);
        bottom = std::max(bottom, points_xy[2 * i + 1]);
    }
    const int margin = 2;
    const cv::Point first(static_cast<int>(std::floor(left)) - margin, static_cast<int>(std::floor(top)) - margin);
    const cv::Point last(static_cast<int>(std::ceil(right)) + margin, static_cast<int>(std::ceil(bottom)) + margin);
    return cv::Rect(first, last) & cv::Rect(0, 0, canvas.width, canvas.height);
}

/// Moves each pixel towards the colour by opacity × coverage.
void blend(cv::Mat target, const cv::Mat &coverage, double opacity, const cv::Scalar &color) {
    const int channels = target.channels();
    for (int row = 0; row < target.rows; ++row) {
        const uint8_t *covered = coverage.ptr<uint8_t>(row);
        uint8_t *pixel = target.ptr<uint8_t>(row);
        for (int column = 0; column < target.cols; ++column, pixel += channels) {
            if (covered[column] == 0) continue;
            const double weight = opacity * covered[column] / 255;
            for (int channel = 0; channel < channels; ++channel) {
                const double mixed = pixel[channel] + weight * (color[channel] - pixel[channel]);
                pixel[channel] = cv::saturate_cast<uint8_t>(mixed);
            }
        }
    }
}

} // namespace

CVisionStatus cvision_draw_polyline(
    CVisionCanvas canvas, const double *points_xy, int32_t count, int32_t closed, int32_t thickness_px,
    CVisionColor color) {
    if (!is_valid(canvas) || count < 0 || !is_thickness(thickness_px)
        || !are_finite(points_xy, 2 * static_cast<int64_t>(count), CVISION_MAX_COORDINATE_PX)) {
        return CVISION_INVALID_ARGUMENT;
    }
    if (count == 0) return CVISION_OK;
    return guarded([&] {
        cv::Mat target = view(canvas);
        cv::polylines(
            target, fixed_point(points_xy, count), closed != 0, stored(color, canvas.channels), thickness_px,
            cv::LINE_AA, fraction_bits);
        return CVISION_OK;
    });
}

CVisionStatus cvision_fill_polygon(
    CVisionCanvas canvas, const double *points_xy, int32_t count, double opacity, CVisionColor color) {
    if (!is_valid(canvas) || count < 0 || !(opacity >= 0 && opacity <= 1)
        || !are_finite(points_xy, 2 * static_cast<int64_t>(count), CVISION_MAX_COORDINATE_PX)) {
        return CVISION_INVALID_ARGUMENT;
    }
    if (count == 0) return CVISION_OK;
    return guarded([&] {
        const cv::Rect touched = touched_pixels(points_xy, count, canvas);
        if (touched.empty()) return CVISION_OK;
        cv::Mat coverage = cv::Mat::zeros(touched.size(), CV_8UC1);
        const std::vector<std::vector<cv::Point>> polygons = {fixed_point(points_xy, count, touched.tl())};
        cv::fillPoly(coverage, polygons, cv::Scalar(255), cv::LINE_AA, fraction_bits);
        blend(view(canvas)(touched), coverage, opacity, stored(color, canvas.channels));
        return CVISION_OK;
    });
}

CVisionStatus cvision_draw_text(
    CVisionCanvas canvas, const char *text, double left_px, double baseline_px, int32_t capital_height_px,
    int32_t thickness_px, CVisionColor color) {
    const double position[] = {left_px, baseline_px};
    if (!is_valid(canvas) || text == nullptr || !are_finite(position, 2, CVISION_MAX_COORDINATE_PX)
        || !is_letter_size(capital_height_px, thickness_px)) {
        return CVISION_INVALID_ARGUMENT;
    }
    return guarded([&] {
        cv::Mat target = view(canvas);
        const cv::Point origin(static_cast<int>(std::lround(left_px)), static_cast<int>(std::lround(baseline_px)));
        const double scale = cv::getFontScaleFromHeight(font, capital_height_px, thickness_px);
        cv::putText(
            target, text, origin, font, scale, stored(color, canvas.channels), thickness_px, cv::LINE_AA);
        return CVISION_OK;
    });
}

CVisionStatus cvision_measure_text(
    const char *text, int32_t capital_height_px, int32_t thickness_px, int32_t *width_px) {
    if (text == nullptr || width_px == nullptr || !is_letter_size(capital_height_px, thickness_px)) {
        return CVISION_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const double scale = cv::getFontScaleFromHeight(font, capital_height_px, thickness_px);
        int baseline = 0;
        *width_px = cv::getTextSize(text, font, scale, thickness_px, &baseline).width;
        return CVISION_OK;
    });
}
