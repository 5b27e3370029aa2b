// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// OpenCV's trackers of boxes, and its ORB features: the yardsticks of arsim's patch tracker and target tracker.

#ifndef OPENCV_TRACKERS_H
#define OPENCV_TRACKERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which tracker.
typedef enum OpenCVTrackerKind {
    OPENCV_TRACKER_KCF = 0,
    OPENCV_TRACKER_CSRT = 1,
    OPENCV_TRACKER_MEDIAN_FLOW = 2
} OpenCVTrackerKind;

/// A box as OpenCV counts it: its left and upper edge, and its size, in pixels. The picture's corner is at (0, 0).
typedef struct OpenCVBox {
    double left, top, width, height;
} OpenCVBox;

/// A tracker at work.
typedef struct OpenCVTracker OpenCVTracker;

/// Begins to track a box of a picture: width × height × 3 bytes, red, green, blue. OpenCV works on one thread from then on.
OpenCVTracker *opencv_tracker_create(
    OpenCVTrackerKind kind, const uint8_t *rgb, int32_t width, int32_t height, OpenCVBox box);

/// Tracks into the next picture, of the same size. False where the tracker says that it lost the box.
///
/// - box: receives the box.   - milliseconds: receives the processor time of this thread that the tracker took.
int32_t opencv_tracker_update(OpenCVTracker *tracker, const uint8_t *rgb, OpenCVBox *box, double *milliseconds);

/// Ends a tracker.
void opencv_tracker_destroy(OpenCVTracker *tracker);

/// The processor time of this thread, in milliseconds, that ORB (Rublee et al. 2011) takes to find and describe so many
/// features of a grey picture: width × height bytes.
double opencv_orb_milliseconds(const uint8_t *gray, int32_t width, int32_t height, int32_t feature_count);

#ifdef __cplusplus
}
#endif

#endif
