// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What OpenCV offers for following points, put together as open visual-inertial systems do: the yardstick of arsim's
// tracking.

#ifndef OPENCV_FRONT_END_H
#define OPENCV_FRONT_END_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Milliseconds of this thread's processor time.
typedef struct FrontEndTimes {
    double pyramid_ms, flow_ms, corners_ms;
} FrontEndTimes;

/// Takes one picture in: builds its pyramid of four levels, follows `count` points of the last picture with windows of
/// 21×21 pixels, and finds corners in a grid of 8×5 cells (FAST, the four best of each), which it refines to a fraction
/// of a pixel. The first picture is not measured: its times are zero.
///
/// - pixels: width × height bytes.   - points_xy: 2 × count floats, points of the last picture.
FrontEndTimes opencv_front_end(
    const uint8_t *pixels, int32_t width, int32_t height, const float *points_xy, int32_t count);

#ifdef __cplusplus
}
#endif

#endif
