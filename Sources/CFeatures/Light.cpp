// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Light.hpp"

#include "Bend.hpp"
#include "LeastSquares.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

/// The mean grey of a field of the print, and of what the picture shows there; its place is 0 … 1 on the print.
struct Field {
    double x, y, print, seen;
    /// A parabola over the print's greys, in greys: 0 for its darkest and lightest, the range between them in the middle.
    double arch = 0;
};

/// A lamp's light: a gain that is a plane over the print, and an offset, as of haze or a lens' flare.
struct PlaneLight {
    static constexpr int count = 4;

    static void row(const Field &field, double *values) {
        values[0] = field.print;
        values[1] = (field.x - 0.5) * field.print;
        values[2] = (field.y - 0.5) * field.print;
        values[3] = 1;
    }

    static double cost(int, double) { return 0; }
};

/// The same, seen by a camera whose tone curve lifts or lowers the middle.
struct TonedLight {
    static constexpr int count = PlaneLight::count + 1;

    static void row(const Field &field, double *values) {
        PlaneLight::row(field, values);
        values[PlaneLight::count] = field.arch;
    }

    static double cost(int, double) { return 0; }

    /// Whether the curve rises everywhere, also in the corner that has the least light: it turns back where the arch has a
    /// quarter of the gain, and powers of 0.6 to 1.7 have up to a sixth.
    static bool is_possible(const double *solution) {
        const double least = std::abs(solution[0]) - 0.5 * (std::abs(solution[1]) + std::abs(solution[2]));
        return std::abs(solution[PlaneLight::count]) < 0.2 * least;
    }
};

/// The light on what is folded and glossy: a gain that changes as smoothly as a print bends, and an offset of the second
/// degree, as a glare's.
struct SoftLight {
    static constexpr int offset_count = 6, count = Bend::count + offset_count;
    /// An offset in greys of which this is one unit.
    static constexpr double unit = 64;

    static void row(const Field &field, double *values) {
        const std::array<double, Bend::count> products = Bend::products(field.x, field.y);
        for (size_t i = 0; i < Bend::count; ++i) values[i] = products[i] * field.print;
        const Bend::Powers of_x = Bend::powers(field.x), of_y = Bend::powers(field.y);
        const double offsets[offset_count] = {1, of_y[1], of_y[2], of_x[1], of_x[1] * of_y[1], of_x[2]};
        for (int i = 0; i < offset_count; ++i) values[Bend::count + i] = unit * offsets[i];
    }

    /// What one of the numbers costs: what a plane does not have, in squared greys.
    static double cost(int number, double contrast) {
        constexpr double degrees[offset_count] = {0, 1, 2, 1, 2, 2};
        static const std::array<double, Bend::count> costs = Bend::costs();
        if (number < Bend::count) {
            const double cost = costs[size_t(number)];
            return cost > 1 ? Bend::stiffness * cost * contrast * contrast : 0;
        }
        const double degree = degrees[number - Bend::count];
        return Bend::stiffness * degree * degree * degree * degree * unit * unit;
    }
};

double mean_of_field(const Raster &raster, const Part &part) {
    float sum = 0;
    for (int y = part.y - part_step / 2; y < part.y + part_step / 2; ++y) {
        for (int x = part.x - part_step / 2; x < part.x + part_step / 2; ++x) sum += raster.at(x, y);
    }
    return double(sum) / (part_step * part_step);
}

double deviation(const std::vector<Field> &fields) {
    double sum = 0, squares = 0;
    for (const Field &field : fields) {
        sum += field.print;
        squares += field.print * field.print;
    }
    const double count = double(fields.size());
    return std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count)));
}

/// A light, and what each field has under it.
template <class Light> struct Fit {
    double solution[Light::count] = {};
    std::vector<double> shown;
};

/// The light that explains the fields best; Cauchy's weights, so that a finger or a glare on the print does not bend it.
template <class Light> Fit<Light> fitted(const std::vector<Field> &fields) {
    const double contrast = deviation(fields);
    std::vector<double> rows(fields.size() * Light::count), weights(fields.size(), 1), sizes(fields.size());
    for (size_t i = 0; i < fields.size(); ++i) Light::row(fields[i], &rows[i * Light::count]);
    Fit<Light> fit;
    for (const Field &field : fields) fit.shown.push_back(field.print);
    constexpr int most_rounds = 8;
    double change = 1;
    for (int round = 0; round < most_rounds && change > 0.01; ++round) {
        NormalEquations<Light::count> equations;
        double total = 0;
        for (size_t i = 0; i < fields.size(); ++i) {
            equations.add(&rows[i * Light::count], fields[i].seen, weights[i]);
            total += weights[i];
        }
        for (int k = 0; k < Light::count; ++k) equations.add_prior(k, 0, total * Light::cost(k, contrast) + 1e-6);
        if (!equations.solve(fit.solution)) break;
        for (size_t i = 0; i < fields.size(); ++i) {
            fit.shown[i] = 0;
            for (int k = 0; k < Light::count; ++k) fit.shown[i] += rows[i * Light::count + size_t(k)] * fit.solution[k];
            sizes[i] = std::abs(fields[i].seen - fit.shown[i]);
        }
        std::vector<double> sorted(sizes);
        const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        const double scale = std::max({1.5 * *middle, 0.03 * std::abs(fit.solution[0]) * contrast, 0.1});
        change = 0;
        for (size_t i = 0; i < fields.size(); ++i) {
            const double weight = 1 / (1 + 0.25 * sizes[i] * sizes[i] / (scale * scale));
            change = std::max(change, std::abs(weight - weights[i]));
            weights[i] = weight;
        }
    }
    return fit;
}

/// The correlation of what is seen with what a light would show.
float correlation(const std::vector<Field> &fields, const std::vector<double> &lit) {
    double shown = 0, seen = 0, shown_shown = 0, seen_seen = 0, both = 0;
    for (size_t i = 0; i < fields.size(); ++i) {
        shown += lit[i];
        seen += fields[i].seen;
        shown_shown += lit[i] * lit[i];
        seen_seen += fields[i].seen * fields[i].seen;
        both += lit[i] * fields[i].seen;
    }
    const double count = double(fields.size());
    const double squares = (shown_shown - shown * shown / count) * (seen_seen - seen * seen / count);
    return squares > 1e-9 ? float((both - shown * seen / count) / std::sqrt(squares)) : 0;
}

/// How many fields must be seen for each of a light's unknowns.
constexpr size_t fields_an_unknown = 3;

float explained_by_lamp(std::vector<Field> &fields) {
    if (fields.size() < fields_an_unknown * TonedLight::count) return 0;
    const auto [dark, light] = std::minmax_element(
        fields.begin(), fields.end(), [](const Field &a, const Field &b) { return a.print < b.print; });
    const double darkest = dark->print, range = std::max(light->print - darkest, 1.0);
    for (Field &field : fields) {
        const double share = (field.print - darkest) / range;
        field.arch = 4 * share * (1 - share) * range;
    }
    const Fit<TonedLight> toned = fitted<TonedLight>(fields);
    return correlation(
        fields, TonedLight::is_possible(toned.solution) ? toned.shown : fitted<PlaneLight>(fields).shown);
}

float explained_softly(const std::vector<Field> &fields) {
    return fields.size() < fields_an_unknown * SoftLight::count ? 0 : correlation(fields, fitted<SoftLight>(fields).shown);
}

/// Whether a part or one beside it may be hidden: what lies over a print covers its neighbours by a share.
bool is_doubtful(const std::vector<Part> &parts, int columns, int number) {
    const int column = number % columns;
    const auto is_hidden = [&](int other) {
        return other >= 0 && other < int(parts.size()) && parts[size_t(other)].is_hidden;
    };
    return is_hidden(number) || is_hidden(number - columns) || is_hidden(number + columns) ||
           (column > 0 && is_hidden(number - 1)) || (column + 1 < columns && is_hidden(number + 1));
}

/// What a lamp explains so well needs no softer light.
constexpr float surely_lit = 0.99f;

} // namespace

void tell_light(
    const Drawing &print, const Raster &found, const std::vector<Part> &parts, int columns,
    CFeaturesAgreement &agreement) {
    std::vector<Field> all, sure;
    for (size_t i = 0; i < parts.size(); ++i) {
        const Part &part = parts[i];
        if (!part.is_inside) continue;
        all.push_back({
            (part.x + 0.5) / print.light.width, (part.y + 0.5) / print.light.height, mean_of_field(print.light, part),
            mean_of_field(found, part)});
        if (!is_doubtful(parts, columns, int(i))) sure.push_back(all.back());
    }
    agreement.lit = explained_by_lamp(all);
    agreement.lit_besides = sure.size() == all.size() ? agreement.lit : explained_by_lamp(sure);
    agreement.softly_lit = agreement.lit < surely_lit ? std::max(agreement.lit, explained_softly(all)) : agreement.lit;
}

} // namespace cfeatures
