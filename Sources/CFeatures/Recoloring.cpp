// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Whether a print's colours are seen each as one colour.

#include "CFeatures.h"
#include "LightFit.hpp"
#include "ScaleSpace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>
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

/// The greys that plain areas of a print have.
class PrintInks {
public:
    static constexpr int most = 8;
    typedef std::array<double, most> Shares;

    explicit PrintInks(const CFeaturesTemplate &print) : print(print) {
        constexpr int reach = 4, apart = 16;
        constexpr double least_share = 0.03;
        std::array<int, 256> counts = plain_counts();
        const double least = least_share * std::accumulate(counts.begin(), counts.end(), 0);
        while (greys.size() < most) {
            int best = 0, best_count = 0;
            for (int grey = 0; grey < 256; ++grey) {
                const auto near = counts.begin() + std::max(grey - reach, 0);
                const int count = std::accumulate(near, counts.begin() + std::min(grey + reach + 1, 256), 0);
                if (count > best_count) std::tie(best, best_count) = std::pair(grey, count);
            }
            if (best_count == 0 || best_count < least) break;
            greys.push_back(best);
            std::fill(counts.begin() + std::max(best - apart, 0), counts.begin() + std::min(best + apart + 1, 256), 0);
        }
        std::sort(greys.begin(), greys.end());
    }

    /// How much of a cell each ink has: greys between two of them are mixed of both.
    Shares shares(const CFeaturesColorCell &cell, int32_t cells_per_side) const {
        Shares shares{};
        const auto [left, right] = range(cell.x, print.width, cells_per_side);
        const auto [top, bottom] = range(cell.y, print.height, cells_per_side);
        for (int y = top; y < bottom; ++y) {
            for (int x = left; x < right; ++x) add(print.pixels[y * print.width + x], shares);
        }
        for (double &share : shares) share /= (right - left) * (bottom - top);
        return shares;
    }

private:
    const CFeaturesTemplate &print;
    std::vector<int> greys;

    /// How many pixels of each grey look as those beside them.
    std::array<int, 256> plain_counts() const {
        constexpr int same_grey = 3;
        std::array<int, 256> counts{};
        for (int y = 1; y + 1 < print.height; ++y) {
            for (int x = 1; x + 1 < print.width; ++x) {
                const uint8_t *pixel = print.pixels + y * print.width + x;
                const auto [darkest, lightest] =
                    std::minmax({pixel[0], pixel[-1], pixel[1], pixel[-print.width], pixel[print.width]});
                counts[*pixel] += lightest - darkest <= same_grey;
            }
        }
        return counts;
    }

    static std::pair<int, int> range(double middle, int32_t length, int32_t cells_per_side) {
        const double half = 0.5 / cells_per_side;
        const int first = std::clamp(int(std::floor((middle - half) * length + 0.5)), 0, length - 1);
        return {first, std::clamp(int(std::floor((middle + half) * length + 0.5)), first + 1, length)};
    }

    void add(int grey, Shares &shares) const {
        const auto above = std::lower_bound(greys.begin(), greys.end(), grey);
        const size_t next = size_t(above - greys.begin());
        if (greys.empty()) return;
        if (next == 0 || next == greys.size()) {
            shares[std::min(next, greys.size() - 1)] += 1;
            return;
        }
        const double share = double(grey - greys[next - 1]) / (greys[next] - greys[next - 1]);
        shares[next] += share;
        shares[next - 1] += 1 - share;
    }
};

/// Red, green, blue and one, each under a light that is a plane over the print, and what each ink has of a cell.
struct ColorRow {
    static constexpr int color_count = 4, lit_count = 3 * color_count, count = lit_count + PrintInks::most;
    double values[count];

    ColorRow(const CFeaturesColorCell &cell, const PrintInks::Shares &shares) {
        const double color[color_count] = {cell.own[0] / 255, cell.own[1] / 255, cell.own[2] / 255, 1};
        for (int k = 0; k < color_count; ++k) {
            values[k] = color[k];
            values[color_count + k] = (cell.x - 0.5) * color[k];
            values[2 * color_count + k] = (cell.y - 0.5) * color[k];
        }
        std::copy(shares.begin(), shares.end(), values + lit_count);
    }

    double product(const double *solution) const {
        double sum = 0;
        for (int k = 0; k < count; ++k) sum += values[k] * solution[k];
        return sum;
    }

    /// What a number costs, by the share that each cell has in it: the print's own colours are known to some levels, so that inks
    /// which differ by less, as white ones and paper, are no two inks. Planes over the print and inks' own chromas cost little,
    /// however many cells are seen.
    static double cost(int number, double cell_count) {
        constexpr double known_to = 2.5 / 255;
        return number < color_count ? known_to * known_to * cell_count : 0.1;
    }
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

/// How far each cell's chroma lies off the map of the print's colours and inks that explains it best, in greys; where no map can
/// be told, nothing is explained.
std::vector<double> chroma_residuals(
    const CFeaturesTemplate &print, const std::vector<CFeaturesColorCell> &cells, int32_t cells_per_side) {
    constexpr int rounds = 6;
    constexpr double least_scale = 1;
    const PrintInks inks(print);
    std::vector<ColorRow> rows;
    for (const CFeaturesColorCell &cell : cells) rows.emplace_back(cell, inks.shares(cell, cells_per_side));
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
        for (int k = 0; k < ColorRow::count; ++k) equations.add_prior(k, 0, ColorRow::cost(k, double(cells.size())));
        Cholesky<ColorRow::count> factor;
        if (!factor.set(equations.matrix)) return std::vector<double>(cells.size(), HUGE_VAL);
        factor.solve(equations.right, red_green);
        factor.solve(second_right, yellow_blue);
        for (size_t i = 0; i < cells.size(); ++i) {
            const Chroma chroma(cells[i].seen);
            residuals[i] = std::hypot(
                chroma.red_green - rows[i].product(red_green), chroma.yellow_blue - rows[i].product(yellow_blue));
        }
        const double scale = robust_scale(residuals, least_scale);
        for (size_t i = 0; i < cells.size(); ++i) weights[i] = cauchy_weight(residuals[i], scale);
    }
    return residuals;
}

} // namespace

CFeaturesStatus cfeatures_compare_inks(
    const CFeaturesTemplate *print, const CFeaturesColorCell *cells, int32_t count, int32_t cells_per_side,
    double *unexplained) {
    if (!unexplained || count < 0 || (count > 0 && !cells)) return CFEATURES_INVALID_ARGUMENT;
    if (!print || !print->pixels || print->width < 1 || print->height < 1 || cells_per_side < 1) {
        return CFEATURES_INVALID_ARGUMENT;
    }
    return guarded([&] {
        *unexplained = 0;
        const std::vector<CFeaturesColorCell> all(cells, cells + count);
        const double all_variance = count > 0 ? variance(all) : 0;
        if (count < worst_share || all_variance < 1) return CFEATURES_OK;
        std::vector<double> residuals = chroma_residuals(*print, all, cells_per_side);
        const auto worst_count = std::max<std::ptrdiff_t>(1, count / worst_share);
        std::nth_element(residuals.begin(), residuals.begin() + worst_count, residuals.end(), std::greater<>());
        const double worst = std::accumulate(residuals.begin(), residuals.begin() + worst_count, 0.0);
        *unexplained = worst / double(worst_count) / std::sqrt(all_variance);
        return CFEATURES_OK;
    });
}
