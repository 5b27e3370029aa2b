// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// How well a print lies where it is thought to be, judged on the pixels.

#include "Homography.hpp"
#include "ScaleSpace.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace cfeatures {
namespace {

constexpr int half_window = 4, window = 2 * half_window + 1, window_area = window * window;
constexpr int cell = 8;
constexpr int margin = half_window + 4;

/// A picture of numbers with a margin, so that windows may reach out.
struct Raster {
    /// Windows are read in whole vectors, which may reach beyond the last row.
    static constexpr size_t spare = 16;

    int width, height, stride;
    std::vector<float> values;

    Raster(int width, int height)
        : width(width), height(height), stride(width + 2 * margin),
          values(size_t(stride) * size_t(height + 2 * margin) + spare) {}
    size_t place(int x, int y) const { return size_t(y + margin) * size_t(stride) + size_t(x + margin); }
    float &at(int x, int y) { return values[place(x, y)]; }
    float at(int x, int y) const { return values[place(x, y)]; }
};

/// One of the equal parts of a row or column: its numbers from `first` to `last`, which count in part.
struct Share {
    int first, last;
    float first_weight, weight, last_weight;

    /// Part `i` of `count` of so many numbers.
    Share(int i, int count, int length) {
        const double size = double(length) / count, begin = i * size, end = std::min(begin + size, double(length));
        first = int(begin);
        last = std::max(first, int(std::ceil(end - 1e-9)) - 1);
        weight = float(1 / size);
        first_weight = float((std::min(end, first + 1.0) - begin) / size);
        last_weight = float((end - last) / size);
    }

    float of(int k) const { return k == first ? first_weight : k == last ? last_weight : weight; }
};

/// The template as it is under `longer_side`, its edge continued into the margin.
Raster resampled(const CFeaturesTemplate &print, int longer_side) {
    const double scale = std::min(1.0, double(longer_side) / std::max(print.width, print.height));
    Raster raster(std::max(8, int(std::lround(print.width * scale))), std::max(8, int(std::lround(print.height * scale))));
    std::vector<Share> columns;
    for (int x = 0; x < raster.width; ++x) columns.emplace_back(x, raster.width, print.width);
    std::vector<float> sums(size_t(print.width));
    for (int y = 0; y < raster.height; ++y) {
        const Share rows(y, raster.height, print.height);
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (int k = rows.first; k <= rows.last; ++k) {
            const uint8_t *from = print.pixels + int64_t(k) * print.width;
            const float weight = rows.of(k);
            for (int x = 0; x < print.width; ++x) sums[size_t(x)] += weight * float(from[x]);
        }
        float *out = &raster.at(0, y);
        for (int x = 0; x < raster.width; ++x) {
            const Share &share = columns[size_t(x)];
            float sum = share.first_weight * sums[size_t(share.first)];
            for (int k = share.first + 1; k <= share.last; ++k) sum += share.of(k) * sums[size_t(k)];
            out[x] = sum;
        }
    }
    for (int y = 0; y < raster.height; ++y) {
        std::fill_n(&raster.at(-margin, y), margin, raster.at(0, y));
        std::fill_n(&raster.at(raster.width, y), margin, raster.at(raster.width - 1, y));
    }
    for (int y = 1; y <= margin; ++y) {
        std::copy_n(&raster.at(-margin, 0), raster.stride, &raster.at(-margin, -y));
        std::copy_n(&raster.at(-margin, raster.height - 1), raster.stride, &raster.at(-margin, raster.height - 1 + y));
    }
    return raster;
}

/// Smooths by a variance in squared pixels, with the binomial filter 1 2 1.
void smooth(Raster &raster, double variance) {
    const int rounds = std::clamp(int(std::lround(2 * variance)), 0, 12);
    std::vector<float> other(raster.values.size());
    const int count = int(raster.values.size());
    for (int round = 0; round < rounds; ++round) {
        for (const int step : {1, raster.stride}) {
            const float *from = raster.values.data();
            for (int i = 0; i < step; ++i) other[size_t(i)] = from[i];
            for (int i = step; i < count - step; ++i) {
                other[size_t(i)] = 0.25f * (from[i - step] + from[i + step]) + 0.5f * from[i];
            }
            for (int i = count - step; i < count; ++i) other[size_t(i)] = from[i];
            raster.values.swap(other);
        }
    }
}

/// What is printed, and how it changes along both axes.
struct Drawing {
    Raster light, across, down;

    explicit Drawing(Raster drawn) : light(std::move(drawn)), across(light.width, light.height), down(across) {
        const int stride = light.stride, count = int(light.values.size());
        for (int i = stride; i < count - stride; ++i) {
            across.values[size_t(i)] = 0.5f * (light.values[size_t(i + 1)] - light.values[size_t(i - 1)]);
            down.values[size_t(i)] = 0.5f * (light.values[size_t(i + stride)] - light.values[size_t(i - stride)]);
        }
    }
};

/// A window of the template, and what is found of it in the picture.
struct Part {
    int x, y;
    float mean, deviation;
    /// Σ ∇T ∇Tᵀ, Σ ∇T and Σ ∇T (T − mean).
    float xx, xy, yy, sum_x, sum_y, light_x, light_y;
    /// A plain part is judged only where what lies beside the print does not blur into it.
    bool is_structured, is_plain;
    bool is_inside = false;
    float dx = 0, dy = 0, correlation = 0, found_deviation = 0;
};

/// - blur: the standard deviation of the picture's Gaussian, in pixels of the raster.
std::vector<Part> make_parts(const Drawing &print, double blur) {
    std::vector<Part> parts;
    for (int y = cell / 2; y < print.light.height; y += cell) {
        for (int x = cell / 2; x < print.light.width; x += cell) {
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
        part.is_plain = part.deviation < std::max(1.0f, 0.02f * highest) && border - half_window >= 2 * blur;
    }
    return parts;
}

/// The scale of the picture that shows about as much as a raster whose pixel is so large.
const Plane &fitting_plane(const CFeaturesScaleSpace &space, double pixel_px, double &sigma_px, double &size_px) {
    const double wanted = 0.9 * pixel_px;
    const Plane *plane = &space.planes[0][0];
    sigma_px = first_sigma * double(1 << space.halvings);
    size_px = double(1 << space.halvings);
    for (int octave = 0; octave < space.octave_count; ++octave) {
        for (int scale = 0; scale < searched_scale_count; ++scale) {
            const double sigma =
                double(first_sigma) * std::exp2(octave + double(scale) / searched_scale_count) * double(1 << space.halvings);
            if (sigma > wanted * 1.12 || sigma < sigma_px) continue;
            plane = &space.planes[size_t(octave)][size_t(scale)];
            sigma_px = sigma;
            size_px = double(space.pixel_size(octave));
        }
    }
    return *plane;
}

/// Where a row of the raster lies in a plane: u and v of the first place times its w, and all three's growth by a place.
struct RowPlaces {
    float u, v, w, du, dv, dw;
};

/// One row of the picture as it lies on the print; zero, and not `inside`, where the picture does not reach.
CFEATURES_WIDE void unwarp_row(
    const Plane &plane, const RowPlaces &places, float *values, uint8_t *inside, int count) {
    constexpr int block = 32;
    const float right = float(plane.width - 1), bottom = float(plane.height - 1), unit = 1 / float(1 << light_shift);
    const int width = plane.width;
    for (int begin = 0; begin < count; begin += block) {
        float part_u[block], part_v[block], is_inside[block];
        int offsets[block];
        for (int i = 0; i < block; ++i) {
            const float x = float(begin + i), w = places.w + x * places.dw;
            const float inverse = 1 / std::max(w, 1e-6f);
            float u = (places.u + x * places.du) * inverse, v = (places.v + x * places.dv) * inverse;
            const bool is_good = (w >= 1e-6f) & (u >= 0) & (v >= 0) & (u < right) & (v < bottom);
            u = is_good ? u : 0;
            v = is_good ? v : 0;
            const int column = int(u), row = int(v);
            part_u[i] = u - float(column);
            part_v[i] = v - float(row);
            offsets[i] = row * width + column;
            is_inside[i] = is_good ? unit : 0;
        }
        int upper_left[block], upper_right[block], lower_left[block], lower_right[block];
        for (int i = 0; i < block; ++i) {
            const uint16_t *upper = plane.light.data() + offsets[i], *lower = upper + width;
            upper_left[i] = upper[0];
            upper_right[i] = upper[1];
            lower_left[i] = lower[0];
            lower_right[i] = lower[1];
        }
        float found[block];
        for (int i = 0; i < block; ++i) {
            const float top = float(upper_left[i]) + part_u[i] * float(upper_right[i] - upper_left[i]);
            const float low = float(lower_left[i]) + part_u[i] * float(lower_right[i] - lower_left[i]);
            found[i] = (top + part_v[i] * (low - top)) * is_inside[i];
        }
        for (int i = 0; i < std::min(block, count - begin); ++i) {
            values[begin + i] = found[i];
            inside[begin + i] = is_inside[i] > 0;
        }
    }
}

/// The picture as it lies on the print; `inside` says which pixels the picture has.
void unwarp(
    const CFeaturesScaleSpace &space, const Plane &plane, double size_px, const Homography &pixel_from_print, Raster &found,
    std::vector<uint8_t> &inside) {
    const double shift = 0.5 * ((1 << space.halvings) - 1), step = 1.0 / found.width;
    const double *m = pixel_from_print.m;
    const double px = (0.5 - margin) * step;
    for (int y = -margin; y < found.height + margin; ++y) {
        const double py = (y + 0.5) / found.height;
        const double w = m[6] * px + m[7] * py + m[8], dw = m[6] * step;
        const RowPlaces places{
            float((m[0] * px + m[1] * py + m[2] - shift * w) / size_px),
            float((m[3] * px + m[4] * py + m[5] - shift * w) / size_px), float(w),
            float((m[0] * step - shift * dw) / size_px), float((m[3] * step - shift * dw) / size_px), float(dw)};
        const size_t place = size_t(y + margin) * size_t(found.stride);
        unwarp_row(plane, places, &found.values[place], &inside[place], found.stride);
    }
}

typedef float Four __attribute__((vector_size(16)));

Four load(const float *from) {
    Four values;
    std::memcpy(&values, from, sizeof values);
    return values;
}

float sum(Four values) { return (values[0] + values[2]) + (values[1] + values[3]); }

/// What a window of the picture has in common with a part.
struct Likeness {
    float mean, deviation, correlation;
    /// Σ ∇T V.
    float found_x, found_y;
};

/// Compares a part with the picture when it is shifted.
Likeness compare(const Drawing &print, const Raster &found, const Part &part, float dx, float dy) {
    const int left = int(std::floor(dx)), top = int(std::floor(dy));
    const float fx = dx - float(left), fy = dy - float(top);
    // A window's row is nine numbers of twelve.
    constexpr int vectors = 3;
    const Four last = {1, 0, 0, 0};
    const float *from = &found.values[found.place(part.x - half_window + left, part.y - half_window + top)];
    Four upper[vectors];
    const auto row_between = [&](const float *row, Four *between) {
        for (int k = 0; k < vectors; ++k) {
            const Four value = load(row + 4 * k);
            between[k] = value + fx * (load(row + 4 * k + 1) - value);
        }
    };
    row_between(from, upper);
    Four total = {}, squares = {}, products = {}, found_x = {}, found_y = {};
    for (int row = 0; row < window; ++row) {
        from += found.stride;
        Four lower[vectors];
        row_between(from, lower);
        const size_t place = print.light.place(part.x - half_window, part.y - half_window + row);
        for (int k = 0; k < vectors; ++k) {
            Four value = upper[k] + fy * (lower[k] - upper[k]);
            if (k == vectors - 1) value *= last;
            upper[k] = lower[k];
            total += value;
            squares += value * value;
            products += value * (load(&print.light.values[place] + 4 * k) - part.mean);
            found_x += value * load(&print.across.values[place] + 4 * k);
            found_y += value * load(&print.down.values[place] + 4 * k);
        }
    }
    Likeness likeness;
    likeness.mean = sum(total) / window_area;
    likeness.deviation = std::sqrt(std::max(0.0f, sum(squares) / window_area - likeness.mean * likeness.mean));
    likeness.correlation =
        sum(products) / (window_area * std::max(likeness.deviation, 0.5f) * std::max(part.deviation, 0.5f));
    likeness.found_x = sum(found_x);
    likeness.found_y = sum(found_y);
    return likeness;
}

/// Shifts a part until it fits best (Lucas and Kanade 1981), under a gain and an offset of its own.
void settle(const Drawing &print, const Raster &found, Part &part, float reach) {
    Likeness now = compare(print, found, part, 0, 0);
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
        const Likeness next = compare(print, found, part, dx, dy);
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

/// The homography that carries the parts to where they were found.
Homography followed(const Homography &h, const Raster &print, const std::vector<Part> &parts, bool is_inverse) {
    Homography better = h;
    for (int round = 0; round < 3; ++round) {
        NormalEquations equations;
        double scale = 0;
        for (const Part &part : parts) {
            if (!part.is_structured || !part.is_inside) continue;
            const float correlation = is_inverse ? -part.correlation : part.correlation;
            if (correlation < 0.5f) continue;
            const double px = (part.x + 0.5) / print.width, py = (part.y + 0.5) / print.height;
            const double tx = (part.x + part.dx + 0.5) / print.width, ty = (part.y + part.dy + 0.5) / print.height;
            double u, v, x, y, j[4];
            if (!h.image(tx, ty, u, v) || !better.image(px, py, x, y) || !h.derivative(px, py, j)) continue;
            // The raster's step in pixels, and its inverse, which brings residuals back to the raster.
            const double a = j[0] / print.width, b = j[1] / print.height;
            const double c = j[2] / print.width, d = j[3] / print.height;
            const double determinant = a * d - b * c;
            if (determinant < 1e-9) continue;
            const double rx = u - x, ry = v - y;
            const double sx = (d * rx - b * ry) / determinant, sy = (a * ry - c * rx) / determinant;
            const double noise = part.deviation * part.deviation * (1.02 - correlation * correlation);
            const double xx = part.xx / noise, xy = part.xy / noise, yy = part.yy / noise;
            // Cauchy's weights: half a pixel of the raster is as good as a part is placed.
            const double square = (xx * sx * sx + 2 * xy * sx * sy + yy * sy * sy) / (xx + yy) * 4;
            const double weight = 1 / (1 + square);
            // Information in the picture's axes: J⁻ᵀ Λ J⁻¹.
            const double i00 = d / determinant, i01 = -b / determinant, i10 = -c / determinant, i11 = a / determinant;
            const double l00 = weight * (i00 * i00 * xx + 2 * i00 * i10 * xy + i10 * i10 * yy);
            const double l01 = weight * (i00 * i01 * xx + (i00 * i11 + i10 * i01) * xy + i10 * i11 * yy);
            const double l11 = weight * (i01 * i01 * xx + 2 * i01 * i11 * xy + i11 * i11 * yy);
            equations.add_point(better, px, py, rx, ry, l00, l01, l11);
            scale += l00 + l11;
        }
        if (scale <= 0) return h;
        for (int k = 0; k < 8; ++k) {
            equations.add_prior(k, 0, 1e-7 * equations.matrix[k][k] + 1e-9);
        }
        double step[8];
        if (!equations.solve(step)) return h;
        for (int k = 0; k < 8; ++k) better.m[k] += step[k];
        for (int corner = 0; corner < 4; ++corner) {
            double u, v, j[4];
            const double px = corner & 1, py = corner >> 1;
            if (!better.image(px, py, u, v) || !better.derivative(px, py, j) || j[0] * j[3] - j[1] * j[2] <= 0) return h;
        }
    }
    return better;
}

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

/// How many structured parts cannot be told from hidden ones: parts that do not agree and hang together with the border.
/// Plain ground that is plain in the picture agrees, too: what stands on it is missing, and nothing lies over it.
int count_hidden(const std::vector<Part> &parts, const std::vector<uint8_t> &agrees, int columns) {
    const int rows = int(parts.size()) / columns;
    std::vector<uint8_t> is_reached(parts.size(), 0);
    std::vector<int> open;
    const auto reach = [&](int column, int row) {
        const int place = row * columns + column;
        const Part &part = parts[size_t(place)];
        if (is_reached[size_t(place)] || agrees[size_t(place)] || !part.is_inside) return;
        is_reached[size_t(place)] = 1;
        open.push_back(place);
    };
    for (int column = 0; column < columns; ++column) {
        reach(column, 0);
        reach(column, rows - 1);
    }
    for (int row = 0; row < rows; ++row) {
        reach(0, row);
        reach(columns - 1, row);
    }
    int count = 0;
    while (!open.empty()) {
        const int place = open.back(), column = place % columns, row = place / columns;
        open.pop_back();
        count += parts[size_t(place)].is_structured;
        if (column > 0) reach(column - 1, row);
        if (column + 1 < columns) reach(column + 1, row);
        if (row > 0) reach(column, row - 1);
        if (row + 1 < rows) reach(column, row + 1);
    }
    return count;
}

void judge(
    const std::vector<Part> &parts, int columns, double slack, bool is_inverse, double pixel_px,
    CFeaturesAgreement &agreement) {
    int structured = 0, inside = 0, agreeing = 0;
    double correlations = 0, squares = 0;
    std::vector<float> contrasts;
    const auto agrees = [&](const Part &part) {
        const float correlation = is_inverse ? -part.correlation : part.correlation;
        return part.is_inside && correlation > 0.7f &&
               double(part.dx) * part.dx + double(part.dy) * part.dy <= slack * slack;
    };
    for (const Part &part : parts) {
        if (!part.is_structured) continue;
        ++structured;
        if (!part.is_inside) continue;
        ++inside;
        if (!agrees(part)) continue;
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
    std::vector<uint8_t> are_agreeing;
    for (const Part &part : parts) {
        const bool is_plain_found = part.is_plain && part.is_inside && part.found_deviation < plain_deviation;
        are_agreeing.push_back((part.is_structured && agrees(part)) || is_plain_found);
    }
    agreement.hidden = inside > 0 ? float(count_hidden(parts, are_agreeing, columns)) / float(inside) : 0;
    agreement.contradiction_count = count_contradictions(parts, columns, gain, highest, is_inverse, slack);
    agreement.structured = inside > 0 ? float(agreeing) / float(inside) : 0;
    agreement.visible = structured > 0 ? float(inside) / float(structured) : 0;
    agreement.correlation = agreeing > 0 ? float(correlations / agreeing) : 0;
    agreement.part_count = agreeing;
    agreement.is_inverse = is_inverse;
    agreement.deviation_px = agreeing > 0 ? float(std::sqrt(squares / (2 * agreeing)) * pixel_px) : 0;
}

} // namespace
} // namespace cfeatures

using namespace cfeatures;

CFeaturesStatus cfeatures_align(
    const CFeaturesScaleSpace *space, const CFeaturesTemplate *print, double *pixel_from_print, int32_t longer_side,
    int32_t rounds, double slack, CFeaturesAgreement *agreement) {
    if (!space || !print || !print->pixels || !pixel_from_print || !agreement || space->octave_count == 0 ||
        print->width < 8 || print->height < 8 || longer_side < 32 || longer_side > 128 || rounds < 0 || rounds > 8)
        return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        *agreement = CFeaturesAgreement{};
        Homography h;
        std::copy_n(pixel_from_print, 9, h.m);
        double j[4];
        if (!h.derivative(0.5, 0.5, j) || !(j[0] * j[3] - j[1] * j[2] > 0)) return CFEATURES_OK;
        Raster raster = resampled(*print, longer_side);
        const double pixel_px = std::sqrt((j[0] * j[3] - j[1] * j[2]) / (double(raster.width) * raster.height));
        double sigma_px, size_px;
        const Plane &plane = fitting_plane(*space, pixel_px, sigma_px, size_px);
        const double sigma = sigma_px / pixel_px;
        smooth(raster, std::clamp(sigma * sigma - 0.1, 0.0, 6.0));
        const Drawing drawing(std::move(raster));
        const Raster &drawn = drawing.light;
        std::vector<Part> parts = make_parts(drawing, sigma);
        Raster found(drawn.width, drawn.height);
        std::vector<uint8_t> inside(found.values.size());
        for (int round = 0; round <= rounds; ++round) {
            unwarp(*space, plane, size_px, h, found, inside);
            double polarity = 0;
            for (Part &part : parts) {
                part.is_inside = true;
                for (const int dy : {-half_window - 1, half_window + 1}) {
                    for (const int dx : {-half_window - 1, half_window + 1}) {
                        const size_t place =
                            size_t(part.y + dy + margin) * size_t(found.stride) + size_t(part.x + dx + margin);
                        part.is_inside = part.is_inside && inside[place] != 0;
                    }
                }
                if (!part.is_inside || !(part.is_structured || part.is_plain)) continue;
                if (part.is_structured) {
                    settle(drawing, found, part, 3);
                    polarity += double(part.correlation) * std::abs(part.correlation);
                } else {
                    const Likeness likeness = compare(drawing, found, part, 0, 0);
                    part.correlation = likeness.correlation;
                    part.found_deviation = likeness.deviation;
                }
            }
            const bool is_inverse = polarity < 0;
            judge(parts, (drawn.width - cell / 2 + cell - 1) / cell, slack, is_inverse, pixel_px, *agreement);
            if (round < rounds) h = followed(h, drawn, parts, is_inverse);
        }
        std::copy_n(h.m, 9, pixel_from_print);
        return CFEATURES_OK;
    });
}
