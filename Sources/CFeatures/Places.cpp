// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Places of a print on which matches agree.

#include "Homography.hpp"
#include "ScaleSpace.hpp"
#include "Witness.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {
namespace {

constexpr int hypothesis_limit = 40, match_limit = 400;

/// The affine map of a witness as a homography.
Homography first_order(const Witness &w) {
    return {{w.a, w.b, w.qx - w.a * w.px - w.b * w.py, w.c, w.d, w.qy - w.c * w.px - w.d * w.py, 0, 0, 1}};
}

/// Whether a witness's own map turns and scales as the homography does around it.
bool is_alike(const Witness &w, const Homography &h) {
    double j[4];
    if (!h.derivative(w.px, w.py, j)) return false;
    const double det_h = j[0] * j[3] - j[1] * j[2], det_w = w.a * w.d - w.b * w.c;
    if (det_h <= 0 || det_w > 4.5 * det_h || det_h > 4.5 * det_w) return false;
    // The rotation nearest to W H⁻¹ must be small.
    const double m00 = w.a * j[3] - w.b * j[2], m01 = w.b * j[0] - w.a * j[1];
    const double m10 = w.c * j[3] - w.d * j[2], m11 = w.d * j[0] - w.c * j[1];
    return std::abs(m10 - m01) < 0.7 * (m00 + m11);
}

/// The witnesses that agree with a homography: at most one for each feature and for each place on the print. Where one
/// witness alone gave the homography, the others may be farther off the farther they are from it.
///
/// - beaten: what finds no more than so many may end sooner.
void find_support(
    const std::vector<Witness> &witnesses, const Homography &h, double size, double tolerance, const Witness *origin,
    bool is_inverse, size_t beaten, std::vector<int> &support) {
    support.clear();
    constexpr double growth = 0.15;
    const double widest = 0.45 * size;
    double middle_x, middle_y;
    if (!h.image(0.5, 0.5, middle_x, middle_y)) return;
    constexpr int cells = 32;
    bool taken[cells * cells] = {};
    uint16_t features[match_limit];
    for (int i = 0; i < int(witnesses.size()) && support.size() + witnesses.size() - size_t(i) > beaten; ++i) {
        const Witness &w = witnesses[size_t(i)];
        if (w.is_used || w.is_inverse != is_inverse) continue;
        // Witnesses of one place put the print's middle close to each other.
        const double mx = w.middle_x - middle_x, my = w.middle_y - middle_y;
        if (mx * mx + my * my > widest * widest) continue;
        double x, y;
        if (!h.image(w.px, w.py, x, y)) continue;
        const double dx = x - w.qx, dy = y - w.qy, square = dx * dx + dy * dy;
        double reach = tolerance * size + 0.7 * w.scale;
        if (origin && square > reach * reach) {
            const double ox = x - origin->qx, oy = y - origin->qy;
            reach += growth * std::sqrt(ox * ox + oy * oy);
        }
        if (square > reach * reach || !is_alike(w, h)) continue;
        const int cell = std::min(cells - 1, int(w.py * cells)) * cells + std::min(cells - 1, int(w.px * cells));
        const auto end = features + support.size();
        if (taken[cell] || std::find(features, end, w.feature) != end) continue;
        taken[cell] = true;
        *end = w.feature;
        support.push_back(i);
    }
}

/// The homography nearest to the supporting witnesses, from a start; little perspective unless they ask for it.
Homography fitted(
    const std::vector<Witness> &witnesses, const std::vector<int> &support, const Homography &start, double size) {
    Homography h = start;
    const bool is_affine = support.size() < 6;
    for (int round = 0; round < 4; ++round) {
        HomographyEquations equations;
        for (const int i : support) {
            const Witness &w = witnesses[size_t(i)];
            double x, y;
            if (!h.image(w.px, w.py, x, y)) continue;
            const double rx = w.qx - x, ry = w.qy - y;
            const double deviation = 0.004 * size + 0.25 * w.scale;
            const double square = (rx * rx + ry * ry) / (deviation * deviation);
            equations.add_point(h, w.px, w.py, rx, ry, 1 / (deviation * deviation * (1 + square / 9)));
        }
        // Perspective turns corners of the print by less than a third of its size, unless seen.
        const double stiffness = is_affine ? 1e12 : 9;
        equations.add_prior(6, -h.m[6], stiffness);
        equations.add_prior(7, -h.m[7], stiffness);
        // Two witnesses do not fix an affine map: what they leave open stays.
        for (int k = 0; k < 6; ++k) equations.add_prior(k, 0, 1e-2 / (size * size * 0.01));
        double step[8];
        if (!equations.solve(step)) break;
        for (int k = 0; k < 8; ++k) h.m[k] += step[k];
    }
    return h;
}

double mean_side(const Homography &h) {
    double j[4];
    if (!h.derivative(0.5, 0.5, j)) return 0;
    const double determinant = j[0] * j[3] - j[1] * j[2];
    return determinant > 0 ? std::sqrt(determinant) : 0;
}

} // namespace
} // namespace cfeatures

using namespace cfeatures;

CFeaturesStatus cfeatures_find_places(
    const CFeaturesIndex *index, const CFeature *features, const CFeaturesMatch *matches, int32_t match_count,
    int32_t least_support, CFeaturesPlace *places, int32_t capacity, int32_t *count) {
    if (!index || !count || match_count < 0 || (match_count > 0 && (!matches || !features)) ||
        least_support < 3 || capacity < 0 || (capacity > 0 && !places))
        return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        std::vector<Witness> witnesses;
        for (int i = 0; i < match_count && int(witnesses.size()) < match_limit; ++i) {
            const CFeaturesMatch &match = matches[i];
            if (match.posting >= index->posting_count) continue;
            const CFeature &feature = features[match.feature];
            Witness witness;
            witness.feature = match.feature;
            if (witness.set(index->postings[match.posting], feature, Along(feature), match.is_inverse))
                witnesses.push_back(witness);
        }
        *count = 0;
        std::vector<int> support, best_support;
        while (*count < capacity) {
            best_support.clear();
            Homography best{};
            for (int i = 0; i < std::min(int(witnesses.size()), hypothesis_limit); ++i) {
                const Witness &origin = witnesses[size_t(i)];
                if (origin.is_used) continue;
                const Homography h = first_order(origin);
                const double size = origin.size;
                if (size < 20 || size > 6000) continue;
                find_support(witnesses, h, size, 0.03, &origin, origin.is_inverse, best_support.size(), support);
                if (support.size() > best_support.size()) {
                    best_support = support;
                    best = h;
                }
                if (best_support.size() * 3 > witnesses.size() && best_support.size() > 12) break;
            }
            if (int(best_support.size()) < least_support) break;
            const bool is_inverse = witnesses[size_t(best_support.front())].is_inverse;
            double tolerance = 0.04;
            for (int round = 0; round < 3; ++round, tolerance = std::max(0.015, tolerance * 0.6)) {
                const double size = mean_side(best);
                const Homography better = fitted(witnesses, best_support, best, size);
                if (mean_side(better) < 12) break;
                find_support(witnesses, better, size, tolerance, nullptr, is_inverse, 0, support);
                if (int(support.size()) < least_support || support.size() * 3 < best_support.size() * 2) break;
                best = better;
                best_support = support;
            }
            CFeaturesPlace &place = places[(*count)++];
            std::copy_n(best.m, 9, place.pixel_from_print);
            place.support = int32_t(best_support.size());
            place.is_inverse = is_inverse;
            // What lies in this place tells of no other one.
            const double size = mean_side(best);
            for (Witness &w : witnesses) {
                double x, y;
                if (best.image(w.px, w.py, x, y) && (x - w.qx) * (x - w.qx) + (y - w.qy) * (y - w.qy) < 0.04 * size * size)
                    w.is_used = true;
            }
            for (const int i : best_support) witnesses[size_t(i)].is_used = true;
        }
        return CFEATURES_OK;
    });
}
