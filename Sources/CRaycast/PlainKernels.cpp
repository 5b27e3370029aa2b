// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#define CRAYCAST_WAY plain
#define CRAYCAST_IS_WIDE 0

#include "Kernels.hpp"
#include "Culling.hpp"
#include "EdgeBlend.hpp"
#include "RectangleLook.hpp"
#include "SunlightLook.hpp"

const Kernels plainKernels = {
    plain::sample,     plain::cull,       plain::cullBalls,       plain::findRectangles, plain::findRectanglesInPixel,
    plain::blendEdges, plain::findDepths, plain::lookAtRectangle, plain::findSunlight};
