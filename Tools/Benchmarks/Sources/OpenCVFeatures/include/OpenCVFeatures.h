// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// OpenCV's features, to measure beside.

#ifndef OPENCV_FEATURES_H
#define OPENCV_FEATURES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Detects and describes at most so many features of a grey picture without padding; how many there are.
int32_t opencv_describe_orb(const uint8_t *pixels, int32_t width, int32_t height, int32_t feature_limit);

typedef enum OpenCVMethod {
    OPENCV_ORB = 0,
    OPENCV_AKAZE = 1,
    OPENCV_BRISK = 2,
    OPENCV_SIFT = 3,
    OPENCV_ROOT_SIFT = 4
} OpenCVMethod;

/// A recogniser made of OpenCV's parts as its tutorials put them together: features, FLANN's approximate nearest
/// neighbours (LSH for binary descriptors, four kd-trees for others), the ratio test, and RANSAC homographies for the five
/// targets with most matches.
typedef struct OpenCVRecognizer OpenCVRecognizer;

/// A recogniser without targets; at most so many features of each picture.
OpenCVRecognizer *opencv_recognizer_create(OpenCVMethod method, int32_t feature_limit);
void opencv_recognizer_destroy(OpenCVRecognizer *recognizer);

/// Adds a target: a grey picture without padding.
void opencv_recognizer_add(OpenCVRecognizer *recognizer, const uint8_t *pixels, int32_t width, int32_t height);

/// Builds the index, after all targets were added; how many bytes its descriptors have.
int64_t opencv_recognizer_train(OpenCVRecognizer *recognizer);

/// The target that a grey picture shows, -1 where none has 10 inliers; where it lies, pixel from the reference picture's pixels,
/// row by row.
int32_t opencv_recognize(
    OpenCVRecognizer *recognizer, const uint8_t *pixels, int32_t width, int32_t height, double *pixel_from_reference);

#ifdef __cplusplus
}
#endif

#endif
