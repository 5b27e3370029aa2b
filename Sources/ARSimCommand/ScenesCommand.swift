// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSim
import ArgumentParser
import Foundation

struct ScenesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes", abstract: "List the scenes that come with arsim, or show them on a contact sheet.")

    @Option(help: ArgumentHelp("Write a picture of every scene, at four instants each.", valueName: "png"))
    var sheet: String?
    @Option(help: ArgumentHelp("Write a picture of every effect of the camera and every fault.", valueName: "png"))
    var effects: String?

    func run() throws {
        guard !ShippedScenes.all.isEmpty else { throw MissingScenes() }
        if let sheet { try write("scenes", to: sheet, SceneSheet.scenes) }
        if let effects { try write("effects", to: effects, SceneSheet.effects) }
        if sheet == nil, effects == nil { list() }
    }

    /// A scene that needs data which is not there is listed with what it lacks.
    private func list() {
        for url in ShippedScenes.all {
            let name = url.deletingPathExtension().lastPathComponent
            let summary: String
            do { summary = try Scene(contentsOf: url).summary } catch { summary = "not usable here: \(error)" }
            print(name.padding(toLength: max(18, name.count + 2), withPad: " ", startingAt: 0) + summary)
        }
    }

    private func write(
        _ name: String, to path: String, _ make: ((Int, Int) -> Void) throws -> ContactSheet
    ) throws {
        let file = URL(fileURLWithPath: path)
        try Outputs(files: [file]).prepare()
        var progress = ProgressBar("rendering", total: nil)
        let sheet = try make { done, _ in progress.show(done) }
        progress.finish()
        try ImageFile.writePNG(sheet.image, to: file)
        print(name.padding(toLength: 12, withPad: " ", startingAt: 0) + path)
    }
}

/// The folder of the scenes is not where it should be, or is empty.
private struct MissingScenes: Error, CustomStringConvertible {
    var description: String {
        "\(ShippedScenes.folder?.path ?? "Scenes"): found no scene, expected YAML files in the folder 'Scenes' beside "
            + "or above the program or the working folder; name that folder in the environment's ARSIM_SCENES"
    }
}
