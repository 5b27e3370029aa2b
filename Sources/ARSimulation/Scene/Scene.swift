// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
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
    /// The number from which, instead, the sensors' noise and errors and the faults are drawn: what one device differs in
    /// from another, and one take from the next, in a world that stays as it is. `nil` for ``seed``.
    public var sensorSeed: UInt64?
    /// How long the session lasts.
    public var durationSeconds = 0.0
    /// The device whose camera and inertial sensor are the defaults.
    public var device = Device.none
    /// The camera.
    public var camera = CameraSettings()
    /// How the camera moves.
    public var cameraPath = CameraPath()
    /// The inertial sensor, where there is one.
    public var imu: ImuSettings?
    /// The light.
    public var light = Light()
    /// What surfaces are made of.
    public var materials: [Material] = []
    /// Flat rectangles.
    public var quads: [Quad] = []
    /// Boxes.
    public var boxes: [Box] = []
    /// Rooms.
    public var rooms: [Room] = []
    /// Cylinders.
    public var cylinders: [Cylinder] = []
    /// Spheres.
    public var spheres: [Sphere] = []
    /// Meshes from files.
    public var meshes: [Mesh] = []
    /// Prints.
    public var prints: [Print] = []
    /// Emblems in rows and columns.
    public var decks: [Deck] = []
    /// Flags.
    public var flags: [Flag] = []
    /// Heads with faces.
    public var heads: [Head] = []
    /// Scanned rooms.
    public var scans: [Scan] = []
    /// The planes that the session declares.
    public var planes: [Plane] = []
    /// The finger, where there is one.
    public var finger: Finger?
    /// What goes wrong, on purpose.
    public var faults: [Fault] = []
    /// The folder in which relative paths of pictures and meshes start: where the scene was read from. No key of the file.
    public var folder: URL?

    /// A scene without content.
    public init() {}
}

extension Scene: SceneMapping {
    /// The value of the key `format`: the version of the file's layout.
    public static let format = "arsim-scene/1"

    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        var format = Scene.format
        try fields.text("format", &format)
        try fields.text("name", &name)
        try fields.text("summary", &summary)
        try fields.integer("seed", &seed, in: 0...UInt64.max)
        try fields.optionalInteger("sensor_seed", &sensorSeed, in: 0...UInt64.max)
        try fields.number("duration_s", &durationSeconds, in: 0.01...86_400)
        try fields.choice("device", &device, isRequired: false)
        if fields.isReading { (camera, imu) = (device.camera, device.imu) }
        try fields.part("camera", &camera, isRequired: false)
        try fields.part("camera_path", &cameraPath)
        try fields.optionalPart("imu", &imu)
        try fields.part("light", &light, isRequired: false)
        try fields.list("materials", &materials)
        try fields.list("quads", &quads)
        try fields.list("boxes", &boxes)
        try fields.list("rooms", &rooms)
        try fields.list("cylinders", &cylinders)
        try fields.list("spheres", &spheres)
        try fields.list("meshes", &meshes)
        try fields.list("prints", &prints)
        try fields.list("decks", &decks)
        try fields.list("flags", &flags)
        try fields.list("heads", &heads)
        try fields.list("scans", &scans)
        try fields.list("planes", &planes)
        try fields.optionalPart("finger", &finger)
        try fields.faults("faults", &faults)
    }
}
