// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension Scene {
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
}

extension Scene.CameraSettings: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.size("size_px", &size, in: 16...8192)
        try fields.number("rate_hz", &rateInHertz, in: 0.1...1000)
        try fields.pair("focal_px", &focalPixels, in: 1...1e5)
        try fields.pair("principal_point_px", &principalPointPixels, in: -1e5...1e5)
        try fields.choice("lens", &lens, isRequired: false)
        switch lens {
        case .pinhole: break
        case .radialTangential: try fields.numbers("distortion", &distortion, count: 5, in: -100...100)
        case .equidistant: try fields.numbers("distortion", &distortion, count: 4, in: -100...100)
        }
        try fields.choice("pixel_format", &pixelFormat, isRequired: false)
        try fields.choice("transfer", &transfer, isRequired: false)
        try fields.number("exposure", &exposure, in: 0...100, isRequired: false)
    }
}

/// How the light on a pixel becomes its value.
public enum TransferFunction: String, Hashable, Sendable, CaseIterable {
    /// Values proportional to light.
    case linear
    /// The curve of IEC 61966-2-1, as pictures are usually stored.
    case srgb
}
