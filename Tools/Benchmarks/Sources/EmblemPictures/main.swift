// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSimulation
import Foundation

// Paints the pictures that TargetBenchmarks works on: 0.png, 1.png … and ink-0.png … of the first hundred in one ink.
//     EmblemPictures FOLDER COUNT [WIDTH]
// What is there already is left alone, so that an interrupted run goes on.

let arguments = CommandLine.arguments
guard arguments.count >= 3, let count = Int(arguments[2]), let width = arguments.count > 3 ? Int(arguments[3]) : 320
else {
    FileHandle.standardError.write(Data("EmblemPictures: give a folder, how many, and how wide in pixels\n".utf8))
    exit(64)
}
let folder = URL(fileURLWithPath: arguments[1])
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

func paint(_ emblem: Emblem, as name: String) throws {
    let file = folder.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: file.path) { return }
    try ImageFile.writePNG(emblem.image(width: width), to: file)
}

for number in 0..<count {
    try paint(Emblem(number: number), as: "\(number).png")
    if number < 100 { try paint(Emblem(number: number, isOneInk: true), as: "ink-\(number).png") }
}
