// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The Fourier transforms of square windows, laid out so that their products are plain loops: the real parts of half the
// plane, then the imaginary ones. The other half mirrors it, because windows are real.

#pragma once

#include "Guard.hpp"

#include <opencv2/core.hpp>

namespace cpatches {

/// The numbers of a window's transform, real parts or imaginary parts: a multiple of four.
inline int half_count(int cells) { return cells * cells / 2 + 4; }
inline int spectrum_floats(int cells) { return 2 * half_count(cells); }

/// A window's transform in memory that is somebody else's.
struct Spectrum {
    float *real, *imaginary;

    Spectrum(float *floats, int cells) : real(floats), imaginary(floats + half_count(cells)) {}
    /// That of a channel. What it points to is not changed through a spectrum that comes from constant memory.
    Spectrum(const float *floats, int channel, int cells)
        : Spectrum(const_cast<float *>(floats) + static_cast<size_t>(channel) * spectrum_floats(cells), cells) {}
};

/// Transforms between windows and their spectra.
class Transformer {
  public:
    explicit Transformer(int cells) : cells(cells), packed(cells, cells, CV_32F) {}

    void forward(const cv::Mat &window, Spectrum spectrum) {
        cv::dft(window, packed);
        visit([](float &real, float &imaginary, float *packed_real, float *packed_imaginary) {
            real = *packed_real;
            imaginary = packed_imaginary != nullptr ? *packed_imaginary : 0;
        }, spectrum);
    }

    void backward(Spectrum spectrum, cv::Mat window) {
        visit([](float &real, float &imaginary, float *packed_real, float *packed_imaginary) {
            *packed_real = real;
            if (packed_imaginary != nullptr) *packed_imaginary = imaginary;
        }, spectrum);
        cv::dft(packed, window, cv::DFT_INVERSE | cv::DFT_SCALE | cv::DFT_REAL_OUTPUT);
    }

  private:
    int cells;
    cv::Mat packed;

    /// Goes through OpenCV's packed format: the outer columns hold real and imaginary parts below each other, the inner
    /// ones side by side.
    template <typename Exchange> void visit(const Exchange &exchange, Spectrum spectrum) {
        int index = 0;
        for (int row = 0; row < cells; ++row) {
            float *line = packed.ptr<float>(row);
            for (int column = 1; column + 1 < cells; column += 2, ++index) {
                exchange(spectrum.real[index], spectrum.imaginary[index], line + column, line + column + 1);
            }
        }
        for (const int column : {0, cells - 1}) {
            for (int row = 0; row < cells; row += row == 0 ? 1 : 2, ++index) {
                const bool is_complex = row != 0 && row + 1 < cells;
                exchange(
                    spectrum.real[index], spectrum.imaginary[index], packed.ptr<float>(row) + column,
                    is_complex ? packed.ptr<float>(row + 1) + column : nullptr);
            }
        }
        for (; index < half_count(cells); ++index) spectrum.real[index] = spectrum.imaginary[index] = 0;
    }
};

/// Adds one spectrum times the conjugate of another, which is the correlation of their windows.
inline void add_correlation(Spectrum sum, Spectrum one, Spectrum other, int cells) {
    const int count = half_count(cells);
    float *__restrict real = sum.real, *__restrict imaginary = sum.imaginary;
    const float *one_real = one.real, *one_imaginary = one.imaginary;
    const float *other_real = other.real, *other_imaginary = other.imaginary;
    for (int index = 0; index < count; ++index) {
        real[index] += one_real[index] * other_real[index] + one_imaginary[index] * other_imaginary[index];
        imaginary[index] += one_imaginary[index] * other_real[index] - one_real[index] * other_imaginary[index];
    }
}

} // namespace cpatches
