// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "OpenCVEdges.h"

#include <malloc.h>
#include <opencv2/imgproc.hpp>

bool opencv_edges_keep_memory(void) {
    return mallopt(M_MMAP_THRESHOLD, 1 << 30) == 1 && mallopt(M_TRIM_THRESHOLD, 1 << 30) == 1;
}

int32_t opencv_edges(const uint8_t *pixels, int32_t width, int32_t height) {
    cv::setNumThreads(1);
    const cv::Mat picture(height, width, CV_8UC1, const_cast<uint8_t *>(pixels));
    cv::Mat blurred, edges;
    cv::GaussianBlur(picture, blurred, cv::Size(5, 5), 0);
    cv::Canny(blurred, edges, 50, 150);
    return cv::countNonZero(edges);
}
