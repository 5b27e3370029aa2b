// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What every function of the façade does around its work: no exception leaves, OpenCV stays silent and on one thread.

#pragma once

#include "CVision.h"

#include <cmath>
#include <cstdint>
#include <new>
#include <opencv2/core.hpp>

namespace cvision {

/// Sets OpenCV to one thread and stops it from printing its errors; the first call does it, the others cost nothing.
void configure_opencv();

/// Runs `work`, which returns a status, and turns whatever it throws into one.
template <typename Work> CVisionStatus guarded(Work &&work) noexcept {
    try {
        configure_opencv();
        return work();
    } catch (const std::bad_alloc &) {
        return CVISION_OUT_OF_MEMORY;
    } catch (const cv::Exception &error) {
        return error.code == cv::Error::StsNoMem ? CVISION_OUT_OF_MEMORY : CVISION_FAILED;
    } catch (...) {
        return CVISION_FAILED;
    }
}

/// Whether `count` numbers are there and none is infinite, NaN, or larger than `limit` in magnitude.
inline bool are_finite(const double *numbers, int64_t count, double limit = INFINITY) {
    if (count > 0 && numbers == nullptr) return false;
    for (int64_t i = 0; i < count; ++i) {
        if (!std::isfinite(numbers[i]) || std::abs(numbers[i]) > limit) return false;
    }
    return true;
}

/// A column of `count` points of `Point`'s dimension over the caller's packed doubles, without a copy.
template <typename Point> cv::Mat points_view(const double *numbers, int32_t count) {
    return cv::Mat(count, 1, cv::traits::Type<Point>::value, const_cast<double *>(numbers));
}

} // namespace cvision
