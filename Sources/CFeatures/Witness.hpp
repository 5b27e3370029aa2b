// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CFeatures.h"
#include "Rounding.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {

/// A feature's direction in the picture, as long as its scale.
struct Along {
    double x, y;

    explicit Along(const CFeature &feature)
        : x(feature.scale_px * std::cos(double(feature.angle_rad))),
          y(feature.scale_px * std::sin(double(feature.angle_rad))) {}
};

/// What one match says: the print's place `px, py` is at the picture's `qx, qy`, and around it the affine map is `a … d`.
struct Witness {
    double px, py, qx, qy;
    double a, b, c, d;
    double scale;
    /// Where it puts the print's middle, and how large the print is then.
    double middle_x, middle_y, size;
    uint16_t feature;
    uint8_t is_inverse;
    bool is_used = false;

    /// False for a posting that has no area.
    bool set(const CFeaturesPosting &posting, const CFeature &feature, const Along &along, bool inverse) {
        const double unit = 1.0 / 32767;
        const double ux = posting.along_x * unit, uy = posting.along_y * unit;
        const double vx = posting.across_x * unit, vy = posting.across_y * unit;
        const double determinant = ux * vy - uy * vx;
        if (determinant <= 1e-9) return false;
        const double turn = (inverse ? -1 : 1) / determinant;
        const double cosine = along.x * turn, sine = along.y * turn;
        // The picture's frame (columns (c, s) and (-s, c)) times the inverse of the print's (columns u and v).
        a = cosine * vy + sine * uy;
        b = -cosine * vx - sine * ux;
        c = sine * vy - cosine * uy;
        d = -sine * vx + cosine * ux;
        px = posting.x * (1 / 65535.0);
        py = posting.y * (1 / 65535.0);
        qx = feature.x_px;
        qy = feature.y_px;
        scale = feature.scale_px;
        middle_x = qx + a * (0.5 - px) + b * (0.5 - py);
        middle_y = qy + c * (0.5 - px) + d * (0.5 - py);
        size = std::sqrt(std::max(0.0, a * d - b * c));
        is_inverse = inverse;
        return true;
    }
};

} // namespace cfeatures
