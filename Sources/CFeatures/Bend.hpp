// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <vector>

namespace cfeatures {

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

} // namespace cfeatures
