// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Cutout.hpp"
#include "Spectra.hpp"

#include <array>
#include <vector>

namespace cpatches {
namespace {

constexpr int direction_count = 8;
constexpr int light_channel = direction_count;
constexpr int first_color = direction_count + 1;
/// Colours are told apart on a grid of so many places along each of two axes of chroma.
constexpr int color_grid = 3;
static_assert(first_color + color_grid * color_grid == CPATCHES_CHANNELS);

/// Places along a cell's side.
constexpr int samples_per_cell = 2;

/// The window's light at places half a cell apart, red, green, blue.
struct Samples {
    int side;
    std::vector<float> light;

    Samples(const CPatchesPicture &picture, const CPatchesFrame &window, int cells)
        : side(cells * samples_per_cell), light(static_cast<size_t>(3) * side * side) {
        CPatchesFrame fine = window;
        fine.step_px /= samples_per_cell;
        const Cutout cutout(picture, fine, 0.5 * side, false);
        cutout.channels() == 3 ? read<3>(cutout, fine) : read<1>(cutout, fine);
    }

    const float *at(int column, int row) const { return &light[3 * (static_cast<size_t>(row) * side + column)]; }

  private:
    template <int channels> void read(const Cutout &cutout, const CPatchesFrame &frame) {
        const Placing placing(frame);
        const double middle = 0.5 * (side - 1);
        float *place = light.data();
        for (int row = 0; row < side; ++row) {
            for (int column = 0; column < side; ++column, place += 3) {
                const double u = column - middle, v = row - middle;
                cutout.read<channels>(placing.picture_x(u, v), placing.picture_y(u, v), place);
                if (channels == 1) place[1] = place[2] = place[0];
            }
        }
    }
};

/// The features of a window, channel after channel.
class Features {
  public:
    Features(const Samples &samples, int cells, float *planes) : samples(samples), cells(cells), planes(planes) {
        std::fill(planes, planes + static_cast<size_t>(CPATCHES_CHANNELS) * cells * cells, 0.0F);
        gather_slopes();
        normalize_slopes();
        gather_light_and_color();
        fade();
    }

  private:
    const Samples &samples;
    const int cells;
    float *planes;

    float *plane(int channel) { return planes + static_cast<size_t>(channel) * cells * cells; }

    /// Spreads each place's slope over the two nearest directions and the four nearest cells.
    void gather_slopes() {
        const int side = samples.side;
        for (int row = 1; row + 1 < side; ++row) {
            for (int column = 1; column + 1 < side; ++column) {
                const float *left = samples.at(column - 1, row), *right = samples.at(column + 1, row);
                const float *above = samples.at(column, row - 1), *below = samples.at(column, row + 1);
                float square = 0, x = 0, y = 0;
                for (int channel = 0; channel < 3; ++channel) {
                    const float dx = right[channel] - left[channel], dy = below[channel] - above[channel];
                    if (dx * dx + dy * dy > square) {
                        square = dx * dx + dy * dy;
                        x = dx;
                        y = dy;
                    }
                }
                if (square < 1) continue;
                const float turn = cv::fastAtan2(y, x) * (direction_count / 180.0F);
                const int lower = static_cast<int>(turn);
                const float slope = std::sqrt(square), share = turn - static_cast<float>(lower);
                const int directions[2] = {lower % direction_count, (lower + 1) % direction_count};
                const float slopes[2] = {slope * (1 - share), slope * share};
                spread(column, row, directions, slopes);
            }
        }
    }

    void spread(int column, int row, const int (&directions)[2], const float (&slopes)[2]) {
        // A place lies a quarter of a cell from its cell's middle: towards the neighbour on its side.
        const int cell_x = column / samples_per_cell, cell_y = row / samples_per_cell;
        const int other_x = std::clamp(cell_x + (column % samples_per_cell == 0 ? -1 : 1), 0, cells - 1);
        const int other_y = std::clamp(cell_y + (row % samples_per_cell == 0 ? -1 : 1), 0, cells - 1);
        for (int i = 0; i < 2; ++i) {
            float *sums = plane(directions[i]);
            sums[cell_y * cells + cell_x] += 0.5625F * slopes[i];
            sums[cell_y * cells + other_x] += 0.1875F * slopes[i];
            sums[other_y * cells + cell_x] += 0.1875F * slopes[i];
            sums[other_y * cells + other_x] += 0.0625F * slopes[i];
        }
    }

    /// Divides by the slopes of 3×3 cells, so that weak edges in weak surroundings count as much as strong ones in
    /// strong.
    void normalize_slopes() {
        constexpr float floor = 30, most = 0.4F;
        cv::Mat squares(cells, cells, CV_32F, cv::Scalar(0)), around;
        for (int direction = 0; direction < direction_count; ++direction) {
            const float *sums = plane(direction);
            for (int cell = 0; cell < cells * cells; ++cell) squares.ptr<float>()[cell] += sums[cell] * sums[cell];
        }
        cv::boxFilter(squares, around, CV_32F, cv::Size(3, 3), cv::Point(-1, -1), true, cv::BORDER_REPLICATE);
        float *scales = around.ptr<float>();
        for (int cell = 0; cell < cells * cells; ++cell) scales[cell] = 1 / std::sqrt(scales[cell] + floor * floor);
        for (int direction = 0; direction < direction_count; ++direction) {
            float *sums = plane(direction);
            for (int cell = 0; cell < cells * cells; ++cell) sums[cell] = std::min(sums[cell] * scales[cell], most);
        }
    }

    void gather_light_and_color() {
        float *light = plane(light_channel);
        double sum = 0, square_sum = 0;
        for (int row = 0; row < cells; ++row) {
            for (int column = 0; column < cells; ++column) {
                std::array<float, 3> mean = {};
                for (int place = 0; place < samples_per_cell * samples_per_cell; ++place) {
                    const float *color = samples.at(
                        column * samples_per_cell + place % samples_per_cell,
                        row * samples_per_cell + place / samples_per_cell);
                    for (int channel = 0; channel < 3; ++channel) mean[channel] += 0.25F * color[channel];
                }
                const int cell = row * cells + column;
                light[cell] = 0.299F * mean[0] + 0.587F * mean[1] + 0.114F * mean[2];
                sum += light[cell];
                square_sum += light[cell] * light[cell];
                add_color(mean, cell);
            }
        }
        const double count = cells * cells, mean = sum / count;
        const double deviation = std::sqrt(std::max(square_sum / count - mean * mean, 0.0));
        const float scale = static_cast<float>(light_gain / (deviation + 8));
        for (int cell = 0; cell < cells * cells; ++cell) {
            light[cell] = std::clamp((light[cell] - static_cast<float>(mean)) * scale, -0.6F, 0.6F);
        }
    }

    static constexpr double light_gain = 0.2;
    static constexpr float color_gain = 0.35F;

    /// Shares the cell among the kinds of colour next to its chroma. Grey says nothing.
    void add_color(const std::array<float, 3> &color, int cell) {
        constexpr float spacing = 0.09F, floor = 40;
        const float total = color[0] + color[1] + color[2] + floor;
        const float axes[2] = {(color[0] - color[1]) / total, (0.5F * (color[0] + color[1]) - color[2]) / total};
        int lower[2];
        float share[2];
        for (int axis = 0; axis < 2; ++axis) {
            const float place = std::clamp(axes[axis] / spacing + 1, 0.0F, color_grid - 1.0F);
            lower[axis] = std::min(static_cast<int>(place), color_grid - 2);
            share[axis] = place - static_cast<float>(lower[axis]);
        }
        for (int corner = 0; corner < 4; ++corner) {
            const int i = corner % 2, j = corner / 2;
            const float weight = (i == 1 ? share[0] : 1 - share[0]) * (j == 1 ? share[1] : 1 - share[1]);
            const int kind = (lower[1] + j) * color_grid + lower[0] + i;
            plane(first_color + kind)[cell] += color_gain * weight;
        }
    }

    /// Fades the outermost eighth on each side, so that the window's opposite rims meet without a step.
    void fade() {
        const int rim = cells / 8;
        std::vector<float> taper(cells, 1.0F);
        for (int cell = 0; cell < rim; ++cell) {
            const double height = std::sin(CV_PI / 2 * (cell + 0.5) / rim);
            taper[cell] = taper[cells - 1 - cell] = static_cast<float>(height * height);
        }
        for (int channel = 0; channel < CPATCHES_CHANNELS; ++channel) {
            float *values = plane(channel);
            for (int row = 0; row < cells; ++row) {
                for (int column = 0; column < cells; ++column) *values++ *= taper[row] * taper[column];
            }
        }
    }
};

} // namespace
} // namespace cpatches

CPatchesStatus cpatches_describe(
    const CPatchesPicture *picture, const CPatchesFrame *window, int32_t cells, float *spectra) {
    using namespace cpatches;
    if (!is_valid(picture) || !is_valid(window) || !is_valid_side(cells) || spectra == nullptr) {
        return CPATCHES_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const Samples samples(*picture, *window, cells);
        std::vector<float> planes(static_cast<size_t>(CPATCHES_CHANNELS) * cells * cells);
        Features(samples, cells, planes.data());
        Transformer transformer(cells);
        for (int channel = 0; channel < CPATCHES_CHANNELS; ++channel) {
            const cv::Mat plane(cells, cells, CV_32F, &planes[static_cast<size_t>(channel) * cells * cells]);
            transformer.forward(plane, Spectrum(spectra, channel, cells));
        }
    });
}

int32_t cpatches_spectra_floats(int32_t cells) {
    return cpatches::is_valid_side(cells) ? CPATCHES_CHANNELS * cpatches::spectrum_floats(cells) : 0;
}
