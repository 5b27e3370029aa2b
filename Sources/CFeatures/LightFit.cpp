// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "LightFit.hpp"

#include <array>

namespace cfeatures {

void SoftLight::row(const Field &field, double *values) {
    const std::array<double, Bend::count> products = Bend::products(field.x, field.y);
    for (size_t i = 0; i < Bend::count; ++i) values[i] = products[i] * field.print;
    const Bend::Powers of_x = Bend::powers(field.x), of_y = Bend::powers(field.y);
    const double offsets[offset_count] = {1, of_y[1], of_y[2], of_x[1], of_x[1] * of_y[1], of_x[2]};
    for (int i = 0; i < offset_count; ++i) values[Bend::count + i] = unit * offsets[i];
}

NormalEquations<SoftLight::count> SoftLight::equations(
    const std::vector<Field> &fields, const std::vector<double> &rows, const std::vector<double> &weights) {
    constexpr size_t gain_degree = 2 * Bend::degree, mixed_degree = Bend::degree + 2, offset_degree = 4;
    static const PolynomialDegrees degrees;
    Moments<gain_degree> gains;
    Moments<mixed_degree> mixed;
    Moments<offset_degree> offsets;
    NormalEquations<count> equations;
    for (size_t i = 0; i < fields.size(); ++i) {
        const Field &field = fields[i];
        const auto of_x = chebyshev<gain_degree>(field.x), of_y = chebyshev<gain_degree>(field.y);
        gains.add(of_x.data(), of_y.data(), weights[i] * field.print * field.print);
        mixed.add(of_x.data(), of_y.data(), weights[i] * field.print);
        offsets.add(of_x.data(), of_y.data(), weights[i]);
        const double seen = weights[i] * field.seen;
        for (int k = 0; k < count; ++k) equations.right[k] += seen * rows[i * count + size_t(k)];
    }
    // A gain's polynomials in their order, then an offset's in the order of `row`.
    static constexpr size_t offset_x[] = {0, 0, 0, 1, 1, 2}, offset_y[] = {0, 1, 2, 0, 1, 0};
    for (size_t i = 0; i < count; ++i) {
        const bool is_offset = i >= Bend::count;
        const size_t x = is_offset ? offset_x[i - Bend::count] : degrees.x[i];
        const size_t y = is_offset ? offset_y[i - Bend::count] : degrees.y[i];
        for (size_t j = 0; j <= i; ++j) {
            double &entry = equations.matrix[i][j];
            if (j >= Bend::count) {
                entry = unit * unit * offsets.product(x, y, offset_x[j - Bend::count], offset_y[j - Bend::count]);
            } else if (is_offset) {
                entry = unit * mixed.product(x, y, degrees.x[j], degrees.y[j]);
            } else {
                entry = gains.product(x, y, degrees.x[j], degrees.y[j]);
            }
        }
    }
    return equations;
}

double SoftLight::cost(int number, double contrast) {
    constexpr double degrees[offset_count] = {0, 1, 2, 1, 2, 2};
    static const std::array<double, Bend::count> costs = Bend::costs();
    if (number < Bend::count) {
        const double cost = costs[size_t(number)];
        return cost > 1 ? Bend::stiffness * cost * contrast * contrast : 0;
    }
    const double degree = degrees[number - Bend::count];
    return Bend::stiffness * degree * degree * degree * degree * unit * unit;
}

double deviation(const std::vector<Field> &fields, double Field::*grey) {
    double sum = 0, squares = 0;
    for (const Field &field : fields) {
        sum += field.*grey;
        squares += field.*grey * field.*grey;
    }
    const double count = double(fields.size());
    return std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count)));
}

bool are_enough(const std::vector<Field> &fields, int unknown_count) {
    constexpr int fields_an_unknown = 3;
    const auto telling_count =
        std::count_if(fields.begin(), fields.end(), [](const Field &field) { return !field.is_full; });
    return telling_count >= fields_an_unknown * unknown_count;
}

RobustWeights::RobustWeights(const std::vector<Field> &fields) {
    for (const Field &field : fields) weights.push_back(field.is_full ? 0 : 1);
}

double robust_scale(const std::vector<double> &sizes, double least_scale) {
    std::vector<double> sorted(sizes);
    const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return std::max(1.5 * *middle, least_scale);
}

double RobustWeights::update(
    const std::vector<Field> &fields, const std::vector<double> &shown, double least_scale) {
    std::vector<double> sizes;
    for (size_t i = 0; i < fields.size(); ++i) sizes.push_back(std::abs(fields[i].off(shown[i])));
    scale = robust_scale(sizes, least_scale);
    double change = 0;
    for (size_t i = 0; i < fields.size(); ++i) {
        const double weight = fields[i].is_silent(shown[i]) ? 0 : cauchy_weight(sizes[i], scale);
        change = std::max(change, std::abs(weight - weights[i]));
        weights[i] = weight;
    }
    return change;
}

double RobustWeights::total() const {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    return sum;
}

void show(const std::vector<double> &rows, const double *solution, int count, std::vector<double> &shown) {
    for (size_t i = 0; i < shown.size(); ++i) {
        shown[i] = 0;
        for (int k = 0; k < count; ++k) shown[i] += rows[i * size_t(count) + size_t(k)] * solution[k];
    }
}

float correlation(const std::vector<Field> &fields, const std::vector<double> &lit) {
    double count = 0, shown = 0, seen = 0, shown_shown = 0, seen_seen = 0, both = 0;
    for (size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].is_silent(lit[i])) continue;
        const double here = fields[i].seen, expected = lit[i];
        ++count;
        shown += expected;
        seen += here;
        shown_shown += expected * expected;
        seen_seen += here * here;
        both += expected * here;
    }
    if (count == 0) return 0;
    const double squares = (shown_shown - shown * shown / count) * (seen_seen - seen * seen / count);
    return squares > 1e-9 ? float((both - shown * seen / count) / std::sqrt(squares)) : 0;
}

} // namespace cfeatures
