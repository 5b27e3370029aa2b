// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What every function of the façade does around its work: no exception leaves, OpenCV stays silent and on one thread.

#pragma once

#include "CVision.h"
#include "OpenCVGuard.hpp"

#include <cmath>
#include <cstdint>

namespace cvision {

/// Runs `work`, which returns a status, and turns whatever it throws into one.
template <typename Work> CVisionStatus guarded(Work &&work) noexcept {
    return opencv_guard::guarded(CVISION_OUT_OF_MEMORY, CVISION_FAILED, work);
}

/// Whether `count` numbers are there and none is infinite, NaN, or larger than `limit` in magnitude.
inline bool are_finite(const double *numbers, int64_t count, double limit = INFINITY) {
    if (count > 0 && numbers == nullptr) return false;
    for (int64_t i = 0; i < count; ++i) {
        if (!std::isfinite(numbers[i]) || std::abs(numbers[i]) > limit) return false;
    }
    return true;
}

/// Whether a picture is there, with sizes in range.
inline bool is_valid(const CVisionPicture *picture) {
    return picture != nullptr && picture->pixels != nullptr && picture->width > 0 && picture->height > 0
        && picture->width <= CVISION_MAX_SIDE_PX && picture->height <= CVISION_MAX_SIDE_PX
        && (picture->channels == 1 || picture->channels == 3)
        && picture->bytes_per_row >= picture->width * picture->channels;
}

/// A column of `count` points of `Point`'s dimension over the caller's packed doubles, without a copy.
template <typename Point> cv::Mat points_view(const double *numbers, int32_t count) {
    return cv::Mat(count, 1, cv::traits::Type<Point>::value, const_cast<double *>(numbers));
}

} // namespace cvision
