// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <algorithm>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

using namespace cvision;

CVisionStatus cvision_find_chessboard_corners(
    const CVisionGrayImage *image, int32_t columns, int32_t rows, int32_t subpixel_half_window_px, double *corners_xy) {
    if (image == nullptr || image->pixels == nullptr || image->width <= 0 || image->height <= 0
        || image->bytes_per_row < image->width || columns < 3 || rows < 3 || subpixel_half_window_px < 0
        || corners_xy == nullptr) {
        return CVISION_INVALID_ARGUMENT;
    }
    const int64_t shorter_side_px = std::min(image->width, image->height);
    if (subpixel_half_window_px > 0 && 2 * static_cast<int64_t>(subpixel_half_window_px) + 5 > shorter_side_px) {
        return CVISION_INVALID_ARGUMENT;
    }
    // OpenCV thresholds in windows of a tenth of the picture and fails where that is less than a pixel.
    if (shorter_side_px < 16) return CVISION_NOT_FOUND;
    return guarded([&] {
        const cv::Mat pixels(
            image->height, image->width, CV_8UC1, const_cast<uint8_t *>(image->pixels),
            static_cast<size_t>(image->bytes_per_row));
        std::vector<cv::Point2f> corners;
        const int flags = cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE;
        if (!cv::findChessboardCorners(pixels, cv::Size(columns, rows), corners, flags)) return CVISION_NOT_FOUND;
        if (subpixel_half_window_px > 0) {
            const cv::TermCriteria criteria(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 100, 1e-4);
            const cv::Size half_window(subpixel_half_window_px, subpixel_half_window_px);
            cv::cornerSubPix(pixels, corners, half_window, cv::Size(-1, -1), criteria);
        }
        for (size_t i = 0; i < corners.size(); ++i) {
            corners_xy[2 * i] = corners[i].x;
            corners_xy[2 * i + 1] = corners[i].y;
        }
        return CVISION_OK;
    });
}
