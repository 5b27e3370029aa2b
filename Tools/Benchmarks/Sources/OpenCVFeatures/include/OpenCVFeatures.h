// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// OpenCV's ORB, to measure beside.

#ifndef OPENCV_FEATURES_H
#define OPENCV_FEATURES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Detects and describes at most so many features of a grey picture without padding; how many there are.
int32_t opencv_describe_orb(const uint8_t *pixels, int32_t width, int32_t height, int32_t feature_limit);

#ifdef __cplusplus
}
#endif

#endif
