// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Pictures as they are seen from aside.

#include "ScaleSpace.hpp"

#include <algorithm>
#include <cmath>

using namespace cfeatures;

CFeaturesStatus cfeatures_render_view(
    const CFeaturesPicture *picture, const double *picture_from_view, double blur_px, uint8_t *view, int32_t width,
    int32_t height) {
    if (!picture || !picture->pixels || picture->channels != 1 || picture->width < 2 || picture->height < 2 ||
        !picture_from_view || !view || width < 1 || height < 1 || blur_px < 0)
        return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        // Each pixel of the view is the mean of a grid of places spread as a Gaussian: what a lens and a pixel take in.
        const double sigma = std::sqrt(0.45 * 0.45 + blur_px * blur_px);
        constexpr int most_taps = 5;
        const int taps = blur_px > 0 ? most_taps : 3;
        double offsets[most_taps], weights[most_taps], total = 0;
        for (int i = 0; i < taps; ++i) {
            offsets[i] = (i - taps / 2) * (taps == 3 ? 1.2 : 0.8);
            total += weights[i] = std::exp(-0.5 * offsets[i] * offsets[i]);
        }
        const double *m = picture_from_view;
        const auto light = [&](double x, double y) {
            x = std::clamp(x, 0.0, picture->width - 1.001);
            y = std::clamp(y, 0.0, picture->height - 1.001);
            const int column = int(x), row = int(y);
            const double fx = x - column, fy = y - row;
            const uint8_t *upper = picture->pixels + int64_t(row) * picture->bytes_per_row + column;
            const uint8_t *lower = upper + picture->bytes_per_row;
            const double top = upper[0] + fx * (upper[1] - upper[0]), bottom = lower[0] + fx * (lower[1] - lower[0]);
            return top + fy * (bottom - top);
        };
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                double sum = 0;
                for (int j = 0; j < taps; ++j) {
                    for (int i = 0; i < taps; ++i) {
                        const double u = x + sigma * offsets[i], v = y + sigma * offsets[j];
                        sum += weights[i] * weights[j] *
                               light(m[0] * u + m[1] * v + m[2], m[3] * u + m[4] * v + m[5]);
                    }
                }
                view[int64_t(y) * width + x] = uint8_t(std::lround(sum / (total * total)));
            }
        }
        return CFEATURES_OK;
    });
}
