// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <algorithm>
#include <opencv2/calib3d.hpp>

using namespace cvision;

namespace {

/// How many parameters of distortion the model has, or −1 for a model that is none.
int distortion_count(CVisionCameraModel model) {
    switch (model) {
    case CVISION_PINHOLE: return 0;
    case CVISION_RADIAL_TANGENTIAL: return 5;
    case CVISION_EQUIDISTANT: return 4;
    }
    return -1;
}

bool is_valid(const CVisionCamera *camera) {
    if (camera == nullptr) return false;
    const int count = distortion_count(camera->model);
    const double intrinsics[] = {camera->fx, camera->fy, camera->cx, camera->cy};
    return count >= 0 && are_finite(intrinsics, 4) && camera->fx != 0 && camera->fy != 0
        && are_finite(camera->distortion, count);
}

cv::Matx33d camera_matrix(const CVisionCamera &camera) {
    return cv::Matx33d(camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1);
}

/// The distortion in the order and number that OpenCV's function for the model expects.
cv::Mat distortion_coefficients(const CVisionCamera &camera) {
    const int count = distortion_count(camera.model);
    return count > 0 ? cv::Mat(count, 1, CV_64F, const_cast<double *>(camera.distortion)) : cv::Mat();
}

const cv::TermCriteria undistortion_criteria(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 200, 1e-12);

void undistort(const CVisionCamera &camera, const cv::Mat &pixels, cv::Mat &normalized) {
    const cv::Matx33d matrix = camera_matrix(camera);
    const cv::Mat distortion = distortion_coefficients(camera);
    if (camera.model == CVISION_EQUIDISTANT) {
        cv::fisheye::undistortPoints(
            pixels, normalized, matrix, distortion, cv::noArray(), cv::noArray(), undistortion_criteria);
    } else {
        cv::undistortPoints(
            pixels, normalized, matrix, distortion, cv::noArray(), cv::noArray(), undistortion_criteria);
    }
}

} // namespace

CVisionStatus cvision_project_points(
    const CVisionCamera *camera, const double *points_xyz, int32_t count, double *pixels_xy) {
    if (!is_valid(camera) || count < 0) return CVISION_INVALID_ARGUMENT;
    if (count == 0) return CVISION_OK;
    if (points_xyz == nullptr || pixels_xy == nullptr) return CVISION_INVALID_ARGUMENT;
    return guarded([&] {
        const cv::Mat points = points_view<cv::Point3d>(points_xyz, count);
        cv::Mat pixels;
        const cv::Vec3d zero(0, 0, 0);
        const cv::Matx33d matrix = camera_matrix(*camera);
        const cv::Mat distortion = distortion_coefficients(*camera);
        if (camera->model == CVISION_EQUIDISTANT) {
            cv::fisheye::projectPoints(points, pixels, zero, zero, matrix, distortion);
        } else {
            cv::projectPoints(points, zero, zero, matrix, distortion, pixels);
        }
        std::copy_n(pixels.ptr<double>(), 2 * static_cast<size_t>(count), pixels_xy);
        return CVISION_OK;
    });
}

CVisionStatus cvision_undistort_points(
    const CVisionCamera *camera, const double *pixels_xy, int32_t count, double *normalized_xy) {
    if (!is_valid(camera) || count < 0) return CVISION_INVALID_ARGUMENT;
    if (count == 0) return CVISION_OK;
    if (pixels_xy == nullptr || normalized_xy == nullptr) return CVISION_INVALID_ARGUMENT;
    return guarded([&] {
        cv::Mat normalized;
        undistort(*camera, points_view<cv::Point2d>(pixels_xy, count), normalized);
        std::copy_n(normalized.ptr<double>(), 2 * static_cast<size_t>(count), normalized_xy);
        return CVISION_OK;
    });
}

CVisionStatus cvision_solve_pnp(
    const CVisionCamera *camera, CVisionPnPMethod method, const double *points_xyz, const double *pixels_xy,
    int32_t count, double *rotation_vector, double *translation_m) {
    const bool is_known = method == CVISION_PNP_ITERATIVE || method == CVISION_PNP_PLANAR;
    if (!is_valid(camera) || !is_known || count < 0 || rotation_vector == nullptr || translation_m == nullptr
        || !are_finite(points_xyz, 3 * static_cast<int64_t>(count))
        || !are_finite(pixels_xy, 2 * static_cast<int64_t>(count))) {
        return CVISION_INVALID_ARGUMENT;
    }
    if (count < 4) return CVISION_NOT_FOUND;
    return guarded([&] {
        cv::Mat image_points = points_view<cv::Point2d>(pixels_xy, count);
        cv::Matx33d matrix = camera_matrix(*camera);
        cv::Mat distortion = distortion_coefficients(*camera);
        if (camera->model == CVISION_EQUIDISTANT) {
            cv::Mat normalized;
            undistort(*camera, image_points, normalized);
            image_points = normalized;
            matrix = cv::Matx33d::eye();
            distortion = cv::Mat();
        }
        const int flags = method == CVISION_PNP_PLANAR ? cv::SOLVEPNP_IPPE : cv::SOLVEPNP_ITERATIVE;
        cv::Vec3d rotation, translation;
        const bool found = cv::solvePnP(
            points_view<cv::Point3d>(points_xyz, count), image_points, matrix, distortion, rotation, translation,
            false, flags);
        if (!found || !are_finite(rotation.val, 3) || !are_finite(translation.val, 3)) return CVISION_NOT_FOUND;
        std::copy_n(rotation.val, 3, rotation_vector);
        std::copy_n(translation.val, 3, translation_m);
        return CVISION_OK;
    });
}
