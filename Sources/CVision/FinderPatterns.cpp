// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The squares in three corners of a QR code: dark, light, dark in parts of 1 1 3 1 1 along each line through the middle,
// whatever the perspective does to them.

#include "Guard.hpp"
#include "Pyramid.hpp"

#include <algorithm>
#include <array>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

using namespace cvision;

namespace {

/// Lengths of the runs dark, light, dark, light, dark.
using Runs = std::array<float, 5>;

/// Whether runs are as 1 1 3 1 1, but for blur, tilt and whole pixels.
bool have_ratio(const Runs &runs) {
    const float total = runs[0] + runs[1] + runs[2] + runs[3] + runs[4];
    const float module = total / 7;
    if (module < 1) return false;
    const float tolerance = 0.5f * module + 0.5f;
    // The middle one tells most.
    if (std::abs(runs[2] - 3 * module) > 2 * tolerance) return false;
    for (const int i : {0, 1, 3, 4}) {
        if (std::abs(runs[i] - module) > tolerance) return false;
    }
    return true;
}

/// A level, dark or light, against the mean light around each pixel.
class Binary {
public:
    Binary(const Levels &levels, int number) : level(levels[number]) {
        // The mean of a large window changes slowly: a quarter of the size will do.
        const cv::Size size((level.width + 3) / 4, (level.height + 3) / 4);
        cv::Mat small;
        if (number + 2 < levels.count) {
            small = pixels(levels[number + 2]);
        } else {
            cv::resize(pixels(level), small, size, 0, 0, cv::INTER_AREA);
        }
        const int window = std::max(5, std::min(size.width, size.height) / 8) | 1;
        cv::blur(small, means, cv::Size(window, window), cv::Point(-1, -1), cv::BORDER_REPLICATE | cv::BORDER_ISOLATED);
    }

    const Level &level;

    /// Darker than its surroundings, by more than noise.
    bool is_dark(int x, int y) const { return level.row(y)[x] + 4 < means.ptr<uint8_t>(y / 4)[x / 4]; }
    float threshold(int x, int y) const { return means.ptr<uint8_t>(y / 4)[x / 4] - 4.0f; }
    const uint8_t *means_of_row(int y) const { return means.ptr<uint8_t>(y / 4); }

private:
    cv::Mat means;

    static cv::Mat pixels(const Level &level) {
        return cv::Mat(level.height, level.width, CV_8UC1, level.origin, static_cast<size_t>(level.bytes_per_row));
    }
};

/// Where a row changes between dark and light.
class RowChanges {
public:
    explicit RowChanges(int width) : width(width), means(static_cast<size_t>(width) / 4 + 16) {}

    /// The columns, from left to right: what starts at the first is dark, what starts at the next light, and so on.
    std::vector<int> columns;

    /// - means_of_row: one for each four pixels.
    void find(const uint8_t *light, const uint8_t *means_of_row) {
        columns.clear();
        std::copy(means_of_row, means_of_row + (width + 3) / 4, means.begin());
        // One before the first pixel, which is light there.
        uint64_t before = 0;
        for (int start = 0; start < width; start += 64) {
            const uint64_t dark = dark_pixels(light + start, means.data() + start / 4);
            uint64_t changes = dark ^ (dark << 1 | before);
            if (width - start < 64) changes &= (uint64_t(1) << (width - start)) - 1;
            before = dark >> 63;
            for (; changes != 0; changes &= changes - 1) columns.push_back(start + __builtin_ctzll(changes));
        }
    }

private:
    const int width;
    /// With room for a whole vector at the end.
    std::vector<uint8_t> means;

    /// Which of 64 pixels are dark, as bits.
    static uint64_t dark_pixels(const uint8_t *light, const uint8_t *means) {
        const cv::v_uint8x16 margin = cv::v_setall_u8(4), zero = cv::v_setzero_u8(), mean = cv::v_load(means);
        cv::v_uint8x16 low, high, thresholds[4];
        cv::v_zip(mean, mean, low, high);
        cv::v_zip(low, low, thresholds[0], thresholds[1]);
        cv::v_zip(high, high, thresholds[2], thresholds[3]);
        uint64_t dark = 0;
        for (int part = 0; part < 4; ++part) {
            // Sums and differences end at 255 and 0.
            const cv::v_uint8x16 excess = thresholds[part] - (cv::v_load(light + 16 * part) + margin);
            dark |= static_cast<uint64_t>(~cv::v_signmask(excess == zero) & 0xffff) << 16 * part;
        }
        return dark;
    }
};

/// The five runs about a dark pixel along rows or columns, and the middle of the third; false where they are none.
bool runs_about(const Binary &binary, int x, int y, int step_x, int step_y, Runs &runs, float &middle) {
    const Level &level = binary.level;
    const int longest = std::max(level.width, level.height) / 4;
    const auto inside = [&](int i) {
        const int u = x + i * step_x, v = y + i * step_y;
        return u >= 0 && v >= 0 && u < level.width && v < level.height;
    };
    const auto dark = [&](int i) { return binary.is_dark(x + i * step_x, y + i * step_y); };
    int ahead = 0, back = 0;
    while (inside(ahead + 1) && dark(ahead + 1) && ahead < longest) ++ahead;
    while (inside(-back - 1) && dark(-back - 1) && back < longest) ++back;
    runs[2] = static_cast<float>(ahead + back + 1);
    middle = 0.5f * static_cast<float>(ahead - back);
    int i = ahead + 1, j = back + 1;
    for (const int part : {1, 2}) {
        const bool is_light = part == 1;
        int count = 0, opposite = 0;
        while (inside(i) && dark(i) != is_light && count < longest) ++i, ++count;
        while (inside(-j) && dark(-j) != is_light && opposite < longest) ++j, ++opposite;
        runs[2 + part] = static_cast<float>(count);
        runs[2 - part] = static_cast<float>(opposite);
    }
    return have_ratio(runs);
}

struct Place {
    float x, y;
};

constexpr int ray_count = 64;

/// The outermost edge of a pattern, seen from its middle along rays.
class Outline {
public:
    Outline(const Binary &binary, Place middle, float farthest) : level(binary.level), middle(middle) {
        const int x = std::clamp(static_cast<int>(middle.x + 0.5f), 0, level.width - 1);
        const int y = std::clamp(static_cast<int>(middle.y + 0.5f), 0, level.height - 1);
        const float threshold = binary.threshold(x, y);
        for (int ray = 0; ray < ray_count; ++ray) {
            const float angle = static_cast<float>(2 * M_PI * ray / ray_count);
            if (follow(std::cos(angle), std::sin(angle), threshold, farthest, places[ray])) {
                seen[ray] = true;
                ++seen_count;
            }
        }
    }

    /// The quadrilateral through what was seen, clockwise; false where it is none.
    bool quad(double *corners_xy) const {
        if (seen_count < ray_count * 7 / 8) return false;
        // Corners stand out: the place farthest from the middle, the one farthest from that, and the two farthest from
        // their diagonal.
        int corner[4] = {farthest_from(middle), 0, 0, 0};
        corner[2] = farthest_from(places[corner[0]]);
        const Place a = places[corner[0]], b = places[corner[2]];
        float least = 0, most = 0;
        for (int ray = 0; ray < ray_count; ++ray) {
            if (!seen[ray]) continue;
            const float side = (b.x - a.x) * (places[ray].y - a.y) - (b.y - a.y) * (places[ray].x - a.x);
            if (side < least) least = side, corner[1] = ray;
            if (side > most) most = side, corner[3] = ray;
        }
        if (least >= 0 || most <= 0) return false;
        // Angles grow clockwise in the picture.
        std::sort(corner, corner + 4);
        Place from[4], along[4];
        for (int side = 0; side < 4; ++side) {
            if (!fit_side(corner[side], corner[(side + 1) % 4], from[side], along[side])) return false;
        }
        for (int side = 0; side < 4; ++side) {
            const Place &p = from[(side + 3) % 4], &u = along[(side + 3) % 4], &q = from[side], &v = along[side];
            const float cross = u.x * v.y - u.y * v.x;
            if (cross < 0.1f) return false;
            const float share = ((q.x - p.x) * v.y - (q.y - p.y) * v.x) / cross;
            corners_xy[2 * side] = p.x + share * u.x;
            corners_xy[2 * side + 1] = p.y + share * u.y;
        }
        return true;
    }

private:
    const Level &level;
    const Place middle;
    std::array<Place, ray_count> places;
    std::array<bool, ray_count> seen = {};
    int seen_count = 0;

    /// Walks from the dark middle through the light ring and the dark one, to where the light begins again.
    bool follow(float along_x, float along_y, float threshold, float farthest, Place &place) const {
        constexpr float step = 0.5f;
        float crossings[3];
        int count = 0;
        float before = level.light(middle.x, middle.y);
        for (float r = step; r < farthest; r += step) {
            const float x = middle.x + r * along_x, y = middle.y + r * along_y;
            if (!level.contains(x, y)) return false;
            const float here = level.light(x, y);
            const bool waits_for_light = count != 1;
            if (waits_for_light ? here >= threshold : here < threshold) {
                const float change = here - before;
                const float share = std::abs(change) > 1e-3f ? std::clamp((threshold - before) / change, 0.0f, 1.0f) : 0.5f;
                crossings[count++] = r - step + share * step;
                if (count == 3) break;
            }
            before = here;
        }
        if (count < 3) return false;
        const float outer = crossings[2];
        if (crossings[0] < 0.25f * outer || crossings[0] > 0.62f * outer || crossings[1] < 0.5f * outer) return false;
        place = {middle.x + outer * along_x, middle.y + outer * along_y};
        return true;
    }

    int farthest_from(Place from) const {
        float most = -1;
        int best = 0;
        for (int ray = 0; ray < ray_count; ++ray) {
            const float distance = std::hypot(places[ray].x - from.x, places[ray].y - from.y);
            if (seen[ray] && distance > most) most = distance, best = ray;
        }
        return best;
    }

    /// The line through what lies between two corners, without their rounded surroundings.
    bool fit_side(int first, int last, Place &from, Place &along) const {
        const Place a = places[first], b = places[last];
        const float dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
        if (squared < 4) return false;
        float n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
        for (int ray = (first + 1) % ray_count; ray != last; ray = (ray + 1) % ray_count) {
            if (!seen[ray]) continue;
            const Place &p = places[ray];
            const float share = ((p.x - a.x) * dx + (p.y - a.y) * dy) / squared;
            if (share < 0.1f || share > 0.9f) continue;
            const float u = p.x - middle.x, v = p.y - middle.y;
            n += 1, sx += u, sy += v, sxx += u * u, sxy += u * v, syy += v * v;
        }
        if (n < 3) {
            from = a;
            along = {dx / std::sqrt(squared), dy / std::sqrt(squared)};
            return true;
        }
        const float mx = sx / n, my = sy / n;
        const float angle = 0.5f * std::atan2(2 * (sxy / n - mx * my), (sxx / n - mx * mx) - (syy / n - my * my));
        from = {middle.x + mx, middle.y + my};
        along = {std::cos(angle), std::sin(angle)};
        if (along.x * dx + along.y * dy < 0) along = {-along.x, -along.y};
        return true;
    }
};

} // namespace

CVisionStatus cvision_find_finder_patterns(
    const CVisionPyramid *pyramid, int32_t level, double *quads_xy, int32_t capacity, int32_t *count) {
    if (!is_valid(pyramid) || level < 0 || level >= pyramid->level_count || capacity < 0
        || (capacity > 0 && quads_xy == nullptr) || count == nullptr) {
        return CVISION_INVALID_ARGUMENT;
    }
    return guarded([&] {
        *count = 0;
        const Levels levels(*pyramid);
        const Level &picture = levels[level];
        const Binary binary(levels, level);
        std::vector<std::pair<Place, float>> found;
        RowChanges changes(picture.width);
        // The middle of a pattern is three modules high and a module at least a pixel: every second row meets it.
        for (int y = 1; y + 1 < picture.height && *count < capacity; y += 2) {
            changes.find(picture.row(y), binary.means_of_row(y));
            const std::vector<int> &starts = changes.columns;
            for (size_t first = 0; first + 5 < starts.size() && *count < capacity; first += 2) {
                // A quick look at the middle run, as have_ratio takes it: most are none.
                const int total = starts[first + 5] - starts[first], middle_run = 7 * (starts[first + 3] - starts[first + 2]);
                if (middle_run < 2 * total - 7 || middle_run > 4 * total + 7) continue;
                Runs runs;
                for (size_t i = 0; i < 5; ++i) runs[i] = static_cast<float>(starts[first + i + 1] - starts[first + i]);
                if (!have_ratio(runs)) continue;
                const int middle_x = (starts[first + 2] + starts[first + 3] - 1) / 2;
                const bool is_known = std::any_of(found.begin(), found.end(), [&](const auto &known) {
                    return std::abs(known.first.x - middle_x) < known.second
                        && std::abs(known.first.y - y) < known.second;
                });
                if (is_known || !binary.is_dark(middle_x, y)) continue;
                float offset_y = 0, offset_x = 0;
                Runs columns, rows;
                if (!runs_about(binary, middle_x, y, 0, 1, columns, offset_y)) continue;
                const int middle_y = static_cast<int>(std::lround(y + offset_y));
                if (!runs_about(binary, middle_x, middle_y, 1, 0, rows, offset_x)) continue;
                const Place middle = {middle_x + offset_x, y + offset_y};
                float width = 0, height = 0;
                for (int i = 0; i < 5; ++i) width += rows[i], height += columns[i];
                const Outline outline(binary, middle, 1.5f * std::max(width, height));
                double *quad = quads_xy + 8 * static_cast<int64_t>(*count);
                if (!outline.quad(quad)) continue;
                for (int i = 0; i < 8; ++i) quad[i] = from_level(quad[i], level);
                found.push_back({middle, 0.25f * std::min(width, height)});
                ++*count;
            }
        }
        return CVISION_OK;
    });
}
