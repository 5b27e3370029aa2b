// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser

/// Whether faces are looked for, and with which models.
struct FaceOptions: ParsableArguments {
    @Flag(help: "Look for faces.") var faces = false
    @OptionGroup var files: FaceModelOptions

    /// The models; `nil` where faces are not looked for.
    func models() throws -> FaceModels? { faces ? try files.models() : nil }

    /// How a session looks for faces; `nil` where it does not.
    func search() throws -> FaceSearch? { try models().map { FaceSearch($0) } }
}

/// Where the models of faces are.
struct FaceModelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder of haarcascades and lbpcascades, instead of opencv-data's.", valueName: "folder")
    )
    var faceCascades: String?
    @Option(
        help: ArgumentHelp("OpenCV's YuNet, which then finds the faces of single pictures.", valueName: "onnx file"))
    var faceNetwork: String?

    func models() throws -> FaceModels { try FaceModels(folder: faceCascades, network: faceNetwork) }
}
