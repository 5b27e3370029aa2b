// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Strips.hpp"

#include "Runs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

using ClipperLib::cInt;
using ClipperLib::IntPoint;
using ClipperLib::Path;
using ClipperLib::Paths;

namespace cpolygon {
namespace {

/// The edges that a level line should cross in a strip: fewer cost more borders, more cost longer looks.
constexpr double edges_per_strip = 24;

/// How many strips the polygons deserve.
size_t strip_count(const std::vector<Band> &bands, const IntPoint &size) {
    double run = 0, rise = 0, edges = 0;
    for (const Band &band : bands) {
        for (size_t i = 1; i < band.points.size(); ++i) {
            run += std::abs(static_cast<double>(band.points[i].X - band.points[i - 1].X));
            rise += std::abs(static_cast<double>(band.points[i].Y - band.points[i - 1].Y));
        }
        edges += static_cast<double>(band.points.size());
    }
    const double width = static_cast<double>(size.X), height = static_cast<double>(size.Y);
    if (!(run > 0) || !(rise > 0)) return 1;
    const double wanted = rise / height / edges_per_strip;
    // All borders together should not be crossed more often than there are edges, nor lie nearer than some units.
    return static_cast<size_t>(std::max(1.0, std::min({wanted, edges * width / run, width / 1024})));
}

/// The pieces into which a band's chords divide it, numbered from its start, which is where its points start and end.
class Pieces {
  public:
    explicit Pieces(const Band &band) : points_(band.points), chords_(band.chords) {}

    size_t count() const { return chords_.size() + 1; }

    /// Pieces `first` to `last` in one polygon.
    Path joined(size_t first, size_t last) const {
        Path path;
        if (last + 1 == count()) {
            path.assign(at(start(first)), at(end(first) + 1));
            return path;
        }
        path.assign(at(start(first)), at(chords_[last].first + 1));
        path.insert(path.end(), at(chords_[last].second), at(end(first) + 1));
        return path;
    }

    /// The least and the greatest x of a piece.
    std::pair<cInt, cInt> span(size_t piece) const {
        const bool is_last = piece + 1 == count();
        const int64_t turn = is_last ? end(piece) : chords_[piece].first;
        auto span = std::make_pair(points_[static_cast<size_t>(start(piece))].X, cInt(0));
        span.second = span.first;
        extend(span, start(piece), turn);
        if (!is_last) extend(span, chords_[piece].second, end(piece));
        return span;
    }

  private:
    Path::const_iterator at(int64_t index) const { return points_.begin() + index; }
    int64_t start(size_t piece) const { return piece == 0 ? 0 : chords_[piece - 1].first; }
    int64_t end(size_t piece) const {
        return piece == 0 ? static_cast<int64_t>(points_.size()) - 1 : chords_[piece - 1].second;
    }
    void extend(std::pair<cInt, cInt> &span, int64_t from, int64_t to) const {
        for (int64_t i = from; i <= to; ++i) {
            span.first = std::min(span.first, at(i)->X);
            span.second = std::max(span.second, at(i)->X);
        }
    }

    const Path &points_;
    const std::vector<CPolygonChord> &chords_;
};

/// Where the edge meets the upright line at x. The same for both directions of an edge.
IntPoint point_at(cInt x, IntPoint from, IntPoint to) {
    if (to.X < from.X) std::swap(from, to);
    const long double part = static_cast<long double>(x - from.X) / static_cast<long double>(to.X - from.X);
    return IntPoint(x, from.Y + std::llroundl(part * static_cast<long double>(to.Y - from.Y)));
}

} // namespace

Strips::Strips(const std::vector<Band> &bands, const IntPoint &size) {
    const size_t count = strip_count(bands, size);
    for (size_t i = 1; i < count; ++i)
        borders_.push_back(static_cast<cInt>(static_cast<long double>(size.X) * i / count));
    contents_.resize(count);
    for (const Band &band : bands) distribute(band);
}

size_t Strips::strip_of(cInt x) const {
    return static_cast<size_t>(std::upper_bound(borders_.begin(), borders_.end(), x) - borders_.begin());
}

bool Strips::contains(size_t strip, cInt x) const {
    return (strip == 0 || borders_[strip - 1] <= x) && (strip == borders_.size() || x <= borders_[strip]);
}

void Strips::distribute(const Band &band) {
    const Pieces pieces(band);
    // What reaches into a strip in one go stays in one piece: its ends then lie beside the strip.
    std::vector<std::pair<size_t, size_t>> open(contents_.size(), {1, 0});
    for (size_t piece = 0; piece < pieces.count(); ++piece) {
        const auto [left, right] = pieces.span(piece);
        // A piece that ends on a border belongs to both sides.
        const size_t first = strip_of(left - 1), last = strip_of(right);
        for (size_t strip = first; strip <= last; ++strip) {
            auto &[start, end] = open[strip];
            if (start <= end && end + 1 == piece) {
                end = piece;
                continue;
            }
            if (start <= end) contents_[strip].push_back(pieces.joined(start, end));
            start = end = piece;
        }
    }
    for (size_t strip = 0; strip < open.size(); ++strip)
        if (open[strip].first <= open[strip].second)
            contents_[strip].push_back(pieces.joined(open[strip].first, open[strip].second));
}

Path Strips::with_points_at_borders(const Path &ring, size_t strip) const {
    Path refined;
    refined.reserve(ring.size() + 16);
    for (size_t i = 0; i < ring.size(); ++i) {
        const IntPoint &from = ring[i], &to = ring[i + 1 == ring.size() ? 0 : i + 1];
        refined.push_back(from);
        const bool goes_left = to.X < from.X;
        for (const bool is_left : {!goes_left, goes_left}) {
            if (is_left ? strip == 0 : strip == borders_.size()) continue;
            const cInt border = borders_[is_left ? strip - 1 : strip];
            if (std::min(from.X, to.X) < border && border < std::max(from.X, to.X))
                refined.push_back(point_at(border, from, to));
        }
    }
    return refined;
}

Paths Strips::join(const std::vector<Paths> &rings_of_strips) const {
    if (rings_of_strips.size() == 1) return rings_of_strips[0];
    Runs runs;
    for (size_t strip = 0; strip < rings_of_strips.size(); ++strip) {
        for (const Path &ring : rings_of_strips[strip]) {
            const Path refined = with_points_at_borders(ring, strip);
            std::vector<bool> is_inside;
            for (const IntPoint &point : refined) is_inside.push_back(contains(strip, point.X));
            runs.add(refined, is_inside, [&](cInt x) {
                return std::binary_search(borders_.begin(), borders_.end(), x);
            });
        }
    }
    return runs.link();
}

} // namespace cpolygon
