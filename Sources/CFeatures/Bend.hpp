// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "Rounding.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace cfeatures {

using std::size_t;

/// Chebyshev's polynomials up to a degree of a coordinate, 0 … 1 on the print.
template <size_t degree> std::array<double, degree + 1> chebyshev(double place) {
    const double t = 2 * place - 1;
    std::array<double, degree + 1> values{1, t};
    for (size_t i = 2; i <= degree; ++i) values[i] = 2 * t * values[i - 1] - values[i - 2];
    return values;
}

/// Sums over places of the products of a polynomial of x and one of y that have at most a degree together.
template <size_t degree> struct Moments {
    static constexpr size_t stride = degree + 1;

    double values[stride * stride] = {};

    void add(const double *of_x, const double *of_y, double weight) {
        for (size_t i = 0; i <= degree; ++i) {
            const double scaled = weight * of_x[i];
            for (size_t j = 0; i + j <= degree; ++j) values[i * stride + j] += scaled * of_y[j];
        }
    }

    /// The sum of the products T_a(x) T_b(y) T_c(x) T_d(y): Chebyshev's polynomials multiply as 2 T_a T_c = T_(a+c) + T_|a-c|.
    double product(size_t a, size_t b, size_t c, size_t d) const {
        const size_t x_sum = a + c, x_gap = a > c ? a - c : c - a, y_sum = b + d, y_gap = b > d ? b - d : d - b;
        return 0.25 * ((values[x_sum * stride + y_sum] + values[x_sum * stride + y_gap]) +
                       (values[x_gap * stride + y_sum] + values[x_gap * stride + y_gap]));
    }
};

/// How a print is bent: what is printed at a place seems to lie a little beside it, by polynomials of both coordinates.
struct Bend {
    static constexpr int degree = 6, count = (degree + 1) * (degree + 2) / 2;
    typedef std::array<double, degree + 1> Powers;

    /// Of Chebyshev's polynomials of x and y whose degrees are at most `degree` together: those of y ascending for each of x.
    std::array<double, count> across{}, down{};

    /// Chebyshev's polynomials of a coordinate, 0 … 1 on the print.
    static Powers powers(double place);

    /// The products of all polynomials at a place, those of y ascending for each of x.
    static std::array<double, count> products(double x, double y);

    /// What each product costs: as the bending of cloth, the fourth power of its degree.
    static std::array<double, count> costs();

    /// By how much what is printed at a place is shifted, in sides of the print.
    void shift(double x, double y, double &dx, double &dy) const;

    /// For a row, the polynomials of x alone: of degree i the factors `across[i]` and `down[i]`.
    void restrict_to(double y, Powers &row_across, Powers &row_down) const;

    /// What a bend costs besides what is known, and a light that changes as smoothly.
    static constexpr double stiffness = 6e-5;

    /// The root mean square of the shift over the print.
    double size() const;

    /// Whether the print is nowhere folded, or drawn out to a quarter or to four times of what it was.
    bool is_gentle() const;

    /// A place where the shift is known: the information of an observation, isotropic.
    struct Knowledge {
        double x, y, dx, dy, weight;
    };

    /// The smoothest bend that follows what is known; higher degrees cost more, as the bending of cloth does.
    static Bend following(const std::vector<Knowledge> &known);
};

/// The degrees of a bend's polynomials, in their order.
struct PolynomialDegrees {
    size_t x[Bend::count], y[Bend::count];

    PolynomialDegrees();
};

} // namespace cfeatures
