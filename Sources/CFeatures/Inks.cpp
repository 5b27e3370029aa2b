// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Inks.hpp"

#include "PrintField.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

/// Inks are told by their greys, linearly between so many of them.
constexpr int ink_count = 9;
constexpr double grey_step = 256.0 / (ink_count - 1);

/// How much of a field each ink has.
struct InkShares {
    double of_ink[ink_count] = {};

    void add(float grey) {
        const double place = std::clamp(double(grey), 0.0, 255.0) / grey_step;
        const int below = int(place);
        of_ink[below] += 1 - (place - below);
        of_ink[below + 1] += place - below;
    }

    void normalize() {
        double sum = 0;
        for (const double share : of_ink) sum += share;
        for (double &share : of_ink) share /= sum;
    }
};

/// Inks under a light whose gain is a plane over the print.
struct InkedLight {
    static constexpr int count = ink_count + 2;

    double inks[ink_count] = {}, slope_x = 0, slope_y = 0;

    double ink(const InkShares &shares) const {
        double sum = 0;
        for (int k = 0; k < ink_count; ++k) sum += shares.of_ink[k] * inks[k];
        return sum;
    }

    double gain(const Field &field) const { return 1 + slope_x * (field.x - 0.5) + slope_y * (field.y - 0.5); }

    /// How what is seen grows with each ink and with the slopes.
    void row(const Field &field, const InkShares &shares, double *values) const {
        for (int k = 0; k < ink_count; ++k) values[k] = shares.of_ink[k] * gain(field);
        values[ink_count] = (field.x - 0.5) * ink(shares);
        values[ink_count + 1] = (field.y - 0.5) * ink(shares);
    }

    void take(const double *solution) {
        constexpr double steepest = 0.9;
        std::copy_n(solution, ink_count, inks);
        slope_x = std::clamp(slope_x + solution[ink_count], -steepest, steepest);
        slope_y = std::clamp(slope_y + solution[ink_count + 1], -steepest, steepest);
    }
};

/// What holds inks that no field has between their neighbours, and slopes that nothing tells at nothing.
void add_priors(
    NormalEquations<InkedLight::count> &equations, const InkedLight &light, double total,
    const std::vector<InkShares> &shares) {
    constexpr double smoothness = 1e-3, slope_cost = 1e-3;
    for (int k = 0; k + 2 < ink_count; ++k) {
        double bend[InkedLight::count] = {};
        bend[k] = bend[k + 2] = 1;
        bend[k + 1] = -2;
        equations.add(bend, 0, smoothness * total);
    }
    double squares = 1;
    for (const InkShares &share : shares) squares += light.ink(share) * light.ink(share);
    for (int k = 0; k < InkedLight::count; ++k) {
        equations.add_prior(k, 0, 1e-6 * total + (k < ink_count ? 0 : slope_cost * squares));
    }
}

} // namespace

float explained_in_other_inks(const Drawing &print, const Raster &found, const std::vector<Part> &parts) {
    std::vector<Field> fields;
    std::vector<InkShares> shares;
    for (const Part &part : parts) {
        if (!part.is_inside || part.is_blurred_border) continue;
        InkShares share;
        const Field field = field_of(part, print, found, [&](float grey) { share.add(grey); });
        if (field.is_full) continue;
        share.normalize();
        fields.push_back(field);
        shares.push_back(share);
    }
    if (!are_enough(fields, InkedLight::count)) return 0;
    constexpr int rounds = 4;
    const double contrast = deviation(fields, &Field::seen);
    InkedLight light;
    RobustWeights robust(fields);
    std::vector<double> shown(fields.size());
    for (int round = 0; round < rounds; ++round) {
        NormalEquations<InkedLight::count> equations;
        double row[InkedLight::count], solution[InkedLight::count];
        for (size_t i = 0; i < fields.size(); ++i) {
            light.row(fields[i], shares[i], row);
            equations.add(row, fields[i].seen, robust.weights[i]);
        }
        add_priors(equations, light, robust.total(), shares);
        if (!equations.solve(solution)) return 0;
        light.take(solution);
        for (size_t i = 0; i < fields.size(); ++i) shown[i] = light.ink(shares[i]) * light.gain(fields[i]);
        robust.update(fields, shown, 0.02 * contrast);
    }
    return std::max(0.0f, correlation(fields, shown));
}

} // namespace cfeatures
