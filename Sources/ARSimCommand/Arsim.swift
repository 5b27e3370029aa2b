// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

@main
struct Arsim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "arsim",
        abstract: "A phone's AR stack on Linux: replay a session, ask its world, draw in it.",
        discussion: """
            A session comes from a SCENE (a YAML file, or the name of one that `arsim scenes` lists) or from a \
            RECORDING (a folder in the EuRoC layout). To begin:

              arsim draw draw -o draw.obj          a finger writes, the writing
                                                   becomes a solid
              arsim replay draw -o out             the trace, and pictures of
                                                   what the session knew
              arsim simulate draw -o recording     the scene as a recording that
                                                   other systems read

            Exit codes: 0 done, 1 nothing was replayed, drawn, left or compared, a budget was not kept, or a picture fails as a target, 64 wrong usage, 65 bad input or an unusable output.
            """,
        version: "0.1.0",
        subcommands: [
            DrawCommand.self, ReplayCommand.self, SimulateCommand.self, MutateCommand.self, ValidateCommand.self,
            ConvertCommand.self, EvalCommand.self, DetectCommand.self, TargetsCommand.self, ScenesCommand.self,
            DemoCommand.self,
        ])

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
            guard fflush(nil) == 0 else {
                throw CameToNothing.printedInVain(reason: String(cString: strerror(errno)))
            }
        } catch let error as CameToNothing {
            exit(withCode: 1, saying: error)
        } catch let error where isBadInput(error) {
            exit(withCode: 65, saying: error)
        } catch {
            exit(withError: error)
        }
    }

    private static func exit(withCode code: Int32, saying error: any Error) -> Never {
        FileHandle.standardError.write(Data("arsim: \(error)\n".utf8))
        exit(withError: ExitCode(code))
    }

    /// Whether an error speaks of the data, not of the command line: those have their own way out.
    private static func isBadInput(_ error: any Error) -> Bool {
        !(error is ExitCode || error is CleanExit || error is ValidationError)
            && exitCode(for: error) == .failure
    }
}
