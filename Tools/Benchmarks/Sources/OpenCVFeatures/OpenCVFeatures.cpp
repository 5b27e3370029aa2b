// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "OpenCVFeatures.h"

#include <opencv2/features2d.hpp>
#include <vector>

int32_t opencv_describe_orb(const uint8_t *pixels, int32_t width, int32_t height, int32_t feature_limit) {
    cv::setNumThreads(1);
    const cv::Mat picture(height, width, CV_8UC1, const_cast<uint8_t *>(pixels));
    std::vector<cv::KeyPoint> points;
    cv::Mat descriptors;
    cv::ORB::create(feature_limit)->detectAndCompute(picture, cv::noArray(), points, descriptors);
    return int32_t(points.size());
}
