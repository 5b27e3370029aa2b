// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "OpenCVFrontEnd.h"

#include <algorithm>
#include <ctime>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <vector>

namespace {

const cv::Size window(21, 21);
constexpr int coarsest_level = 3;

double milliseconds() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

std::vector<cv::Point2f> find_corners(const cv::Mat &image) {
    constexpr int columns = 8, rows = 5, corners_per_cell = 4, threshold = 10;
    std::vector<cv::Point2f> corners;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const cv::Point origin(column * image.cols / columns, row * image.rows / rows);
            const cv::Rect cell(origin, cv::Size(image.cols / columns, image.rows / rows));
            std::vector<cv::KeyPoint> found;
            cv::FAST(image(cell), found, threshold, true);
            std::sort(found.begin(), found.end(), [](const cv::KeyPoint &a, const cv::KeyPoint &b) {
                return a.response > b.response;
            });
            for (size_t i = 0; i < std::min<size_t>(found.size(), corners_per_cell); ++i) {
                corners.push_back(found[i].pt + cv::Point2f(origin));
            }
        }
    }
    if (!corners.empty()) {
        const cv::TermCriteria criteria(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 20, 0.001);
        cv::cornerSubPix(image, corners, cv::Size(5, 5), cv::Size(-1, -1), criteria);
    }
    return corners;
}

} // namespace

FrontEndTimes opencv_front_end(
    const uint8_t *pixels, int32_t width, int32_t height, const float *points_xy, int32_t count) {
    static std::vector<cv::Mat> old_pyramid, pyramid;
    cv::setNumThreads(1);
    const cv::Mat image(height, width, CV_8UC1, const_cast<uint8_t *>(pixels));
    std::swap(old_pyramid, pyramid);
    const double start = milliseconds();
    cv::buildOpticalFlowPyramid(image, pyramid, window, coarsest_level);
    if (old_pyramid.empty() || count == 0) return {0, 0, 0};
    const double built = milliseconds();
    const auto *points = reinterpret_cast<const cv::Point2f *>(points_xy);
    const std::vector<cv::Point2f> old_points(points, points + count);
    std::vector<cv::Point2f> new_points;
    std::vector<uint8_t> is_found;
    std::vector<float> differences;
    cv::calcOpticalFlowPyrLK(
        old_pyramid, pyramid, old_points, new_points, is_found, differences, window, coarsest_level);
    const double followed = milliseconds();
    const std::vector<cv::Point2f> corners = find_corners(image);
    return {built - start, followed - built, milliseconds() - followed};
}
