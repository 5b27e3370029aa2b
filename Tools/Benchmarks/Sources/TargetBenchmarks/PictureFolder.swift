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
        try ImageFile.read(file(number, isOneInk: isOneInk))
    }

    func contains(_ number: Int, isOneInk: Bool = false) -> Bool {
        FileManager.default.fileExists(atPath: file(number, isOneInk: isOneInk).path)
    }

    private func file(_ number: Int, isOneInk: Bool) -> URL {
        url.appendingPathComponent(isOneInk ? "ink-\(number).png" : "\(number).png")
    }
}

/// Builds a database of the first pictures, one after the other, and says how long that takes and how much memory.
func buildDatabase(of pictures: PictureFolder, count: Int, at file: URL) throws {
    var builder = try TargetDatabaseBuilder(file: file)
    var leftOut = 0
    var training = 0.0
    for number in 0..<count {
        let reference = ReferenceImage(
            name: "\(number)", picture: try pictures.picture(number), physicalWidth: PosedPrint.width)
        do {
            training += try milliseconds { try builder.add(reference) }
        } catch TargetDatabaseError.tooFewFeatures {
            leftOut += 1
        }
        if builder.targetCount % 1000 == 0 { print("\(builder.targetCount) targets") }
    }
    let targetCount = builder.targetCount
    var whole = Optional(builder)
    let writing = try milliseconds { try whole.take()?.finish() }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    print(
        "\(targetCount) targets, \(training / Double(count)) ms each; written in \(writing) ms; \(leftOut) have too few "
            + "features; \(usage.ru_maxrss / 1024) MiB of memory at most")
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
