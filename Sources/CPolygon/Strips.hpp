// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CPOLYGON_STRIPS_HPP
#define CPOLYGON_STRIPS_HPP

#include "CPolygon.h"

#include <polyclipping/clipper.hpp>
#include <vector>

namespace cpolygon {

/// A polygon and where it can be divided.
struct Band {
    ClipperLib::Path points;
    std::vector<CPolygonChord> chords;
};

/// Upright strips of the plane, side by side, and what of some polygons reaches into each.
///
/// Clipper looks, at every corner, at all edges beside it. In a strip there are few, however many there are in all.
class Strips {
  public:
    /// Strips for polygons whose coordinates lie in 0…size.
    Strips(const std::vector<Band> &bands, const ClipperLib::IntPoint &size);

    size_t count() const { return contents_.size(); }

    /// Pieces of the polygons that wind in the strip as the polygons do. They reach beyond it, where they may differ.
    const ClipperLib::Paths &contents(size_t strip) const { return contents_[strip]; }

    /// The rings of the whole, from the rings around the area of each strip's contents.
    ClipperLib::Paths join(const std::vector<ClipperLib::Paths> &rings_of_strips) const;

  private:
    size_t strip_of(ClipperLib::cInt x) const;
    bool contains(size_t strip, ClipperLib::cInt x) const;
    void distribute(const Band &band);
    ClipperLib::Path with_points_at_borders(const ClipperLib::Path &ring, size_t strip) const;

    /// The x of the borders between strips: border i parts strip i from strip i + 1.
    std::vector<ClipperLib::cInt> borders_;
    std::vector<ClipperLib::Paths> contents_;
};

} // namespace cpolygon

#endif
