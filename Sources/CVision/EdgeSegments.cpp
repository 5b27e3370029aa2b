// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Straight pieces of edges: thin edges by Canny's non-maximum suppression, linked into chains, split into lines.

#include "Guard.hpp"
#include "Pyramid.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>
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

/// The thin edges of a level.
class EdgeMap {
public:
    EdgeMap(const Level &level, float least_contrast) : width(level.width), height(level.height) {
        const cv::Mat pixels(height, width, CV_8UC1, level.origin, static_cast<size_t>(level.bytes_per_row));
        cv::Sobel(pixels, gradient_x, CV_16S, 1, 0, 5, 1, 0, cv::BORDER_REPLICATE);
        cv::Sobel(pixels, gradient_y, CV_16S, 0, 1, 5, 1, 0, cv::BORDER_REPLICATE);
        const float noise = noise_response();
        weak = std::max(0.5f * least_contrast * response_to_step, 3.5f * noise);
        strong = std::max(least_contrast * response_to_step, 5 * noise);
        marks.assign(static_cast<size_t>(width) * height, no_edge);
        mark_maxima();
    }

    const int width, height;

    uint8_t &mark(int x, int y) { return marks[static_cast<size_t>(y) * width + x]; }
    int dx(int x, int y) const { return gradient_x.ptr<int16_t>(y)[x]; }
    int dy(int x, int y) const { return gradient_y.ptr<int16_t>(y)[x]; }
    float magnitude(int x, int y) const {
        const float along = static_cast<float>(dx(x, y)), down = static_cast<float>(dy(x, y));
        return std::sqrt(along * along + down * down);
    }

    /// An edge's place between pixels: the vertex of the parabola along the axis that the gradient is closer to.
    EdgePoint point(int x, int y) const {
        const int gx = dx(x, y), gy = dy(x, y);
        const bool across = std::abs(gx) >= std::abs(gy);
        const float before = across ? magnitude(x - 1, y) : magnitude(x, y - 1);
        const float after = across ? magnitude(x + 1, y) : magnitude(x, y + 1);
        const float curvature = before + after - 2 * magnitude(x, y);
        const float offset = curvature < 0 ? std::clamp(0.5f * (before - after) / curvature, -0.5f, 0.5f) : 0;
        return {x + (across ? offset : 0), y + (across ? 0 : offset), static_cast<float>(gx), static_cast<float>(gy)};
    }

private:
    cv::Mat gradient_x, gradient_y;
    std::vector<uint8_t> marks;
    float weak, strong;

    /// The standard deviation that noise gives to the gradient. A fifth of nearly all pictures is flat: there the
    /// smallest fifth of the responses are those of a normal distribution's, 0.2533 deviations.
    float noise_response() const {
        constexpr int limit = 2048;
        std::vector<int> histogram(limit, 0);
        int total = 0;
        for (int y = 4; y < height - 4; y += 7) {
            const int16_t *row = gradient_x.ptr<int16_t>(y);
            for (int x = 4; x < width - 4; x += 3, ++total) ++histogram[std::min(std::abs(int(row[x])), limit - 1)];
        }
        int rank = 0, value = 0;
        while (value < limit - 1 && (rank += histogram[value]) * 5 < total) ++value;
        return std::max(static_cast<float>(value) / 0.2533f, response_to_noise / std::sqrt(12.0f));
    }

    void mark_maxima() {
        std::vector<int32_t> rows[3];
        for (auto &row : rows) row.assign(static_cast<size_t>(width), 0);
        const auto measure = [&](int y) {
            const int16_t *gx = gradient_x.ptr<int16_t>(y), *gy = gradient_y.ptr<int16_t>(y);
            int32_t *row = rows[y % 3].data();
            for (int x = 0; x < width; ++x) row[x] = int32_t(gx[x]) * gx[x] + int32_t(gy[x]) * gy[x];
        };
        const auto weak_squared = static_cast<int32_t>(weak * weak);
        const auto strong_squared = static_cast<int32_t>(std::min(strong * strong, 1e9f));
        measure(0);
        if (height > 1) measure(1);
        for (int y = 1; y + 1 < height; ++y) {
            measure(y + 1);
            const int32_t *above = rows[(y - 1) % 3].data(), *here = rows[y % 3].data();
            const int32_t *below = rows[(y + 1) % 3].data();
            const int16_t *gx = gradient_x.ptr<int16_t>(y), *gy = gradient_y.ptr<int16_t>(y);
            uint8_t *marked = marks.data() + static_cast<size_t>(y) * width;
            for (int x = 1; x + 1 < width; ++x) {
                const int32_t value = here[x];
                if (value < weak_squared) continue;
                // The neighbours across the edge, by the gradient's direction in steps of 45°: tan 22.5° ≈ 106 / 256.
                const int along = std::abs(int(gx[x])), down = std::abs(int(gy[x]));
                int32_t before, after;
                if (down * 256 < along * 106) {
                    before = here[x - 1], after = here[x + 1];
                } else if (along * 256 < down * 106) {
                    before = above[x], after = below[x];
                } else if ((gx[x] > 0) == (gy[x] > 0)) {
                    before = above[x - 1], after = below[x + 1];
                } else {
                    before = above[x + 1], after = below[x - 1];
                }
                if (value > before && value >= after) marked[x] = value >= strong_squared ? strong_edge : weak_edge;
            }
        }
    }
};

/// The eight neighbours, clockwise from the right.
constexpr int step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/// The neighbour that a direction points to.
int nearest_step(int x, int y) {
    const int along = std::abs(x), down = std::abs(y);
    if (down * 256 < along * 106) return x > 0 ? 0 : 4;
    if (along * 256 < down * 106) return y > 0 ? 2 : 6;
    if (x > 0) return y > 0 ? 1 : 7;
    return y > 0 ? 3 : 5;
}

/// Follows an edge from a pixel, with the brighter side on the right or, backwards, on the left, and appends what it
/// passes. The edge's polarity never changes on the way: there the walk would turn round, onto pixels it has seen.
void follow(EdgeMap &map, int x, int y, bool backwards, std::vector<EdgePoint> &points) {
    for (;;) {
        const int gx = map.dx(x, y), gy = map.dy(x, y);
        const int ahead = backwards ? nearest_step(-gy, gx) : nearest_step(gy, -gx);
        int next_x = -1, next_y = -1;
        float best = 0;
        for (const int turn : {0, 1, 7}) {
            const int step = (ahead + turn) & 7;
            const int nx = x + step_x[step], ny = y + step_y[step];
            if (nx < 1 || ny < 1 || nx + 1 >= map.width || ny + 1 >= map.height) continue;
            const uint8_t mark = map.mark(nx, ny);
            if (mark == no_edge || (mark & linked_edge)) continue;
            const float magnitude = map.magnitude(nx, ny);
            if (magnitude > best) best = magnitude, next_x = nx, next_y = ny;
        }
        if (next_x < 0) return;
        x = next_x, y = next_y;
        map.mark(x, y) |= linked_edge;
        points.push_back(map.point(x, y));
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

    void split(const std::vector<EdgePoint> &chain) {
        pending.push_back({0, static_cast<int>(chain.size()) - 1});
        while (!pending.empty()) {
            const auto [first, last] = pending.back();
            pending.pop_back();
            const EdgePoint &a = chain[first], &b = chain[last];
            const float length = std::hypot(b.x - a.x, b.y - a.y);
            // A piece has at least its length in pixels over √2; a closed chain's ends meet, and it may still be long.
            if (last - first < least_length * 0.7f) continue;
            float farthest = -1;
            int corner = first;
            for (int i = first + 1; i < last; ++i) {
                const float u = chain[i].x - a.x, v = chain[i].y - a.y;
                const float distance = length > 2 ? std::abs(u * (b.y - a.y) - v * (b.x - a.x)) / length
                                                  : std::hypot(u, v);
                if (distance > farthest) farthest = distance, corner = i;
            }
            if (farthest > tolerance_px) {
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

double length_of(const CVisionEdgeSegment &segment) {
    return std::hypot(segment.end_x - segment.start_x, segment.end_y - segment.start_y);
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
        std::vector<EdgePoint> chain, backward;
        for (int y = 1; y + 1 < map.height; ++y) {
            for (int x = 1; x + 1 < map.width; ++x) {
                if (map.mark(x, y) != strong_edge) continue;
                map.mark(x, y) |= linked_edge;
                chain.clear();
                backward.clear();
                follow(map, x, y, true, backward);
                chain.assign(backward.rbegin(), backward.rend());
                chain.push_back(map.point(x, y));
                follow(map, x, y, false, chain);
                splitter.split(chain);
            }
        }
        std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
            const double length = length_of(a), other = length_of(b);
            if (length != other) return length > other;
            return a.start_y != b.start_y ? a.start_y < b.start_y : a.start_x < b.start_x;
        });
        *count = static_cast<int32_t>(std::min<size_t>(found.size(), static_cast<size_t>(capacity)));
        std::copy_n(found.begin(), *count, segments);
        return CVISION_OK;
    });
}
