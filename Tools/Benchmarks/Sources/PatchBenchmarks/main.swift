// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARVision
import Foundation
import Timing

// Measures the patch tracker, the fingertip's, and the tracker of image targets, beside OpenCV's functions on the recorded
// clips of a folder of data: the one that is named, else $ARSIM_DATA, else `../shared/data`. A tracker that says that it
// lost its box counts as lost in that picture, whatever the truth; errors are of the pictures in which it is not lost. Times
// are of one thread's processor, all pictures.

let data = URL(
    fileURLWithPath: CommandLine.arguments.dropFirst().first ?? ProcessInfo.processInfo.environment["ARSIM_DATA"]
        ?? "../shared/data")
guard FileManager.default.fileExists(atPath: data.path) else {
    FileHandle.standardError.write(
        Data("PatchBenchmarks: there is no folder \(data.path): name the one that holds the recorded clips\n".utf8))
    exit(66)
}

func padded(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }

/// One line a tracker: errors' median, 90th percentile and mean, the share of lost pictures, the times' mean and median.
func compare(_ title: String, _ footages: [Footage], _ contestants: [Contestant] = Contestant.ofAnyBox) {
    print("\n\(title)")
    print("  tracker         error 50 %   90 %    mean    lost    ms mean  median   medians of the clips")
    for contestant in contestants {
        var (errors, times, lost, clips) = ([Double](), [Double](), 0, [String]())
        for footage in footages {
            let answers = contestant.run(footage)
            let found = answers.enumerated().compactMap { index, answer in
                answer.box.flatMap { footage.error?(index + 1, $0) }
            }
            errors += found
            times += answers.map(\.milliseconds)
            lost += answers.count { $0.box == nil }
            clips.append(found.isEmpty ? "–" : String(format: "%.2f", median(found)))
        }
        let (middle, high, mean) =
            errors.isEmpty
            ? (.nan, .nan, .nan)
            : (median(errors), quantile(errors, 0.9), errors.reduce(0, +) / Double(errors.count))
        print(
            "  " + padded(contestant.name, 16)
                + String(
                    format: "%8.2f %8.2f %7.2f  %5.1f %%  %7.2f %7.2f   ", middle, high, mean,
                    100 * Double(lost) / Double(times.count), times.reduce(0, +) / Double(times.count), median(times))
                + clips.joined(separator: " "))
    }
}

for side in [30.0, 40, 60] {
    let clips = try ["translation", "rotation", "scale"].flatMap { kind in
        try (1...2).map { try Footage.fingertip(kind, $0, side: side, in: data) }
    }
    compare("Fingertips, boxes of \(Int(side)) px: the tip's error in pixels", clips, Contestant.allCases)
}
compare("A face (dudek): one minus the overlap", [try .dudek(in: data)])
compare("A carton (juice box), without truth", [try .juiceBox(in: data)])
try compareTargets(in: data)
