// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <opencv2/core/utility.hpp>
#include <opencv2/core/utils/logger.hpp>

namespace {

int keep_silent(int, const char *, const char *, const char *, int, void *) { return 0; }

} // namespace

void cfaces::configure_opencv() {
    static const bool configured = [] {
        cv::setNumThreads(1);
        cv::redirectError(keep_silent);
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
        return true;
    }();
    (void)configured;
}
