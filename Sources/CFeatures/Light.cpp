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

    /// The same sums as of the rows, of which only those are made that differ.
    static NormalEquations<count> equations(
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

/// A light, what each field has under it, and how far fields lie off where it explains them.
template <class Light> struct Fit {
    double solution[Light::count] = {};
    std::vector<double> shown;
    double scale = 0;
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
        NormalEquations<Light::count> equations = Light::equations(fields, rows, weights);
        double total = 0;
        for (const double weight : weights) total += weight;
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
        fit.scale = std::max({1.5 * *middle, 0.03 * std::abs(fit.solution[0]) * contrast, 0.1});
        change = 0;
        for (size_t i = 0; i < fields.size(); ++i) {
            const double weight = 1 / (1 + 0.25 * sizes[i] * sizes[i] / (fit.scale * fit.scale));
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

/// A lamp's light on a print as a camera shows it.
class LampLight {
public:
    /// That which explains the fields best; none where they are too few.
    explicit LampLight(std::vector<Field> fields) {
        if (fields.size() < fields_an_unknown * TonedLight::count) return;
        const auto [dark, light] = std::minmax_element(
            fields.begin(), fields.end(), [](const Field &a, const Field &b) { return a.print < b.print; });
        darkest = dark->print;
        range = std::max(light->print - darkest, 1.0);
        for (Field &field : fields) bend(field);
        const Fit<TonedLight> toned = fitted<TonedLight>(fields);
        if (TonedLight::is_possible(toned.solution)) {
            take(toned, fields);
        } else {
            take(fitted<PlaneLight>(fields), fields);
        }
    }

    /// How well it explains the fields that it was made of: a correlation, or 0.
    float explained = 0;

    /// Whether a field lies off the light by as much as another ink or another thing does.
    bool is_off(Field field) const {
        bend(field);
        double row[TonedLight::count], shown = 0;
        TonedLight::row(field, row);
        for (int k = 0; k < TonedLight::count; ++k) shown += row[k] * solution[k];
        return std::abs(field.seen - shown) > limit;
    }

private:
    double darkest = 0, range = 1, limit = 0;
    double solution[TonedLight::count] = {};

    void bend(Field &field) const {
        const double share = (field.print - darkest) / range;
        field.arch = 4 * share * (1 - share) * range;
    }

    template <class Light> void take(const Fit<Light> &fit, const std::vector<Field> &fields) {
        std::copy_n(fit.solution, Light::count, solution);
        limit = std::max(2.5 * fit.scale, 0.12 * std::abs(fit.solution[0]) * deviation(fields));
        explained = correlation(fields, fit.shown);
    }
};

float explained_softly(const std::vector<Field> &fields) {
    return fields.size() < fields_an_unknown * SoftLight::count ? 0 : correlation(fields, fitted<SoftLight>(fields).shown);
}

/// A print's fields: where a part lies inside the picture, the number of its field.
struct FieldTable {
    std::vector<Field> fields;
    std::vector<int> number_of_part;

    FieldTable(const Drawing &print, const Raster &found, const std::vector<Part> &parts) {
        for (const Part &part : parts) {
            number_of_part.push_back(part.is_inside ? int(fields.size()) : -1);
            if (!part.is_inside) continue;
            fields.push_back({
                (part.x + 0.5) / print.light.width, (part.y + 0.5) / print.light.height,
                mean_of_field(print.light, part), mean_of_field(found, part)});
        }
    }

    /// Those of the parts that are marked so.
    std::vector<Field> where(const std::vector<uint8_t> &marks, bool mark) const {
        std::vector<Field> chosen;
        for (size_t i = 0; i < marks.size(); ++i) {
            if (number_of_part[i] >= 0 && (marks[i] != 0) == mark) chosen.push_back(fields[size_t(number_of_part[i])]);
        }
        return chosen;
    }
};

/// The parts over which a thing lies: they fail to show what is printed, or another light than that on the rest, and hang
/// together with the border through parts that do not agree either.
std::vector<uint8_t> covered_parts(
    const std::vector<Part> &parts, int columns, const FieldTable &table, const LampLight &light) {
    std::vector<uint8_t> differ;
    for (size_t i = 0; i < parts.size(); ++i) {
        const Part &part = parts[i];
        const bool fails = !part.agrees && (part.is_structured || part.is_plain);
        const bool is_drawing = part.is_structured && part.agrees;
        differ.push_back(
            part.is_inside && !is_drawing && (fails || light.is_off(table.fields[size_t(table.number_of_part[i])])));
    }
    std::vector<uint8_t> covered = reached_from_border(
        int(parts.size()), columns, [&](size_t i) { return differ[i] || (parts[i].is_inside && !parts[i].agrees); });
    for (size_t i = 0; i < parts.size(); ++i) covered[i] &= differ[i];
    return covered;
}

/// The same with the parts beside them: what lies over a print covers its neighbours by a share. Into the outermost parts,
/// where nothing is drawn, what lies beside the print may blur: these say nothing of their neighbours.
std::vector<uint8_t> with_neighbors(
    const std::vector<Part> &parts, const std::vector<uint8_t> &covered, int columns) {
    std::vector<uint8_t> wider(covered);
    const int count = int(covered.size());
    for (int i = 0; i < count; ++i) {
        const int column = i % columns;
        const bool is_outermost = column == 0 || column + 1 == columns || i < columns || i + columns >= count;
        if (!covered[size_t(i)] || (is_outermost && !parts[size_t(i)].is_structured)) continue;
        if (column > 0) wider[size_t(i - 1)] = 1;
        if (column + 1 < columns) wider[size_t(i + 1)] = 1;
        if (i >= columns) wider[size_t(i - columns)] = 1;
        if (i + columns < count) wider[size_t(i + columns)] = 1;
    }
    return wider;
}

/// Whether structure is covered within three parts of each of the four sides: no hand, but another print's surroundings.
bool is_framed(const std::vector<Part> &parts, const std::vector<uint8_t> &covered, int columns) {
    constexpr int reach = 3;
    const int rows = int(parts.size()) / columns;
    bool left = false, right = false, top = false, bottom = false;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (!covered[i] || !parts[i].is_structured) continue;
        const int column = int(i) % columns, row = int(i) / columns;
        left |= column < reach;
        right |= column >= columns - reach;
        top |= row < reach;
        bottom |= row >= rows - reach;
    }
    return left && right && top && bottom;
}

/// Tells how far a lamp's light explains what nothing lies over, and what that leaves out.
void explain_besides(
    const std::vector<Part> &parts, int columns, const FieldTable &table, CFeaturesAgreement &agreement) {
    constexpr int most_rounds = 3;
    constexpr double least_share = 0.4;
    // Plain ground may be a plain thing.
    std::vector<uint8_t> marks, covered(parts.size()), left_out(parts.size());
    for (const Part &part : parts) marks.push_back(part.is_structured && part.agrees);
    std::vector<Field> sure = table.where(marks, true);
    LampLight light(sure);
    for (int round = 0; round < most_rounds && light.explained != 0; ++round) {
        std::vector<uint8_t> next = covered_parts(parts, columns, table, light);
        if (round > 0 && next == covered) break;
        covered.swap(next);
        left_out = with_neighbors(parts, covered, columns);
        sure = table.where(left_out, false);
        light = LampLight(sure);
    }
    const bool is_enough = double(sure.size()) >= least_share * double(table.fields.size());
    agreement.lit_besides = is_enough && !is_framed(parts, covered, columns) ? light.explained : 0;
    if (agreement.lit_besides == 0) return;
    for (size_t i = 0; i < left_out.size(); ++i) {
        agreement.covered[i / size_t(columns)] |= uint16_t(left_out[i] << (i % size_t(columns)));
    }
}

/// What a lamp explains so well needs no softer light.
constexpr float surely_lit = 0.99f;

} // namespace

void tell_light(
    const Drawing &print, const Raster &found, const std::vector<Part> &parts, int columns,
    CFeaturesAgreement &agreement) {
    const FieldTable table(print, found, parts);
    agreement.lit = agreement.lit_besides = agreement.softly_lit = LampLight(table.fields).explained;
    if (agreement.lit >= surely_lit) return;
    explain_besides(parts, columns, table, agreement);
    agreement.softly_lit = std::max(agreement.lit, explained_softly(table.fields));
}

} // namespace cfeatures
