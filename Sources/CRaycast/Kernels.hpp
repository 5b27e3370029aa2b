// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CRaycast.h"

/// The loops that work on eight numbers at once, as they are compiled in one way.
struct Kernels {
    decltype(&craycast_sample) sample;
    decltype(&craycast_cull) cull;
    decltype(&craycast_divide) divide;
    decltype(&craycast_cull_balls) cullBalls;
    decltype(&craycast_find_rectangles) findRectangles;
    decltype(&craycast_find_rectangles_in_pixel) findRectanglesInPixel;
    decltype(&craycast_blend_edges) blendEdges;
    decltype(&craycast_find_depths) findDepths;
    decltype(&craycast_shade_rectangles) shadeRectangles;
};

/// For every processor.
extern const Kernels plainKernels;
/// For those with AVX2.
extern const Kernels wideKernels;
