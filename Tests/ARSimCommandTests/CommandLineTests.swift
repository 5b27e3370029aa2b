// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The program as it is run: exit codes, what is printed where, and what is left behind.
@Suite(.serialized, .atWorkbench) struct CommandLineTests {
    private let workbench: Workbench

    init() throws { workbench = try #require(Workbench.current) }

    /// A command line, its exit code, and words that are printed: on standard output when the code is zero, else on
    /// standard error.
    struct Case: CustomTestStringConvertible, Sendable {
        let arguments: [String]
        let exitCode: Int32
        let words: [String]

        init(_ arguments: String..., gives exitCode: Int32, _ words: String...) {
            self.arguments = arguments
            self.exitCode = exitCode
            self.words = words
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
        Case("--help", gives: 0, "simulate", "replay", "draw", "validate", "convert", "scenes", "Exit codes"),
        Case("--version", gives: 0, "."),
        Case("scenes", gives: 0, "draw", "room"),
        Case("draw", "scene.yaml", "-o", "scene.obj", gives: 0, "20 replayed, 20 with a pose", "closed      yes"),
        Case("draw", "scene.yaml", "-o", "s.obj", "--set", "camera.rate_hz=20", gives: 0, "40 replayed"),
        Case("draw", "recording", "-o", "made/of it/a.obj", "--json", gives: 0, "\"frames_replayed\" : 20"),
        Case("draw", "Größe äußerst", "-o", "Größe äußerst/ö.obj", gives: 0, "Größe äußerst/ö.obj"),
        Case("draw", "recording", "-o", "ribbon.obj", "--style", "ribbon", gives: 0, "closed      yes"),
        Case("draw", "recording", "-o", "tube.glb", "--style", "tube", "--cap", "butt", gives: 0, "closed      yes"),
        Case("draw", "recording", "-o", "a.stl", "--unit", "mm", "--height", "0.02", gives: 0, "closed      yes"),
        Case("draw", "recording", "-o", "a.ply", "--unite", "--fill", "--join", "mitre", gives: 0, "closed      yes"),
        Case("draw", "recording", "-o", "a.svg", "--cap", "square", gives: 0, "a.svg"),
        Case("draw", "recording", "-o", "a.ardrawing", gives: 0, "a.ardrawing"),
        Case("replay", "recording", "-o", "replayed", gives: 0, "mode        pinned", "strokes     1"),
        Case(
            "replay", "recording", "-o", "searched", "--planes", "--rectangles", "--codes", "--interval", "2", gives: 0,
            "20 replayed"),
        Case("replay", "link", "-o", "replayed by a link", gives: 0, "20 replayed, 20 with a pose"),
        Case("eval", "pinned/trace.jsonl", "link", gives: 0, "20"),
        Case("replay", "one frame", "-o", "replayed once", gives: 0, "1 replayed, 1 with a pose"),
        Case("replay", "no poses", "-o", "replayed blind", gives: 0, "20 replayed, 0 with a pose"),
        Case("validate", "recording", gives: 0, "0 errors, 0 warnings in 20 frames"),
        Case("validate", "scene.yaml", gives: 0, "0 errors"),
        Case("validate", "draw", gives: 0, "0 errors"),
        Case(
            "detect", "sheet.pgm", "-o", "detected", gives: 0, "1 rectangle, 0 codes",
            "(49.5, 39.5) (149.5, 39.5) (149.5, 109.5) (49.5, 109.5)"),
        Case("detect", "sheet.pgm", "--codes", "--json", gives: 0, "\"rectangles\" : [", "\"size_px\""),
        Case("detect", "sheet.pgm", "--minimum-size", "0.9", gives: 0, "0 rectangles"),
        Case("convert", "recording", "-o", "converted", gives: 0, "20 frames"),
        Case("convert", "poses.tum", "-o", "poses.csv", gives: 0, "1 pose"),
        Case(
            "mutate", "recording", "-o", "mutated", "--fault", "dropped_frames: {from_s: 1}", "--seed", "3", gives: 0,
            "dropped_frames 10 frames dropped", "given          10 frames"),
        Case("mutate", "recording", "faults.yaml", "-o", "mutated too", "--json", gives: 0, "\"changed\" : 5"),
        Case("validate", "mutated", gives: 0, "information: session.json", "dropped_frames", "0 errors, 0 warnings"),
        Case("replay", "mutated", "-o", "replayed mutated", gives: 0, "10 replayed, 10 with a pose"),
        Case(
            "replay", "inertial scene.yaml", "-o", "tracked scene", "--mode", "tracked", gives: 0,
            "mode        tracked: poses were perceived", "20 replayed", "201 inertial"),
        Case(
            "replay", "inertial recording", "-o", "t", "--mode", "tracked", "--json", gives: 0, "\"mode\" : \"tracked\""
        ),
        Case("replay", "inertial recording", "-o", "p", gives: 0, "mode        pinned", "20 replayed, 20 with a pose"),
        Case("replay", "late", "-o", "replayed late", gives: 0, "late        10 frames, left out"),
        Case(
            "eval", "pinned/trace.jsonl", "recording", "--budget", "budget.yaml", "--plot", "new/plot.svg", gives: 0,
            "mode        pinned", "20, 20 with a pose; 20 matched", "ATE, m                   0.000000",
            "state       normal 1.900 s, 20 frames", "budget      kept: 2 limits on 20 frames of 1 run, mode pinned",
            "new/plot.svg"),
        Case(
            "eval", "pinned/trace.jsonl", "recording", "--top-view", "new/view.svg", gives: 0,
            "world       20 frames", "false       0 planes", "  existingPlaneUsingGeometry        20       0.00 (0.00)",
            "top view    new/view.svg"),
        Case(
            "eval", "pinned/trace.jsonl", "scene.yaml", "--json", gives: 0, "\"false_planes\": 0",
            "\"seen_well\": false"),
        Case(
            "eval", "pinned/trace.jsonl", "recording", "--json", gives: 0, "\"matched_frames\": 20",
            "\"mode\": \"pinned\""),
        Case(
            "eval", "recording", "recording/truth.jsonl", "pinned/trace.jsonl", "recording", "--align", "origin",
            gives: 0,
            "== 2 runs", "ate_rmse_m"),
        Case(
            "eval", "recording", "recording", "--body", "imu", "--delta", "0.5", "--unit", "seconds", "--all-pairs",
            gives: 0, "RPE over 0.5 s: 15 pairs"),
        Case("simulate", "faulty scene.yaml", "-o", "faulty", gives: 0, "15 frames"),
        Case("validate", "faulty", gives: 0, "interruption", "0 errors, 0 warnings in 15 frames"),
    ]) func succeeds(_ example: Case) throws {
        let ending = try workbench.run(example.arguments)
        #expect(ending.exitCode == example.exitCode, "\(ending.errors)")
        for words in example.words { #expect(ending.output.contains(words)) }
        #expect(ending.errors.isEmpty)
    }

    @Test(arguments: [
        // Wrong usage.
        Case("dance", gives: 64, "dance"),
        Case("draw", gives: 64, "<input>"),
        Case("draw", "recording", "-o", "a.usdz", gives: 64, ".obj, .stl, .ply, .glb, .svg, .ardrawing"),
        Case("draw", "recording", "-o", "a.glb", "--unit", "mm", gives: 64, "in metres"),
        Case("detect", gives: 64, "<picture>"),
        Case("detect", "sheet.pgm", "--minimum-size", "2", gives: 64, "--minimum-size must be 0.0 to 1.0, not 2.0"),
        Case("draw", "recording", gives: 64, "--output"),
        Case("draw", "recording", "-o", "x.obj", "--height=0", gives: 64, "--height", "0.0"),
        Case("draw", "recording", "-o", "x.obj", "--height=-1", gives: 64, "--height", "-1.0"),
        Case("draw", "recording", "-o", "x.obj", "--height=nan", gives: 64, "--height", "nan"),
        Case("draw", "recording", "-o", "x.obj", "--height=1e9", gives: 64, "--height", "1000.0"),
        Case("draw", "recording", "-o", "x.obj", "--width=inf", gives: 64, "--width", "inf"),
        Case("draw", "recording", "-o", "x.obj", "--width=wide", gives: 64, "--width", "wide"),
        Case("draw", "recording", "-o", "x.obj", "--pen=quill", gives: 64, "--pen", "quill"),
        Case("draw", "scene.yaml", "-o", "x.obj", "--trace", "empty/../scene.yaml", gives: 64, "is the input"),
        Case("draw", "recording", "-o", "x.obj", "--trace", "./x.obj", gives: 64, "is another output"),
        Case("replay", "recording", "-o", "recording", gives: 64, "is the input"),
        Case("replay", "recording", "-o", "x", "--interval", "0", gives: 64, "--interval must be 1 or more, not 0"),
        Case("demo", "card", "recording", "--mode", "pinned", "-o", "recording", gives: 64, "is the input"),
        Case("replay", "recording", "-o", "x", "--mode", "guessed", gives: 64, "--mode", "guessed", "tracked"),
        Case("replay", "recording", "-o", "x", "--set", "seed=2", gives: 64, "--set seed=2", "recording"),
        Case("simulate", "scene.yaml", "-o", "x", "--set", "seed", gives: 64, "'seed'", "camera.rate_hz=60"),
        Case("convert", "poses.tum", "-o", "poses.tum", gives: 64, "is the input"),
        Case("mutate", "recording", "-o", "x", gives: 64, "no fault"),
        Case("eval", "recording", gives: 64, "pairs", "1 file"),
        Case("eval", "recording", "recording", "--top-view", "x.svg", gives: 64, "--top-view"),
        Case("eval", "recording", "recording", "--align", "sim4", gives: 64, "sim4", "sim3"),
        Case("eval", "recording", "recording", "--delta", "0", gives: 64, "--delta"),
        Case("eval", "recording", "recording", "--delta", "0.5", gives: 64, "whole number of frames"),
        Case("eval", "recording", "recording", "--max-difference", "nan", gives: 64, "--max-difference"),
        Case("eval", "recording", "recording", "--truth-body-from-estimate-body", "1,2,3", gives: 64, "1,2,3"),
        Case("detect", "sheet.pgm", "sheets/drawn.png", "-o", "sheets", gives: 64, "sheets/drawn.png", "is an input"),
        Case(
            "eval", "poses.tum", "recording", "--plot", "./poses.tum", gives: 64, "is an input"),
        // Bad input.
        Case("detect", "nowhere.png", gives: 65, "nowhere.png"),
        Case("detect", "wide.pgm", gives: 65, "wide.pgm", "16385×2", "at most 16384"),
        Case("detect", "bytes.yaml", gives: 65, "bytes.yaml"),
        Case("eval", "nowhere", "recording", gives: 65, "nowhere"),
        Case("eval", "bad poses.tum", "recording", gives: 65, "bad poses.tum:2", "\"zero\" in column 4"),
        Case(
            "eval", "recording", "recording", "--budget", "bad budget.yaml", gives: 65, "bad budget.yaml:2:",
            "ate_rmse_cm"),
        Case("eval", "recording", "recording", "--budget", "no budget.yaml", gives: 65, "no budget.yaml"),
        Case("mutate", "recording", "-o", "x", "--fault", "darknes: {}", gives: 65, "number 1:1:1", "darkness"),
        Case("mutate", "recording", "bad faults.yaml", "-o", "x", gives: 65, "bad faults.yaml:2:21", "\"much\""),
        Case("mutate", "recording", "no faults.yaml", "-o", "x", gives: 65, "no faults.yaml"),
        Case("mutate", "recording", "faults.yaml", "-o", "recording", gives: 65, "a folder with files"),
        Case("mutate", "scene.yaml", "faults.yaml", "-o", "x", gives: 65, "mav0"),
        Case("demo", "card", "nowhere", "-o", "x", gives: 65, "nowhere", "arsim scenes"),
        Case("replay", "nowhere", "-o", "x", gives: 65, "nowhere", "arsim scenes"),
        Case("convert", "nowhere", "-o", "x", gives: 65, "nowhere"),
        Case("replay", "recording", "-o", "x", "--mode", "tracked", gives: 65, "no inertial sensor", "pinned"),
        Case("draw", "scene.yaml", "-o", "x.obj", "--mode", "tracked", gives: 65, "no inertial sensor", "pinned"),
        Case("replay", "empty", "-o", "x", gives: 65, "mav0", "EuRoC"),
        Case("replay", "no frames", "-o", "x", gives: 65, "mav0/cam0/data.csv", "no row"),
        Case("replay", "cut picture", "-o", "cut", gives: 65, "1500000000.png", "byte 60"),
        Case("draw", "bad scene.yaml", "-o", "x.obj", gives: 65, "bad scene.yaml:4:7", "'one'", "whole number"),
        Case("draw", "no scene.yaml", "-o", "x.obj", gives: 65, "no scene.yaml:1:1", "'o stroke'", "mapping"),
        Case("draw", "bytes.yaml", "-o", "x.obj", gives: 65, "bytes.yaml", "UTF-8"),
        Case("simulate", "empty", "-o", "x", gives: 65, "empty"),
        Case("simulate", "scene.yaml", "-o", "x", "--set", "seed=one", gives: 65, "'seed=one':1:6", "whole number"),
        Case("simulate", "scene.yaml", "-o", "recording", gives: 65, "recording", "a folder with files"),
        Case("convert", "recording", "-o", "recording", gives: 65, "a folder with files"),
        // Places that cannot be written to.
        Case("draw", "recording", "-o", "x.obj", "--trace", "empty", gives: 65, "empty", "a folder, not a file"),
        Case("draw", "recording", "-o", "poses.tum/x.obj", gives: 65, "poses.tum", "a file, not a folder"),
        Case("replay", "recording", "-o", "poses.tum", gives: 65, "poses.tum", "a file, not a folder"),
        // Work that comes to nothing.
        Case(
            "demo", "card", "recording", "--mode", "pinned", "-o", "demo", gives: 1,
            "no card was identified in 20 frames, mode pinned"),
        Case(
            "eval", "late poses.tum", "recording", gives: 1, "late poses.tum: no pose of the estimate (1 pose from 9.5"),
        Case("eval", "poses.tum", "recording", "--align", "se3", gives: 1, "do not determine the alignment se3"),
        Case("eval", "recording", "no poses", gives: 1, "of the truth (no pose)"),
        Case("draw", "one frame", "-o", "x.obj", "--pen", "true-fingertip", gives: 1, "1 with a pose, 0 pen samples"),
        Case("draw", "no poses", "-o", "x.obj", gives: 1, "no pose is known", "truth"),
    ]) func fails(_ example: Case) throws {
        let before = try String(contentsOf: workbench.folder("scene.yaml"), encoding: .utf8)
        let ending = try workbench.run(example.arguments)
        #expect(ending.exitCode == example.exitCode, "\(ending.errors)")
        for words in example.words { #expect(ending.errors.contains(words), "\(ending.errors)") }
        #expect(ending.output.isEmpty)
        #expect(!ending.errors.contains("Error Domain"), "a person cannot read \(ending.errors)")
        #expect(try workbench.folder.names(in: "").allSatisfy { $0 != "x" && $0 != "x.obj" && !$0.hasPrefix(".") })
        #expect(try String(contentsOf: workbench.folder("scene.yaml"), encoding: .utf8) == before)
    }

    @Test func eachPictureHasADrawingOfItsOwn() throws {
        let pictures = ["sheet.pgm", "sheet-2.pgm", "sheets/sheet.pgm"]
        #expect(try workbench.run(["detect"] + pictures + ["-o", "drawn"]).exitCode == 0)
        #expect(try workbench.folder.names(in: "drawn") == ["sheet-2.png", "sheet-3.png", "sheet.png"])
    }

    @Test func errorsOfARecordingAreResultsOfItsValidation() throws {
        let ending = try workbench.run(["validate", "cut picture"])
        #expect(ending.exitCode == 65)
        #expect(ending.output.contains("1 error, 0 warnings in 20 frames"))
    }

    @Test func aBudgetThatIsNotKeptFails() throws {
        let ending = try workbench.run([
            "eval", "pinned/trace.jsonl", "recording", "--budget", "tight budget.yaml",
        ])
        #expect(ending.exitCode == 1)
        #expect(ending.output.contains("ATE, m"))
        #expect(
            ending.errors.contains("matched_frames is 20 in pinned/trace.jsonl, 1 too low: it should be at least 21"))
        #expect(ending.errors.contains("over budget on 20 frames of 1 run, mode pinned"))
        #expect(!ending.errors.contains("ate_rmse_m"))
    }

    @Test func aBrokenPictureLeavesNoTrace() throws {
        #expect(try workbench.run(["replay", "cut picture", "-o", "left"]).exitCode == 65)
        #expect(try workbench.folder.names(in: "left") == ["pictures"])
    }

    /// A demonstration shows its own scene, whatever lies in the working folder under its name. What is named on the command
    /// line is the recording that lies there; a folder without one hides no scene, unless it is named as a path.
    @Test func aSceneIsHiddenOnlyByARecording() throws {
        for folder in ["draw", "faces/mav0"] {
            try FileManager.default.createDirectory(at: workbench.folder(folder), withIntermediateDirectories: true)
        }
        let settings = ["-o", "own scene", "--set", "no_such_key=1"]
        for input in [["faces"], ["draw", "draw"]] {
            let scene = try workbench.run(["demo"] + input + settings)
            #expect(scene.exitCode == 65 && scene.errors.contains("no_such_key"), "\(input): \(scene.errors)")
        }
        for input in ["faces", "./draw"] {
            let recording = try workbench.run(["demo", "draw", input] + settings)
            #expect(recording.exitCode == 64 && recording.errors.contains("is a recording"), "\(recording.errors)")
        }
    }

    /// The card's program on a scene that was varied: what is printed is compared with the truth of what was shown.
    @Test(.tags(.slow), .whenSlowTestsRun) func theCardsProgram() throws {
        let ending = try workbench.run([
            "demo", "card", "card", "--mode", "pinned", "-o", "card", "--set", "duration_s=0.4", "--set",
            "camera.rate_hz=25", "--set", "camera_path.distance_m=0.2",
        ])
        #expect(ending.exitCode == 0)
        for words in [
            "card        https://example.org/cards/queen-of-hearts (qr)", "ATE, m                   0.000000",
            "copy        card/card-1.obj", "0 wrong payloads",
        ] { #expect(ending.output.contains(words)) }
        #expect(!ending.output.contains("card-2.obj"), "one card, however many rectangles are around its code")
        #expect(
            try workbench.folder.names(in: "card") == [
                "card-1.mtl", "card-1.obj", "card-1.png", "pictures", "top-view.svg", "trace.jsonl",
            ])
    }

    /// A session in mode `tracked` leaves what one in mode `pinned` leaves: a trace with a line for each frame, which says the
    /// mode, and a picture a second. Twice the same session leaves the same bytes.
    @Test func aTrackedSessionLeavesItsTraceAndPictures() throws {
        for output in ["tracked a", "tracked b"] {
            let arguments = ["replay", "inertial recording", "-o", output, "--mode", "tracked"]
            try #require(try workbench.run(arguments).exitCode == 0)
            #expect(try workbench.folder.names(in: output) == ["pictures", "top-view.svg", "trace.jsonl"])
            #expect(
                try workbench.folder.names(in: output + "/pictures") == ["frame_000000.png", "frame_000010.png"])
        }
        let trace = try String(contentsOf: workbench.folder("tracked a/trace.jsonl"), encoding: .utf8)
        #expect(try String(contentsOf: workbench.folder("tracked b/trace.jsonl"), encoding: .utf8) == trace)
        let lines = trace.split(separator: "\n")
        #expect(lines.count == 21)
        #expect(lines.first?.contains("\"mode\":\"tracked\"") ?? false)
        // Pictures of a plain floor: nothing can be followed, and the trace says so.
        #expect(lines.dropFirst().allSatisfy { $0.contains("\"tracking_state\":\"limited(initializing)\"") })
        #expect(!trace.contains("nan") && !trace.contains("inf"))
    }

    @Test func theRecordingOfASceneDrawsWhatTheSceneDraws() throws {
        for (input, name) in [("scene.yaml", "a"), ("recording", "b"), ("scene.yaml", "c")] {
            let files = ["-o", "\(name)/word.obj", "--trace", "\(name)/trace.jsonl", "--preview", "\(name)/word.png"]
            try #require(try workbench.run(["draw", input] + files).exitCode == 0)
        }
        for other in ["b", "c"] {
            for file in ["word.obj", "word.mtl", "word.png", "trace.jsonl"] {
                let bytes = try Data(contentsOf: workbench.folder("a/\(file)"))
                #expect(try Data(contentsOf: workbench.folder("\(other)/\(file)")) == bytes, "\(other)/\(file)")
            }
        }
    }

    @Test func aRecordingWhoseProgramWasKilledCanBeRead() throws {
        try workbench.folder.write(Workbench.scene(seconds: 1000), to: "long.yaml")
        let process = try workbench.start(
            ["simulate", "long.yaml", "-o", "killed"], output: workbench.folder("o"), errors: workbench.folder("e"))
        let table = workbench.folder("killed/mav0/cam0/data.csv")
        while process.isRunning, (try? Data(contentsOf: table).count) ?? 0 < 200 { usleep(10_000) }
        try #require(process.isRunning)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()

        let validation = try workbench.run(["validate", "killed"])
        #expect(validation.exitCode == 0)
        #expect(validation.output.contains("complete: false"))
        #expect(try workbench.run(["convert", "killed", "-o", "mended"]).exitCode == 0)
        #expect(try workbench.run(["validate", "mended"]).output.contains("0 errors, 0 warnings"))
    }
}
