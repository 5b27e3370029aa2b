// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"
#include "Pyramid.hpp"

#include <algorithm>

using namespace cvision;

namespace {

/// How well a window can be followed: the smaller eigenvalue of the mean of ∇I ∇Iᵀ over 5×5 pixels (Shi and Tomasi
/// 1994, "Good features to track"), for a tile of a level's pixels and one more on each side.
class Strengths {
public:
    static constexpr int tile_side = 32;

    /// Measures the tile with that first pixel.
    void measure(const Level &level, int left, int top, int width, int height) {
        const int columns = width + 2 * margin;
        for (int row = 0; row < height + 2 * margin; ++row) {
            measure_slopes(level, left - margin, top - margin + row, columns, row % window);
            if (row >= window - 1) add_window(row - (window - 1), width + 2);
        }
    }

    /// The strength at a pixel of the tile, or of its surroundings of one pixel.
    float at(int column, int row) const { return values[row + 1][column + 1]; }

    bool is_peak(int column, int row) const {
        const float here = at(column, row);
        for (int y = row - 1; y <= row + 1; ++y) {
            for (int x = column - 1; x <= column + 1; ++x) {
                if (at(x, y) > here) return false;
            }
        }
        return true;
    }

private:
    static constexpr int window = 5;
    /// From the tile's first pixel to the first slope that is needed.
    static constexpr int margin = 1 + window / 2;
    static constexpr int stride = tile_side + 2 * margin;

    /// Sums over five pixels of a row of the products of slopes, for the last five rows. All sums are whole numbers below
    /// 2²⁴, which floats hold exactly.
    float xx[window][stride], xy[window][stride], yy[window][stride];
    float values[tile_side + 2][tile_side + 2];

    void measure_slopes(const Level &level, int left, int y, int columns, int slot) {
        float products_xx[stride], products_xy[stride], products_yy[stride];
        const uint8_t *here = level.row(y) + left, *above = level.row(y - 1) + left, *below = level.row(y + 1) + left;
        for (int i = 0; i < columns; ++i) {
            const float slope_x = static_cast<float>(here[i + 1] - here[i - 1]);
            const float slope_y = static_cast<float>(below[i] - above[i]);
            products_xx[i] = slope_x * slope_x;
            products_xy[i] = slope_x * slope_y;
            products_yy[i] = slope_y * slope_y;
        }
        const auto sum = [](const float *p) { return p[0] + p[1] + p[2] + p[3] + p[4]; };
        for (int i = 0; i + window <= columns; ++i) {
            xx[slot][i] = sum(products_xx + i);
            xy[slot][i] = sum(products_xy + i);
            yy[slot][i] = sum(products_yy + i);
        }
    }

    void add_window(int row, int columns) {
        // Slopes were taken over two pixels.
        constexpr float scale = 0.25F / (window * window);
        const auto sum = [](const float (&rows)[window][stride], int i) {
            return rows[0][i] + rows[1][i] + rows[2][i] + rows[3][i] + rows[4][i];
        };
        for (int i = 0; i < columns; ++i) {
            const float sum_xx = sum(xx, i), sum_yy = sum(yy, i), both = sum(xy, i);
            const float half_sum = 0.5F * (sum_xx + sum_yy), half_difference = 0.5F * (sum_xx - sum_yy);
            values[row][i] = scale * (half_sum - std::sqrt(half_difference * half_difference + both * both));
        }
    }
};

/// Places that new corners keep away from.
struct Neighbours {
    const double *taken_xy;
    int32_t taken_count;
    const CVisionCorner *found;
    int32_t found_count;
    double spacing_px;

    bool are_near(double x, double y) const {
        const auto is_near = [&](double other_x, double other_y) {
            return std::abs(other_x - x) < spacing_px && std::abs(other_y - y) < spacing_px;
        };
        for (int32_t i = 0; i < taken_count; ++i) {
            if (is_near(taken_xy[2 * i], taken_xy[2 * i + 1])) return true;
        }
        for (int32_t i = 0; i < found_count; ++i) {
            if (found[i].strength > 0 && is_near(found[i].x_px, found[i].y_px)) return true;
        }
        return false;
    }
};

/// The strongest corner of a cell of a level.
CVisionCorner strongest_corner(
    const Level &level, int shift, const CVisionCell &cell, double least_strength, const Neighbours &neighbours) {
    CVisionCorner best = {0, 0, 0};
    double limit = least_strength;
    Strengths strengths;
    const int left = cell.left_px >> shift, top = cell.top_px >> shift;
    const int right = std::min((cell.left_px + cell.width_px) >> shift, level.width);
    const int bottom = std::min((cell.top_px + cell.height_px) >> shift, level.height);
    for (int tile_top = top; tile_top < bottom; tile_top += Strengths::tile_side) {
        const int height = std::min(Strengths::tile_side, bottom - tile_top);
        for (int tile_left = left; tile_left < right; tile_left += Strengths::tile_side) {
            const int width = std::min(Strengths::tile_side, right - tile_left);
            strengths.measure(level, tile_left, tile_top, width, height);
            for (int row = 0; row < height; ++row) {
                for (int column = 0; column < width; ++column) {
                    const float strength = strengths.at(column, row);
                    if (!(strength > limit) || !strengths.is_peak(column, row)) continue;
                    const double x = (tile_left + column) << shift, y = (tile_top + row) << shift;
                    if (neighbours.are_near(x, y)) continue;
                    best = {x, y, strength};
                    limit = strength;
                }
            }
        }
    }
    return best;
}

bool is_in_picture(const CVisionCell &cell, const CVisionPyramid &pyramid) {
    return cell.left_px >= 0 && cell.top_px >= 0 && cell.width_px >= 0 && cell.height_px >= 0
        && cell.left_px <= pyramid.width - cell.width_px && cell.top_px <= pyramid.height - cell.height_px;
}

} // namespace

CVisionStatus cvision_find_corners(
    const CVisionPyramid *pyramid, int32_t level, const CVisionCell *cells, int32_t cell_count, const double *taken_xy,
    int32_t taken_count, double spacing_px, double least_strength, CVisionCorner *corners) {
    if (!is_valid(pyramid) || level < 0 || level >= pyramid->level_count || cell_count < 0 || taken_count < 0
        || (cell_count > 0 && (cells == nullptr || corners == nullptr)) || !are_finite(taken_xy, 2LL * taken_count)
        || !are_finite(&spacing_px, 1) || !are_finite(&least_strength, 1)
        || !std::all_of(cells, cells + cell_count, [=](const CVisionCell &c) { return is_in_picture(c, *pyramid); })) {
        return CVISION_INVALID_ARGUMENT;
    }
    const Levels levels(*pyramid);
    for (int32_t cell = 0; cell < cell_count; ++cell) {
        const Neighbours neighbours = {taken_xy, taken_count, corners, cell, spacing_px};
        corners[cell] = strongest_corner(levels[level], level, cells[cell], least_strength, neighbours);
    }
    return CVISION_OK;
}
