// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <vector>

struct CFacesCascade {
    cv::CascadeClassifier classifier;
};

CFacesStatus cfaces_open_cascade(const char *path, CFacesCascade **cascade) {
    if (path == nullptr || cascade == nullptr) return CFACES_INVALID_ARGUMENT;
    return cfaces::guarded(CFACES_UNREADABLE, [&] {
        auto opened = std::make_unique<CFacesCascade>();
        if (!opened->classifier.load(path) || opened->classifier.empty()) return CFACES_UNREADABLE;
        *cascade = opened.release();
        return CFACES_OK;
    });
}

void cfaces_close_cascade(CFacesCascade *cascade) { delete cascade; }

CFacesStatus cfaces_scan(
    CFacesCascade *cascade, const CFacesPicture *picture, const CFacesScan *scan, CFacesWindow *windows,
    int32_t capacity, int32_t *count) {
    const bool has_room = capacity == 0 || (capacity > 0 && windows != nullptr);
    if (cascade == nullptr || scan == nullptr || count == nullptr || !has_room || !cfaces::is_valid(picture, 1) ||
        !(scan->scale_step > 1.001 && scan->scale_step < 16) || scan->least_side_px < 0 ||
        scan->greatest_side_px < 0 || scan->least_neighbors < 0)
        return CFACES_INVALID_ARGUMENT;
    return cfaces::guarded(CFACES_FAILED, [&] {
        std::vector<cv::Rect> found;
        cascade->classifier.detectMultiScale(
            cfaces::view(*picture), found, scan->scale_step, scan->least_neighbors, 0,
            cv::Size(scan->least_side_px, scan->least_side_px),
            cv::Size(scan->greatest_side_px, scan->greatest_side_px));
        *count = static_cast<int32_t>(found.size());
        const size_t written = std::min(found.size(), static_cast<size_t>(capacity));
        for (size_t i = 0; i < written; ++i) {
            const cv::Rect &box = found[i];
            windows[i] = {double(box.x), double(box.y), double(box.width), double(box.height)};
        }
        return CFACES_OK;
    });
}

CFacesStatus cfaces_resample(
    const CFacesPicture *picture, const CFacesMap *picture_from_result, int32_t width, int32_t height,
    uint8_t *pixels) {
    const CFacesMap *map = picture_from_result;
    if (!cfaces::is_valid(picture, 1) || map == nullptr || pixels == nullptr || width <= 0 || height <= 0 ||
        width > 16384 || height > 16384)
        return CFACES_INVALID_ARGUMENT;
    for (double number : {map->xx, map->xy, map->x, map->yx, map->yy, map->y}) {
        if (!std::isfinite(number)) return CFACES_INVALID_ARGUMENT;
    }
    return cfaces::guarded(CFACES_FAILED, [&] {
        const cv::Matx23d matrix(map->xx, map->xy, map->x, map->yx, map->yy, map->y);
        cv::Mat result(height, width, CV_8UC1, pixels);
        cv::warpAffine(
            cfaces::view(*picture), result, matrix, result.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
            cv::BORDER_REPLICATE);
        return CFACES_OK;
    });
}

CFacesStatus cfaces_shrink(const CFacesPicture *picture, int32_t width, int32_t height, uint8_t *pixels) {
    if (!cfaces::is_valid(picture, 1) || pixels == nullptr || width <= 0 || height <= 0 || width > picture->width ||
        height > picture->height)
        return CFACES_INVALID_ARGUMENT;
    return cfaces::guarded(CFACES_FAILED, [&] {
        cv::Mat result(height, width, CV_8UC1, pixels);
        cv::resize(cfaces::view(*picture), result, result.size(), 0, 0, cv::INTER_AREA);
        return CFACES_OK;
    });
}
