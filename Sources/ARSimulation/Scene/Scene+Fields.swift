// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

// The keys of a scene file, each once: its name, what it sets, what it allows.

private let anywhere = -1e4...1e4
private let lengths = 1e-4...1e4
private let colors = 0.0...1.0
private let angles = -2 * Double.pi...2 * Double.pi

extension Scene: SceneMapping {
    /// The value of the key `format`: the version of the file's layout.
    public static let format = "arsim-scene/1"

    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        var format = Scene.format
        try fields.text("format", &format)
        try fields.text("name", &name)
        try fields.text("summary", &summary)
        try fields.integer("seed", &seed, in: 0...UInt64.max)
        try fields.number("duration_s", &durationSeconds, in: 0.01...86_400)
        try fields.part("camera", &camera, isRequired: false)
        try fields.part("camera_path", &cameraPath)
        try fields.part("light", &light, isRequired: false)
        try fields.list("materials", &materials, minimum: 1, isRequired: true)
        try fields.list("quads", &quads)
        try fields.list("boxes", &boxes)
        try fields.list("planes", &planes)
        try fields.optionalPart("finger", &finger)
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

extension Scene.CameraPath: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.number("interval_s", &intervalSeconds, in: 0.01...3600)
        try fields.list("waypoints", &waypoints, minimum: 2, isRequired: true)
        try fields.number("tremor_m", &tremorMeters, in: 0...0.1, isRequired: false)
        try fields.number("tremor_rad", &tremorRadians, in: 0...0.2, isRequired: false)
    }
}

extension Scene.Waypoint: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.triple("position_m", &position, in: anywhere)
        try fields.triple("look_at_m", &lookAt, in: anywhere)
        try fields.number("roll_rad", &rollRadians, in: angles, isRequired: false)
    }
}

extension Scene.Light: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.direction("direction", &direction, isRequired: false)
        try fields.number("sun", &sun, in: 0...100, isRequired: false)
        try fields.number("ambient", &ambient, in: 0...100, isRequired: false)
        try fields.number("angular_radius_rad", &angularRadius, in: 0...0.5, isRequired: false)
        try fields.number("shadow_reach_m", &shadowReachMeters, in: 0...1e4, isRequired: false)
        try fields.triple("background_srgb", &background, in: colors, isRequired: false)
    }
}

extension Scene.Material: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.choice("kind", &kind)
        switch kind {
        case .plain:
            try fields.triple("color_srgb", &color, in: colors)
        case .checker, .noise, .wood, .carpet, .plaster:
            try fields.triple("color_srgb", &color, in: colors)
            try fields.triple("second_color_srgb", &secondColor, in: colors)
            try fields.number("scale_m", &scaleMeters, in: lengths)
            try fields.number("texel_m", &texelMeters, in: 1e-5...1, isRequired: false)
        case .picture:
            try fields.text("picture", &picture)
        }
    }
}

extension Scene.Quad: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.triple("center_m", &center, in: anywhere)
        try fields.direction("facing", &facing, isRequired: false)
        try fields.number("turn_rad", &turnRadians, in: angles, isRequired: false)
        try fields.pair("size_m", &size, in: lengths)
        try fields.text("material", &material)
    }
}

extension Scene.Box: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.triple("center_m", &center, in: anywhere)
        try fields.number("turn_rad", &turnRadians, in: angles, isRequired: false)
        try fields.triple("size_m", &size, in: lengths)
        try fields.text("material", &material)
    }
}

extension Scene.Plane: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.text("surface", &surface)
        try fields.choice("classification", &classification, isRequired: false)
        try fields.points("outline_m", &outline, minimum: 3, isRequired: false)
    }
}

extension Scene.Finger: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("plane", &plane)
        try fields.number("heading_rad", &headingRadians, in: angles, isRequired: false)
        try fields.pointLists("strokes_m", &strokes, minimum: 2)
        try fields.number("start_s", &startSeconds, in: 0...86_400, isRequired: false)
        try fields.number("speed_m_per_s", &speed, in: 1e-3...10, isRequired: false)
        try fields.number("lift_m", &liftMeters, in: 0...1, isRequired: false)
        try fields.number("lift_s", &liftSeconds, in: 0.01...60, isRequired: false)
        try fields.number("rest_s", &restSeconds, in: 0...60, isRequired: false)
        try fields.triple("skin_srgb", &skinColor, in: colors, isRequired: false)
        try fields.triple("nail_srgb", &nailColor, in: colors, isRequired: false)
        try fields.triple("sleeve_srgb", &sleeveColor, in: colors, isRequired: false)
    }
}
