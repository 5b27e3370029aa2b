// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct ScenesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes", abstract: "List the scenes that come with arsim.")

    func run() throws {
        for url in ShippedScenes.all {
            let scene = try Scene(contentsOf: url)
            let name = url.deletingPathExtension().lastPathComponent
            print(name.padding(toLength: max(16, name.count + 2), withPad: " ", startingAt: 0) + scene.summary)
        }
        guard !ShippedScenes.all.isEmpty else {
            throw ValidationError(
                "no folder 'Scenes' beside or above the program or the working folder; name one in ARSIM_SCENES")
        }
    }
}
