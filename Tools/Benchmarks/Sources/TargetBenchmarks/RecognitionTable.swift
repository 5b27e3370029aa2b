// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTargets
import Foundation
import Timing

/// How often prints are found, how exactly, and how long that takes, beside OpenCV's ORB on the same pictures.
struct RecognitionTable {
    let pictures: PictureFolder
    let database: TargetDatabase

    private struct Row {
        let name: String
        var conditions = PosedPrint.Conditions()
        var isOneInk = false

        init(_ name: String, isOneInk: Bool = false, _ change: (inout PosedPrint.Conditions) -> Void) {
            self.name = name
            self.isOneInk = isOneInk
            change(&conditions)
        }
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    private static let rows = [
        Row("fills 10 %") { _ in },
        Row("fills 10 %, tilt 30°, blur 1.5 px") { ($0.tilt, $0.motionBlur) = (radians(30), 1.5) },
        Row("fills 10 %, tilt 50°") { $0.tilt = radians(50) },
        Row("fills 10 %, tilt 50°, blur 3 px") { ($0.tilt, $0.motionBlur) = (radians(50), 3) },
        Row("fills 25 %, tilt 30°") { ($0.fill, $0.tilt) = (0.25, radians(30)) },
        Row("fills 25 %, tilt 50°, blur 3 px") { ($0.fill, $0.tilt, $0.motionBlur) = (0.25, radians(50), 3) },
        Row("fills 5 %, tilt 30°") { ($0.fill, $0.tilt) = (0.05, radians(30)) },
        Row("fills 2 %, tilt 30°") { ($0.fill, $0.tilt) = (0.02, radians(30)) },
        Row("fills 15 %, tilt 60°") { ($0.fill, $0.tilt) = (0.15, radians(60)) },
        Row("fills 15 %, blur 6 px") { ($0.fill, $0.motionBlur) = (0.15, 6) },
        Row("fills 15 %, 20 % hidden") { ($0.fill, $0.occlusion) = (0.15, 0.2) },
        Row("fills 15 %, 35 % hidden") { ($0.fill, $0.occlusion) = (0.15, 0.35) },
        Row("fills 15 %, glare") { ($0.fill, $0.glare) = (0.15, 0.8) },
        Row("fills 15 %, inverse") { ($0.fill, $0.isInverse) = (0.15, true) },
        Row("fills 15 %, one ink, tilt 20°", isOneInk: true) { ($0.fill, $0.tilt) = (0.15, radians(20)) },
        Row("fills 15 %, waves by 3 %") { ($0.fill, $0.wave) = (0.15, 0.03) },
        Row("fills 15 %, waves by 6 %") { ($0.fill, $0.wave) = (0.15, 0.06) },
        Row("fills 20 %, waves by 10 %") { ($0.fill, $0.wave) = (0.2, 0.1) },
        Row("fills 10 %, tilt 50°, blur 3 px, tone curves") {
            ($0.tilt, $0.motionBlur, $0.hasToneCurve) = (radians(50), 3, true)
        },
    ]

    func printRows(frameCount: Int) throws {
        print("| | found | wrong names | corners, px | angle, ° | distance, % | ms | ORB, ms |")
        print("|---|---|---|---|---|---|---|---|")
        for (number, row) in Self.rows.enumerated() {
            var tally = Tally()
            var frames = RandomFrames(seed: UInt64(number), purpose: "table")
            var recognizer = TargetRecognizer()
            recognizer.activate(database, as: "targets")
            for _ in 0..<frameCount {
                let target = frames.number(in: 0...database.targets.count - 1)
                let print = try pictures.picture(target, isOneInk: row.isOneInk).gray
                let (picture, posed) = frames.frame(of: print, conditions: row.conditions)
                var sightings: [TargetSighting] = []
                tally.times.append(
                    milliseconds { sightings = recognizer.recognize(in: picture, camera: PosedPrint.camera) })
                tally.orbTimes.append(orbMilliseconds(for: picture))
                tally.add(sightings, target: database.targets[target].name, posed: posed)
            }
            print("| \(row.name) | \(tally.cells(frameCount: frameCount)) |")
        }
    }
}

/// What came out in a row.
private struct Tally {
    var times: [Double] = []
    var orbTimes: [Double] = []
    private var foundCount = 0
    private var wrongCount = 0
    private var corners: [Double] = []
    private var angles: [Double] = []
    private var distances: [Double] = []

    /// Some prints look the same after half a turn: their corners may be named from any of them.
    mutating func add(_ sightings: [TargetSighting], target: String, posed: PosedPrint) {
        wrongCount += sightings.count { $0.target.name != target }
        for sighting in sightings where sighting.target.name == target {
            let errors = (0..<4).map { steps in
                zip(sighting.corners.turned(by: steps).corners, posed.corners.corners)
                    .map { $0.distance(to: $1) }.max() ?? .infinity
            }
            guard let error = errors.min(), error < 0.15 * posed.corners.width else { continue }
            foundCount += 1
            corners.append(error)
            if let pose = sighting.cameraFromTarget {
                let truth = posed.cameraFromTarget
                angles.append(pose.rotation.angle(to: truth.rotation) * 180 / .pi)
                distances.append(
                    100 * (pose.translation - truth.translation).length / truth.translation.length)
            }
            return
        }
    }

    func cells(frameCount: Int) -> String {
        func middle(_ values: [Double]) -> String { values.isEmpty ? "–" : String(format: "%.2f", median(values)) }
        let found = String(format: "%.1f %%", 100 * Double(foundCount) / Double(frameCount))
        return
            ([found, "\(wrongCount)"] + [corners, angles, distances, times, orbTimes].map(middle)).joined(
                separator: " | ")
    }
}
