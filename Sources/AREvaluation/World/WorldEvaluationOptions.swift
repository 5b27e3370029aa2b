// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// From when on an answer counts as one about a true thing, and a true thing as one that should have been found.
public struct WorldEvaluationOptions: Hashable, Sendable {
    /// The largest angle between the normals of a plane and of the true one that it can be, in radians.
    public var largestPlaneTurn = 5 * Double.pi / 180
    /// The largest distance of a plane from the true one that it can be, in metres.
    public var largestPlaneOffset = 0.03
    /// The smallest part of a plane's own area that lies on the true one that it can be.
    public var leastPlaneOverlap = 0.1
    /// How far true planes lie apart at least that can be told from each other, in metres: what a plane's offset is asked to be known to.
    public var leastPlaneDistance = 0.01
    /// By which angle they are turned at least, in radians: what a normal is asked to be known to.
    public var leastPlaneTurn = 0.5 * Double.pi / 180
    /// The smallest part of a true plane that must be in view for the plane to be in sight.
    public var leastPlaneInSight = 0.05
    /// How much of a true plane must have been seen well for the plane to be seen well, in m², or half of it where that is less.
    public var leastPlaneAreaSeenWell = 0.25
    /// The seconds for which a true plane must be in sight to be seen well.
    public var leastPlaneSecondsInSight = 2.0
    /// The smallest visible fraction of a rectangle or code that is fully visible. The truth samples its surface.
    public var leastFullyVisible = 0.98
    /// The shortest side of a rectangle in the picture that should be detected, in pixels.
    public var leastRectangleSidePixels = 20.0
    /// The size of a code's modules from which on it should be read, in pixels.
    public var leastModulePixels = 2.0
    /// The shortest side of an image target in the picture that should be recognised, in pixels.
    public var leastTargetSidePixels = 64.0
    /// How much of a face is seen that should be found.
    public var leastVisibleFaceFraction = 0.5
    /// The height of a face's box that should be found, from brows to chin, in pixels.
    public var leastFaceHeightPixels = 30.0
    /// How far a face may look aside where its angles are compared, in radians.
    public var greatestFaceYaw = 50 * Double.pi / 180
    /// How many modules a code has along a side, where the truth does not say.
    public var modulesAcross = 29

    /// The usual limits.
    public init() {}

    /// Whether that much of a rectangle or code is all of it.
    func isFullyVisible(_ fraction: Double) -> Bool { fraction >= leastFullyVisible }
}

/// A figure of two comparisons, both named.
///
/// A session's world has an origin and a heading of its own, and errors of the pose move everything in it. `world` says
/// where things are after the whole way was laid over the truth: what is true of a map. `camera` says where they are seen
/// from the camera of the frame: what an app shows, in which errors of the pose that camera and things share cancel.
public struct WorldAndCamera<Figure> {
    /// After the session's world was laid over the truth's by the alignment of the trajectories.
    public var world: Figure
    /// After the frame's camera was laid over the true camera.
    public var camera: Figure

    /// A figure of each.
    public init(world: Figure, camera: Figure) {
        self.world = world
        self.camera = camera
    }

    /// Another figure of each.
    public func map<Other>(_ transform: (Figure) -> Other) -> WorldAndCamera<Other> {
        WorldAndCamera<Other>(world: transform(world), camera: transform(camera))
    }
}

extension WorldAndCamera: Equatable where Figure: Equatable {}
extension WorldAndCamera: Hashable where Figure: Hashable {}
extension WorldAndCamera: Sendable where Figure: Sendable {}
