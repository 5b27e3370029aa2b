// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The part of each pixel that a shot sees: a square, in pixels.
///
/// A shot answers for a whole pixel with one look at each surface in it, which the textures' filter makes a little wider
/// and rounder than the pixel is. The mean over several shots, each of a small part, comes as near to the pixel's own
/// square as there are parts.
struct PixelSample: Hashable, Sendable {
    /// The part's middle, from the pixel's centre.
    var offset = Vector2.zero
    /// The part's side.
    var side = 1.0

    /// The parts of a pixel that is divided into that many rows of as many parts.
    static func grid(side count: Int) -> [PixelSample] {
        (0..<count * count).map { number in
            let place = Vector2(Double(number % count), Double(number / count)) + 0.5
            return PixelSample(offset: place / Double(count) - 0.5, side: 1 / Double(count))
        }
    }
}

extension Shot {
    /// The same shot of a part of each pixel.
    func seeing(_ sample: PixelSample) -> Shot {
        var shot = self
        shot.sample = sample
        return shot
    }
}
