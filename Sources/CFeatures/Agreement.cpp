// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// How well a print lies where it is thought to be, judged on the pixels.

#include "Homography.hpp"
#include "ScaleSpace.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

constexpr int half_window = 4, window = 2 * half_window + 1, window_area = window * window;
constexpr int cell = 8;
constexpr int margin = half_window + 4;

/// A picture of numbers with a margin, so that windows may reach out.
struct Raster {
    int width, height, stride;
    std::vector<float> values;

    Raster(int width, int height)
        : width(width), height(height), stride(width + 2 * margin),
          values(size_t(stride) * size_t(height + 2 * margin)) {}
    float &at(int x, int y) { return values[size_t(y + margin) * size_t(stride) + size_t(x + margin)]; }
    float at(int x, int y) const { return values[size_t(y + margin) * size_t(stride) + size_t(x + margin)]; }
};

/// The template as it is under `longer_side`, its edge continued into the margin.
Raster resampled(const CFeaturesTemplate &print, int longer_side) {
    const double scale = std::min(1.0, double(longer_side) / std::max(print.width, print.height));
    Raster raster(std::max(8, int(std::lround(print.width * scale))), std::max(8, int(std::lround(print.height * scale))));
    if (raster.width == print.width && raster.height == print.height) {
        for (int y = -margin; y < raster.height + margin; ++y) {
            const uint8_t *row = print.pixels + int64_t(std::clamp(y, 0, print.height - 1)) * print.width;
            float *out = &raster.at(-margin, y);
            for (int x = -margin; x < raster.width + margin; ++x) *out++ = row[std::clamp(x, 0, print.width - 1)];
        }
        return raster;
    }
    const double sx = double(print.width) / raster.width, sy = double(print.height) / raster.height;
    const auto light = [&](int x, int y) { return double(print.pixels[int64_t(y) * print.width + x]); };
    for (int y = -margin; y < raster.height + margin; ++y) {
        const double top = std::clamp(y * sy, 0.0, print.height - sy), bottom = top + sy;
        for (int x = -margin; x < raster.width + margin; ++x) {
            const double left = std::clamp(x * sx, 0.0, print.width - sx), right = left + sx;
            double sum = 0;
            for (int v = int(top); v < bottom - 1e-9; ++v) {
                const double height = std::min(bottom, v + 1.0) - std::max(top, double(v));
                for (int u = int(left); u < right - 1e-9; ++u) {
                    sum += height * (std::min(right, u + 1.0) - std::max(left, double(u))) * light(u, v);
                }
            }
            raster.at(x, y) = float(sum / (sx * sy));
        }
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

/// A window of the template, and what is found of it in the picture.
struct Part {
    int x, y;
    float mean, deviation;
    /// Σ ∇T ∇Tᵀ.
    float xx, xy, yy;
    bool is_structured, is_plain;
    bool is_inside = false;
    float dx = 0, dy = 0, correlation = 0, found_deviation = 0;
};

std::vector<Part> make_parts(const Raster &print) {
    std::vector<Part> parts;
    for (int y = cell / 2; y < print.height; y += cell) {
        for (int x = cell / 2; x < print.width; x += cell) {
            Part part{};
            part.x = x;
            part.y = y;
            float sum = 0, squares = 0;
            for (int v = y - half_window; v <= y + half_window; ++v) {
                for (int u = x - half_window; u <= x + half_window; ++u) {
                    const float value = print.at(u, v);
                    sum += value;
                    squares += value * value;
                    const float gx = 0.5f * (print.at(u + 1, v) - print.at(u - 1, v));
                    const float gy = 0.5f * (print.at(u, v + 1) - print.at(u, v - 1));
                    part.xx += gx * gx;
                    part.xy += gx * gy;
                    part.yy += gy * gy;
                }
            }
            part.mean = sum / window_area;
            part.deviation = std::sqrt(std::max(0.0f, squares / window_area - part.mean * part.mean));
            parts.push_back(part);
        }
    }
    float highest = 0;
    for (const Part &part : parts) highest = std::max(highest, part.deviation);
    for (Part &part : parts) {
        part.is_structured = part.deviation > std::max(3.0f, 0.15f * highest);
        part.is_plain = part.deviation < std::max(1.0f, 0.02f * highest);
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

/// The picture as it lies on the print; `inside` says which pixels the picture has.
void unwarp(
    const CFeaturesScaleSpace &space, const Plane &plane, double size_px, const Homography &pixel_from_print, Raster &found,
    std::vector<uint8_t> &inside) {
    const float shift = 0.5f * (float(1 << space.halvings) - 1), per_px = float(1 / size_px);
    const double *m = pixel_from_print.m;
    const float m0 = float(m[0]), m3 = float(m[3]), m6 = float(m[6]), step = 1 / float(found.width);
    const float unit = 1 / float(1 << light_shift);
    for (int y = -margin; y < found.height + margin; ++y) {
        const double py = (y + 0.5) / found.height;
        const float column_u = float(m[1] * py + m[2]), column_v = float(m[4] * py + m[5]);
        const float column_w = float(m[7] * py + m[8]);
        for (int x = -margin; x < found.width + margin; ++x) {
            const float px = (float(x) + 0.5f) * step;
            const float w = m6 * px + column_w;
            const size_t place = size_t(y + margin) * size_t(found.stride) + size_t(x + margin);
            inside[place] = 0;
            found.values[place] = 0;
            if (w < 1e-6f) continue;
            const float inverse = 1 / w;
            const float u = ((m0 * px + column_u) * inverse - shift) * per_px;
            const float v = ((m3 * px + column_v) * inverse - shift) * per_px;
            if (!(u >= 0 && v >= 0 && u < float(plane.width - 1) && v < float(plane.height - 1))) continue;
            const int column = int(u), row = int(v);
            const float fu = u - float(column), fv = v - float(row);
            const uint16_t *upper = plane.row(row) + column, *lower = upper + plane.width;
            const float top = float(upper[0]) + fu * (float(upper[1]) - float(upper[0]));
            const float bottom = float(lower[0]) + fu * (float(lower[1]) - float(lower[0]));
            found.values[place] = (top + fv * (bottom - top)) * unit;
            inside[place] = 1;
        }
    }
}

/// The correlation of a part with the picture when it is shifted; the window of the picture is left in `values`.
float correlate(const Raster &print, const Raster &found, const Part &part, float dx, float dy, float *values, float &deviation) {
    const int left = int(std::floor(dx)), top = int(std::floor(dy));
    const float fx = dx - float(left), fy = dy - float(top);
    float sum = 0, squares = 0, product = 0;
    for (int v = -half_window; v <= half_window; ++v) {
        for (int u = -half_window; u <= half_window; ++u) {
            const int x = part.x + u + left, y = part.y + v + top;
            const float upper = found.at(x, y) + fx * (found.at(x + 1, y) - found.at(x, y));
            const float lower = found.at(x, y + 1) + fx * (found.at(x + 1, y + 1) - found.at(x, y + 1));
            const float value = upper + fy * (lower - upper);
            *values++ = value;
            sum += value;
            squares += value * value;
            product += value * (print.at(part.x + u, part.y + v) - part.mean);
        }
    }
    const float mean = sum / window_area;
    deviation = std::sqrt(std::max(0.0f, squares / window_area - mean * mean));
    return product / (window_area * std::max(deviation, 0.5f) * std::max(part.deviation, 0.5f));
}

/// Shifts a part until it fits best (Lucas and Kanade 1981), under a gain and an offset of its own.
void settle(const Raster &print, const Raster &found, Part &part, float reach) {
    float values[window_area];
    float deviation;
    part.dx = part.dy = 0;
    part.correlation = correlate(print, found, part, 0, 0, values, deviation);
    part.found_deviation = deviation;
    const float damping = 0.02f * (part.xx + part.yy) + 1e-3f;
    const float xx = part.xx + damping, yy = part.yy + damping;
    const float determinant = xx * yy - part.xy * part.xy;
    for (int round = 0; round < 4; ++round) {
        float mean = 0;
        for (const float value : values) mean += value;
        mean /= window_area;
        const float gain = (part.correlation < 0 ? -1.0f : 1.0f) * part.deviation / std::max(deviation, 0.5f);
        float bx = 0, by = 0;
        for (int v = -half_window, i = 0; v <= half_window; ++v) {
            for (int u = -half_window; u <= half_window; ++u, ++i) {
                const int x = part.x + u, y = part.y + v;
                const float residual = print.at(x, y) - part.mean - gain * (values[i] - mean);
                bx += 0.5f * (print.at(x + 1, y) - print.at(x - 1, y)) * residual;
                by += 0.5f * (print.at(x, y + 1) - print.at(x, y - 1)) * residual;
            }
        }
        const float dx = part.dx + (yy * bx - part.xy * by) / determinant;
        const float dy = part.dy + (xx * by - part.xy * bx) / determinant;
        if (!(std::abs(dx) <= reach && std::abs(dy) <= reach)) break;
        float other[window_area], other_deviation;
        const float correlation = correlate(print, found, part, dx, dy, other, other_deviation);
        if (std::abs(correlation) < std::abs(part.correlation) || correlation * part.correlation < 0) break;
        const float step = std::abs(dx - part.dx) + std::abs(dy - part.dy);
        part.dx = dx;
        part.dy = dy;
        part.correlation = correlation;
        part.found_deviation = other_deviation;
        deviation = other_deviation;
        std::copy(other, other + window_area, values);
        if (step < 0.02f) break;
    }
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

void judge(const std::vector<Part> &parts, int columns, double slack, bool is_inverse, double pixel_px, CFeaturesAgreement &agreement) {
    int structured = 0, inside = 0, agreeing = 0, plain = 0, plain_agreeing = 0;
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
    for (const Part &part : parts) {
        if (!part.is_plain || !part.is_inside) continue;
        ++plain;
        plain_agreeing += part.found_deviation < std::max(3.0f, 0.2f * gain * highest);
    }
    agreement.contradiction_count = count_contradictions(parts, columns, gain, highest, is_inverse, slack);
    agreement.structured = inside > 0 ? float(agreeing) / float(inside) : 0;
    agreement.plain = plain > 0 ? float(plain_agreeing) / float(plain) : 1;
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
        std::vector<Part> parts = make_parts(raster);
        Raster found(raster.width, raster.height);
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
                    settle(raster, found, part, 3);
                    polarity += double(part.correlation) * std::abs(part.correlation);
                } else {
                    float values[window_area];
                    part.correlation = correlate(raster, found, part, 0, 0, values, part.found_deviation);
                }
            }
            const bool is_inverse = polarity < 0;
            judge(parts, (raster.width - cell / 2 + cell - 1) / cell, slack, is_inverse, pixel_px, *agreement);
            if (round < rounds) h = followed(h, raster, parts, is_inverse);
        }
        std::copy_n(h.m, 9, pixel_from_print);
        return CFEATURES_OK;
    });
}
