// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Lights that explain what a picture shows of a print, field by field.

#pragma once

#include "Bend.hpp"
#include "LeastSquares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace cfeatures {

/// The mean grey of a field of the print, and of what the picture shows there; its place is 0 … 1 on the print.
struct Field {
    double x, y, print, seen;
    /// A parabola over the print's greys, in greys: 0 for its darkest and lightest, the range between them in the middle.
    double arch = 0;

    /// Whether the camera's pixels are full: what is there may be as bright as that, or brighter.
    bool is_full = false;

    /// Whether it says nothing of a light that would show this: a full pixel cannot show more.
    bool is_silent(double shown) const { return is_full && shown > seen; }

    /// How far what is seen lies off what a light would show.
    double off(double shown) const { return is_silent(shown) ? 0 : seen - shown; }
};

/// A light of few unknowns, none of which costs anything.
template <int unknowns> struct FreeLight {
    static constexpr int count = unknowns;

    static double cost(int, double) { return 0; }

    /// The normal equations of what is seen, from each field's row.
    static NormalEquations<count> equations(
        const std::vector<Field> &fields, const std::vector<double> &rows, const std::vector<double> &weights) {
        NormalEquations<count> equations;
        for (size_t i = 0; i < fields.size(); ++i) equations.add(&rows[i * count], fields[i].seen, weights[i]);
        return equations;
    }
};

/// A lamp's light: a gain that is a plane over the print, and an offset, as of haze or a lens' flare.
struct PlaneLight : FreeLight<4> {
    static void row(const Field &field, double *values) {
        values[0] = field.print;
        values[1] = (field.x - 0.5) * field.print;
        values[2] = (field.y - 0.5) * field.print;
        values[3] = 1;
    }
};

/// The same, seen by a camera whose tone curve lifts or lowers the middle.
struct TonedLight : FreeLight<PlaneLight::count + 1> {
    static void row(const Field &field, double *values) {
        PlaneLight::row(field, values);
        values[PlaneLight::count] = field.arch;
    }

    /// Whether the curve rises everywhere, also in the corner that has the least light: it turns back where the arch has a
    /// quarter of the gain, and powers of 0.6 to 1.7 have up to a sixth.
    static bool is_possible(const double *solution) {
        const double least = std::abs(solution[0]) - 0.5 * (std::abs(solution[1]) + std::abs(solution[2]));
        return std::abs(solution[PlaneLight::count]) < 0.2 * least;
    }
};

/// The light on what is folded and glossy: a gain that changes as smoothly as a print bends, and an offset of the second
/// degree, as a veiling glare's.
struct SoftLight {
    static constexpr int offset_count = 6, count = Bend::count + offset_count;
    /// An offset in greys of which this is one unit.
    static constexpr double unit = 64;

    static void row(const Field &field, double *values);

    /// The same sums as of the rows, of which only those are made that differ.
    static NormalEquations<count> equations(
        const std::vector<Field> &fields, const std::vector<double> &rows, const std::vector<double> &weights);

    /// What one of the numbers costs: what a plane does not have, in squared greys.
    static double cost(int number, double contrast);
};

/// How much the fields' greys differ on the print, or in the picture.
double deviation(const std::vector<Field> &fields, double Field::*grey = &Field::print);

/// Whether the fields that are not full are enough for a light of so many unknowns: three for each.
bool are_enough(const std::vector<Field> &fields, int unknown_count);

/// How far what is explained lies off, of which more than half is: 1.5 medians, but not less than what is given.
double robust_scale(const std::vector<double> &sizes, double least_scale);

/// Cauchy's weight of what lies so far off.
inline double cauchy_weight(double size, double scale) { return 1 / (1 + 0.25 * size * size / (scale * scale)); }

/// Cauchy's weights, so that a finger on the print does not bend the light, and how far fields lie off where it explains them.
struct RobustWeights {
    std::vector<double> weights;
    double scale = 0;

    /// The weights of a beginning: full fields say nothing before it is known what they should show.
    explicit RobustWeights(const std::vector<Field> &fields);

    /// - least_scale: in greys.   - returns: by how much a weight has changed at most.
    double update(const std::vector<Field> &fields, const std::vector<double> &shown, double least_scale);

    double total() const;
};

/// How far fields lie off at least, where the light has so strong a gain.
inline double least_scale(double gain, double contrast) { return std::max(0.03 * std::abs(gain) * contrast, 0.1); }

/// What a light of so many numbers shows of each field.
void show(const std::vector<double> &rows, const double *solution, int count, std::vector<double> &shown);

/// A light, what each field has under it, and how far fields lie off where it explains them.
template <class Light> struct Fit {
    double solution[Light::count] = {};
    std::vector<double> shown;
    double scale = 0;
};

/// The light that explains the fields best.
template <class Light> Fit<Light> fitted(const std::vector<Field> &fields) {
    const double contrast = deviation(fields);
    std::vector<double> rows(fields.size() * Light::count);
    for (size_t i = 0; i < fields.size(); ++i) Light::row(fields[i], &rows[i * Light::count]);
    RobustWeights robust(fields);
    Fit<Light> fit;
    for (const Field &field : fields) fit.shown.push_back(field.print);
    constexpr int most_rounds = 8;
    double change = 1;
    for (int round = 0; round < most_rounds && change > 0.01; ++round) {
        NormalEquations<Light::count> equations = Light::equations(fields, rows, robust.weights);
        const double total = robust.total();
        for (int k = 0; k < Light::count; ++k) equations.add_prior(k, 0, total * Light::cost(k, contrast) + 1e-6);
        if (!equations.solve(fit.solution)) break;
        show(rows, fit.solution, Light::count, fit.shown);
        change = robust.update(fields, fit.shown, least_scale(fit.solution[0], contrast));
    }
    fit.scale = robust.scale;
    return fit;
}

/// The correlation of what is seen with what a light would show, without the fields that say nothing of it: these would agree
/// with any light that is bright enough.
///
/// Law: `PrintLightTests.fullPixelsSpeakForNoLight`.
float correlation(const std::vector<Field> &fields, const std::vector<double> &lit);

} // namespace cfeatures
