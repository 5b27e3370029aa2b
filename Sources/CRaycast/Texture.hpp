// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CRaycast.h"

#include <emmintrin.h>

/// What four pixels cover of a texture: four `CRaycastFootprint`s, quantity by quantity.
struct FootprintLanes {
    __m128 x;
    __m128 y;
    __m128 columnX;
    __m128 columnY;
    __m128 rowX;
    __m128 rowY;
};

/// `craycast_sample` for the first `count` of four footprints.
void sampleLanes(const CRaycastTexture &texture, const FootprintLanes &footprints, size_t count, float (*light)[4]);
