// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#define CRAYCAST_WAY plain
#define CRAYCAST_IS_WIDE 0

#include "Kernels.hpp"
#include "Culling.hpp"
#include "EdgeBlend.hpp"
#include "RectangleShading.hpp"

const Kernels plainKernels = {
    plain::sample,         plain::cull,
    plain::divide,         plain::cullBalls,
    plain::findRectangles, plain::findRectanglesInPixel,
    plain::blendEdges,     plain::findDepths,
    plain::shadeRectangles};
