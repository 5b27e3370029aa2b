// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// How well a print lies where it is thought to be, judged on the pixels.

#include "Homography.hpp"
#include "Light.hpp"
#include "Marks.hpp"
#include "Parts.hpp"
#include "ScaleSpace.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cfeatures {
namespace {

/// The homography that carries the parts to where they were found.
Homography followed(const Homography &h, const Raster &print, const std::vector<Part> &parts, bool is_inverse) {
    Homography better = h;
    for (int round = 0; round < 3; ++round) {
        HomographyEquations equations;
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

/// A print in a raster, ready to be compared with the picture where a homography puts it.
struct Comparison {
    const CFeaturesScaleSpace &space;
    double pixel_px = 1, sigma_px = 0, size_px = 1;
    const Plane *plane = nullptr;
    Drawing drawing;
    std::vector<Part> parts;
    Raster found;
    std::vector<uint8_t> inside;

    Comparison(const CFeaturesScaleSpace &space, const CFeaturesTemplate &print, int longer_side, double area_px)
        : space(space), drawing(prepared(print, longer_side, area_px)), parts(make_parts(drawing, sigma_px / pixel_px)),
          found(drawing.light.width, drawing.light.height), inside(found.values.size()) {}

    int columns() const { return part_columns(found.width); }

    /// Tells what is asked of a print that may be named: its marks, and the light on it.
    void tell_closely(CFeaturesAgreement &agreement) const {
        agreement.mark_count = count_marks(drawing, parts, columns());
        tell_light(drawing, found, parts, columns(), agreement);
    }

private:
    Raster prepared(const CFeaturesTemplate &print, int longer_side, double area_px) {
        Raster raster = resampled(print, longer_side);
        pixel_px = std::sqrt(area_px / (double(raster.width) * raster.height));
        plane = &fitting_plane(space, pixel_px, sigma_px, size_px);
        const double sigma = sigma_px / pixel_px;
        smooth(raster, std::clamp(sigma * sigma - 0.1, 0.0, 6.0));
        return raster;
    }
};

/// How large the print is in the picture, by its middle; false where it is seen from behind.
bool find_area(const Homography &h, double &area_px) {
    double j[4];
    if (!h.derivative(0.5, 0.5, j)) return false;
    area_px = j[0] * j[3] - j[1] * j[2];
    return area_px > 0;
}

/// By how many pixels of the raster corners move where a print has settled: a fraction of what a part's place is known to.
constexpr double settled_motion = 0.15;

/// How far the print's corners move from one homography to another, in pixels of the picture.
double corner_motion(const Homography &from, const Homography &to) {
    double most = 0;
    for (int corner = 0; corner < 4; ++corner) {
        double u, v, x, y;
        const double px = corner & 1, py = corner >> 1;
        if (!from.image(px, py, u, v) || !to.image(px, py, x, y)) return HUGE_VAL;
        most = std::max(most, std::hypot(x - u, y - v));
    }
    return most;
}

/// Whether a picture was taken in, and a print is large enough to have parts.
bool can_compare(const CFeaturesScaleSpace *space, const CFeaturesTemplate *print) {
    return space && space->octave_count > 0 && print && print->pixels && print->width >= 8 && print->height >= 8;
}

/// The bend that carries the parts to where they were found, from the one under which they were looked for.
Bend followed(const Bend &bend, const Raster &print, const std::vector<Part> &parts, bool is_inverse) {
    Bend better = bend;
    for (int round = 0; round < 2; ++round) {
        std::vector<Bend::Knowledge> known;
        for (const Part &part : parts) {
            const float correlation = is_inverse ? -part.correlation : part.correlation;
            if (!part.is_structured || !part.is_inside || correlation < 0.5f) continue;
            const double x = (part.x + 0.5) / print.width, y = (part.y + 0.5) / print.height;
            double dx, dy, old_dx, old_dy;
            bend.shift(x, y, dx, dy);
            better.shift(x, y, old_dx, old_dy);
            dx += part.dx / print.width;
            dy += part.dy / print.height;
            // Cauchy's weights, as for flat prints, but for the first round, in which the bend is not known.
            const double off_x = (dx - old_dx) * print.width, off_y = (dy - old_dy) * print.height;
            const double off = off_x * off_x + off_y * off_y;
            const double noise = part.deviation * part.deviation * (1.02 - correlation * correlation);
            const double information = std::min(part.xx, part.yy) / noise;
            known.push_back({x, y, dx, dy, information / (1 + (round == 0 ? 0.25 : 4) * off)});
        }
        better = Bend::following(known);
    }
    return better;
}

} // namespace
} // namespace cfeatures

using namespace cfeatures;

CFeaturesStatus cfeatures_align_bent(
    const CFeaturesScaleSpace *space, const CFeaturesTemplate *print, const double *pixel_from_print, double slack,
    CFeaturesAgreement *agreement, double *bending) {
    if (!can_compare(space, print) || !pixel_from_print || !agreement || !bending) return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        *agreement = CFeaturesAgreement{};
        *bending = 0;
        Homography h;
        std::copy_n(pixel_from_print, 9, h.m);
        double area_px;
        if (!find_area(h, area_px)) return CFEATURES_OK;
        Bend bend;
        for (const auto &[longer_side, least_rounds, most_rounds] :
             {std::tuple{48, 4, 10}, std::tuple{64, 4, 10}, std::tuple{128, 3, 6}}) {
            Comparison comparison(*space, *print, longer_side, area_px);
            float best = 0;
            for (int round = 0;; ++round) {
                unwarp(*space, *comparison.plane, comparison.size_px, h, bend, comparison.found, comparison.inside);
                const bool is_inverse =
                    find_parts(comparison.drawing, comparison.found, comparison.inside, comparison.parts);
                *agreement = judged(comparison.parts, comparison.columns(), slack, is_inverse, comparison.pixel_px);
                // What is folded most is found last, from what lies beside it.
                if (round == most_rounds || (round >= least_rounds && agreement->structured <= best)) break;
                best = std::max(best, agreement->structured);
                bend = followed(bend, comparison.found, comparison.parts, is_inverse);
            }
            // What does not fit roughly does not fit closely.
            if (longer_side == 64 && agreement->structured < 0.7f) return CFEATURES_OK;
            if (longer_side == 128) comparison.tell_closely(*agreement);
        }
        if (!bend.is_gentle()) *agreement = CFeaturesAgreement{};
        *bending = bend.size();
        return CFEATURES_OK;
    });
}

CFeaturesStatus cfeatures_align(
    const CFeaturesScaleSpace *space, const CFeaturesTemplate *print, double *pixel_from_print, int32_t longer_side,
    int32_t rounds, double slack, double least_told, CFeaturesAgreement *agreement) {
    if (!can_compare(space, print) || !pixel_from_print || !agreement || longer_side < 32 || longer_side > 128 ||
        rounds < 0 || rounds > 8)
        return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        *agreement = CFeaturesAgreement{};
        Homography h;
        std::copy_n(pixel_from_print, 9, h.m);
        double area_px;
        if (!find_area(h, area_px)) return CFEATURES_OK;
        Comparison comparison(*space, *print, longer_side, area_px);
        for (int round = 0;; ++round) {
            unwarp(*space, *comparison.plane, comparison.size_px, h, comparison.found, comparison.inside);
            const bool is_inverse =
                find_parts(comparison.drawing, comparison.found, comparison.inside, comparison.parts);
            *agreement = judged(comparison.parts, comparison.columns(), slack, is_inverse, comparison.pixel_px);
            if (round == rounds) break;
            const Homography before = h;
            h = followed(h, comparison.found, comparison.parts, is_inverse);
            // What lies still shows the same once more.
            if (corner_motion(before, h) < settled_motion * comparison.pixel_px) break;
        }
        if (double(agreement->structured) >= least_told) comparison.tell_closely(*agreement);
        std::copy_n(h.m, 9, pixel_from_print);
        return CFEATURES_OK;
    });
}
