// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct ScenesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes", abstract: "List the scenes that come with arsim.")

    func run() throws {
        guard !ShippedScenes.all.isEmpty else { throw MissingScenes() }
        for url in ShippedScenes.all {
            let scene = try Scene(contentsOf: url)
            let name = url.deletingPathExtension().lastPathComponent
            print(name.padding(toLength: max(16, name.count + 2), withPad: " ", startingAt: 0) + scene.summary)
        }
    }
}

/// The folder of the scenes is not where it should be, or is empty.
private struct MissingScenes: Error, CustomStringConvertible {
    var description: String {
        "\(ShippedScenes.folder?.path ?? "Scenes"): found no scene, expected YAML files in the folder 'Scenes' beside "
            + "or above the program or the working folder; name that folder in the environment's ARSIM_SCENES"
    }
}
