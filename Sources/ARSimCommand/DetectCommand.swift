// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct DetectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect", abstract: "Find rectangles, codes, image targets and faces in pictures.",
        discussion: """
            Without --rectangles, --codes, --targets and --faces, rectangles and codes are looked for. Corners are pixels, from the centre of the upper left \
            one: upper left, upper right, lower right, lower left; a rectangle's as the picture shows them, a code's as \
            it is read, an image target's as it is printed. A face's box goes from the \
            brows to the chin; its angles are counter-clockwise positive, for a face that is upright in the picture. The folder given with --output receives each picture with what was found drawn on it, as PNG.
            """)

    @Argument(help: ArgumentHelp("PNG, JPEG or PGM/PPM files.", valueName: "picture")) var pictures: [String]
    @Flag(help: "Look for rectangles.") var rectangles = false
    @Flag(help: "Look for codes.") var codes = false
    @OptionGroup(title: "Image targets") var targets: TargetDatabases
    @OptionGroup(title: "Faces") var faces: PictureFaceOptions
    @OptionGroup(title: "Rectangles") var limits: RectangleOptions
    @Option(name: .shortAndLong, help: ArgumentHelp("Draw what was found.", valueName: "folder")) var output: String?
    @Flag(help: "Print the findings as JSON.") var json = false

    func validate() throws {
        guard !pictures.isEmpty else { throw ValidationError("Give at least one picture.") }
    }

    func run() throws {
        let files = pictures.map { URL(fileURLWithPath: $0) }
        let drawings = output.map { DrawingFiles(of: files, in: URL(fileURLWithPath: $0)) }
        try drawings?.outputs.prepare(besides: files)
        var recognizer = try targets.open().map(TargetRecognizer.init)
        let faceDetector = try faces.detector()
        let looksForBoth = !rectangles && !codes && recognizer == nil && faceDetector == nil
        var findings: [PictureFindings] = []
        var progress = ProgressBar("detecting", total: pictures.count)
        for (number, file) in files.enumerated() {
            let image = try ImageFile.read(file)
            guard max(image.size.width, image.size.height) <= RectangleDetector.largestSide else {
                throw PictureTooLarge(file: file, size: image.size)
            }
            let seen =
                rectangles || codes || looksForBoth ? RectangleDetector(limits.configuration).detect(in: image) : []
            let found = DetectionSketch(
                image: image, rectangles: rectangles || looksForBoth ? seen : [],
                codes: codes || looksForBoth ? CodeReader().read(in: image, rectangles: seen) : [],
                targets: recognizer?.recognize(in: image, camera: nil), faces: faceDetector?.detect(in: image))
            if let drawings { try ImageFile.writePNG(found.drawn(), to: drawings.files[number]) }
            findings.append(PictureFindings(found, picture: pictures[number]))
            progress.show(number + 1, of: pictures.count)
        }
        progress.finish()
        try PictureFindings.print(findings, asJSON: json)
    }
}

/// A picture with more columns or rows than are searched.
private struct PictureTooLarge: Error, CustomStringConvertible {
    let file: URL
    let size: ImageSize

    var description: String {
        "\(file.relativePath): found a picture of \(size) pixels, expected at most \(RectangleDetector.largestSide) "
            + "on each side; reduce it"
    }
}

/// Which rectangles are found, as Vision calls it.
struct RectangleOptions: ParsableArguments {
    @Option(help: "The least ratio of the shorter to the longer sides, 0 … 1.") var minimumAspectRatio = 0.5
    @Option(help: "The greatest ratio of the shorter to the longer sides, 0 … 1.") var maximumAspectRatio = 1.0
    @Option(help: ArgumentHelp("How far corners may be from right angles, 0 … 80.", valueName: "degrees"))
    var quadratureTolerance = 30.0
    @Option(help: "The least length of the shorter sides, as a share of the picture's smaller dimension, 0 … 1.")
    var minimumSize = 0.2
    @Option(help: "The least confidence, 0 … 1.") var minimumConfidence = 0.5
    @Option(help: "How many rectangles are reported at most; 0 sets no limit.") var maximumObservations = 0

    func validate() throws {
        for (value, name) in [
            (minimumAspectRatio, "--minimum-aspect-ratio"), (maximumAspectRatio, "--maximum-aspect-ratio"),
            (minimumSize, "--minimum-size"), (minimumConfidence, "--minimum-confidence"),
        ] { try require(value, within: 0...1, of: name, unit: "") }
        try require(quadratureTolerance, within: 0...80, of: "--quadrature-tolerance", unit: "°")
        guard maximumObservations >= 0 else {
            throw ValidationError("--maximum-observations must be 0 or more, not \(maximumObservations)")
        }
    }

    var configuration: RectangleDetector.Configuration {
        var configuration = RectangleDetector.Configuration()
        configuration.minimumAspectRatio = minimumAspectRatio
        configuration.maximumAspectRatio = maximumAspectRatio
        configuration.quadratureTolerance = min(
            quadratureTolerance * .pi / 180, RectangleDetector.Configuration.largestQuadratureTolerance)
        configuration.minimumSize = minimumSize
        configuration.minimumConfidence = minimumConfidence
        configuration.maximumObservations = maximumObservations
        return configuration
    }
}
