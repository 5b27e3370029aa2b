// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The commands about image targets, as they are run.
@Suite(.serialized, .atWorkbench) struct TargetCommandTests {
    private let workbench: Workbench

    init() throws {
        workbench = try #require(Workbench.current)
        if !FileManager.default.fileExists(atPath: workbench.folder("logos").path) { try workbench.addTargets() }
    }

    typealias Case = CommandLineTests.Case

    @Test(arguments: [
        Case("targets", "--help", gives: 0, "build", "score", "try"),
        Case(
            "targets", "build", "logos", "-o", "made/logos.artargets", gives: 0, "database    3 targets",
            "not stated for 3", "made/logos.artargets"),
        Case("targets", "build", "logos", "-o", "sized.artargets", "--width", "0.1", gives: 0, "database    3 targets"),
        Case("targets", "build", "list.csv", "-o", "list.artargets", gives: 0, "2 targets", "not stated for 1"),
        Case("targets", "build", "list.json", "-o", "list too.artargets", gives: 0, "2 targets"),
        Case("targets", "score", "logos/a.pgm", "logos/b.pgm", gives: 0, "logos/a.pgm: ", " of 100  ★★★★", "passes"),
        Case(
            "targets", "score", "logos/a.pgm", "--json", gives: 0, "\"picture\": \"logos/a.pgm\"", "\"passes\": true",
            "\"stars\": "),
        Case("targets", "score", "logos/a.pgm", "--heat-map", "heat", gives: 0, "passes"),
        Case("targets", "score", "logos/a.pgm", "--against", "logos.artargets", gives: 0, "passes"),
        Case("targets", "score", "logos/a.pgm", "--against", "named.artargets", gives: 0, "logos/a.pgm: ", "passes"),
        Case(
            "targets", "score", "list.csv", "--against", "named.artargets", gives: 0, "logos/a.pgm: ", "logos/b.pgm: "),
        Case("targets", "score", "list.json", "--json", gives: 0, "\"name\": \"B\"", "\"picture\": \"logos/b.pgm\""),
        Case("targets", "score", "logos", "--against", "logos.artargets", gives: 0, "logos/a.pgm: ", "logos/c.pgm: "),
        Case(
            "targets", "try", "logos.artargets", "photo.pgm", "sheet.pgm", "-o", "tried", gives: 0,
            "photo.pgm: 1 target", "  b (", "confidence", "sheet.pgm: 0 targets"),
        Case("targets", "try", "logos.artargets", "photo.pgm", "--json", gives: 0, "\"name\": \"b\"", "\"corners_px\""),
        Case("targets", "try", "logos.artargets", "recording", gives: 0, "recording: 0 targets in 20 frames"),
        Case(
            "detect", "photo.pgm", "--targets", "logos.artargets", gives: 0,
            "photo.pgm: 0 rectangles, 0 codes, 1 target",
            "  target b ("),
        Case("detect", "photo.pgm", "--targets", "logos.artargets", "--json", gives: 0, "\"targets\" : ["),
        Case("replay", "recording", "-o", "with targets", "--targets", "logos.artargets", gives: 0, "20 replayed"),
    ]) func succeeds(_ example: Case) throws {
        let ending = try workbench.run(example.arguments)
        #expect(ending.exitCode == example.exitCode, "\(ending.errors)")
        for words in example.words { #expect(ending.output.contains(words), "\(ending.output)") }
        #expect(ending.errors.isEmpty)
    }

    @Test(arguments: [
        Case("targets", "build", "logos", gives: 64, "--output"),
        Case(
            "targets", "build", "logos", "-o", "x.artargets", "--width", "0", gives: 64, "--width must be 0.001 to 100"),
        Case("targets", "build", "list.csv", "-o", "list.csv", gives: 64, "is the input"),
        Case("targets", "score", gives: 64, "<picture>"),
        Case("targets", "try", "logos.artargets", gives: 64, "<input>"),
        Case(
            "detect", "photo.pgm", "--targets", "logos.artargets", "--targets", "./logos.artargets", gives: 64,
            "'logos'"),
        Case(
            "targets", "build", "nowhere", "-o", "x.artargets", gives: 65, "nowhere", "a folder of pictures, or a list"),
        Case("targets", "build", "empty", "-o", "x.artargets", gives: 65, "empty", "found no picture"),
        Case(
            "targets", "build", "missing.csv", "-o", "x.artargets", gives: 65, "missing.csv:2:3",
            "a picture that exists"),
        Case("targets", "build", "twice.csv", "-o", "x.artargets", gives: 65, "twice.csv:3:1", "line 2 already"),
        Case("targets", "build", "wide.csv", "-o", "x.artargets", gives: 65, "wide.csv:2:15", "a width in metres"),
        Case("targets", "build", "future.json", "-o", "x.artargets", gives: 65, "future.json:1:19", "version 1"),
        Case("targets", "build", "plain", "-o", "x.artargets", gives: 65, "grey"),
        Case("targets", "score", "bytes.yaml", gives: 65, "bytes.yaml"),
        Case("targets", "score", "missing.csv", gives: 65, "missing.csv:2:3", "a picture that exists"),
        Case("targets", "score", "logos/a.pgm", "--against", "nowhere.artargets", gives: 65, "nowhere.artargets"),
        Case("targets", "try", "bytes.yaml", "photo.pgm", gives: 65, "bytes.yaml"),
        Case("targets", "try", "logos.artargets", "nowhere", gives: 65, "nowhere"),
        Case("targets", "try", "cut.artargets", "photo.pgm", gives: 65, "cut.artargets"),
        Case(
            "demo", "clubs", "recording", "--mode", "pinned", "--clubs", "2", "-o", "no clubs", gives: 1,
            "no emblem was recognised"),
        Case("demo", "clubs", "recording", "--clubs", "0", "-o", "no clubs", gives: 64, "--clubs must be 1 to 100"),
    ]) func fails(_ example: Case) throws {
        let ending = try workbench.run(example.arguments)
        #expect(ending.exitCode == example.exitCode, "\(ending.errors)")
        for words in example.words { #expect(ending.errors.contains(words), "\(ending.errors)") }
        #expect(ending.output.isEmpty)
    }

    @Test func picturesThatFailAreToldAndFailTheCommand() throws {
        let ending = try workbench.run(["targets", "score", "plain/grey.pgm", "logos/a.pgm"])
        #expect(ending.exitCode == 1)
        #expect(ending.output.contains("plain/grey.pgm: 0 of 100  ★☆☆☆☆  fails"))
        #expect(ending.output.contains("too few features"))
        #expect(ending.errors.contains("1 of 2 pictures score less than 75"))
        let json = try workbench.run(["targets", "score", "plain/grey.pgm", "--json"])
        #expect(json.exitCode == 1 && json.output.contains("\"reason\": \"low-contrast\""))
    }

    @Test func whatIsDrawnLiesWhereItWasAsked() throws {
        _ = try workbench.run(["targets", "score", "logos/a.pgm", "logos/b.pgm", "--heat-map", "maps"])
        #expect(try workbench.folder.names(in: "maps") == ["a.png", "b.png"])
        _ = try workbench.run(["targets", "try", "logos.artargets", "photo.pgm", "recording", "-o", "drawn"])
        #expect(try workbench.folder.names(in: "drawn") == ["photo.png", "recording"])
    }
}

extension Workbench {
    /// Makes `logos`, a folder of three pictures, the database of them, a photo that shows one, and lists that break rules.
    fileprivate func addTargets() throws {
        for name in ["logos", "plain"] {
            try FileManager.default.createDirectory(at: folder(name), withIntermediateDirectories: true)
        }
        let pictures = (1...3).map { Self.blocks(seed: UInt64($0)) }
        for (name, picture) in zip(["a", "b", "c"], pictures) {
            try Self.pgm(picture, 320, to: folder("logos/\(name).pgm"))
        }
        try Self.pgm([UInt8](repeating: 128, count: 320 * 320), 320, to: folder("plain/grey.pgm"))
        // The second picture at its own size, on grey.
        var photo = [UInt8](repeating: 120, count: 640 * 480)
        for row in 0..<320 {
            for column in 0..<320 { photo[(row + 90) * 640 + column + 200] = pictures[1][row * 320 + column] }
        }
        try Self.pgm(photo, 640, to: folder("photo.pgm"))
        for (name, text) in [
            ("list.csv", "name,picture,width_m,town\nA,logos/a.pgm,0.1,Arden\nB,logos/b.pgm,,\n"),
            (
                "list.json",
                "{\"arsim_targets\": 1, \"targets\": [{\"name\": \"A\", \"picture\": \"logos/a.pgm\"},"
                    + " {\"name\": \"B\", \"picture\": \"logos/b.pgm\", \"founded\": 1901}]}"
            ),
            ("missing.csv", "name,picture\nA,logos/d.pgm\n"),
            ("twice.csv", "name,picture\nA,logos/a.pgm\nA,logos/b.pgm\n"),
            ("wide.csv", "name,picture,width_m\nA,logos/a.pgm,120\n"),
            ("future.json", "{\"arsim_targets\": 7, \"targets\": []}"),
        ] { try folder.write(text, to: name) }
        _ = try run(["targets", "build", "logos", "-o", "logos.artargets"])
        _ = try run(["targets", "build", "list.csv", "-o", "named.artargets"])
        try Data(contentsOf: folder("logos.artargets")).dropLast(100).write(to: folder("cut.artargets"))
    }

    /// Blocks of all sizes and greys, one over the other.
    private static func blocks(seed: UInt64) -> [UInt8] {
        var state = seed
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var pixels = [UInt8](repeating: 235, count: 320 * 320)
        for _ in 0..<90 {
            let (x, y, value) = (next(300), next(300), UInt8(next(256)))
            for row in y..<min(y + 8 + next(60), 320) {
                for column in x..<min(x + 30, 320) { pixels[row * 320 + column] = value }
            }
        }
        return pixels
    }

    private static func pgm(_ pixels: [UInt8], _ width: Int, to file: URL) throws {
        try (Data("P5 \(width) \(pixels.count / width) 255\n".utf8) + pixels).write(to: file)
    }
}
