// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Whole programs of an AR app, from the sensors to what is left in the end.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Run a whole AR program on its scene, or on a recording of yours.",
        subcommands: [DemoDrawCommand.self, DemoCardCommand.self, DemoClubsCommand.self, DemoFacesCommand.self])
}
