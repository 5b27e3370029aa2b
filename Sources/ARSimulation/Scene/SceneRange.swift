// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The ranges that many keys share.
enum SceneRange {
    /// Coordinates, in metres.
    static let anywhere = -1e4...1e4
    /// Sizes, in metres.
    static let lengths = 1e-4...1e4
    /// A channel of a colour.
    static let colors = 0.0...1.0
    /// Angles: a turn either way.
    static let angles = -2 * Double.pi...2 * Double.pi
    /// Times, in seconds from the scene's beginning: a day.
    static let times = 0.0...86_400
}
