// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// A part of a picture, made so small that a grid's places are about its pixels, read between its pixels.

#pragma once

#include "Guard.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace cpatches {

/// How a frame puts places into the picture.
struct Placing {
    double x, y, cosine, sine;

    explicit Placing(const CPatchesFrame &frame)
        : x(frame.x_px), y(frame.y_px), cosine(frame.step_px * std::cos(frame.turn_rad)),
          sine(frame.step_px * std::sin(frame.turn_rad)) {}

    double picture_x(double u, double v) const { return x + cosine * u - sine * v; }
    double picture_y(double u, double v) const { return y + sine * u + cosine * v; }
};

/// The pixels of a picture around a frame, averaged over squares where the frame's step is long.
class Cutout {
  public:
    /// - reach: how far from the frame's middle places are read, along u and v.
    Cutout(const CPatchesPicture &picture, const CPatchesFrame &frame, double reach, bool in_gray) {
        const int factor = std::max(1, static_cast<int>(frame.step_px));
        const double slant = std::abs(std::cos(frame.turn_rad)) + std::abs(std::sin(frame.turn_rad));
        const double radius_px = reach * frame.step_px * slant + 2 * factor;
        const auto clamped = [](double value, int limit) {
            return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(limit)));
        };
        // Whole squares, counted from the picture's corner, so that a place's light does not depend on the frame.
        const int left = clamped(frame.x_px - radius_px, picture.width - 1) / factor * factor;
        const int top = clamped(frame.y_px - radius_px, picture.height - 1) / factor * factor;
        const int right = clamped(frame.x_px + radius_px + 1, picture.width);
        const int bottom = clamped(frame.y_px + radius_px + 1, picture.height);
        const int columns = std::max(1, (std::max(right - left, 1) + factor - 1) / factor);
        const int rows = std::max(1, (std::max(bottom - top, 1) + factor - 1) / factor);
        const int width = std::min(columns * factor, picture.width - left);
        const int height = std::min(rows * factor, picture.height - top);
        const cv::Mat whole(
            picture.height, picture.width, picture.channels == 1 ? CV_8UC1 : CV_8UC3,
            const_cast<uint8_t *>(picture.pixels), static_cast<size_t>(picture.bytes_per_row));
        cv::Mat part = whole(cv::Rect(left, top, width, height));
        if (in_gray && picture.channels == 3) {
            cv::Mat gray;
            cv::cvtColor(part, gray, cv::COLOR_RGB2GRAY);
            part = gray;
        }
        if (factor > 1) {
            const cv::Size small(std::max(1, width / factor), std::max(1, height / factor));
            cv::resize(part, pixels, small, 0, 0, cv::INTER_AREA);
        } else {
            pixels = part;
        }
        // A square's light stands for its middle.
        origin_x = left + 0.5 * (factor - 1);
        origin_y = top + 0.5 * (factor - 1);
        scale = 1.0 / factor;
        last_x = static_cast<float>(pixels.cols - 1);
        last_y = static_cast<float>(pixels.rows - 1);
    }

    int channels() const { return pixels.channels(); }

    /// The light at a place of the picture, channel after channel; beyond the edge, the edge's.
    template <int channels> void read(double x_px, double y_px, float *light) const {
        const float x = std::clamp(static_cast<float>((x_px - origin_x) * scale), 0.0F, last_x);
        const float y = std::clamp(static_cast<float>((y_px - origin_y) * scale), 0.0F, last_y);
        const int column = static_cast<int>(x), row = static_cast<int>(y);
        const float right_share = x - static_cast<float>(column), low_share = y - static_cast<float>(row);
        const uint8_t *upper = pixels.ptr(row) + channels * column;
        const uint8_t *lower = row + 1 < pixels.rows ? upper + pixels.step : upper;
        const int next = column + 1 < pixels.cols ? channels : 0;
        for (int channel = 0; channel < channels; ++channel) {
            const float above = upper[channel] + right_share * (upper[channel + next] - upper[channel]);
            const float below = lower[channel] + right_share * (lower[channel + next] - lower[channel]);
            light[channel] = above + low_share * (below - above);
        }
    }

  private:
    cv::Mat pixels;
    double origin_x, origin_y, scale;
    float last_x, last_y;
};

} // namespace cpatches
