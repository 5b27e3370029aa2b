// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Light.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

/// The mean grey of a field of the print, and of what the picture shows there.
struct Field {
    double x, y, print, seen;
};

/// What a field's grey becomes: a gain that is a plane over the print, and an offset, as of haze or a lens' flare.
struct Light {
    double gain = 1, gain_x = 0, gain_y = 0, offset = 0;

    double shown(const Field &field) const {
        return (gain + gain_x * field.x + gain_y * field.y) * field.print + offset;
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

/// The light that explains the fields best; Cauchy's weights, so that a finger or a glare on the print does not bend it.
Light fitted(const std::vector<Field> &fields) {
    Light light;
    const double contrast = deviation(fields);
    std::vector<double> weights(fields.size(), 1), sizes(fields.size());
    for (int round = 0; round < 8; ++round) {
        NormalEquations equations;
        for (size_t i = 0; i < fields.size(); ++i) {
            const Field &field = fields[i];
            const double row[8] = {field.print, field.x * field.print, field.y * field.print, 1};
            equations.add(row, field.seen, weights[i]);
        }
        for (int k = 0; k < 8; ++k) equations.add_prior(k, 0, 1e-6);
        double solution[8];
        if (!equations.solve(solution)) break;
        light = {solution[0], solution[1], solution[2], solution[3]};
        for (size_t i = 0; i < fields.size(); ++i) sizes[i] = std::abs(fields[i].seen - light.shown(fields[i]));
        std::vector<double> sorted(sizes);
        const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        const double scale = std::max({1.5 * *middle, 0.03 * std::abs(light.gain) * contrast, 0.1});
        for (size_t i = 0; i < fields.size(); ++i) weights[i] = 1 / (1 + 0.25 * sizes[i] * sizes[i] / (scale * scale));
    }
    return light;
}

/// The correlation of what is seen with what the light would show.
double correlation(const std::vector<Field> &fields, const Light &light) {
    double shown = 0, seen = 0, shown_shown = 0, seen_seen = 0, both = 0;
    for (const Field &field : fields) {
        const double value = light.shown(field);
        shown += value;
        seen += field.seen;
        shown_shown += value * value;
        seen_seen += field.seen * field.seen;
        both += value * field.seen;
    }
    const double count = double(fields.size());
    const double squares = (shown_shown - shown * shown / count) * (seen_seen - seen * seen / count);
    return squares > 1e-9 ? (both - shown * seen / count) / std::sqrt(squares) : 0;
}

/// Fewer fields say nothing of a light with four unknowns.
constexpr size_t least_fields = 16;

} // namespace

float explained_by_light(const Drawing &print, const Raster &found, const std::vector<Part> &parts) {
    std::vector<Field> all;
    for (size_t i = 0; i < parts.size(); ++i) {
        const Part &part = parts[i];
        if (!part.is_inside) continue;
        all.push_back({
            double(part.x) / print.light.width - 0.5, double(part.y) / print.light.height - 0.5,
            mean_of_field(print.light, part), mean_of_field(found, part)});
    }
    return all.size() < least_fields ? 0 : float(correlation(all, fitted(all)));
}

} // namespace cfeatures
