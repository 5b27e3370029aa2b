// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTargets
import Foundation
import Timing

/// What many targets cost beside few: opening, room, time a picture, and names, on the same pictures in one run.
///
/// Both databases hold the first pictures of the folder; the pictures show those that both hold.
struct ScaleComparison {
    let pictures: PictureFolder
    let files: [URL]

    private struct Contestant {
        let count: Int
        var recognizer = TargetRecognizer()
        var times: [Double] = []
        var foundCount = 0
        var wrong: [(shown: Int, named: String)] = []
    }

    func print(frameCount: Int) throws {
        var contestants = try files.map { file in
            let opening = try (0..<9).map { _ in
                try milliseconds(on: CLOCK_MONOTONIC) { _ = try TargetDatabase(opening: file) }
            }
            let database = try TargetDatabase(opening: file)
            let size = try Data(contentsOf: file, options: .alwaysMapped).count
            Swift.print(
                String(
                    format: "%d targets: opened in %.1f ms (median; the first time %.1f ms), %.1f KiB each",
                    database.targets.count, median(opening), opening[0],
                    Double(size) / 1024 / Double(database.targets.count)))
            var contestant = Contestant(count: database.targets.count)
            contestant.recognizer.activate(database, as: "targets")
            return contestant
        }
        let sharedCount = contestants.map(\.count).min() ?? 0
        var frames = RandomFrames(seed: 9, purpose: "scale")
        var orbTimes: [Double] = []
        for _ in 0..<frameCount {
            let target = frames.number(in: 0...sharedCount - 1)
            let frame = frames.frame(of: try pictures.picture(target).gray, conditions: frames.anyConditions())
            for index in contestants.indices {
                var sightings: [TargetSighting] = []
                contestants[index].times.append(
                    milliseconds { sightings = contestants[index].recognizer.recognize(in: frame.picture) })
                contestants[index].foundCount += sightings.contains { $0.target.name == "\(target)" } ? 1 : 0
                contestants[index].wrong += sightings.map(\.target.name).filter { $0 != "\(target)" }.map {
                    (target, $0)
                }
            }
            orbTimes.append(orbMilliseconds(for: frame.picture))
        }
        Swift.print("| targets | ms a picture | by ORB | by the first | found | wrong names |")
        Swift.print("|---|---|---|---|---|---|")
        for contestant in contestants {
            let time = median(contestant.times)
            Swift.print(
                String(
                    format: "| %d | %.1f | %.2f | %.2f | %d of %d | %d |", contestant.count, time,
                    time / median(orbTimes),
                    time / median(contestants[0].times), contestant.foundCount, frameCount, contestant.wrong.count))
        }
        for contestant in contestants {
            for (shown, named) in contestant.wrong {
                Swift.print("of \(contestant.count) targets \(shown) was called \(named)")
            }
        }
    }
}
