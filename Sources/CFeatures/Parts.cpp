// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cfeatures {
namespace {

constexpr int window = 2 * half_window + 1, window_area = window * window;

} // namespace

std::vector<Part> make_parts(const Drawing &print, double blur) {
    std::vector<Part> parts;
    for (int y = part_step / 2; y < print.light.height; y += part_step) {
        for (int x = part_step / 2; x < print.light.width; x += part_step) {
            Part part{};
            part.x = x;
            part.y = y;
            float sum = 0, squares = 0;
            for (int v = y - half_window; v <= y + half_window; ++v) {
                for (int u = x - half_window; u <= x + half_window; ++u) {
                    const float value = print.light.at(u, v), gx = print.across.at(u, v), gy = print.down.at(u, v);
                    sum += value;
                    squares += value * value;
                    part.xx += gx * gx;
                    part.xy += gx * gy;
                    part.yy += gy * gy;
                    part.sum_x += gx;
                    part.sum_y += gy;
                    part.light_x += gx * value;
                    part.light_y += gy * value;
                }
            }
            part.mean = sum / window_area;
            part.light_x -= part.mean * part.sum_x;
            part.light_y -= part.mean * part.sum_y;
            part.deviation = std::sqrt(std::max(0.0f, squares / window_area - part.mean * part.mean));
            parts.push_back(part);
        }
    }
    float highest = 0;
    for (const Part &part : parts) highest = std::max(highest, part.deviation);
    for (Part &part : parts) {
        part.is_structured = part.deviation > std::max(3.0f, 0.15f * highest);
        const int border = std::min(
            std::min(part.x, print.light.width - 1 - part.x), std::min(part.y, print.light.height - 1 - part.y));
        const bool is_at_border = border - half_window < 2 * blur;
        part.is_blurred_border = is_at_border && !part.is_structured;
        part.is_plain = part.deviation < std::max(1.0f, 0.02f * highest) && !is_at_border;
    }
    return parts;
}

namespace {

/// A window's row: nine numbers of sixteen.
typedef float Row __attribute__((vector_size(64)));
constexpr int row_size = sizeof(Row) / sizeof(float);

[[gnu::always_inline]] inline void load(const float *from, Row &row) { std::memcpy(&row, from, sizeof row); }

/// The sum of a row, halves first.
[[gnu::always_inline]] inline float sum(const Row &row) {
    float numbers[row_size];
    std::memcpy(numbers, &row, sizeof row);
    for (int half = row_size / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; ++i) numbers[i] += numbers[i + half];
    }
    return numbers[0];
}

/// What a window of the picture has in common with a part.
struct Likeness {
    float mean, deviation, correlation;
    /// Σ ∇T V.
    float found_x, found_y;
};

/// A row between two places.
[[gnu::always_inline]] inline void load_between(const float *from, float share, Row &row) {
    Row next;
    load(from, row);
    load(from + 1, next);
    row += share * (next - row);
}

/// Compares a part with the picture when it is shifted.
CFEATURES_WIDE void compare(
    const Drawing &print, const Raster &found, const Part &part, float dx, float dy, Likeness &likeness) {
    const int left = int(std::floor(dx)), top = int(std::floor(dy));
    const float fx = dx - float(left), fy = dy - float(top);
    const Row window_row = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const float *from = &found.values[found.place(part.x - half_window + left, part.y - half_window + top)];
    Row upper, lower, drawn, across, down;
    load_between(from, fx, upper);
    Row total = {}, squares = {}, products = {}, found_x = {}, found_y = {};
    for (int row = 0; row < window; ++row) {
        from += found.stride;
        load_between(from, fx, lower);
        const size_t place = print.light.place(part.x - half_window, part.y - half_window + row);
        load(&print.light.values[place], drawn);
        load(&print.across.values[place], across);
        load(&print.down.values[place], down);
        const Row value = (upper + fy * (lower - upper)) * window_row;
        upper = lower;
        total += value;
        squares += value * value;
        products += value * (drawn - part.mean);
        found_x += value * across;
        found_y += value * down;
    }
    likeness.mean = sum(total) / window_area;
    likeness.deviation = std::sqrt(std::max(0.0f, sum(squares) / window_area - likeness.mean * likeness.mean));
    likeness.correlation =
        sum(products) / (window_area * std::max(likeness.deviation, 0.5f) * std::max(part.deviation, 0.5f));
    likeness.found_x = sum(found_x);
    likeness.found_y = sum(found_y);
}

/// Shifts a part until it fits best (Lucas and Kanade 1981), under a gain and an offset of its own.
void settle(const Drawing &print, const Raster &found, Part &part, float reach) {
    Likeness now, next;
    compare(print, found, part, 0, 0, now);
    part.dx = part.dy = 0;
    const float damping = 0.02f * (part.xx + part.yy) + 1e-3f;
    const float xx = part.xx + damping, yy = part.yy + damping;
    const float determinant = xx * yy - part.xy * part.xy;
    for (int round = 0; round < 4; ++round) {
        const float gain = (now.correlation < 0 ? -1.0f : 1.0f) * part.deviation / std::max(now.deviation, 0.5f);
        const float bx = part.light_x - gain * (now.found_x - now.mean * part.sum_x);
        const float by = part.light_y - gain * (now.found_y - now.mean * part.sum_y);
        const float dx = part.dx + (yy * bx - part.xy * by) / determinant;
        const float dy = part.dy + (xx * by - part.xy * bx) / determinant;
        if (!(std::abs(dx) <= reach && std::abs(dy) <= reach)) break;
        compare(print, found, part, dx, dy, next);
        if (std::abs(next.correlation) < std::abs(now.correlation) || next.correlation * now.correlation < 0) break;
        const float step = std::abs(dx - part.dx) + std::abs(dy - part.dy);
        part.dx = dx;
        part.dy = dy;
        now = next;
        if (step < 0.02f) break;
    }
    part.correlation = now.correlation;
    part.found_deviation = now.deviation;
}

} // namespace

bool find_parts(
    const Drawing &print, const Raster &found, const std::vector<uint8_t> &inside, std::vector<Part> &parts) {
    double polarity = 0;
    for (Part &part : parts) {
        part.is_inside = true;
        for (const int dy : {-half_window - 1, half_window + 1}) {
            for (const int dx : {-half_window - 1, half_window + 1}) {
                part.is_inside = part.is_inside && inside[found.place(part.x + dx, part.y + dy)] != 0;
            }
        }
        if (!part.is_inside || !(part.is_structured || part.is_plain)) continue;
        if (part.is_structured) {
            settle(print, found, part, 3);
            polarity += double(part.correlation) * std::abs(part.correlation);
        } else {
            Likeness likeness;
            compare(print, found, part, 0, 0, likeness);
            part.correlation = likeness.correlation;
            part.found_deviation = likeness.deviation;
        }
    }
    return polarity < 0;
}

namespace {

/// Whether the picture shows something else where the part belongs, with as much contrast.
bool contradicts(const Part &part, float gain, float highest, bool is_inverse, double slack) {
    if (!part.is_inside) return false;
    if (part.is_plain) return part.found_deviation > 0.4f * gain * highest;
    if (!part.is_structured || part.found_deviation < 0.5f * gain * part.deviation) return false;
    const float correlation = is_inverse ? -part.correlation : part.correlation;
    return correlation < 0.55f || double(part.dx) * part.dx + double(part.dy) * part.dy > 1.5 * slack * slack;
}

int count_contradictions(
    const std::vector<Part> &parts, int columns, float gain, float highest, bool is_inverse, double slack) {
    const int rows = int(parts.size()) / columns;
    int count = 0;
    for (int row = 0; row + 1 < rows; ++row) {
        for (int column = 0; column + 1 < columns; ++column) {
            int contradicting = 0;
            for (const int other : {0, 1, columns, columns + 1}) {
                contradicting +=
                    contradicts(parts[size_t(row * columns + column + other)], gain, highest, is_inverse, slack);
            }
            count += contradicting >= 3;
        }
    }
    return count;
}

/// Whether the picture shows something else where a structured part belongs: as much contrast, and nothing of the drawing.
bool mismatches(const Part &part, float gain, bool is_inverse) {
    const float correlation = is_inverse ? -part.correlation : part.correlation;
    return part.is_structured && part.is_inside && part.found_deviation >= 0.5f * gain * part.deviation &&
           correlation < 0.3f;
}

/// The parts that cannot be told from hidden ones: they do not agree and hang together with the border. Plain ground
/// that is plain in the picture agrees, too: what stands on it is missing, and nothing lies over it.
std::vector<uint8_t> hidden_parts(const std::vector<Part> &parts, int columns) {
    return reached_from_border(
        int(parts.size()), columns, [&](size_t i) { return parts[i].is_inside && !parts[i].agrees; });
}

} // namespace

std::vector<uint8_t> reached_from_border(
    int count, int columns, const std::function<bool(size_t)> &is_open) {
    const int rows = count / columns;
    std::vector<uint8_t> reached(size_t(count), 0);
    std::vector<int> waiting;
    const auto reach = [&](int column, int row) {
        const int place = row * columns + column;
        if (reached[size_t(place)] || !is_open(size_t(place))) return;
        reached[size_t(place)] = 1;
        waiting.push_back(place);
    };
    for (int column = 0; column < columns; ++column) {
        reach(column, 0);
        reach(column, rows - 1);
    }
    for (int row = 0; row < rows; ++row) {
        reach(0, row);
        reach(columns - 1, row);
    }
    while (!waiting.empty()) {
        const int place = waiting.back(), column = place % columns, row = place / columns;
        waiting.pop_back();
        if (column > 0) reach(column - 1, row);
        if (column + 1 < columns) reach(column + 1, row);
        if (row > 0) reach(column, row - 1);
        if (row + 1 < rows) reach(column, row + 1);
    }
    return reached;
}

CFeaturesAgreement judged(std::vector<Part> &parts, int columns, double slack, bool is_inverse, double pixel_px) {
    CFeaturesAgreement agreement{};
    int structured = 0, inside = 0, agreeing = 0;
    double correlations = 0, squares = 0;
    std::vector<float> contrasts;
    for (Part &part : parts) {
        part.agrees = false;
        if (!part.is_structured) continue;
        ++structured;
        if (!part.is_inside) continue;
        ++inside;
        const float correlation = is_inverse ? -part.correlation : part.correlation;
        part.agrees =
            correlation > 0.7f && double(part.dx) * part.dx + double(part.dy) * part.dy <= slack * slack;
        if (!part.agrees) continue;
        ++agreeing;
        correlations += std::abs(part.correlation);
        squares += double(part.dx) * part.dx + double(part.dy) * part.dy;
        contrasts.push_back(part.found_deviation / part.deviation);
    }
    float gain = 1;
    if (!contrasts.empty()) {
        std::nth_element(contrasts.begin(), contrasts.begin() + std::ptrdiff_t(contrasts.size() / 2), contrasts.end());
        gain = contrasts[contrasts.size() / 2];
    }
    float highest = 0;
    for (const Part &part : parts) highest = std::max(highest, part.deviation);
    const float plain_deviation = std::max(3.0f, 0.2f * gain * highest);
    for (Part &part : parts) {
        part.agrees |= part.is_plain && part.is_inside && part.found_deviation < plain_deviation;
    }
    const std::vector<uint8_t> hidden = hidden_parts(parts, columns);
    int hidden_count = 0;
    std::fill(std::begin(agreement.likeness), std::end(agreement.likeness), int8_t(CFEATURES_NO_PART));
    for (size_t i = 0; i < parts.size(); ++i) {
        const Part &part = parts[i];
        if (part.is_structured && part.is_inside) {
            const int place = int(i) / columns * CFEATURES_FIELD_ROWS + int(i) % columns;
            agreement.likeness[place] = int8_t(std::lround(100 * (is_inverse ? -part.correlation : part.correlation)));
        }
        hidden_count += parts[i].is_structured && hidden[i];
        if (!mismatches(parts[i], gain, is_inverse)) continue;
        ++agreement.mismatch_count;
        agreement.mismatch_besides += !hidden[i];
    }
    agreement.hidden = inside > 0 ? float(hidden_count) / float(inside) : 0;
    agreement.contradiction_count = count_contradictions(parts, columns, gain, highest, is_inverse, slack);
    agreement.structured = inside > 0 ? float(agreeing) / float(inside) : 0;
    agreement.visible = structured > 0 ? float(inside) / float(structured) : 0;
    agreement.correlation = agreeing > 0 ? float(correlations / agreeing) : 0;
    agreement.part_count = agreeing;
    agreement.is_inverse = is_inverse;
    agreement.deviation_px = agreeing > 0 ? float(std::sqrt(squares / (2 * agreeing)) * pixel_px) : 0;
    return agreement;
}

} // namespace cfeatures
