// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <opencv2/imgproc.hpp>

using namespace cvision;

CVisionStatus cvision_reduce_picture(const CVisionPicture *picture, int32_t side_px, uint8_t *means) {
    if (!is_valid(picture) || means == nullptr || side_px < 1 || side_px > picture->width
        || side_px > picture->height) {
        return CVISION_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const int columns = picture->width / side_px, rows = picture->height / side_px;
        const cv::Mat whole_squares(
            rows * side_px, columns * side_px, CV_8UC(picture->channels), const_cast<uint8_t *>(picture->pixels),
            static_cast<size_t>(picture->bytes_per_row));
        cv::Mat gray = whole_squares;
        if (picture->channels == 3) cv::cvtColor(whole_squares, gray, cv::COLOR_RGB2GRAY);
        cv::Mat reduced(rows, columns, CV_8UC1, means);
        cv::resize(gray, reduced, reduced.size(), 0, 0, cv::INTER_AREA);
        return CVISION_OK;
    });
}
