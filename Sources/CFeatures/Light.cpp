// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Light.hpp"

#include "Highlight.hpp"
#include "Inks.hpp"
#include "PrintField.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

/// A lamp's light on a print as a camera shows it.
class LampLight {
public:
    /// That which explains the fields best; none where they are too few.
    explicit LampLight(std::vector<Field> fields) {
        if (!are_enough(fields, TonedLight::count)) return;
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
    bool is_off(const Field &field) const { return off(field) > limit; }

    /// Whether a field looks as one that has so grey an ink.
    bool is_seen_as(Field field, double ink) const {
        constexpr double greys = 5;
        field.print = ink;
        return off(field) < std::max(2 * scale, greys * std::abs(solution[0]));
    }

private:
    double darkest = 0, range = 1, scale = 0, limit = 0;
    double solution[TonedLight::count] = {};

    /// How far a field lies off what the light shows of it.
    double off(Field field) const {
        bend(field);
        double row[TonedLight::count], shown = 0;
        TonedLight::row(field, row);
        for (int k = 0; k < TonedLight::count; ++k) shown += row[k] * solution[k];
        return std::abs(field.off(shown));
    }

    void bend(Field &field) const {
        const double share = (field.print - darkest) / range;
        field.arch = 4 * share * (1 - share) * range;
    }

    template <class Light> void take(const Fit<Light> &fit, const std::vector<Field> &fields) {
        std::copy_n(fit.solution, Light::count, solution);
        scale = fit.scale;
        limit = std::max(2.5 * scale, 0.12 * std::abs(fit.solution[0]) * deviation(fields));
        explained = correlation(fields, fit.shown);
    }
};

/// A print of which a smaller share agrees is not asked for its inks.
constexpr float least_inked_share = 0.95f;

/// A print of which a smaller share agrees has no name by a softer light, nor one without its border's.
constexpr float least_softly_lit_share = 0.8f;

/// What a lamp explains so well needs no softer light and no other inks: no name asks a lamp for more of a whole print.
constexpr float surely_lit = 0.99f;

/// What a softer light explains so well needs no highlight: no name asks it for more.
constexpr float surely_softly_lit = 0.9935f;

float explained_softly(const std::vector<Field> &fields, const Raster &print) {
    if (!are_enough(fields, SoftLight::count)) return 0;
    const float explained = correlation(fields, fitted<SoftLight>(fields).shown);
    if (explained >= surely_softly_lit) return explained;
    return std::max(explained, explained_with_highlight(fields, PrintShape(print.width, print.height)));
}

/// A print's fields: where a part lies inside the picture, the number of its field.
struct FieldTable {
    std::vector<Field> fields;
    std::vector<int> number_of_part;

    FieldTable(const Drawing &print, const Raster &found, const std::vector<Part> &parts) {
        for (const Part &part : parts) {
            number_of_part.push_back(part.is_inside ? int(fields.size()) : -1);
            if (!part.is_inside) continue;
            fields.push_back(field_of(part, print, found, [](float) {}));
        }
    }

    /// Those that what lies beside the print does not blur into.
    std::vector<Field> within_border(const std::vector<Part> &parts) const {
        std::vector<uint8_t> marks;
        for (const Part &part : parts) marks.push_back(part.is_blurred_border);
        return where(marks, false);
    }

    /// That of a part inside the picture.
    const Field &of(int part) const { return fields[size_t(number_of_part[size_t(part)])]; }

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

/// Whether most of what is covered looks as plain ground beside it does: then an ink is missing there, and nothing lies over
/// the print. A thing that does is seldom as bright as just that ink in just that light.
bool is_ground(
    const std::vector<Part> &parts, const std::vector<uint8_t> &covered, int columns, const FieldTable &table,
    const LampLight &light) {
    constexpr int reach = 2;
    constexpr double most_as_ground = 0.6, least_share = 0.3, same_grey = 8;
    const int rows = int(parts.size()) / columns;
    std::vector<double> beside, grounds;
    std::vector<Field> fields;
    for (int i = 0; i < int(parts.size()); ++i) {
        const Part &part = parts[size_t(i)];
        if (covered[size_t(i)]) {
            fields.push_back(table.of(i));
            continue;
        }
        bool is_beside = false;
        for (int row = std::max(0, i / columns - reach); row <= std::min(rows - 1, i / columns + reach); ++row) {
            for (int column = std::max(0, i % columns - reach); column <= std::min(columns - 1, i % columns + reach);
                 ++column) {
                is_beside |= covered[size_t(row * columns + column)] != 0;
            }
        }
        if (!is_beside || !part.is_inside) continue;
        beside.push_back(table.of(i).print);
        if (part.is_plain && part.agrees) grounds.push_back(beside.back());
    }
    return std::any_of(grounds.begin(), grounds.end(), [&](double ground) {
        const auto equal = std::count_if(
            beside.begin(), beside.end(), [&](double grey) { return std::abs(grey - ground) < same_grey; });
        const auto as_ground = std::count_if(
            fields.begin(), fields.end(), [&](const Field &field) { return light.is_seen_as(field, ground); });
        return double(equal) >= least_share * double(beside.size()) &&
               double(as_ground) > most_as_ground * double(fields.size());
    });
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
    const bool is_covered =
        is_enough && !is_framed(parts, covered, columns) && !is_ground(parts, covered, columns, table, light);
    agreement.lit_besides = is_covered ? light.explained : 0;
    if (agreement.lit_besides == 0) return;
    for (size_t i = 0; i < left_out.size(); ++i) {
        agreement.covered[i / size_t(columns)] |= uint16_t(left_out[i] << (i % size_t(columns)));
    }
}

} // namespace

void tell_light(
    const Drawing &print, const Raster &found, const std::vector<Part> &parts, int columns,
    CFeaturesAgreement &agreement) {
    const FieldTable table(print, found, parts);
    const float lit = LampLight(table.fields).explained;
    agreement.lit = lit;
    const bool may_be_whole = agreement.structured >= least_softly_lit_share;
    if (lit < surely_lit && may_be_whole) {
        agreement.lit = std::max(lit, LampLight(table.within_border(parts)).explained);
    }
    agreement.lit_besides = agreement.softly_lit = agreement.lit_in_inks = agreement.lit;
    if (agreement.hidden > 0) explain_besides(parts, columns, table, agreement);
    if (agreement.lit >= surely_lit || !may_be_whole) return;
    agreement.softly_lit = std::max(agreement.lit, explained_softly(table.fields, print.light));
    if (agreement.structured < least_inked_share) return;
    agreement.lit_in_inks = std::max(agreement.lit, explained_in_other_inks(print, found, parts));
}

} // namespace cfeatures
