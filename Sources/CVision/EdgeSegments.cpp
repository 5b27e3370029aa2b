// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Straight pieces of edges: thin edges by Canny's non-maximum suppression, linked into chains, split into lines.

#include "Guard.hpp"
#include "Pyramid.hpp"

#include <algorithm>
#include <memory>
#include <opencv2/core/hal/intrin.hpp>
#include <vector>

using namespace cvision;

namespace {

/// What a step of one grey level becomes under the 5×5 derivative 1 2 0 −2 −1 by 1 4 6 4 1.
constexpr float response_to_step = 48;
/// The response's standard deviation where each pixel has noise of one grey level: √(10 · 70).
constexpr float response_to_noise = 26.46f;

enum Mark : uint8_t { no_edge = 0, weak_edge = 1, strong_edge = 2, linked_edge = 4 };

struct EdgePoint {
    float x, y;
    /// The gradient, pointing to the brighter side.
    float along_x, along_y;
};

/// The light's change at a pixel: how much brighter it becomes to the right and downwards.
struct Gradient {
    int16_t right, down;

    int32_t squared() const { return int32_t(right) * right + int32_t(down) * down; }
    float magnitude() const { return std::sqrt(static_cast<float>(squared())); }
};

/// Sums a level's rows about each of its rows, then what comes of that along the row: derivatives 1 2 0 −2 −1 by 1 4 6 4 1.
class GradientRows {
public:
    explicit GradientRows(const Level &level)
        : level(level), smoothed(static_cast<size_t>(level.width) + 24), changes(smoothed.size()) {}

    /// The gradients of a row, and their squared magnitudes.
    void find(int y, Gradient *gradients, int32_t *squares) {
        // Two columns more on each side, and whole vectors: the border may be read.
        const int count = (level.width + 4 + 7) / 8 * 8;
        const uint8_t *rows[5];
        for (int i = 0; i < 5; ++i) rows[i] = level.row(y + i - 2) - 2;
        for (int x = 0; x < count; x += 8) {
            const cv::v_int16x8 first = light(rows[0] + x), second = light(rows[1] + x), third = light(rows[2] + x);
            const cv::v_int16x8 fourth = light(rows[3] + x), fifth = light(rows[4] + x);
            const cv::v_int16x8 near = second + fourth;
            cv::v_store(smoothed.data() + x, first + fifth + times_four(near + third) + third + third);
            cv::v_store(changes.data() + x, fifth - first + times_two(fourth - second));
        }
        int x = 0;
        for (; x + 8 <= level.width; x += 8) {
            const int16_t *sums = smoothed.data() + x, *steps = changes.data() + x;
            const cv::v_int16x8 right
                = cv::v_load(sums + 4) - cv::v_load(sums) + times_two(cv::v_load(sums + 3) - cv::v_load(sums + 1));
            const cv::v_int16x8 middle = cv::v_load(steps + 2);
            const cv::v_int16x8 down = cv::v_load(steps) + cv::v_load(steps + 4)
                + times_four(cv::v_load(steps + 1) + cv::v_load(steps + 3) + middle) + middle + middle;
            cv::v_int16x8 low, high;
            cv::v_zip(right, down, low, high);
            cv::v_store(&gradients[x].right, low);
            cv::v_store(&gradients[x + 4].right, high);
            cv::v_store(squares + x, cv::v_dotprod(low, low));
            cv::v_store(squares + x + 4, cv::v_dotprod(high, high));
        }
        for (; x < level.width; ++x) {
            const int16_t *s = smoothed.data() + x, *c = changes.data() + x;
            gradients[x].right = static_cast<int16_t>(s[4] - s[0] + 2 * (s[3] - s[1]));
            gradients[x].down = static_cast<int16_t>(c[0] + c[4] + 4 * (c[1] + c[3]) + 6 * c[2]);
            squares[x] = gradients[x].squared();
        }
    }

private:
    const Level &level;
    std::vector<int16_t> smoothed, changes;

    static cv::v_int16x8 light(const uint8_t *pixels) { return cv::v_reinterpret_as_s16(cv::v_load_expand(pixels)); }
    static cv::v_int16x8 times_two(const cv::v_int16x8 &value) { return value << 1; }
    static cv::v_int16x8 times_four(const cv::v_int16x8 &value) { return value << 2; }
};

/// The thin edges of a level.
class EdgeMap {
public:
    EdgeMap(const Level &level, float least_contrast)
        : width(level.width), height(level.height),
          gradients(new Gradient[static_cast<size_t>(level.width) * level.height + 4]),
          squares(new int32_t[static_cast<size_t>(level.width) * level.height + 4]) {
        GradientRows rows(level);
        for (int y = 0; y < height; ++y) rows.find(y, gradients.get() + place(0, y), squares.get() + place(0, y));
        const float noise = noise_response();
        weak = std::max(0.5f * least_contrast * response_to_step, 3.5f * noise);
        strong = std::max(least_contrast * response_to_step, 5 * noise);
        marks.assign(static_cast<size_t>(width) * height, no_edge);
        mark_maxima();
    }

    const int width, height;
    /// What leads to the eight neighbours, clockwise from the right.
    const int steps[8] = {1, width + 1, width, width - 1, -1, -width - 1, -width, 1 - width};
    /// Where strong edges are, row by row: what chains begin with.
    std::vector<int> starts;

    /// Pixels are numbered row by row.
    int place(int x, int y) const { return y * width + x; }
    uint8_t &mark(int place) { return marks[static_cast<size_t>(place)]; }
    const Gradient &gradient(int place) const { return gradients[place]; }
    int32_t squared(int place) const { return squares[place]; }

    /// An edge's place between pixels: the vertex of the parabola along the axis that the gradient is closer to.
    EdgePoint point(int place) const {
        const Gradient here = gradients[place];
        const bool across = std::abs(int(here.right)) >= std::abs(int(here.down));
        const int step = across ? 1 : width;
        const float before = magnitude(place - step), after = magnitude(place + step);
        const float curvature = before + after - 2 * magnitude(place);
        const float offset = curvature < 0 ? std::clamp(0.5f * (before - after) / curvature, -0.5f, 0.5f) : 0;
        const int y = place / width, x = place - y * width;
        return {
            x + (across ? offset : 0), y + (across ? 0 : offset), static_cast<float>(here.right),
            static_cast<float>(here.down)};
    }

private:
    // Not filled with zeros before they are computed, as a vector would be; four more, so that a row ends with whole vectors.
    const std::unique_ptr<Gradient[]> gradients;
    const std::unique_ptr<int32_t[]> squares;
    std::vector<uint8_t> marks;
    float weak, strong;

    float magnitude(int place) const { return std::sqrt(static_cast<float>(squares[place])); }

    /// The standard deviation that noise gives to the gradient. A fifth of nearly all pictures is flat: there the
    /// smallest fifth of the responses are those of a normal distribution's, 0.2533 deviations.
    float noise_response() const {
        constexpr int limit = 2048;
        std::vector<int> histogram(limit, 0);
        int total = 0;
        for (int y = 4; y < height - 4; y += 7) {
            const Gradient *row = gradients.get() + place(0, y);
            for (int x = 4; x < width - 4; x += 3, ++total) ++histogram[std::min(std::abs(int(row[x].right)), limit - 1)];
        }
        int rank = 0, value = 0;
        while (value < limit - 1 && (rank += histogram[value]) * 5 < total) ++value;
        return std::max(static_cast<float>(value) / 0.2533f, response_to_noise / std::sqrt(12.0f));
    }

    void mark_maxima() {
        const auto weak_squared = static_cast<int32_t>(weak * weak);
        const auto strong_squared = static_cast<int32_t>(std::min(strong * strong, 1e9f));
        for (int y = 1; y + 1 < height; ++y) {
            const int end = place(width - 1, y);
            for (int start = place(1, y); start < end; start += 4) {
                int maxima = maxima_of_four(start, weak_squared);
                for (int i = 0; maxima != 0 && start + i < end; ++i, maxima >>= 1) {
                    if (!(maxima & 1)) continue;
                    const bool is_strong = squares[start + i] >= strong_squared;
                    marks[static_cast<size_t>(start) + i] = is_strong ? strong_edge : weak_edge;
                    if (is_strong) starts.push_back(start + i);
                }
            }
        }
    }

    /// Which of four pixels in a row are edges, as bits: those whose neighbours across the edge change less. The neighbours are
    /// chosen by the gradient's direction in steps of 45°, tan 22.5° ≈ 106 / 256.
    int maxima_of_four(int start, int32_t least_square) const {
        const int32_t *here = squares.get() + start;
        const cv::v_int32x4 value = cv::v_load(here);
        const cv::v_int32x4 is_edge = value > cv::v_setall_s32(least_square - 1);
        if (!cv::v_check_any(is_edge)) return 0;
        const auto exceeds = [&](int step) {
            return (value > cv::v_load(here - step)) & ~(cv::v_load(here + step) > value);
        };
        const cv::v_int16x8 pairs = cv::v_load(&gradients[start].right);
        const cv::v_int16x8 sizes = cv::v_reinterpret_as_s16(cv::v_abs(pairs));
        const cv::v_int32x4 zero = cv::v_setzero_s32();
        const cv::v_int16x8 flat(106, -256, 106, -256, 106, -256, 106, -256);
        const cv::v_int16x8 steep(-256, 106, -256, 106, -256, 106, -256, 106);
        const cv::v_int32x4 goes_right = cv::v_dotprod(sizes, flat) > zero;
        const cv::v_int32x4 goes_down = cv::v_dotprod(sizes, steep) > zero;
        // The upper half of each pair has the sign of the change downwards.
        const cv::v_int32x4 both = cv::v_reinterpret_as_s32(pairs);
        const cv::v_int32x4 signs_differ = zero > (both ^ (both << 16));
        const cv::v_int32x4 slanted = cv::v_select(signs_differ, exceeds(width - 1), exceeds(width + 1));
        const cv::v_int32x4 upright = cv::v_select(goes_down, exceeds(width), slanted);
        return cv::v_signmask(is_edge & cv::v_select(goes_right, exceeds(1), upright));
    }
};

/// The neighbour that a direction points to, counted clockwise from the right.
int nearest_step(int x, int y) {
    const int along = std::abs(x), down = std::abs(y);
    if (down * 256 < along * 106) return x > 0 ? 0 : 4;
    if (along * 256 < down * 106) return y > 0 ? 2 : 6;
    if (x > 0) return y > 0 ? 1 : 7;
    return y > 0 ? 3 : 5;
}

/// Follows an edge from a pixel, with the brighter side on the right or, backwards, on the left, and appends what it
/// passes. The edge's polarity never changes on the way: there the walk would turn round, onto pixels it has seen.
void follow(EdgeMap &map, int place, bool backwards, std::vector<int> &chain) {
    for (;;) {
        const Gradient here = map.gradient(place);
        const int ahead = backwards ? nearest_step(-here.down, here.right) : nearest_step(here.down, -here.right);
        int best = 0, next = place;
        for (const int turn : {0, 1, 7}) {
            // The outermost pixels are no edges: nothing leads out of the picture.
            const int neighbour = place + map.steps[(ahead + turn) & 7];
            const uint8_t mark = map.mark(neighbour);
            if (mark == no_edge || (mark & linked_edge)) continue;
            const int32_t squared = map.squared(neighbour);
            if (squared > best) best = squared, next = neighbour;
        }
        if (best == 0) return;
        place = next;
        map.mark(place) |= linked_edge;
        chain.push_back(place);
    }
}

/// A line through points: their mean and the direction of their greatest spread.
struct FittedLine {
    float x, y, along_x, along_y;

    FittedLine(const EdgePoint *points, int count) {
        double sum_x = 0, sum_y = 0;
        for (int i = 0; i < count; ++i) sum_x += points[i].x, sum_y += points[i].y;
        const double mean_x = sum_x / count, mean_y = sum_y / count;
        double xx = 0, xy = 0, yy = 0;
        for (int i = 0; i < count; ++i) {
            const double u = points[i].x - mean_x, v = points[i].y - mean_y;
            xx += u * u, xy += u * v, yy += v * v;
        }
        const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
        x = static_cast<float>(mean_x), y = static_cast<float>(mean_y);
        along_x = static_cast<float>(std::cos(angle)), along_y = static_cast<float>(std::sin(angle));
        if ((points[count - 1].x - points[0].x) * along_x + (points[count - 1].y - points[0].y) * along_y < 0) {
            along_x = -along_x, along_y = -along_y;
        }
    }
};

/// Splits chains into straight pieces (Ramer 1972) and keeps the long ones.
class Splitter {
public:
    Splitter(float least_length, int level, std::vector<CVisionEdgeSegment> &segments)
        : least_length(least_length), level(level), segments(segments) {}

    /// Whether so many points may be a long piece: it has at least its length in pixels over √2. A closed chain's ends meet,
    /// and it may still be long.
    bool may_keep(size_t count) const { return static_cast<float>(count - 1) >= least_length * 0.7f; }

    void split(const std::vector<EdgePoint> &chain) {
        pending.push_back({0, static_cast<int>(chain.size()) - 1});
        while (!pending.empty()) {
            const auto [first, last] = pending.back();
            pending.pop_back();
            const EdgePoint &a = chain[first], &b = chain[last];
            const float length = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
            if (!may_keep(static_cast<size_t>(last - first) + 1)) continue;
            const float span_x = b.x - a.x, span_y = b.y - a.y;
            float farthest = -1;
            int corner = first;
            for (int i = first + 1; i < last; ++i) {
                const float u = chain[i].x - a.x, v = chain[i].y - a.y;
                // From the line, times its length; where the ends meet, from them, squared.
                const float distance = length > 2 ? std::abs(u * span_y - v * span_x) : u * u + v * v;
                if (distance > farthest) farthest = distance, corner = i;
            }
            if (farthest > (length > 2 ? tolerance_px * length : tolerance_px * tolerance_px)) {
                pending.push_back({corner, last});
                pending.push_back({first, corner});
            } else if (length >= least_length) {
                keep(chain.data() + first, last - first + 1);
            }
        }
    }

private:
    static constexpr float tolerance_px = 1.0f;
    const float least_length;
    const int level;
    std::vector<CVisionEdgeSegment> &segments;
    std::vector<std::pair<int, int>> pending;

    void keep(const EdgePoint *points, int count) {
        // Where edges meet, smoothing rounds the corner: a piece's ends do not count.
        const int trimmed = std::min(3, count / 6);
        const FittedLine line(points + trimmed, count - 2 * trimmed);
        const auto place = [&](const EdgePoint &point, double &x, double &y) {
            const float along = (point.x - line.x) * line.along_x + (point.y - line.y) * line.along_y;
            x = from_level(line.x + along * line.along_x, level);
            y = from_level(line.y + along * line.along_y, level);
        };
        CVisionEdgeSegment segment;
        place(points[0], segment.start_x, segment.start_y);
        place(points[count - 1], segment.end_x, segment.end_y);
        float response = 0;
        for (int i = 0; i < count; ++i) {
            response += points[i].along_y * line.along_x - points[i].along_x * line.along_y;
        }
        segment.contrast = response / (static_cast<float>(count) * response_to_step);
        if (segment.contrast < 0) {
            std::swap(segment.start_x, segment.end_x);
            std::swap(segment.start_y, segment.end_y);
            segment.contrast = -segment.contrast;
        }
        segments.push_back(segment);
    }
};

double squared_length(const CVisionEdgeSegment &segment) {
    const double across = segment.end_x - segment.start_x, down = segment.end_y - segment.start_y;
    return across * across + down * down;
}

} // namespace

CVisionStatus cvision_find_edge_segments(
    const CVisionPyramid *pyramid, int32_t level, double least_contrast, double least_length_px,
    CVisionEdgeSegment *segments, int32_t capacity, int32_t *count) {
    if (!is_valid(pyramid) || level < 0 || level >= pyramid->level_count || !(least_contrast > 0)
        || !(least_length_px > 0) || capacity < 0 || (capacity > 0 && segments == nullptr) || count == nullptr) {
        return CVISION_INVALID_ARGUMENT;
    }
    return guarded([&] {
        *count = 0;
        const Levels levels(*pyramid);
        const Level &picture = levels[level];
        if (picture.width < 8 || picture.height < 8) return CVISION_OK;
        EdgeMap map(picture, static_cast<float>(least_contrast));
        std::vector<CVisionEdgeSegment> found;
        const auto least_length = std::max(4.0f, static_cast<float>(std::ldexp(least_length_px, -level)));
        Splitter splitter(least_length, level, found);
        std::vector<int> chain, backward;
        std::vector<EdgePoint> points;
        for (const int start : map.starts) {
            if (map.mark(start) & linked_edge) continue;
            map.mark(start) |= linked_edge;
            chain.clear();
            backward.clear();
            follow(map, start, true, backward);
            follow(map, start, false, chain);
            if (!splitter.may_keep(backward.size() + 1 + chain.size())) continue;
            points.clear();
            for (auto place = backward.rbegin(); place != backward.rend(); ++place) points.push_back(map.point(*place));
            points.push_back(map.point(start));
            for (const int place : chain) points.push_back(map.point(place));
            splitter.split(points);
        }
        std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
            const double length = squared_length(a), other = squared_length(b);
            if (length != other) return length > other;
            return a.start_y != b.start_y ? a.start_y < b.start_y : a.start_x < b.start_x;
        });
        *count = static_cast<int32_t>(std::min<size_t>(found.size(), static_cast<size_t>(capacity)));
        std::copy_n(found.begin(), *count, segments);
        return CVISION_OK;
    });
}
