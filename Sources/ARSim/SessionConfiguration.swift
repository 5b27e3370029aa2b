// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARWorld

/// What a session is asked to do.
public struct SessionConfiguration: Hashable, Sendable {
    /// What holds the pen.
    public enum Pen: String, Hashable, Sendable, CaseIterable {
        /// The true fingertip where the session's truth has one, else the screen's centre. ``suited(to:)`` chooses by what the
        /// pictures can show.
        case automatic
        /// The hit of the view's centre on a plane, inside its extent.
        case screenCenter = "screen-center"
        /// The index fingertip that the pictures show, on the plane beneath it. It is down while the session's events say so.
        case fingertip
        /// The true fingertip, dropped onto the plane beneath it. Only in mode `pinned`.
        case trueFingertip = "true-fingertip"
    }

    /// What holds the pen.
    public var pen: Pen
    /// The distance between neighbouring points of a stroke, in metres: the pen's samples are spaced anew.
    public var minimumSpacing: Double
    /// The width of a stroke, in metres.
    public var strokeWidth: Double
    /// The view that the app would show, in points, whichever way the interface is turned; the size of the turned picture
    /// when `nil`.
    public var viewSize: ViewSize?
    /// How planes are found in what the tracker sees: ARKit's `planeDetection`. `nil`: none are looked for. In mode `pinned`
    /// planes are those that the source declares.
    public var planeDetection: PlaneFinderSettings?
    /// What is looked for in the pictures.
    public var pictureSearch: PictureSearch
    /// Which image targets are looked for in the pictures; `nil` for none.
    public var imageTargets: ImageTargetSearch?
    /// How faces are looked for in the pictures; `nil`: they are not.
    public var faces: FaceSearch?

    /// A configuration; every default works.
    public init(
        pen: Pen = .automatic, minimumSpacing: Double = StrokeBuilder.defaultSpacing,
        strokeWidth: Double = Stroke.defaultWidth, viewSize: ViewSize? = nil,
        planeDetection: PlaneFinderSettings? = PlaneFinderSettings(), pictureSearch: PictureSearch = PictureSearch(),
        imageTargets: ImageTargetSearch? = nil, faces: FaceSearch? = nil
    ) {
        self.pen = pen
        self.minimumSpacing = minimumSpacing
        self.strokeWidth = strokeWidth
        self.viewSize = viewSize
        self.planeDetection = planeDetection
        self.pictureSearch = pictureSearch
        self.imageTargets = imageTargets
        self.faces = faces
    }
}
