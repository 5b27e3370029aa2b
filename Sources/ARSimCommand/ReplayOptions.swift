// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

extension SessionConfiguration.Pen: ExpressibleByArgument {}
extension SessionConfiguration.PenLift: ExpressibleByArgument {}
extension PoseMode: ExpressibleByArgument {}

/// What `replay` and `draw` share: a session is run from its first frame to its last.
struct ReplayOptions: ParsableArguments {
    @Argument(help: "A recording's folder, a scene's file, or the name of one that `arsim scenes` lists.")
    var input: SessionInput
    @Option(help: "pinned: poses are the truth's; tracked: they are found from pictures and inertial samples.")
    var mode: PoseMode = .pinned
    @Option(
        help: """
            What holds the pen. automatic: the fingertip where the input has a finger and colour pictures, else the screen's \
            centre.
            """)
    var pen: SessionConfiguration.Pen = .automatic
    @Option(help: ArgumentHelp("The width of a stroke.", valueName: "metres")) var width: Double = 0.003
    @OptionGroup var settings: SceneSettings
    @Flag(help: "Print the summary as JSON.") var json = false

    func validate() throws {
        try require(width, within: Stroke.widths, of: "--width")
    }

    /// The session that the options describe.
    func replay(
        searching search: PictureSearch = PictureSearch(), targets: ImageTargetSearch? = nil, faces: FaceSearch? = nil,
        penLift: SessionConfiguration.PenLift = .events
    ) throws -> SessionReplay {
        let pen = pen == .automatic ? try .suited(to: input.open(settings.set)) : pen
        return try SessionReplay(
            input, settings: settings.set, mode: mode,
            configuration: SessionConfiguration(
                pen: pen, penLift: penLift, strokeWidth: width, pictureSearch: search, imageTargets: targets,
                faces: faces))
    }
}

/// Throws a usage error when an option's value lies outside a range; a length, unless another unit is named.
func require(_ value: Double, within range: ClosedRange<Double>, of option: String, unit: String = " m") throws {
    guard range.contains(value) else {
        throw ValidationError("\(option) must be \(range.lowerBound) to \(range.upperBound)\(unit), not \(value)")
    }
}
