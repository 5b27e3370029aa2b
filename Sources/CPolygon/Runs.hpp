// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CPOLYGON_RUNS_HPP
#define CPOLYGON_RUNS_HPP

#include <algorithm>
#include <cstdlib>
#include <map>
#include <polyclipping/clipper.hpp>
#include <utility>
#include <vector>

namespace cpolygon {

/// What lies of rings within strips, to be put together again across the borders.
///
/// A ring that leaves its strip comes back over the same border; between, the strip's area ends along the border. The
/// neighbour's area does so in the other direction, and both cancel. What rounding leaves over closes the rings.
class Runs {
  public:
    /// Adds a ring that has points wherever it crosses its strip's borders.
    template <typename IsBorder>
    void add(const ClipperLib::Path &ring, const std::vector<bool> &is_inside, IsBorder is_border) {
        const size_t count = ring.size();
        const auto is_kept = [&](size_t from, size_t to) {
            return (from + 1) % count == to && !(ring[from].X == ring[to].X && is_border(ring[from].X));
        };
        std::vector<size_t> inside;
        for (size_t i = 0; i < count; ++i)
            if (is_inside[i]) inside.push_back(i);
        if (inside.empty()) return;
        // Start behind a gap, so that no run is cut in two.
        size_t start = 0;
        while (start < inside.size() && is_kept(inside[start], inside[(start + 1) % inside.size()])) ++start;
        if (start == inside.size()) {
            rings_.push_back(ring);
            return;
        }
        ClipperLib::Path run;
        for (size_t step = 1; step <= inside.size(); ++step) {
            const size_t from = inside[(start + step) % inside.size()];
            const size_t to = inside[(start + step + 1) % inside.size()];
            run.push_back(ring[from]);
            if (is_kept(from, to)) continue;
            add_along_border(ring[from], ring[to]);
            if (run.size() > 1) runs_.push_back(std::move(run));
            run.clear();
        }
    }

    /// The rings that everything added forms.
    ClipperLib::Paths link() {
        for (const auto &[x, steps] : steps_of_border_) add_remainder(x, steps);
        std::multimap<ClipperLib::IntPoint, size_t, IsLess> starting;
        for (size_t i = 0; i < runs_.size(); ++i) starting.emplace(runs_[i].front(), i);
        while (!starting.empty()) {
            ClipperLib::Path ring;
            for (auto next = starting.begin(); next != starting.end();) {
                const ClipperLib::Path &run = runs_[next->second];
                starting.erase(next);
                ring.insert(ring.end(), run.begin(), run.end() - 1);
                next = starting.find(run.back());
            }
            rings_.push_back(std::move(ring));
        }
        return std::move(rings_);
    }

  private:
    struct IsLess {
        bool operator()(const ClipperLib::IntPoint &a, const ClipperLib::IntPoint &b) const {
            return a.X != b.X ? a.X < b.X : a.Y < b.Y;
        }
    };

    /// Upwards counts one, downwards minus one.
    void add_along_border(const ClipperLib::IntPoint &from, const ClipperLib::IntPoint &to) {
        auto &steps = steps_of_border_[from.X];
        steps[from.Y] += 1;
        steps[to.Y] -= 1;
    }

    /// Adds the edges along a border of which one direction is left.
    void add_remainder(ClipperLib::cInt x, const std::map<ClipperLib::cInt, int> &steps) {
        int sum = 0;
        ClipperLib::cInt below = 0;
        for (const auto &[y, step] : steps) {
            const ClipperLib::IntPoint low(x, below), high(x, y);
            for (int i = 0; i < std::abs(sum); ++i) {
                if (sum > 0)
                    runs_.push_back({low, high});
                else
                    runs_.push_back({high, low});
            }
            sum += step;
            below = y;
        }
    }

    ClipperLib::Paths rings_;
    ClipperLib::Paths runs_;
    std::map<ClipperLib::cInt, std::map<ClipperLib::cInt, int>> steps_of_border_;
};

} // namespace cpolygon

#endif
