// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Light.hpp"

#include "Highlight.hpp"
#include "LightFit.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

/// A part's field, in which pixels that are full say nothing as long as a quarter of them are not.
Field field_of(const Part &part, const Drawing &print, const Raster &found) {
    constexpr float full_grey = 252;
    constexpr int pixel_count = part_step * part_step;
    float drawn = 0, seen = 0, all_drawn = 0, all_seen = 0;
    int telling_count = 0;
    for (int y = part.y - part_step / 2; y < part.y + part_step / 2; ++y) {
        for (int x = part.x - part_step / 2; x < part.x + part_step / 2; ++x) {
            const float own = print.light.at(x, y), light = found.at(x, y);
            all_drawn += own;
            all_seen += light;
            if (light >= full_grey) continue;
            drawn += own;
            seen += light;
            ++telling_count;
        }
    }
    Field field{(part.x + 0.5) / print.light.width, (part.y + 0.5) / print.light.height, 0, 0};
    field.is_full = telling_count < pixel_count / 4;
    const int count = field.is_full ? pixel_count : telling_count;
    field.print = double(field.is_full ? all_drawn : drawn) / count;
    field.seen = double(field.is_full ? all_seen : seen) / count;
    return field;
}

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
    bool is_off(Field field) const {
        bend(field);
        double row[TonedLight::count], shown = 0;
        TonedLight::row(field, row);
        for (int k = 0; k < TonedLight::count; ++k) shown += row[k] * solution[k];
        return std::abs(field.off(shown)) > limit;
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

/// A print of which a smaller share agrees has no name by a softer light.
constexpr float least_softly_lit_share = 0.8f;

/// What a lamp explains so well needs no softer light, and what that explains so well, no highlight.
constexpr float surely_lit = 0.99f;

float explained_softly(const std::vector<Field> &fields, const Raster &print) {
    if (!are_enough(fields, SoftLight::count)) return 0;
    const float explained = correlation(fields, fitted<SoftLight>(fields).shown);
    if (explained >= surely_lit) return explained;
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
            fields.push_back(field_of(part, print, found));
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

} // namespace

void tell_light(
    const Drawing &print, const Raster &found, const std::vector<Part> &parts, int columns,
    CFeaturesAgreement &agreement) {
    const FieldTable table(print, found, parts);
    agreement.lit = agreement.lit_besides = agreement.softly_lit = LampLight(table.fields).explained;
    if (agreement.lit >= surely_lit) return;
    explain_besides(parts, columns, table, agreement);
    if (agreement.structured < least_softly_lit_share) return;
    agreement.softly_lit = std::max(agreement.lit, explained_softly(table.fields, print.light));
}

} // namespace cfeatures
