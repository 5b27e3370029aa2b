// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser

/// Whether a session looks for faces, and with which models.
struct FaceOptions: ParsableArguments {
    @Flag(help: "Look for faces.") var faces = false
    @OptionGroup var files: FaceCascades

    /// How a session looks for faces; `nil` where it does not.
    func search() throws -> FaceSearch? { faces ? FaceSearch(try files.models()) : nil }
}

/// Where the cascades are that know faces.
struct FaceCascades: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder of haarcascades and lbpcascades, instead of opencv-data's.", valueName: "folder")
    )
    var faceCascades: String?

    /// The cascades, and a network, where one is given.
    func models(network: String? = nil) throws -> FaceModels { try FaceModels(folder: faceCascades, network: network) }
}

/// Whether faces are looked for in single pictures, and with which models.
struct PictureFaceOptions: ParsableArguments {
    @Flag(help: "Look for faces.") var faces = false
    @OptionGroup var files: FaceCascades
    @Option(help: ArgumentHelp("OpenCV's YuNet, which then finds the faces.", valueName: "onnx file"))
    var faceNetwork: String?

    /// The detector; `nil` where faces are not looked for.
    func detector() throws -> FaceDetector? {
        faces ? FaceDetector(try files.models(network: faceNetwork)) : nil
    }
}
