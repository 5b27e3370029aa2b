// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What every façade over OpenCV does around its work: no exception leaves, OpenCV stays silent and on one thread.

#pragma once

#include <new>
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/core/utils/logger.hpp>

namespace opencv_guard {

inline int keep_silent(int, const char *, const char *, const char *, int, void *) { return 0; }

/// Sets OpenCV, in the whole process, to one thread, and stops it from printing; the first call does it, the others cost
/// nothing.
inline void configure_opencv() {
    static const bool configured = [] {
        cv::setNumThreads(1);
        cv::redirectError(keep_silent);
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
        return true;
    }();
    (void)configured;
}

/// Runs `work`, which returns a status, and turns whatever it throws into one.
template <typename Status, typename Work> Status guarded(Status out_of_memory, Status refusal, Work &&work) noexcept {
    try {
        configure_opencv();
        return work();
    } catch (const std::bad_alloc &) {
        return out_of_memory;
    } catch (const cv::Exception &error) {
        return error.code == cv::Error::StsNoMem ? out_of_memory : refusal;
    } catch (...) {
        return refusal;
    }
}

} // namespace opencv_guard
