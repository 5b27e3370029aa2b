// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <algorithm>
#include <memory>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

struct CFacesNetwork {
    cv::Ptr<cv::FaceDetectorYN> detector;
};

CFacesStatus cfaces_open_network(const char *path, double least_score, CFacesNetwork **network) {
    if (path == nullptr || network == nullptr || !(least_score >= 0 && least_score <= 1)) return CFACES_INVALID_ARGUMENT;
    return cfaces::guarded(CFACES_UNREADABLE, [&] {
        constexpr float overlap_limit = 0.3f;
        constexpr int most_candidates = 5000;
        auto opened = std::make_unique<CFacesNetwork>();
        opened->detector = cv::FaceDetectorYN::create(
            path, "", cv::Size(320, 320), static_cast<float>(least_score), overlap_limit, most_candidates,
            cv::dnn::DNN_BACKEND_OPENCV, cv::dnn::DNN_TARGET_CPU);
        if (opened->detector.empty()) return CFACES_UNREADABLE;
        *network = opened.release();
        return CFACES_OK;
    });
}

void cfaces_close_network(CFacesNetwork *network) { delete network; }

CFacesStatus cfaces_detect(
    CFacesNetwork *network, const CFacesPicture *picture, CFacesFace *faces, int32_t capacity, int32_t *count) {
    const bool has_room = capacity == 0 || (capacity > 0 && faces != nullptr);
    if (network == nullptr || count == nullptr || !has_room ||
        (!cfaces::is_valid(picture, 1) && !cfaces::is_valid(picture, 3)))
        return CFACES_INVALID_ARGUMENT;
    return cfaces::guarded(CFACES_FAILED, [&] {
        cv::Mat colors, found;
        cv::cvtColor(
            cfaces::view(*picture), colors, picture->channels == 3 ? cv::COLOR_RGB2BGR : cv::COLOR_GRAY2BGR);
        network->detector->setInputSize(colors.size());
        network->detector->detect(colors, found);
        *count = found.rows;
        for (int row = 0; row < std::min<int>(found.rows, capacity); ++row) {
            // Box, then five points as one sees them: the eye at the left first; and the score.
            const float *n = found.ptr<float>(row);
            faces[row] = {{n[0], n[1], n[2], n[3]}, {n[4], n[5]},   {n[6], n[7]},  {n[8], n[9]},
                          {n[10], n[11]},           {n[12], n[13]}, double(n[14])};
        }
        return CFACES_OK;
    });
}
