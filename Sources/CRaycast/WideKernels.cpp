// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#define CRAYCAST_WAY wide
#define CRAYCAST_IS_WIDE 1

#include "Kernels.hpp"

#include <immintrin.h>

#include <algorithm>
#include <cstring>

// The same text as in PlainKernels.cpp, for other registers.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "Culling.hpp"
#include "EdgeBlend.hpp"
#include "RectangleShading.hpp"
#pragma clang attribute pop

const Kernels wideKernels = {
    wide::sample,         wide::cull,
    wide::divide,         wide::cullBalls,
    wide::findRectangles, wide::findRectanglesInPixel,
    wide::blendEdges,     wide::findDepths,
    wide::shadeRectangles};
