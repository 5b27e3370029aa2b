// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Highlight.hpp"

#include <array>

namespace cfeatures {
namespace {

/// Where the highlight is, in sides of the print, and how wide, in its longer side.
struct Highlight {
    PrintShape shape;
    double x = 0, y = 0, radius = most_radius;

    explicit Highlight(const PrintShape &shape) : shape(shape) {}

    /// What is narrower has no shape that fields could tell.
    static constexpr double least_radius = 0.1, most_radius = 0.5;

    /// What a field has of it, and how that grows with a step of its place and with its width, all in steps of its radius.
    typedef std::array<double, 4> Row;

    /// About where the fields are brighter than a lamp makes them; false where none is.
    bool set(const std::vector<Field> &fields) {
        const Fit<PlaneLight> lamp = fitted<PlaneLight>(fields);
        // Squares of a Gaussian are half as wide, by variance.
        double sum = 0, square_x = 0, square_y = 0;
        x = y = 0;
        for (size_t i = 0; i < fields.size(); ++i) {
            const double excess = std::max(0.0, fields[i].seen - lamp.shown[i]), weight = excess * excess;
            x += weight * fields[i].x;
            y += weight * fields[i].y;
            square_x += weight * fields[i].x * fields[i].x;
            square_y += weight * fields[i].y * fields[i].y;
            sum += weight;
        }
        if (sum <= 0) return false;
        x /= sum;
        y /= sum;
        const double variance_x = (square_x / sum - x * x) * shape.width * shape.width;
        const double variance_y = (square_y / sum - y * y) * shape.height * shape.height;
        radius = std::clamp(std::sqrt(std::max(0.0, variance_x + variance_y)), least_radius, most_radius);
        return true;
    }

    Row row(const Field &field) const {
        const double dx = (field.x - x) * shape.width / radius, dy = (field.y - y) * shape.height / radius;
        const double square = dx * dx + dy * dy;
        const double value = SoftLight::unit * std::exp(-0.5 * square);
        return {value, value * dx, value * dy, value * square};
    }

    /// Goes where the numbers of a row lead, by less than its radius.
    void move(const double *numbers) {
        const auto step = [&](int number, double most) { return std::clamp(numbers[number] / numbers[0], -most, most); };
        constexpr double most_step = 0.7, most_growth = 0.3;
        x = std::clamp(x + radius / shape.width * step(1, most_step), -0.2, 1.2);
        y = std::clamp(y + radius / shape.height * step(2, most_step), -0.2, 1.2);
        radius = std::clamp(radius * std::exp(step(3, most_growth)), least_radius, most_radius);
    }
};

/// A soft light's numbers, then a highlight's.
constexpr int soft = SoftLight::count, highlight_count = 4, all = soft + highlight_count;

/// A soft light's equations with a highlight's.
NormalEquations<all> equations_with(
    const std::vector<Highlight::Row> &highlight, const std::vector<Field> &fields, const std::vector<double> &rows,
    const std::vector<double> &weights) {
    const NormalEquations<soft> without = SoftLight::equations(fields, rows, weights);
    NormalEquations<all> equations;
    for (int i = 0; i < soft; ++i) {
        equations.right[i] = without.right[i];
        std::copy_n(without.matrix[i], i + 1, equations.matrix[i]);
    }
    for (size_t i = 0; i < fields.size(); ++i) {
        for (int k = 0; k < highlight_count; ++k) {
            const double scaled = weights[i] * highlight[i][size_t(k)];
            double *row = equations.matrix[soft + k];
            equations.right[soft + k] += scaled * fields[i].seen;
            for (int j = 0; j < soft; ++j) row[j] += scaled * rows[i * soft + size_t(j)];
            for (int j = 0; j <= k; ++j) row[soft + j] += scaled * highlight[i][size_t(j)];
        }
    }
    return equations;
}

/// How much of a highlight so strong is seen: 1 less the squares of what is left unexplained by those of what it adds, both
/// where it adds most.
double share_seen(
    const std::vector<Highlight::Row> &highlight, double strength, const std::vector<Field> &fields,
    const std::vector<double> &shown) {
    double left = 0, added = 0;
    for (size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].is_silent(shown[i])) continue;
        const double here = highlight[i][0], off = fields[i].off(shown[i]), own = strength * here;
        left += here * off * off;
        added += here * own * own;
    }
    return added > 0 ? 1 - left / added : 0;
}

/// Highlights on prints show 0.994 and more, discs that are 60 greys paler 0.962, as they have radii of 0.08 to 0.16.
constexpr double least_share_seen = 0.98;

} // namespace

float explained_with_highlight(const std::vector<Field> &fields, const PrintShape &shape) {
    constexpr int rounds = 8;
    /// What a step of a highlight costs in squared units, as if so small a share of the fields knew that there is none.
    constexpr double step_cost = 1e-4 * SoftLight::unit * SoftLight::unit;
    Highlight highlight(shape);
    if (!are_enough(fields, all) || !highlight.set(fields)) return 0;
    const double contrast = deviation(fields);
    std::vector<double> rows(fields.size() * soft), shown(fields.size());
    for (size_t i = 0; i < fields.size(); ++i) SoftLight::row(fields[i], &rows[i * soft]);
    std::vector<Highlight::Row> highlight_rows(fields.size());
    RobustWeights robust(fields);
    double solution[all] = {};
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < fields.size(); ++i) highlight_rows[i] = highlight.row(fields[i]);
        NormalEquations<all> equations = equations_with(highlight_rows, fields, rows, robust.weights);
        const double total = robust.total();
        for (int k = 0; k < soft; ++k) equations.add_prior(k, 0, total * SoftLight::cost(k, contrast) + 1e-6);
        for (int k = 1; k < highlight_count; ++k) equations.add_prior(soft + k, 0, total * step_cost);
        // A highlight adds light.
        if (!equations.solve(solution) || solution[soft] <= 0) return 0;
        show(rows, solution, soft, shown);
        for (size_t i = 0; i < fields.size(); ++i) {
            for (int k = 0; k < highlight_count; ++k) shown[i] += highlight_rows[i][size_t(k)] * solution[soft + k];
        }
        robust.update(fields, shown, least_scale(solution[0], contrast));
        highlight.move(solution + soft);
    }
    return share_seen(highlight_rows, solution[soft], fields, shown) >= least_share_seen ? correlation(fields, shown) : 0;
}

} // namespace cfeatures
