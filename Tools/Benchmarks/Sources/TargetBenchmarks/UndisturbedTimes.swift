// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import ARTargets
import Foundation
import Timing

/// What recognising costs beside OpenCV's ORB where neither is disturbed: both look at each picture several times in turn, and the
/// shortest time of each counts.
struct UndisturbedTimes {
    let pictures: PictureFolder
    let database: TargetDatabase
    let turnCount: Int

    func print(frameCount: Int) throws {
        var recognizer = TargetRecognizer()
        recognizer.activate(database, as: "targets")
        var frames = RandomFrames(seed: 10, purpose: "times")
        var (times, orbTimes): ([Double], [Double]) = ([], [])
        for _ in 0..<frameCount {
            let target = frames.number(in: 0...database.targets.count - 1)
            let conditions = frames.anyConditions()
            let picture = frames.frame(of: try pictures.picture(target).gray, conditions: conditions).picture
            var (time, orbTime) = (Double.infinity, Double.infinity)
            for _ in 0..<turnCount {
                time = min(time, milliseconds { _ = recognizer.recognize(in: picture) })
                orbTime = min(orbTime, orbMilliseconds(for: picture))
            }
            times.append(time)
            orbTimes.append(orbTime)
        }
        Swift.print(
            String(
                format: "%d targets, %d pictures: %.2f ms; ORB %.2f ms; ratio of the medians %.2f, of the sums %.2f",
                database.targets.count, frameCount, median(times), median(orbTimes),
                median(times) / median(orbTimes), times.reduce(0, +) / orbTimes.reduce(0, +)))
    }
}
