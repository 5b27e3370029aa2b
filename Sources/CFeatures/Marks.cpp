// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Marks.hpp"

#include "ScaleSpace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cfeatures {
namespace {

/// The eigenvalues of a part's Σ ∇T ∇Tᵀ: how much it changes in the direction in which it changes most, and across that.
struct Changes {
    float most, least;

    explicit Changes(const Part &part) {
        const float mean = (part.xx + part.yy) / 2;
        const float spread = std::sqrt((part.xx - part.yy) * (part.xx - part.yy) / 4 + part.xy * part.xy);
        most = mean + spread;
        least = mean - spread;
    }

    /// A corner changes in two directions (Shi and Tomasi 1994).
    bool is_corner() const { return least >= 0.1f * most; }
    /// An edge changes in one; a part that sees the end of another one besides has neither a corner nor an edge of its own.
    bool is_edge() const { return least < 0.03f * most; }
};

/// How many parts see more of a corner than the parts around them, which may see the same one; of equals the first counts.
int count_corners(const std::vector<float> &strengths, int columns) {
    const int count = int(strengths.size()), rows = count / columns;
    int corners = 0;
    for (int i = 0; i < count; ++i) {
        bool is_strongest = strengths[size_t(i)] > 0;
        for (int row = std::max(0, i / columns - 1); row <= std::min(rows - 1, i / columns + 1); ++row) {
            for (int column = std::max(0, i % columns - 1); column <= std::min(columns - 1, i % columns + 1); ++column) {
                const int other = row * columns + column;
                const float lead = strengths[size_t(i)] - strengths[size_t(other)];
                is_strongest &= lead > 0 || (lead == 0 && i <= other);
            }
        }
        corners += is_strongest;
    }
    return corners;
}

/// A straight edge: the middle of what changes in a part, and the direction in which it changes.
struct Edge {
    float x, y, across_x, across_y;

    Edge(const Drawing &print, const Part &part) {
        const float angle = 0.5f * std::atan2(2 * part.xy, part.xx - part.yy);
        across_x = std::cos(angle);
        across_y = std::sin(angle);
        float sum = 0, sum_x = 0, sum_y = 0;
        for (int v = part.y - half_window; v <= part.y + half_window; ++v) {
            for (int u = part.x - half_window; u <= part.x + half_window; ++u) {
                const float gx = print.across.at(u, v), gy = print.down.at(u, v), change = gx * gx + gy * gy;
                sum += change;
                sum_x += change * float(u);
                sum_y += change * float(v);
            }
        }
        x = sum_x / sum;
        y = sum_y / sum;
    }

    /// Whether both lie on one line, to half of a part and 10°.
    bool continues(const Edge &other) const {
        constexpr float reach = half_window, least_cosine = 0.985f;
        const float dx = x - other.x, dy = y - other.y;
        return std::abs(across_x * other.across_x + across_y * other.across_y) > least_cosine &&
               std::abs(across_x * dx + across_y * dy) < reach &&
               std::abs(other.across_x * dx + other.across_y * dy) < reach;
    }
};

} // namespace

int count_marks(const Drawing &print, const std::vector<Part> &parts, int columns) {
    std::vector<float> corner_strengths(parts.size());
    std::vector<Edge> edges;
    for (size_t i = 0; i < parts.size(); ++i) {
        const Part &part = parts[i];
        if (!part.is_structured || !part.agrees) continue;
        const Changes changes(part);
        if (changes.is_corner()) corner_strengths[i] = changes.least;
        if (!changes.is_edge()) continue;
        const Edge edge(print, part);
        if (std::none_of(edges.begin(), edges.end(), [&](const Edge &other) { return edge.continues(other); }))
            edges.push_back(edge);
    }
    return count_corners(corner_strengths, columns) + int(edges.size());
}

} // namespace cfeatures

using namespace cfeatures;

CFeaturesStatus cfeatures_count_marks(const CFeaturesTemplate *print, int32_t *count) {
    if (!print || !print->pixels || print->width < 8 || print->height < 8 || !count) return CFEATURES_INVALID_ARGUMENT;
    return guarded([&] {
        // As a lens shows it, so that steps of pixels are no corners.
        Raster raster = resampled(*print, CFEATURES_FIELD_PX * CFEATURES_FIELD_ROWS);
        smooth(raster, 1);
        const Drawing drawing(std::move(raster));
        std::vector<Part> parts = make_parts(drawing, 0);
        for (Part &part : parts) part.agrees = true;
        *count = count_marks(drawing, parts, part_columns(drawing.light.width));
        return CFEATURES_OK;
    });
}
