// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Homographies from a print, the unit square, and their least squares.

#pragma once

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

/// Normal equations for steps of the first eight numbers.
struct NormalEquations {
    double matrix[8][8] = {};
    double right[8] = {};

    void add(const double *row, double residual, double weight) {
        for (int i = 0; i < 8; ++i) {
            const double scaled = row[i] * weight;
            right[i] += scaled * residual;
            for (int j = 0; j <= i; ++j) matrix[i][j] += scaled * row[j];
        }
    }

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

    void add_prior(int parameter, double residual, double weight) {
        matrix[parameter][parameter] += weight;
        right[parameter] += weight * residual;
    }

    /// Cholesky's decomposition; false where the matrix is not positive definite.
    bool solve(double *step) const {
        double l[8][8];
        for (int i = 0; i < 8; ++i) {
            for (int j = 0; j <= i; ++j) {
                double sum = matrix[i][j];
                for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
                if (i == j) {
                    if (!(sum > 1e-12)) return false;
                    l[i][i] = std::sqrt(sum);
                } else {
                    l[i][j] = sum / l[j][j];
                }
            }
        }
        for (int i = 0; i < 8; ++i) {
            double sum = right[i];
            for (int k = 0; k < i; ++k) sum -= l[i][k] * step[k];
            step[i] = sum / l[i][i];
        }
        for (int i = 7; i >= 0; --i) {
            for (int k = i + 1; k < 8; ++k) step[i] -= l[k][i] * step[k];
            step[i] /= l[i][i];
        }
        return true;
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
