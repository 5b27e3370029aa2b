// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRandom
import ARTargets
import Foundation

// TargetBenchmarks build PICTURES DATABASE COUNT       targets 0.png … of a folder, and how long that takes
// TargetBenchmarks table PICTURES DATABASE FRAMES      how often they are found, by what spoils their pictures
// TargetBenchmarks strangers PICTURES DATABASE FRAMES FIRST LAST   how often other pictures of the folder get a name
// TargetBenchmarks scale PICTURES DATABASE FRAMES LARGER           what a larger database costs, on the same pictures
// TargetBenchmarks times PICTURES DATABASE FRAMES TURNS            time beside ORB's, the shortest of so many turns
// TargetBenchmarks half-seconds PICTURES DATABASE COUNT            how soon each of them is named where a camera moves by it
// TargetBenchmarks choice PICTURES DATABASE FRAMES     beside recognisers made of OpenCV's features
// TargetBenchmarks names PICTURES DATABASE FRAMES FIRST LAST LEDGER [PHOTOGRAPHS]
// TargetBenchmarks gray-names …                        the same arguments
//     names in pictures in colour or in grey with a target, with one of the pictures FIRST to LAST, which are none, and with
//     neither; goes on where the ledger ends, when it is of this database, configuration and program
//
// EmblemPictures paints the pictures. They are named by numbers; `ink-N.png` beside `N.png` is the same in one ink.

func fail(_ reason: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("TargetBenchmarks: \(reason)\n".utf8))
    exit(code)
}

func refuse(_ expected: String) -> Never { fail(expected, code: 64) }

let arguments = CommandLine.arguments
guard arguments.count >= 5, let count = Int(arguments[4]) else {
    refuse(
        "give build, table, strangers, scale, times, half-seconds, choice, names or gray-names, a folder of pictures, a database, and a number"
    )
}
let pictures = PictureFolder(url: URL(fileURLWithPath: arguments[2]))
let file = URL(fileURLWithPath: arguments[3])

do {
    switch arguments[1] {
    case "build":
        try buildDatabase(of: pictures, count: count, at: file)
    case "table":
        try RecognitionTable(pictures: pictures, database: TargetDatabase(opening: file)).printRows(frameCount: count)
    case "strangers" where arguments.count == 7:
        guard let first = Int(arguments[5]), let last = Int(arguments[6]), first <= last else {
            refuse("give the numbers of the first and the last stranger")
        }
        try countNamedStrangers(
            pictures: pictures, numbers: first...last, database: TargetDatabase(opening: file), frameCount: count)
    case "scale" where arguments.count == 6:
        try ScaleComparison(pictures: pictures, files: [file, URL(fileURLWithPath: arguments[5])]).print(
            frameCount: count)
    case "times" where arguments.count == 6:
        guard let turnCount = Int(arguments[5]), turnCount > 0 else { refuse("give how many turns") }
        try UndisturbedTimes(pictures: pictures, database: TargetDatabase(opening: file), turnCount: turnCount).print(
            frameCount: count)
    case "half-seconds":
        try HalfSeconds(pictures: pictures, database: TargetDatabase(opening: file)).print(count: count)
    case "choice":
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        try FeatureChoice(pictures: pictures, database: TargetDatabase(opening: file), databaseSize: size)
            .printRows(frameCount: count)
    case "names" where arguments.count >= 8, "gray-names" where arguments.count >= 8:
        guard let first = Int(arguments[5]), let last = Int(arguments[6]), first <= last else {
            refuse("give the numbers of the first and the last stranger")
        }
        let photographs = arguments.count > 8 ? URL(fileURLWithPath: arguments[8]) : nil
        try NamingRun(
            pictures: pictures, file: file,
            grounds: ColorGrounds(count: 24, photographs: photographs), strangers: first...last,
            inColor: arguments[1] == "names", ledger: URL(fileURLWithPath: arguments[7])
        ).run(frameCount: count)
    default:
        refuse("there is no benchmark \(arguments[1])")
    }
} catch {
    // Such as a picture that is missing.
    fail("\(error)", code: 1)
}
