// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Texture.hpp"

#include <algorithm>

namespace {

/// Four vectors, coordinate by coordinate.
struct VectorLanes {
    __m128 x;
    __m128 y;
    __m128 z;
};

VectorLanes load(const CRaycastVectors &vectors, size_t first) {
    return {_mm_loadu_ps(vectors.x + first), _mm_loadu_ps(vectors.y + first), _mm_loadu_ps(vectors.z + first)};
}

__m128 dot(const float *functional, const VectorLanes &v) {
    return _mm_add_ps(
        _mm_add_ps(_mm_mul_ps(_mm_set1_ps(functional[0]), v.x), _mm_mul_ps(_mm_set1_ps(functional[1]), v.y)),
        _mm_mul_ps(_mm_set1_ps(functional[2]), v.z));
}

__m128 magnitude(__m128 v) { return _mm_andnot_ps(_mm_set1_ps(-0.f), v); }

/// Which of four directions meet a rectangle that is nearer than what they met before.
__m128 meets(__m128 across, __m128 along, __m128 nearness, __m128 nearest) {
    const __m128 isInside = _mm_cmple_ps(_mm_max_ps(magnitude(across), magnitude(along)), nearness);
    return _mm_and_ps(isInside, _mm_cmpgt_ps(nearness, nearest));
}

/// The nearest rectangle that each of four directions has met so far.
struct Nearest {
    __m128 nearness = _mm_setzero_ps();
    __m128i object = _mm_set1_epi32(CRAYCAST_NOTHING);

    void meet(int32_t number, __m128 across, __m128 along, __m128 candidate) {
        const __m128 isMet = meets(across, along, candidate, nearness);
        const __m128i mask = _mm_castps_si128(isMet);
        nearness = _mm_or_ps(_mm_and_ps(isMet, candidate), _mm_andnot_ps(isMet, nearness));
        object = _mm_or_si128(_mm_and_si128(mask, _mm_set1_epi32(number)), _mm_andnot_si128(mask, object));
    }

    void store(size_t count, int32_t *objects) const {
        alignas(16) int32_t lanes[4];
        _mm_store_si128(reinterpret_cast<__m128i *>(lanes), object);
        std::copy_n(lanes, count, objects);
    }
};

/// A rectangle's three functions, side by side in each vector: across, along, nearness, and nothing.
struct PixelFunctions {
    __m128 center;
    __m128 acrossColumns;
    __m128 acrossRows;

    PixelFunctions(const CRaycastRectangle &rectangle, const CRaycastPixel &pixel) {
        __m128 x = _mm_loadu_ps(rectangle.across), y = _mm_loadu_ps(rectangle.along);
        __m128 z = _mm_loadu_ps(rectangle.nearness), none = _mm_setzero_ps();
        _MM_TRANSPOSE4_PS(x, y, z, none);
        const auto value = [&](const float *v) {
            return _mm_add_ps(
                _mm_add_ps(_mm_mul_ps(x, _mm_set1_ps(v[0])), _mm_mul_ps(y, _mm_set1_ps(v[1]))),
                _mm_mul_ps(z, _mm_set1_ps(v[2])));
        };
        center = value(pixel.direction);
        acrossColumns = value(pixel.across_columns);
        acrossRows = value(pixel.across_rows);
    }

    /// Whether the rectangle may be seen up to half a pixel from the centre.
    bool mayBeSeen() const {
        const __m128 change =
            _mm_mul_ps(_mm_add_ps(magnitude(acrossColumns), magnitude(acrossRows)), _mm_set1_ps(0.5f));
        const __m128 sum = _mm_add_ps(center, change);
        const __m128 nearest = _mm_shuffle_ps(sum, sum, _MM_SHUFFLE(2, 2, 2, 2));
        const __m128 least = _mm_sub_ps(magnitude(center), change);
        return (_mm_movemask_ps(_mm_cmple_ps(least, nearest)) & 3) == 3;
    }

    template <int function> __m128 at(__m128 x, __m128 y) const {
        constexpr int lanes = _MM_SHUFFLE(function, function, function, function);
        return _mm_add_ps(
            _mm_add_ps(_mm_shuffle_ps(center, center, lanes),
                       _mm_mul_ps(_mm_shuffle_ps(acrossColumns, acrossColumns, lanes), x)),
            _mm_mul_ps(_mm_shuffle_ps(acrossRows, acrossRows, lanes), y));
    }
};

/// Whether a plane has all of an outline on its other side.
bool excludes(const CRaycastPlane &plane, const VectorLanes &way, __m128 length, float stray) {
    const __m128 height = dot(plane.normal, way);
    const __m128 least = _mm_sub_ps(_mm_mul_ps(_mm_set1_ps(plane.slack), length), _mm_set1_ps(stray));
    return _mm_movemask_ps(_mm_cmplt_ps(height, least)) == 0xf;
}

/// The ways from a place to half of an outline's points.
struct Ways {
    VectorLanes way;
    __m128 length;

    Ways(const CRaycastOutline &outline, int half, const float origin[3])
        : way{from(outline.x + 4 * half, origin[0]), from(outline.y + 4 * half, origin[1]),
              from(outline.z + 4 * half, origin[2])},
          length(_mm_sqrt_ps(_mm_add_ps(
              _mm_add_ps(_mm_mul_ps(way.x, way.x), _mm_mul_ps(way.y, way.y)), _mm_mul_ps(way.z, way.z)))) {}

private:
    static __m128 from(const float *coordinates, float origin) {
        return _mm_sub_ps(_mm_loadu_ps(coordinates), _mm_set1_ps(origin));
    }
};

/// The looks of neighbours at a texture, four by four, of which some are prepared before the first is finished.
class LooksAhead {
public:
    LooksAhead(size_t count, float (*light)[4]) : count(count), light(light) {}

    void add(const CRaycastTexture &texture, const FootprintLanes &footprints) {
        looks[prepared++ % room].prepare(texture, footprints);
        if (prepared >= finished + room) finishNext();
    }

    void finish() {
        while (finished < prepared) finishNext();
    }

private:
    static constexpr size_t room = 4;
    TextureLook looks[room];
    size_t prepared = 0;
    size_t finished = 0;
    const size_t count;
    float (*const light)[4];

    void finishNext() {
        const size_t first = 4 * finished;
        looks[finished++ % room].finish(std::min<size_t>(4, count - first), light + first);
    }
};

}  // namespace

size_t craycast_cull(
    const CRaycastOutline *outlines, const int32_t *candidates, size_t count, const float origin[3], float stray,
    const CRaycastPlane *planes, size_t plane_count, int32_t *kept) {
    size_t keptCount = 0;
    for (size_t index = 0; index < count; ++index) {
        const CRaycastOutline &outline = outlines[candidates[index]];
        const Ways first(outline, 0, origin), second(outline, 1, origin);
        const bool isOutside = std::any_of(planes, planes + plane_count, [&](const CRaycastPlane &plane) {
            return excludes(plane, first.way, first.length, stray) && excludes(plane, second.way, second.length, stray);
        });
        if (!isOutside) kept[keptCount++] = candidates[index];
    }
    return keptCount;
}

CRAYCAST_FOR_EACH_PROCESSOR
void craycast_find_rectangles(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidate_count,
    const CRaycastVectors *directions, size_t first, size_t count, int32_t *objects) {
    for (size_t index = 0; index < count; index += 4) {
        const VectorLanes direction = load(*directions, first + index);
        Nearest nearest;
        for (size_t number = 0; number < candidate_count; ++number) {
            const CRaycastRectangle &rectangle = rectangles[candidates[number]];
            nearest.meet(
                candidates[number], dot(rectangle.across, direction), dot(rectangle.along, direction),
                dot(rectangle.nearness, direction));
        }
        nearest.store(std::min<size_t>(4, count - index), objects + index);
    }
}

void craycast_find_depths(const double *directions, const double nearness[3], size_t count, float *depths) {
    const __m128d nearnessX = _mm_set1_pd(nearness[0]), nearnessY = _mm_set1_pd(nearness[1]);
    const __m128d nearnessZ = _mm_set1_pd(nearness[2]);
    for (size_t index = 0; index < count; index += 2) {
        const double *first = directions + 4 * index;
        const double *second = index + 1 < count ? first + 4 : first;
        const __m128d one = _mm_loadu_pd(first), other = _mm_loadu_pd(second);
        const __m128d z = _mm_loadh_pd(_mm_load_sd(first + 2), second + 2);
        const __m128d closeness = _mm_add_pd(
            _mm_add_pd(
                _mm_mul_pd(_mm_unpacklo_pd(one, other), nearnessX), _mm_mul_pd(_mm_unpackhi_pd(one, other), nearnessY)),
            _mm_mul_pd(z, nearnessZ));
        const __m128 pair = _mm_cvtpd_ps(_mm_div_pd(_mm_sub_pd(_mm_setzero_pd(), z), closeness));
        alignas(16) float lanes[4];
        _mm_store_ps(lanes, pair);
        std::copy_n(lanes, std::min<size_t>(2, count - index), depths + index);
    }
}

CRAYCAST_FOR_EACH_PROCESSOR
void craycast_find_rectangles_in_pixel(
    const CRaycastRectangle *rectangles, const int32_t *candidates, size_t candidate_count, const CRaycastPixel *pixel,
    const float *columns, const float *rows, size_t count, int32_t *objects) {
    Nearest nearest[CRAYCAST_MOST_SAMPLES / 4];
    for (size_t number = 0; number < candidate_count; ++number) {
        const PixelFunctions functions(rectangles[candidates[number]], *pixel);
        if (!functions.mayBeSeen()) continue;
        for (size_t index = 0; index < count; index += 4) {
            const __m128 x = _mm_loadu_ps(columns + index), y = _mm_loadu_ps(rows + index);
            nearest[index / 4].meet(
                candidates[number], functions.at<0>(x, y), functions.at<1>(x, y), functions.at<2>(x, y));
        }
    }
    for (size_t index = 0; index < count; index += 4)
        nearest[index / 4].store(std::min<size_t>(4, count - index), objects + index);
}

CRAYCAST_FOR_EACH_PROCESSOR
void craycast_look_at_rectangle(
    const CRaycastRectangle *rectangle, const CRaycastTexture *texture, const float texels[2], const float cells[2],
    const CRaycastPixelRow *row, size_t first, size_t count, const CRaycastLooks *looks) {
    const __m128 half = _mm_set1_ps(0.5f);
    const __m128 texelsX = _mm_mul_ps(_mm_set1_ps(texels[0]), half), texelsY = _mm_mul_ps(_mm_set1_ps(texels[1]), half);
    const __m128 cellsX = _mm_mul_ps(_mm_set1_ps(cells[0]), half), cellsY = _mm_mul_ps(_mm_set1_ps(cells[1]), half);
    LooksAhead textureLooks(count, looks->light);
    for (size_t index = 0; index < count; index += 4) {
        const VectorLanes direction = load(row->directions, first + index);
        const VectorLanes nextColumn = load(row->next_column, first + index);
        const VectorLanes nextRow = load(row->next_row, first + index);
        const __m128 nearness = dot(rectangle->nearness, direction);
        const __m128 distance = _mm_div_ps(_mm_set1_ps(1), nearness);
        const __m128 across = _mm_mul_ps(dot(rectangle->across, direction), distance);
        const __m128 along = _mm_mul_ps(dot(rectangle->along, direction), distance);
        // The derivative of a quotient, (a' − (a / k) k') / k, with the differences to the next pixel.
        const auto change = [&](const VectorLanes &next, const float *functional, __m128 place) {
            const VectorLanes step = {
                _mm_sub_ps(next.x, direction.x), _mm_sub_ps(next.y, direction.y), _mm_sub_ps(next.z, direction.z)};
            return _mm_mul_ps(
                _mm_sub_ps(dot(functional, step), _mm_mul_ps(place, dot(rectangle->nearness, step))), distance);
        };
        const __m128 columnAcross = change(nextColumn, rectangle->across, across);
        const __m128 columnAlong = change(nextColumn, rectangle->along, along);
        const __m128 rowAcross = change(nextRow, rectangle->across, across);
        const __m128 rowAlong = change(nextRow, rectangle->along, along);
        if (texture) {
            const FootprintLanes footprints = {
                _mm_add_ps(_mm_mul_ps(across, texelsX), texelsX), _mm_add_ps(_mm_mul_ps(along, texelsY), texelsY),
                _mm_mul_ps(columnAcross, texelsX), _mm_mul_ps(columnAlong, texelsY), _mm_mul_ps(rowAcross, texelsX),
                _mm_mul_ps(rowAlong, texelsY)};
            textureLooks.add(*texture, footprints);
        }
        const auto square = [&](__m128 a, __m128 b) {
            const __m128 x = _mm_mul_ps(a, cellsX), y = _mm_mul_ps(b, cellsY);
            return _mm_add_ps(_mm_mul_ps(x, x), _mm_mul_ps(y, y));
        };
        const __m128 width = _mm_sqrt_ps(
            _mm_mul_ps(_mm_add_ps(square(columnAcross, columnAlong), square(rowAcross, rowAlong)), half));
        _mm_storeu_ps(looks->cell_x + index, _mm_add_ps(_mm_mul_ps(across, cellsX), cellsX));
        _mm_storeu_ps(looks->cell_y + index, _mm_add_ps(_mm_mul_ps(along, cellsY), cellsY));
        _mm_storeu_ps(looks->cell_width + index, width);
    }
    textureLooks.finish();
}
