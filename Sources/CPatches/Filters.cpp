// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Spectra.hpp"

#include <algorithm>
#include <vector>

namespace cpatches {
namespace {

/// How much a filter may weigh what lies so far from the patch's middle: 1 there, 0 beyond the reach.
cv::Mat support(int cells, double width_cells, double height_cells, double reach) {
    cv::Mat support(cells, cells, CV_32F);
    const auto fade = [&](int index, double size) {
        const int distance = std::min(index, cells - index);
        const double share = std::min(distance / (0.5 * size * reach + 0.5), 1.0);
        return std::cos(CV_PI / 2 * share);
    };
    for (int row = 0; row < cells; ++row) {
        for (int column = 0; column < cells; ++column) {
            support.at<float>(row, column) = static_cast<float>(fade(column, width_cells) * fade(row, height_cells));
        }
    }
    return support;
}

/// A bell of height 1 around a place.
cv::Mat bell(int cells, double x, double y, double deviation) {
    cv::Mat bell(cells, cells, CV_32F);
    const auto slope = [&](int index, double place) {
        const double distance = (index - 0.5 * (cells - 1) - place) / deviation;
        return static_cast<float>(std::exp(-0.5 * distance * distance));
    };
    for (int row = 0; row < cells; ++row) {
        const float height = slope(row, y);
        for (int column = 0; column < cells; ++column) bell.at<float>(row, column) = height;
    }
    for (int column = 0; column < cells; ++column) {
        const float height = slope(column, x);
        for (int row = 0; row < cells; ++row) bell.at<float>(row, column) *= height;
    }
    return bell;
}

/// Conjugate gradients on the filter's weights.
class Training {
  public:
    Training(
        const CPatchesExample *examples, int example_count, int cells, cv::Mat support, double ridge, float *weights,
        float *filter)
        : examples(examples), example_count(example_count), cells(cells), support(std::move(support)), ridge(ridge),
          weights(weights), filter(filter), weight_count(CPATCHES_CHANNELS * cells * cells),
          filter_count(CPATCHES_CHANNELS * spectrum_floats(cells)), residual(weight_count), direction(weight_count),
          product(weight_count), direction_spectra(filter_count), sums(spectrum_floats(cells)), transformer(cells) {}

    void run(double deviation, int iterations) {
        find_residual(deviation);
        direction = residual;
        double square = dot(residual, residual);
        for (int iteration = 0; iteration < iterations && square > 1e-9; ++iteration) {
            transform_direction();
            std::copy(direction.begin(), direction.end(), product.begin());
            for (float &value : product) value *= static_cast<float>(ridge);
            gather(product, [&](int example) { return answer(example, direction_spectra.data()); });
            const float length = static_cast<float>(square / dot(direction, product));
            for (int i = 0; i < weight_count; ++i) {
                weights[i] += length * direction[i];
                residual[i] -= length * product[i];
            }
            for (int i = 0; i < filter_count; ++i) filter[i] += length * direction_spectra[i];
            const double next = dot(residual, residual);
            const float share = static_cast<float>(next / square);
            for (int i = 0; i < weight_count; ++i) direction[i] = residual[i] + share * direction[i];
            square = next;
        }
    }

  private:
    const CPatchesExample *examples;
    const int example_count, cells;
    const cv::Mat support;
    const double ridge;
    float *weights, *filter;
    const int weight_count, filter_count;
    std::vector<float> residual, direction, product, direction_spectra, sums;
    Transformer transformer;

    double dot(const std::vector<float> &one, const std::vector<float> &other) const {
        const int count = weight_count;
        return cv::Mat(1, count, CV_32F, const_cast<float *>(one.data()))
            .dot(cv::Mat(1, count, CV_32F, const_cast<float *>(other.data())));
    }

    cv::Mat plane(std::vector<float> &planes, int channel) const {
        return {cells, cells, CV_32F, &planes[static_cast<size_t>(channel) * cells * cells]};
    }

    /// What the examples' bells ask of the weights beyond what the filter answers already.
    void find_residual(double deviation) {
        for (int i = 0; i < weight_count; ++i) residual[i] = static_cast<float>(-ridge) * weights[i];
        std::vector<float> missing(spectrum_floats(cells));
        gather(residual, [&](int example) {
            transformer.forward(
                bell(cells, examples[example].x_cells, examples[example].y_cells, deviation),
                Spectrum(missing.data(), cells));
            const std::vector<float> &answered = answer(example, filter);
            for (size_t i = 0; i < missing.size(); ++i) missing[i] -= answered[i];
            return missing;
        });
    }

    void transform_direction() {
        cv::Mat faded;
        for (int channel = 0; channel < CPATCHES_CHANNELS; ++channel) {
            cv::multiply(plane(direction, channel), support, faded);
            transformer.forward(faded, Spectrum(direction_spectra.data(), channel, cells));
        }
    }

    /// The spectrum of what a filter answers in an example.
    const std::vector<float> &answer(int example, const float *filter) {
        std::fill(sums.begin(), sums.end(), 0.0F);
        const Spectrum sum(sums.data(), cells);
        for (int channel = 0; channel < CPATCHES_CHANNELS; ++channel) {
            add_correlation(
                sum, Spectrum(examples[example].spectra, channel, cells), Spectrum(filter, channel, cells), cells);
        }
        return sums;
    }

    /// Adds to weights what examples ask for, each of its own target.
    template <typename Targets> void gather(std::vector<float> &result, const Targets &target_of) {
        std::vector<std::vector<float>> targets;
        for (int example = 0; example < example_count; ++example) {
            targets.push_back(target_of(example));
            for (float &value : targets.back()) value *= static_cast<float>(examples[example].weight);
        }
        const Spectrum sum(sums.data(), cells);
        cv::Mat brought;
        for (int channel = 0; channel < CPATCHES_CHANNELS; ++channel) {
            std::fill(sums.begin(), sums.end(), 0.0F);
            for (int example = 0; example < example_count; ++example) {
                add_correlation(
                    sum, Spectrum(examples[example].spectra, channel, cells), Spectrum(targets[example].data(), cells),
                    cells);
            }
            transformer.backward(sum, brought = cv::Mat(cells, cells, CV_32F));
            cv::multiply(brought, support, brought);
            cv::Mat values = plane(result, channel);
            values += brought;
        }
    }
};

/// The top of the parabola through three heights, from the middle one.
double top_of(float before, float middle, float after) {
    const double bend = before - 2.0 * middle + after;
    return bend < 0 ? std::clamp(0.5 * (before - after) / bend, -0.5, 0.5) : 0;
}

/// The highest place of a response, and the height of the next.
CPatchesPeak peak_of(const cv::Mat &response, double width_cells, double height_cells) {
    const int cells = response.cols;
    // What lies in the faded rim is not known.
    const int first = cells / 16 + 1, end = cells - first;
    int best_x = first, best_y = first;
    for (int row = first; row < end; ++row) {
        const float *line = response.ptr<float>(row);
        for (int column = first; column < end; ++column) {
            if (line[column] > response.at<float>(best_y, best_x)) {
                best_x = column;
                best_y = row;
            }
        }
    }
    float second = 0;
    for (int row = first; row < end; ++row) {
        const float *line = response.ptr<float>(row);
        const bool is_far = std::abs(row - best_y) > 0.5 * height_cells;
        for (int column = first; column < end; ++column) {
            if (is_far || std::abs(column - best_x) > 0.5 * width_cells) second = std::max(second, line[column]);
        }
    }
    const auto at = [&](int x, int y) { return response.at<float>(y, x); };
    const double x = best_x + top_of(at(best_x - 1, best_y), at(best_x, best_y), at(best_x + 1, best_y));
    const double y = best_y + top_of(at(best_x, best_y - 1), at(best_x, best_y), at(best_x, best_y + 1));
    return {x - 0.5 * (cells - 1), y - 0.5 * (cells - 1), at(best_x, best_y), second};
}

} // namespace
} // namespace cpatches

CPatchesStatus cpatches_train(
    const CPatchesExample *examples, int32_t example_count, int32_t cells, double width_cells, double height_cells,
    double reach, double ridge, int32_t iterations, float *weights, float *filter) {
    using namespace cpatches;
    if (examples == nullptr || example_count < 1 || !is_valid_side(cells) || !(width_cells > 0) || !(height_cells > 0)
        || !(reach > 0) || !(ridge > 0) || iterations < 0 || weights == nullptr || filter == nullptr) {
        return CPATCHES_INVALID_ARGUMENT;
    }
    for (int index = 0; index < example_count; ++index) {
        if (examples[index].spectra == nullptr) return CPATCHES_INVALID_ARGUMENT;
    }
    return guarded([&] {
        const double deviation = 0.11 * std::sqrt(width_cells * height_cells);
        Training(
            examples, example_count, cells, support(cells, width_cells, height_cells, reach), ridge, weights, filter)
            .run(deviation, iterations);
    });
}

CPatchesStatus cpatches_respond(
    const float *spectra, const float *filter, int32_t cells, double width_cells, double height_cells,
    CPatchesPeak *peak) {
    using namespace cpatches;
    if (spectra == nullptr || filter == nullptr || !is_valid_side(cells) || peak == nullptr) {
        return CPATCHES_INVALID_ARGUMENT;
    }
    return guarded([&] {
        std::vector<float> sums(spectrum_floats(cells));
        const Spectrum sum(sums.data(), cells);
        for (int channel = 0; channel < CPATCHES_CHANNELS; ++channel) {
            add_correlation(sum, Spectrum(spectra, channel, cells), Spectrum(filter, channel, cells), cells);
        }
        cv::Mat response(cells, cells, CV_32F);
        Transformer(cells).backward(sum, response);
        *peak = peak_of(response, width_cells, height_cells);
    });
}
