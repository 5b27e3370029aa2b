// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Homographies from a print, the unit square, and their least squares.

#pragma once

#include "LeastSquares.hpp"
#include "Rounding.hpp"

#include <cmath>
#include <cstring>

namespace cfeatures {

/// Row by row, the last number 1.
struct Homography {
    double m[9];

    bool image(double x, double y, double &u, double &v) const {
        const double w = m[6] * x + m[7] * y + m[8];
        if (w < 1e-6) return false;
        u = (m[0] * x + m[1] * y + m[2]) / w;
        v = (m[3] * x + m[4] * y + m[5]) / w;
        return true;
    }

    /// du/dx, du/dy, dv/dx, dv/dy.
    bool derivative(double x, double y, double *j) const {
        const double w = m[6] * x + m[7] * y + m[8];
        if (w < 1e-6) return false;
        const double u = (m[0] * x + m[1] * y + m[2]) / w, v = (m[3] * x + m[4] * y + m[5]) / w;
        j[0] = (m[0] - u * m[6]) / w;
        j[1] = (m[1] - u * m[7]) / w;
        j[2] = (m[3] - v * m[6]) / w;
        j[3] = (m[4] - v * m[7]) / w;
        return true;
    }
};

/// The normal equations of steps of a homography's first eight numbers.
struct HomographyEquations : NormalEquations<8> {
    /// The print's place (x, y) is off by (rx, ry) in the picture.
    void add_point(const Homography &h, double x, double y, double rx, double ry, double weight) {
        double first[8], second[8];
        rows(h, x, y, first, second);
        add(first, rx, weight);
        add(second, ry, weight);
    }

    /// The same along two directions of different weight: information `xx, xy, yy`.
    void add_point(
        const Homography &h, double x, double y, double rx, double ry, double xx, double xy, double yy) {
        double first[8], second[8];
        rows(h, x, y, first, second);
        for (int i = 0; i < 8; ++i) {
            const double a = xx * first[i] + xy * second[i], b = xy * first[i] + yy * second[i];
            right[i] += a * rx + b * ry;
            for (int j = 0; j <= i; ++j) matrix[i][j] += a * first[j] + b * second[j];
        }
    }

private:
    static void rows(const Homography &h, double x, double y, double *first, double *second) {
        const double w = 1 / (h.m[6] * x + h.m[7] * y + h.m[8]);
        const double u = (h.m[0] * x + h.m[1] * y + h.m[2]) * w, v = (h.m[3] * x + h.m[4] * y + h.m[5]) * w;
        const double a[8] = {x * w, y * w, w, 0, 0, 0, -u * x * w, -u * y * w};
        const double b[8] = {0, 0, 0, x * w, y * w, w, -v * x * w, -v * y * w};
        std::memcpy(first, a, sizeof a);
        std::memcpy(second, b, sizeof b);
    }
};

} // namespace cfeatures
