// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The colours in which an app can be painted; a target's colour becomes the nearest of them.
public struct ColorPalette: Hashable, Sendable {
    /// The colours, of which there is at least one.
    public let colors: [TargetColor]

    /// A palette of these colours; `nil` without any.
    public init?(_ colors: [TargetColor]) {
        guard !colors.isEmpty else { return nil }
        self.colors = colors
    }

    private init(known colors: [TargetColor]) { self.colors = colors }

    /// The colour at the least Euclidean distance in red, green and blue; of several, the first.
    ///
    /// Law: `ColorTests.nearestOfAPalette`.
    public func nearest(to color: TargetColor) -> TargetColor {
        colors[indexOfNearest(to: color)]
    }

    /// Where in ``colors`` the nearest colour stands: what belongs to it may stand there in other lists.
    public func indexOfNearest(to color: TargetColor) -> Int {
        var best = 0
        for index in colors.indices
        where colors[index].squaredDistance(to: color) < colors[best].squaredDistance(to: color) {
            best = index
        }
        return best
    }

    /// The 21 colours in which the football clubs' program paints itself, in its order. Its eighth and sixteenth are one.
    public static let clubs = ColorPalette(known: [
        TargetColor(red: 248, green: 27, blue: 44), TargetColor(red: 38, green: 38, blue: 38),
        TargetColor(red: 28, green: 109, blue: 209), TargetColor(red: 241, green: 241, blue: 241),
        TargetColor(red: 188, green: 12, blue: 39), TargetColor(red: 90, green: 187, blue: 255),
        TargetColor(red: 255, green: 153, blue: 0), TargetColor(red: 254, green: 235, blue: 1),
        TargetColor(red: 36, green: 36, blue: 120), TargetColor(red: 51, green: 153, blue: 255),
        TargetColor(red: 255, green: 102, blue: 0), TargetColor(red: 255, green: 142, blue: 4),
        TargetColor(red: 255, green: 255, blue: 0), TargetColor(red: 51, green: 153, blue: 0),
        TargetColor(red: 255, green: 191, blue: 0), TargetColor(red: 254, green: 235, blue: 1),
        TargetColor(red: 255, green: 204, blue: 0), TargetColor(red: 255, green: 251, blue: 0),
        TargetColor(red: 6, green: 141, blue: 116), TargetColor(red: 251, green: 214, blue: 4),
        TargetColor(red: 189, green: 30, blue: 58),
    ])
}
