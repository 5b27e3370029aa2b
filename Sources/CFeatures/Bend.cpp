// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Bend.hpp"

#include "LeastSquares.hpp"

#include <algorithm>
#include <cmath>

namespace cfeatures {

Bend::Powers Bend::powers(double place) { return chebyshev<degree>(place); }

std::array<double, Bend::count> Bend::products(double x, double y) {
    const Powers of_x = powers(x), of_y = powers(y);
    std::array<double, count> values;
    size_t next = 0;
    for (size_t i = 0; i <= degree; ++i) {
        for (size_t j = 0; i + j <= degree; ++j) values[next++] = of_x[i] * of_y[j];
    }
    return values;
}

std::array<double, Bend::count> Bend::costs() {
    std::array<double, count> values;
    size_t next = 0;
    for (int i = 0; i <= degree; ++i) {
        for (int j = 0; i + j <= degree; ++j) {
            const double order = i + j;
            values[next++] = order * order * order * order;
        }
    }
    return values;
}

void Bend::shift(double x, double y, double &dx, double &dy) const {
    const std::array<double, count> values = products(x, y);
    dx = dy = 0;
    for (size_t i = 0; i < count; ++i) {
        dx += across[i] * values[i];
        dy += down[i] * values[i];
    }
}

void Bend::restrict_to(double y, Powers &row_across, Powers &row_down) const {
    const Powers of_y = powers(y);
    row_across.fill(0);
    row_down.fill(0);
    size_t next = 0;
    for (size_t i = 0; i <= degree; ++i) {
        for (size_t j = 0; i + j <= degree; ++j, ++next) {
            row_across[i] += across[next] * of_y[j];
            row_down[i] += down[next] * of_y[j];
        }
    }
}

double Bend::size() const {
    constexpr int steps = 8;
    double squares = 0;
    for (int row = 0; row <= steps; ++row) {
        for (int column = 0; column <= steps; ++column) {
            double dx, dy;
            shift(double(column) / steps, double(row) / steps, dx, dy);
            squares += dx * dx + dy * dy;
        }
    }
    return std::sqrt(squares / ((steps + 1) * (steps + 1)));
}

bool Bend::is_gentle() const {
    constexpr int steps = 12;
    constexpr double least = 0.25;
    constexpr double step = 1.0 / steps;
    for (int row = 0; row < steps; ++row) {
        for (int column = 0; column < steps; ++column) {
            const double x = column * step, y = row * step;
            double dx, dy, right_dx, right_dy, low_dx, low_dy;
            shift(x, y, dx, dy);
            shift(x + step, y, right_dx, right_dy);
            shift(x, y + step, low_dx, low_dy);
            const double a = 1 + (right_dx - dx) / step, b = (low_dx - dx) / step;
            const double c = (right_dy - dy) / step, d = 1 + (low_dy - dy) / step;
            const double determinant = a * d - b * c;
            if (determinant < least || determinant > 1 / least || a < least || d < least) return false;
        }
    }
    return true;
}

PolynomialDegrees::PolynomialDegrees() {
    size_t next = 0;
    for (size_t i = 0; i <= Bend::degree; ++i) {
        for (size_t j = 0; i + j <= Bend::degree; ++j, ++next) {
            x[next] = i;
            y[next] = j;
        }
    }
}

Bend Bend::following(const std::vector<Knowledge> &known) {
    static const PolynomialDegrees degrees;
    Moments<2 * degree> moments;
    double across[count] = {}, down[count] = {};
    for (const Knowledge &one : known) {
        const auto of_x = chebyshev<2 * degree>(one.x), of_y = chebyshev<2 * degree>(one.y);
        moments.add(of_x.data(), of_y.data(), one.weight);
        const double scaled_dx = one.weight * one.dx, scaled_dy = one.weight * one.dy;
        for (size_t i = 0; i < count; ++i) {
            const double value = of_x[degrees.x[i]] * of_y[degrees.y[i]];
            across[i] += scaled_dx * value;
            down[i] += scaled_dy * value;
        }
    }
    double matrix[count][count] = {};
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            matrix[i][j] = moments.product(degrees.x[i], degrees.y[i], degrees.x[j], degrees.y[j]);
        }
    }
    const std::array<double, count> costs = Bend::costs();
    const double total = moments.values[0];
    for (size_t i = 0; i < count; ++i) matrix[i][i] += stiffness * total * (0.01 + costs[i]);
    Bend bend;
    Cholesky<count> factor;
    if (!factor.set(matrix)) return bend;
    factor.solve(across, bend.across.data());
    factor.solve(down, bend.down.data());
    return bend;
}

} // namespace cfeatures
