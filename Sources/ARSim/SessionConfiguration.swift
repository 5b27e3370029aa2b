// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a session is asked to do.
public struct SessionConfiguration: Hashable, Sendable {
    /// What holds the pen.
    public enum Pen: String, Hashable, Sendable, CaseIterable {
        /// The fingertip where the session's truth has one, else the screen's centre.
        case automatic
        /// The hit of the view's centre on a plane, inside its extent.
        case screenCenter = "screen-center"
        /// The true fingertip, dropped onto the plane beneath it. Only in mode `pinned`.
        case fingertip
    }

    /// What holds the pen.
    public var pen: Pen
    /// The least distance between two samples of a stroke, in metres. The default is the published app's 3 mm.
    public var minimumSpacing: Double
    /// The width of a stroke, in metres.
    public var strokeWidth: Double
    /// The view that the app would show, in points; the picture's own size when `nil`.
    public var viewSize: ViewSize?

    /// A configuration; every default works.
    public init(
        pen: Pen = .automatic, minimumSpacing: Double = 0.003, strokeWidth: Double = 0.003, viewSize: ViewSize? = nil
    ) {
        self.pen = pen
        self.minimumSpacing = minimumSpacing
        self.strokeWidth = strokeWidth
        self.viewSize = viewSize
    }
}
