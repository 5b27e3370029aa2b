// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARTargets

/// How often a flat print is named while a hand's camera moves past it for half a second: fifteen pictures with one background and one
/// light, of a print that fills a tenth of each or more, tilted by up to 50° and blurred by up to 3 pixels.
struct HalfSeconds {
    let pictures: PictureFolder
    let database: TargetDatabase

    private static let pictureCount = 15
    private static let (leastFill, mostTilt, mostBlur) = (0.1, 50 * Double.pi / 180, 3.0)

    /// Each target is met in turn.
    func print(count: Int) throws {
        var recognizer = TargetRecognizer()
        recognizer.activate(database, as: "targets")
        var random = SeededRandom(seed: 11, purpose: "half seconds")
        var (namedPictures, wrongNames, never) = (0, 0, [Int]())
        var firsts = [Int](repeating: 0, count: Self.pictureCount)
        for number in 0..<count {
            let name = database.targets[number % database.targets.count].name
            let print = try pictures.picture(number % database.targets.count).gray
            let look = random
            let named = Self.way(&random).enumerated().filter { step, posed in
                // The same background and light for all of them, and noise of its own for each.
                var (same, other) = (
                    look, SeededRandom(seed: UInt64(number * Self.pictureCount + step), purpose: "noise")
                )
                var scene = SpoiledPicture(clutter: 30, random: &same)
                scene.add(print, posed: posed, random: &same)
                let names = recognizer.recognize(in: scene.taken(posed.conditions, random: &other)).map(\.target.name)
                wrongNames += names.count { $0 != name }
                return names.contains(name)
            }
            namedPictures += named.count
            if let first = named.first?.offset { firsts[first] += 1 } else { never.append(number) }
        }
        Swift.print("\(namedPictures) of \(count * Self.pictureCount) pictures are named, \(wrongNames) wrongly")
        Swift.print("first named in picture 1, 2 …: \(firsts.map(String.init).joined(separator: " "))")
        Swift.print("never named: \(never.isEmpty ? "none" : never.map(String.init).joined(separator: " "))")
    }

    /// A print as a camera sees it that moves evenly, turns by up to 45° about each axis and goes by up to 0.2 m along each in a second.
    private static func way(_ random: inout SeededRandom) -> [PosedPrint] {
        while true {
            var conditions = PosedPrint.Conditions()
            conditions.fill = random.uniform(leastFill..<0.35)
            conditions.tilt = random.uniform(0..<mostTilt)
            conditions.motionBlur = random.uniform(0..<mostBlur)
            let step = Twist(
                translation: upToOne(&random) * (0.2 / 30), rotation: upToOne(&random) * (45 * .pi / 180 / 30))
            var way = [PosedPrint(conditions, random: &random)].compactMap { $0 }
            while let last = way.last, last.fill >= leastFill, last.tilt <= mostTilt {
                if way.count == pictureCount { return way }
                guard let next = last.moved(by: step, motionBlur: random.uniform(0..<mostBlur)) else { break }
                way.append(next)
            }
        }
    }

    private static func upToOne(_ random: inout SeededRandom) -> Vector3 {
        Vector3(random.uniform(-1..<1), random.uniform(-1..<1), random.uniform(-1..<1))
    }
}
