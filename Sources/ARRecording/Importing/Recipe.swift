// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth
import Foundation

/// How somebody's logs become a recording: where the frames, inertial samples, poses, calibration and planes are, and
/// in which units, axes and columns.
///
/// A recipe is a YAML file; the format is described in the article *Recipes*. Its paths are relative to a data folder
/// that is named when the recipe is used.
public struct Recipe: Sendable {
    /// The recipe file's name, for errors.
    public let name: String
    /// What `session.json` will say.
    public let session: SessionDescription

    let frames: FrameRecipe
    let calibration: CalibrationRecipe
    let imu: ImuRecipe?
    let poses: PoseRecipe?

    /// The version of the format, and the only one so far.
    public static let version: Int64 = 1

    /// Reads a recipe file.
    public init(reading file: URL) throws(RecordingError) {
        name = file.lastPathComponent
        let node = try YamlDocument.read(file, name: name)
        let version = try reading { () throws(DocumentError) in
            try node.check(keys: [
                "recipe_version", "device", "interface_orientation", "camera", "imu", "poses", "planes",
            ])
            return try node.required("recipe_version")
        }
        guard try reading({ () throws(DocumentError) in try version.int64() }) == Self.version else {
            throw version.broken(.formatVersion, expected: "recipe version \(Self.version)")
        }
        let camera = try reading { () throws(DocumentError) in
            let camera = try node.required("camera")
            try camera.check(keys: ["frames", "stamps", "calibration"])
            return camera
        }
        frames = try reading { () throws(DocumentError) in try FrameRecipe(camera) }
        calibration = try reading { () throws(DocumentError) in try CalibrationRecipe(camera.required("calibration")) }
        if let imuNode = try reading({ () throws(DocumentError) in try node.value("imu") }) {
            imu = try ImuRecipe(imuNode)
        } else {
            imu = nil
        }
        if let poseNode = try reading({ () throws(DocumentError) in try node.value("poses") }) {
            poses = try PoseRecipe(poseNode)
        } else {
            poses = nil
        }
        session = try reading { [name] () throws(DocumentError) in
            var planes: [DeclaredPlane] = []
            for item in try node.value("planes")?.items() ?? [] { planes.append(try DeclaredPlane(item)) }
            return SessionDescription(
                device: try node.value("device")?.string() ?? "", madeBy: "arsim convert, recipe \(name)",
                interfaceOrientation: try node.value("interface_orientation")?.choice(of: InterfaceOrientation.self)
                    ?? .landscapeRight,
                declaredPlanes: planes)
        }
    }
}
