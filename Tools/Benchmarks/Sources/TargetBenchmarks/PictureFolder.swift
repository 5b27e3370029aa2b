// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing
import ARTargets
import Foundation
import Timing

/// Pictures of targets, named by numbers.
struct PictureFolder {
    let url: URL

    func picture(_ number: Int, isOneInk: Bool = false) throws -> ImageBuffer {
        try ImageFile.read(url.appendingPathComponent(isOneInk ? "ink-\(number).png" : "\(number).png"))
    }
}

/// Builds a database of the first pictures, writes it, opens it, and says how long that takes.
func buildDatabase(of pictures: PictureFolder, count: Int, at file: URL) throws {
    let references = try (0..<count).map {
        ReferenceImage(name: "\($0)", picture: try pictures.picture($0), physicalWidth: PosedPrint.width)
    }
    let building = try milliseconds { try TargetDatabase(building: references).write(to: file) }
    var featureCount = 0
    let opening = try milliseconds { featureCount = try TargetDatabase(opening: file).targets[0].featureCount }
    let size = try Data(contentsOf: file, options: .alwaysMapped).count
    print("\(count) targets, \(building / Double(count)) ms each; \(size / count) bytes each; opened in \(opening) ms")
    print("the first has \(featureCount) features")
}

/// How many pictures of prints that are in no database get a name.
func countNamedStrangers(
    pictures: PictureFolder, numbers: ClosedRange<Int>, database: TargetDatabase, frameCount: Int
) throws {
    var recognizer = TargetRecognizer()
    recognizer.activate(database, as: "targets")
    var frames = RandomFrames(seed: 5, purpose: "strangers")
    var namedCount = 0
    for _ in 0..<frameCount {
        let number = frames.number(in: numbers)
        let conditions = frames.anyConditions()
        let frame = frames.frame(of: try pictures.picture(number).gray, conditions: conditions)
        for sighting in recognizer.recognize(in: frame.picture) {
            namedCount += 1
            print("\(number) was called \(sighting.target.name), \(sighting.confidence)")
        }
    }
    print("\(namedCount) names in \(frameCount) pictures")
}
