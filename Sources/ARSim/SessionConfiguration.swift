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
        /// The index fingertip that the pictures show, on the plane beneath it: see ``PenLift``.
        case fingertip
        /// The true fingertip, dropped onto the plane beneath it. Only in mode `pinned`.
        case trueFingertip = "true-fingertip"
    }

    /// What tells that a fingertip that is seen in the pictures does not draw.
    public enum PenLift: String, Hashable, Sendable, CaseIterable {
        /// The session's events: it is down from a `penDown` to a `penUp`.
        case events
        /// The events and, between them, how wide it looks: it is up where it seems to have left the plane. Before the
        /// first event it is down whenever it does not, so that a finger that hovers when it is first seen draws. That is often wrong: see <doc:Fingertips>.
        case seen
    }

    /// What holds the pen.
    public var pen: Pen
    /// What tells that a fingertip does not draw; of no other pen.
    public var penLift: PenLift
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
        pen: Pen = .automatic, penLift: PenLift = .events, minimumSpacing: Double = StrokeBuilder.defaultSpacing,
        strokeWidth: Double = Stroke.defaultWidth, viewSize: ViewSize? = nil,
        planeDetection: PlaneFinderSettings? = PlaneFinderSettings(), pictureSearch: PictureSearch = PictureSearch(),
        imageTargets: ImageTargetSearch? = nil, faces: FaceSearch? = nil
    ) {
        self.pen = pen
        self.penLift = penLift
        self.minimumSpacing = minimumSpacing
        self.strokeWidth = strokeWidth
        self.viewSize = viewSize
        self.planeDetection = planeDetection
        self.pictureSearch = pictureSearch
        self.imageTargets = imageTargets
        self.faces = faces
    }
}
