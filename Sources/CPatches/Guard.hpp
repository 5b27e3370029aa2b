// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What every function of the façade does around its work: no exception leaves, OpenCV stays silent and on one thread.

#pragma once

#include "../CVision/OpenCVGuard.hpp"
#include "CPatches.h"

#include <cmath>

namespace cpatches {

/// Runs `work` and turns whatever it throws into a status.
template <typename Work> CPatchesStatus guarded(Work &&work) noexcept {
    return opencv_guard::guarded(CPATCHES_OUT_OF_MEMORY, CPATCHES_FAILED, [&] {
        work();
        return CPATCHES_OK;
    });
}

inline bool is_valid(const CPatchesPicture *picture) {
    return picture != nullptr && picture->pixels != nullptr && picture->width > 0 && picture->height > 0
        && (picture->channels == 1 || picture->channels == 3)
        && picture->bytes_per_row >= static_cast<int64_t>(picture->width) * picture->channels;
}

inline bool is_valid(const CPatchesFrame *frame) {
    return frame != nullptr && std::isfinite(frame->x_px) && std::isfinite(frame->y_px) && std::abs(frame->x_px) < 1e6
        && std::abs(frame->y_px) < 1e6 && frame->step_px >= 0.05 && frame->step_px <= 200
        && std::isfinite(frame->turn_rad);
}

inline bool is_valid_side(int32_t cells) { return cells == 16 || cells == 32 || cells == 48 || cells == 64; }

} // namespace cpatches
