// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Kernels.hpp"

#include <atomic>

namespace {

bool hasWideRegisters() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}

std::atomic<const Kernels *> &chosen() {
    static std::atomic<const Kernels *> kernels(hasWideRegisters() ? &wideKernels : &plainKernels);
    return kernels;
}

const Kernels &kernels() { return *chosen().load(std::memory_order_relaxed); }

}  // namespace

bool craycast_use_wide_registers(bool wanted) {
    const bool isWide = wanted && hasWideRegisters();
    chosen().store(isWide ? &wideKernels : &plainKernels, std::memory_order_relaxed);
    return isWide;
}

void craycast_sample(
    const CRaycastTexture *texture, const CRaycastFootprint *footprints, size_t count, float (*light)[4]) {
    kernels().sample(texture, footprints, count, light);
}

size_t craycast_cull(
    const CRaycastOutline *outlines, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t plane_count, int32_t *kept) {
    return kernels().cull(outlines, candidates, count, origin, stray, planes, plane_count, kept);
}

void craycast_divide(
    const CRaycastOutline *outlines, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t column_count, int32_t *lists, size_t *counts) {
    kernels().divide(outlines, candidates, count, origin, stray, planes, column_count, lists, counts);
}

size_t craycast_cull_balls(
    const CRaycastBall *balls, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t plane_count, int32_t *kept) {
    return kernels().cullBalls(balls, candidates, count, origin, stray, planes, plane_count, kept);
}

void craycast_find_rectangles(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidate_count,
    const CRaycastVectors *directions, size_t first, size_t count, int32_t *objects, float *distances) {
    kernels().findRectangles(rectangles, candidates, candidate_count, directions, first, count, objects, distances);
}

void craycast_find_rectangles_in_pixel(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidate_count, const CRaycastPixel *pixel,
    const float *columns, const float *rows, size_t count, int32_t *objects, float *distances) {
    kernels().findRectanglesInPixel(
        rectangles, candidates, candidate_count, pixel, columns, rows, count, objects, distances);
}

size_t craycast_blend_edges(
    const CRaycastSights *sights, const CRaycastSeenRows *rows, const CRaycastPixelRow *pixels,
    const CRaycastEdgeSamples *samples, const int32_t *columns, size_t count, float (*light)[4], int32_t *others) {
    return kernels().blendEdges(sights, rows, pixels, samples, columns, count, light, others);
}

void craycast_find_depths(
    const CRaycastDirections *directions, const double nearness[3], size_t first, size_t count, float *depths) {
    kernels().findDepths(directions, nearness, first, count, depths);
}

size_t craycast_shade_rectangles(
    const CRaycastSights *sights, const CRaycastCoat *coats, const CRaycastShadedRows *rows, bool finishes,
    const CRaycastRunRoom *room) {
    return kernels().shadeRectangles(sights, coats, rows, finishes, room);
}
