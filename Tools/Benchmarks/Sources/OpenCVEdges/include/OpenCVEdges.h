// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// OpenCV's edge detector: the yardstick of arsim's detection.

#ifndef OPENCV_EDGES_H
#define OPENCV_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Lets memory that was used once stay with the process, as in a session that has run for some time: without this, OpenCV's edge
/// detector waits as long for pages as it computes. Returns whether it took.
bool opencv_edges_keep_memory(void);

/// Finds the edges of a grey picture by Canny's method, as tutorials do: blurred by 5×5, thresholds 50 and 150, on one
/// thread. Returns how many pixels are edge.
///
/// - pixels: width × height bytes.
int32_t opencv_edges(const uint8_t *pixels, int32_t width, int32_t height);

#ifdef __cplusplus
}
#endif

#endif
