// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"
#include "Pyramid.hpp"

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

using namespace cvision;

CVisionStatus cvision_fit_homography(
    const double *sources_xy, const double *targets_xy, int32_t count, double *target_from_source) {
    if (count < 4 || !are_finite(sources_xy, 2 * int64_t(count)) || !are_finite(targets_xy, 2 * int64_t(count))
        || target_from_source == nullptr) {
        return CVISION_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const cv::Mat homography = cv::findHomography(
            points_view<cv::Point2d>(sources_xy, count), points_view<cv::Point2d>(targets_xy, count), 0);
        if (homography.empty()) return CVISION_NOT_FOUND;
        for (int i = 0; i < 9; ++i) target_from_source[i] = homography.at<double>(i / 3, i % 3);
        return are_finite(target_from_source, 9) ? CVISION_OK : CVISION_NOT_FOUND;
    });
}

CVisionStatus cvision_sample_plane(
    const CVisionPyramid *pyramid, int32_t level, const double *picture_from_sample, int32_t width, int32_t height,
    uint8_t *samples) {
    if (!is_valid(pyramid) || level < 0 || level >= pyramid->level_count || !are_finite(picture_from_sample, 9)
        || width < 1 || height < 1 || width > CVISION_MAX_SIDE_PX || height > CVISION_MAX_SIDE_PX
        || samples == nullptr) {
        return CVISION_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const Levels levels(*pyramid);
        const Level &source = levels[level];
        const cv::Mat pixels(
            source.height, source.width, CV_8UC1, source.origin, static_cast<size_t>(source.bytes_per_row));
        cv::Mat out(height, width, CV_8UC1, samples);
        // Levels share their upper left corner.
        const double scale = std::ldexp(1.0, -level), shift = 0.5 * scale - 0.5;
        const cv::Matx33d level_from_picture(scale, 0, shift, 0, scale, shift, 0, 0, 1);
        const cv::Matx33d level_from_sample = level_from_picture * cv::Matx33d(picture_from_sample);
        cv::warpPerspective(
            pixels, out, level_from_sample, out.size(), cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
        return CVISION_OK;
    });
}
