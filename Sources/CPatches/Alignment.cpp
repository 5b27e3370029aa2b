// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Cutout.hpp"

#include <array>

namespace cpatches {
namespace {

constexpr int full_side = CPATCHES_TEMPLATE_SIDE;
constexpr int most_places = CPATCHES_TEMPLATE_PLACES;

/// The light at side × side places of a frame.
void read_light(const Cutout &cutout, const CPatchesFrame &frame, int side, float *light) {
    const Placing placing(frame);
    const double middle = 0.5 * (side - 1);
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
            const double u = column - middle, v = row - middle;
            cutout.read<1>(placing.picture_x(u, v), placing.picture_y(u, v), light++);
        }
    }
}

/// A template made ready: how its light changes with a shift along u and v, a growth, a turn, and the light's own gain
/// and offset.
class Ready {
  public:
    static constexpr int unknowns = 6;

    Ready(const float *light, int side, double width, double height) : light(light), side(side) {
        const double middle = 0.5 * (side - 1);
        cv::Matx<double, unknowns, unknowns> matrix = matrix.zeros();
        for (int row = 1; row + 1 < side; ++row) {
            for (int column = 1; column + 1 < side; ++column) {
                const int place = row * side + column;
                const double u = column - middle, v = row - middle;
                const double along = 2 * u / (width * side), down = 2 * v / (height * side);
                if (std::abs(along) >= 1 || std::abs(down) >= 1) continue;
                const float weight = static_cast<float>((1 - along * along) * (1 - down * down));
                const float x = 0.5F * (light[place + 1] - light[place - 1]);
                const float y = 0.5F * (light[place + side] - light[place - side]);
                const float fu = static_cast<float>(u), fv = static_cast<float>(v);
                terms[place] = {x, y, (x * fu + y * fv) / side, (y * fu - x * fv) / side, light[place], 1};
                weights[place] = weight;
                for (int i = 0; i < unknowns; ++i) {
                    for (int j = 0; j < unknowns; ++j) matrix(i, j) += weight * terms[place][i] * terms[place][j];
                }
            }
        }
        const double total = matrix(5, 5), mean = total > 0 ? matrix(4, 5) / total : 0;
        spread = total > 0 ? matrix(4, 4) / total - mean * mean : 0;
        // A weak hold on growth and turn keeps them where the template says nothing of them.
        matrix(2, 2) += 0.02 * total;
        matrix(3, 3) += 0.02 * total;
        is_usable = spread > 1 && cv::determinant(matrix) != 0;
        if (is_usable) inverse = matrix.inv(cv::DECOMP_SVD);
    }

    bool is_usable;

    CPatchesFit align(const Cutout &cutout, const CPatchesFrame &start) const {
        CPatchesFit fit = {start, 0, 0};
        if (!is_usable) return fit;
        std::array<float, most_places> seen;
        for (int iteration = 0; iteration < 20; ++iteration) {
            read_light(cutout, fit.frame, side, seen.data());
            const auto solution = solve(seen.data(), fit.correlation);
            if (fit.is_settled != 0) break;
            const double gain = solution(4);
            if (!(gain > 0.1)) break;
            const cv::Vec4d step(
                solution(0) / gain, solution(1) / gain, solution(2) / (gain * side), solution(3) / (gain * side));
            if (std::hypot(step[0], step[1]) > 8 || std::hypot(step[2], step[3]) > 0.4) break;
            improve(fit.frame, step);
            const double farthest = 0.5 * side * std::hypot(step[2], step[3]);
            // The last round only measures how alike it is.
            if (std::hypot(step[0], step[1]) + farthest < 0.02) fit.is_settled = 1;
            if (!is_valid(&fit.frame)) return {start, 0, 0};
        }
        return fit;
    }

  private:
    const float *light;
    const int side;
    std::array<std::array<float, unknowns>, most_places> terms = {};
    std::array<float, most_places> weights = {};
    double spread;
    cv::Matx<double, unknowns, unknowns> inverse;

    /// What the light differs by, as steps of the unknowns, and how alike it is.
    cv::Vec<double, unknowns> solve(const float *seen, double &correlation) const {
        cv::Vec<double, unknowns> right;
        double total = 0, sum = 0, square = 0, template_sum = 0;
        for (int row = 1; row + 1 < side; ++row) {
            std::array<float, unknowns> sums = {};
            float row_total = 0, row_square = 0, row_template = 0;
            for (int place = row * side + 1; place < row * side + side - 1; ++place) {
                const float weighted = weights[place] * seen[place];
                for (int i = 0; i < unknowns; ++i) sums[i] += terms[place][i] * weighted;
                row_total += weights[place];
                row_square += weighted * seen[place];
                row_template += weights[place] * light[place];
            }
            for (int i = 0; i < unknowns; ++i) right(i) += sums[i];
            total += row_total;
            square += row_square;
            template_sum += row_template;
        }
        sum = right(5);
        const double variance = square / total - sum / total * (sum / total);
        const double covariance = right(4) / total - sum / total * (template_sum / total);
        correlation = variance > 0.25 ? covariance / std::sqrt(variance * spread) : 0;
        return inverse * right;
    }

    /// The frame after a step: the frame of the inverse of the shift, growth and turn.
    static void improve(CPatchesFrame &frame, const cv::Vec4d &step) {
        const double real = 1 + step[2], imaginary = step[3];
        const double square = real * real + imaginary * imaginary;
        const double inverse_real = real / square, inverse_imaginary = -imaginary / square;
        const double u = -(inverse_real * step[0] - inverse_imaginary * step[1]);
        const double v = -(inverse_imaginary * step[0] + inverse_real * step[1]);
        const Placing placing(frame);
        frame.x_px = placing.picture_x(u, v);
        frame.y_px = placing.picture_y(u, v);
        frame.step_px *= std::hypot(inverse_real, inverse_imaginary);
        frame.turn_rad += std::atan2(inverse_imaginary, inverse_real);
    }
};

/// The template at half its size.
std::array<float, most_places / 4> halved(const float *light) {
    std::array<float, most_places / 4> half;
    for (int row = 0; row < full_side / 2; ++row) {
        for (int column = 0; column < full_side / 2; ++column) {
            const float *upper = light + 2 * row * full_side + 2 * column, *lower = upper + full_side;
            half[row * full_side / 2 + column] = 0.25F * (upper[0] + upper[1] + lower[0] + lower[1]);
        }
    }
    return half;
}

CPatchesFrame with_step(CPatchesFrame frame, double factor) {
    frame.step_px *= factor;
    return frame;
}

} // namespace
} // namespace cpatches

CPatchesStatus cpatches_take_template(const CPatchesPicture *picture, const CPatchesFrame *frame, float *light) {
    using namespace cpatches;
    if (!is_valid(picture) || !is_valid(frame) || light == nullptr) return CPATCHES_INVALID_ARGUMENT;
    return guarded([&] { read_light(Cutout(*picture, *frame, 0.5 * full_side, true), *frame, full_side, light); });
}

CPatchesStatus cpatches_align(
    const CPatchesPicture *picture, const float *light, double width, double height, const CPatchesFrame *starts,
    int32_t count, CPatchesFit *fits) {
    using namespace cpatches;
    if (!is_valid(picture) || light == nullptr || !(width > 0) || !(height > 0) || count < 1 || starts == nullptr
        || fits == nullptr) {
        return CPATCHES_INVALID_ARGUMENT;
    }
    for (int index = 0; index < count; ++index) {
        if (!is_valid(&starts[index])) return CPATCHES_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const auto half = halved(light);
        const Ready coarse(half.data(), full_side / 2, width, height), fine(light, full_side, width, height);
        const CPatchesFrame wide = with_step(starts[0], 2);
        const Cutout far(*picture, wide, 0.9 * full_side / 2, true), near(*picture, starts[0], 0.9 * full_side, true);
        for (int index = 0; index < count; ++index) {
            // On the small template the search comes from farther away.
            const CPatchesFit first = coarse.align(far, with_step(starts[index], 2));
            const CPatchesFit from_first =
                first.is_settled != 0 ? fine.align(near, with_step(first.frame, 0.5))
                                      : CPatchesFit{starts[index], 0, 0};
            fits[index] = from_first.is_settled != 0 ? from_first : fine.align(near, starts[index]);
        }
    });
}
