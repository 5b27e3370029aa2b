// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// OpenCV's edge detector: the yardstick of arsim's detection.

#ifndef OPENCV_EDGES_H
#define OPENCV_EDGES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Finds the edges of a grey picture by Canny's method, as tutorials do: blurred by 5×5, thresholds 50 and 150, on one
/// thread. Returns how many pixels are edge.
///
/// - pixels: width × height bytes.
int32_t opencv_edges(const uint8_t *pixels, int32_t width, int32_t height);

#ifdef __cplusplus
}
#endif

#endif
