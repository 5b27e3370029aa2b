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
        factor = std::max(1, static_cast<int>(frame.step_px));
        const double slant = std::abs(std::cos(frame.turn_rad)) + std::abs(std::sin(frame.turn_rad));
        const double radius_px = reach * frame.step_px * slant + 2 * factor;
        const auto clamped = [](double value, int limit) {
            return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(limit)));
        };
        // Whole squares, counted from the picture's corner, so that a place's light does not depend on the frame.
        left = clamped(frame.x_px - radius_px, picture.width - 1) / factor * factor;
        top = clamped(frame.y_px - radius_px, picture.height - 1) / factor * factor;
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
    }

    int channels() const { return pixels.channels(); }

    /// The light at a place of the picture, channel after channel; beyond the edge, the edge's.
    template <int channels> void read(double x_px, double y_px, float *light) const {
        const double middle = 0.5 * (factor - 1);
        const float x = static_cast<float>(std::clamp((x_px - left - middle) / factor, 0.0, pixels.cols - 1.0));
        const float y = static_cast<float>(std::clamp((y_px - top - middle) / factor, 0.0, pixels.rows - 1.0));
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
    int left, top, factor;
};

} // namespace cpatches
