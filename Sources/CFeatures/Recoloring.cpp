// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Whether a print's colours are seen each as one colour.

#include "CFeatures.h"
#include "LeastSquares.hpp"
#include "ScaleSpace.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

using namespace cfeatures;

namespace {

/// One cell of so many is among the worst: what has two colours may be a small part of the print.
constexpr int32_t worst_share = 10;

/// Red against green, and yellow against blue.
struct Chroma {
    double red_green, yellow_blue;

    explicit Chroma(const double *color) : red_green(color[0] - color[1]), yellow_blue((color[0] + color[1]) / 2 - color[2]) {}
};

/// Red, green, blue and one, each under a light that is a plane over the print.
struct ColorRow {
    static constexpr int color_count = 4, count = 3 * color_count;
    double values[count];

    explicit ColorRow(const CFeaturesColorCell &cell) {
        const double color[color_count] = {cell.own[0] / 255, cell.own[1] / 255, cell.own[2] / 255, 1};
        for (int k = 0; k < color_count; ++k) {
            values[k] = color[k];
            values[color_count + k] = (cell.x - 0.5) * color[k];
            values[2 * color_count + k] = (cell.y - 0.5) * color[k];
        }
    }

    double product(const double *solution) const {
        double sum = 0;
        for (int k = 0; k < count; ++k) sum += values[k] * solution[k];
        return sum;
    }

    /// What a number costs: what differs over the print costs more.
    static double cost(int number) { return number < color_count ? 1e-3 : 0.1; }
};

/// The sum of the variances of red, green and blue.
double variance(const std::vector<CFeaturesColorCell> &cells) {
    double sum = 0;
    for (int channel = 0; channel < 3; ++channel) {
        double mean = 0, squares = 0;
        for (const CFeaturesColorCell &cell : cells) mean += cell.seen[channel] / double(cells.size());
        for (const CFeaturesColorCell &cell : cells) squares += std::pow(cell.seen[channel] - mean, 2);
        sum += squares / double(cells.size());
    }
    return sum;
}

/// How far each cell's chroma lies off the affine map of the print's colours that explains it best, in greys.
std::vector<double> chroma_residuals(const std::vector<CFeaturesColorCell> &cells) {
    constexpr int rounds = 6;
    constexpr double least_scale = 1;
    std::vector<ColorRow> rows(cells.begin(), cells.end());
    std::vector<double> weights(cells.size(), 1.0), residuals(cells.size());
    for (int round = 0; round < rounds; ++round) {
        NormalEquations<ColorRow::count> equations;
        double second_right[ColorRow::count] = {}, red_green[ColorRow::count], yellow_blue[ColorRow::count];
        for (size_t i = 0; i < cells.size(); ++i) {
            const Chroma chroma(cells[i].seen);
            equations.add(rows[i].values, chroma.red_green, weights[i]);
            for (int k = 0; k < ColorRow::count; ++k) {
                second_right[k] += weights[i] * rows[i].values[k] * chroma.yellow_blue;
            }
        }
        for (int k = 0; k < ColorRow::count; ++k) equations.add_prior(k, 0, ColorRow::cost(k));
        Cholesky<ColorRow::count> factor;
        if (!factor.set(equations.matrix)) return residuals;
        factor.solve(equations.right, red_green);
        factor.solve(second_right, yellow_blue);
        for (size_t i = 0; i < cells.size(); ++i) {
            const Chroma chroma(cells[i].seen);
            residuals[i] = std::hypot(
                chroma.red_green - rows[i].product(red_green), chroma.yellow_blue - rows[i].product(yellow_blue));
        }
        std::vector<double> sorted(residuals);
        const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        const double scale = std::max(1.5 * *middle, least_scale);
        for (size_t i = 0; i < cells.size(); ++i) {
            weights[i] = 1 / (1 + 0.25 * residuals[i] * residuals[i] / (scale * scale));
        }
    }
    return residuals;
}

} // namespace

CFeaturesStatus cfeatures_compare_inks(const CFeaturesColorCell *cells, int32_t count, double *unexplained) {
    if (!unexplained || count < 0 || (count > 0 && !cells)) return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        *unexplained = 0;
        const std::vector<CFeaturesColorCell> all(cells, cells + count);
        const double all_variance = count > 0 ? variance(all) : 0;
        if (count < worst_share || all_variance < 1) return CFEATURES_OK;
        std::vector<double> residuals = chroma_residuals(all);
        const auto worst_count = std::max<std::ptrdiff_t>(1, count / worst_share);
        std::nth_element(residuals.begin(), residuals.begin() + worst_count, residuals.end(), std::greater<>());
        const double worst = std::accumulate(residuals.begin(), residuals.begin() + worst_count, 0.0);
        *unexplained = worst / double(worst_count) / std::sqrt(all_variance);
        return CFEATURES_OK;
    });
}
