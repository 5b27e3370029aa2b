// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "OpenCVTrackers.h"

#include <ctime>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/tracking.hpp>
#include <opencv2/tracking/tracking_legacy.hpp>

struct OpenCVTracker {
    cv::Ptr<cv::Tracker> tracker;
    cv::Ptr<cv::legacy::Tracker> legacy;
    cv::Size size;

    cv::Mat picture(const uint8_t *rgb) const {
        cv::Mat bgr;
        cv::cvtColor(cv::Mat(size, CV_8UC3, const_cast<uint8_t *>(rgb)), bgr, cv::COLOR_RGB2BGR);
        return bgr;
    }
};

namespace {

double milliseconds_now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

} // namespace

OpenCVTracker *opencv_tracker_create(
    OpenCVTrackerKind kind, const uint8_t *rgb, int32_t width, int32_t height, OpenCVBox box) {
    cv::setNumThreads(1);
    auto *tracker = new OpenCVTracker{nullptr, nullptr, cv::Size(width, height)};
    const cv::Mat picture = tracker->picture(rgb);
    const cv::Rect2d start(box.left, box.top, box.width, box.height);
    switch (kind) {
    case OPENCV_TRACKER_KCF: tracker->tracker = cv::TrackerKCF::create(); break;
    case OPENCV_TRACKER_CSRT: tracker->tracker = cv::TrackerCSRT::create(); break;
    case OPENCV_TRACKER_MEDIAN_FLOW: tracker->legacy = cv::legacy::TrackerMedianFlow::create(); break;
    }
    if (tracker->tracker) tracker->tracker->init(picture, cv::Rect(start));
    if (tracker->legacy) tracker->legacy->init(picture, start);
    return tracker;
}

int32_t opencv_tracker_update(OpenCVTracker *tracker, const uint8_t *rgb, OpenCVBox *box, double *milliseconds) {
    const cv::Mat picture = tracker->picture(rgb);
    const double start = milliseconds_now();
    bool is_found = false;
    cv::Rect2d found;
    if (tracker->tracker) {
        cv::Rect rectangle;
        is_found = tracker->tracker->update(picture, rectangle);
        found = rectangle;
    } else {
        is_found = tracker->legacy->update(picture, found);
    }
    *milliseconds = milliseconds_now() - start;
    *box = {found.x, found.y, found.width, found.height};
    return is_found ? 1 : 0;
}

void opencv_tracker_destroy(OpenCVTracker *tracker) { delete tracker; }

double opencv_orb_milliseconds(const uint8_t *gray, int32_t width, int32_t height, int32_t feature_count) {
    cv::setNumThreads(1);
    static const cv::Ptr<cv::ORB> orb = cv::ORB::create(feature_count);
    const cv::Mat picture(height, width, CV_8UC1, const_cast<uint8_t *>(gray));
    std::vector<cv::KeyPoint> features;
    cv::Mat descriptors;
    const double start = milliseconds_now();
    orb->detectAndCompute(picture, cv::noArray(), features, descriptors);
    return milliseconds_now() - start;
}
