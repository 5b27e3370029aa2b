// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// A scene: what there is to see, how the camera moves, and what a finger writes. The value behind a scene file.
///
/// Each property is a key of the file, whose meaning, default and range `SceneFormat.md` tells. A scene is a plain value:
/// make one in code, change one that was read, write it with ``yaml``. Whether it makes sense as a whole is checked
/// where it is read and where it is used.
public struct Scene: Hashable, Sendable {
    /// What the scene is called.
    public var name = ""
    /// What it shows, in a sentence.
    public var summary = ""
    /// The number from which all that is random is drawn.
    public var seed: UInt64 = 0
    /// How long the session lasts.
    public var durationSeconds = 0.0
    /// The camera.
    public var camera = CameraSettings()
    /// How the camera moves.
    public var cameraPath = CameraPath()
    /// The light.
    public var light = Light()
    /// What surfaces are made of.
    public var materials: [Material] = []
    /// Flat rectangles.
    public var quads: [Quad] = []
    /// Boxes.
    public var boxes: [Box] = []
    /// The planes that the session declares.
    public var planes: [Plane] = []
    /// The finger, where there is one.
    public var finger: Finger?
    /// The folder in which relative paths of pictures start: where the scene was read from. No key of the file.
    public var folder: URL?

    /// A scene without content.
    public init() {}

    /// The camera of a scene.
    public struct CameraSettings: Hashable, Sendable {
        /// Columns and rows.
        public var size = ImageSize(width: 640, height: 480)
        /// Frames a second.
        public var rateInHertz = 30.0
        /// fx and fy, in pixels.
        public var focalPixels = Vector2(525, 525)
        /// The principal point, in pixels from the centre of the first pixel.
        public var principalPointPixels = Vector2(319.5, 239.5)
        /// How the lens draws.
        public var lens = Lens.pinhole
        /// The coefficients of the lens's distortion, in the order of its model.
        public var distortion: [Double] = []
        /// What the pictures are made of.
        public var pixelFormat = PixelFormat.rgb8
        /// How light becomes a number.
        public var transfer = TransferFunction.srgb
        /// A factor on all light.
        public var exposure = 1.0

        /// How a lens draws.
        public enum Lens: String, Hashable, Sendable, CaseIterable {
            /// Straight lines stay straight.
            case pinhole
            /// OpenCV's standard model: k1 k2 p1 p2 k3.
            case radialTangential = "radial_tangential"
            /// The fisheye model of Kalibr and OpenCV: k1 k2 k3 k4.
            case equidistant
        }

        /// A camera with every default.
        public init() {}
    }

    /// How the camera moves: through waypoints at equal intervals, with a hand's tremor on top.
    public struct CameraPath: Hashable, Sendable {
        /// The time from one waypoint to the next.
        public var intervalSeconds = 1.0
        /// Where the camera is, one after the other.
        public var waypoints: [Waypoint] = []
        /// The standard deviation of the tremor's position, per axis.
        public var tremorMeters = 0.0
        /// The standard deviation of the tremor's rotation, per axis.
        public var tremorRadians = 0.0

        /// A path without waypoints.
        public init() {}
    }

    /// Where the camera is and where it looks.
    public struct Waypoint: Hashable, Sendable {
        /// The centre of projection.
        public var position = Point3.zero
        /// The point in the middle of the picture.
        public var lookAt = Point3.zero
        /// How far the camera is turned about its viewing axis, counter-clockwise seen from behind it.
        public var rollRadians = 0.0

        /// A waypoint at the origin.
        public init() {}
    }

    /// Light from all sides and from one.
    public struct Light: Hashable, Sendable {
        /// Where the sun stands, seen from the scene.
        public var direction = Vector3(0.4, 1, 0.3)
        /// The irradiance from the sun on a surface that faces it.
        public var sun = 0.75
        /// The irradiance from everywhere else.
        public var ambient = 0.35
        /// Half the angle that the sun covers: the larger, the softer the shadows.
        public var angularRadius = 0.06
        /// How far away something may be and still throw a shadow.
        public var shadowReachMeters = 1.5
        /// The colour where nothing is.
        public var background = Vector3(0.55, 0.62, 0.70)

        /// A light with every default.
        public init() {}
    }

    /// What a surface is made of.
    public struct Material: Hashable, Sendable {
        /// The name by which surfaces call it.
        public var name = ""
        /// What it looks like.
        public var kind = Kind.plain
        /// The main colour, sRGB 0…1.
        public var color = Vector3(0.7, 0.7, 0.7)
        /// The other colour, sRGB 0…1.
        public var secondColor = Vector3(0.3, 0.3, 0.3)
        /// The size of what repeats.
        public var scaleMeters = 0.05
        /// The width of a texel.
        public var texelMeters = 0.001
        /// The picture's path, relative to the scene file.
        public var picture = ""

        /// What a material looks like.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// One colour.
            case plain
            /// Squares of two colours.
            case checker
            /// Clouds of two colours.
            case noise
            /// Boards with grain, in shades from one colour to the other.
            case wood
            /// A woven pattern of two colours with a rough pile.
            case carpet
            /// A wall: one colour with trowel marks, specks of the other.
            case plaster
            /// A picture, stretched over the surface.
            case picture
        }

        /// A plain material.
        public init() {}
    }

    /// A flat rectangle, seen from both sides.
    public struct Quad: Hashable, Sendable {
        /// The name by which planes call it.
        public var name = ""
        /// Its centre.
        public var center = Point3.zero
        /// Its normal.
        public var facing = Vector3(0, 1, 0)
        /// How far it is turned about its normal, counter-clockwise seen against it.
        public var turnRadians = 0.0
        /// Its extent along its own x and z.
        public var size = Vector2(1, 1)
        /// What it is made of.
        public var material = ""

        /// A rectangle of one square metre.
        public init() {}
    }

    /// A box that stands upright.
    public struct Box: Hashable, Sendable {
        /// The name by which planes call its top.
        public var name = ""
        /// Its centre.
        public var center = Point3.zero
        /// How far it is turned about +Y.
        public var turnRadians = 0.0
        /// Its extent along its own axes.
        public var size = Vector3(1, 1, 1)
        /// What it is made of.
        public var material = ""

        /// A box of one cubic metre.
        public init() {}
    }

    /// A plane that the session declares: a surface, or a part of it.
    public struct Plane: Hashable, Sendable {
        /// The plane's name.
        public var name = ""
        /// The quad, or the box whose top is meant.
        public var surface = ""
        /// What it is.
        public var classification = PlaneClassification.none
        /// The outline in the surface's x and z; empty for the whole rectangle.
        public var outline: [Point2] = []

        /// A plane on nothing.
        public init() {}
    }

    /// A hand whose finger writes on a plane.
    public struct Finger: Hashable, Sendable {
        /// The declared plane that it writes on.
        public var plane = ""
        /// Where the finger points, about the plane's normal: 0 along −z, counter-clockwise seen from above.
        public var headingRadians = 0.0
        /// The strokes, each a smooth curve through points in the plane's x and z.
        public var strokes: [[Point2]] = []
        /// When the finger starts to come down.
        public var startSeconds = 0.5
        /// The mean speed while it draws.
        public var speed = 0.1
        /// How high it lifts between strokes.
        public var liftMeters = 0.03
        /// How long it takes to come down, to go from one stroke to the next, and to lift at the end.
        public var liftSeconds = 0.6
        /// How long it rests on the plane before and after each stroke.
        public var restSeconds = 0.1
        /// The skin's colour, sRGB 0…1.
        public var skinColor = Vector3(0.80, 0.58, 0.46)
        /// The nail's colour, sRGB 0…1.
        public var nailColor = Vector3(0.93, 0.72, 0.68)
        /// The sleeve's colour, sRGB 0…1.
        public var sleeveColor = Vector3(0.20, 0.29, 0.45)

        /// A finger without strokes.
        public init() {}
    }
}

/// How the light on a pixel becomes its value.
public enum TransferFunction: String, Hashable, Sendable, CaseIterable {
    /// Values proportional to light.
    case linear
    /// The curve of IEC 61966-2-1, as pictures are usually stored.
    case srgb
}
