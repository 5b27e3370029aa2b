// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What every function of the façade does around its work: no exception leaves, OpenCV stays silent and on one thread.

#pragma once

#include "../CVision/OpenCVGuard.hpp"
#include "CFaces.h"

namespace cfaces {

/// Runs `work`, which returns a status, and turns whatever it throws into one; what OpenCV throws into `refusal`.
template <typename Work> CFacesStatus guarded(CFacesStatus refusal, Work &&work) noexcept {
    return opencv_guard::guarded(CFACES_OUT_OF_MEMORY, refusal, work);
}

/// Whether a picture has that many channels and a size that OpenCV's detectors take.
inline bool is_valid(const CFacesPicture *picture, int32_t channels) {
    constexpr int32_t greatest_side = 16384;
    return picture != nullptr && picture->pixels != nullptr && picture->channels == channels && picture->width > 0 &&
           picture->height > 0 && picture->width <= greatest_side && picture->height <= greatest_side &&
           picture->bytes_per_row >= picture->width * channels;
}

/// The picture's pixels, without a copy.
inline cv::Mat view(const CFacesPicture &picture) {
    return cv::Mat(
        picture.height, picture.width, CV_8UC(picture.channels), const_cast<uint8_t *>(picture.pixels),
        static_cast<size_t>(picture.bytes_per_row));
}

} // namespace cfaces
