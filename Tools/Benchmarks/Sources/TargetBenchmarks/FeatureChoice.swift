// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTargets
import Foundation
import OpenCVFeatures
import Timing

/// Which features: this recogniser beside those that OpenCV's parts make, on the same pictures.
struct FeatureChoice {
    let pictures: PictureFolder
    let database: TargetDatabase
    let databaseSize: Int

    private struct Difficulty: Sendable {
        let name: String
        let change: @Sendable (inout PosedPrint.Conditions) -> Void
    }

    private static let difficulties = [
        Difficulty(name: "15 %, straight") { $0.fill = 0.15 },
        Difficulty(name: "10 %, 30°") { ($0.fill, $0.tilt) = (0.1, .pi / 6) },
        Difficulty(name: "10 %, 50°") { ($0.fill, $0.tilt) = (0.1, 50 * .pi / 180) },
        Difficulty(name: "10 %, 50°, 3 px") { ($0.fill, $0.tilt, $0.motionBlur) = (0.1, 50 * .pi / 180, 3) },
        Difficulty(name: "3 %, 30°") { ($0.fill, $0.tilt) = (0.03, .pi / 6) },
        Difficulty(name: "15 %, inverse") { ($0.fill, $0.isInverse) = (0.15, true) },
        Difficulty(name: "15 %, glare") { ($0.fill, $0.glare) = (0.15, 0.8) },
    ]

    /// Finds the target that a picture shows, and where its corners are.
    private typealias Recognition = (ImageBuffer) -> [(target: Int, corners: [PixelPoint])]

    func printRows(frameCount: Int) throws {
        let names = Self.difficulties.map(\.name).joined(separator: " | ")
        print("| | \(names) | wrong names | ms a picture | KiB a target |")
        print(String(repeating: "|---", count: Self.difficulties.count + 4) + "|")
        var recognizer = TargetRecognizer()
        recognizer.activate(database, as: "targets")
        try printRow("arsim", frameCount: frameCount, bytes: databaseSize) { picture in
            recognizer.recognize(in: picture).map { (Int($0.target.name) ?? -1, $0.corners.corners) }
        }
        for (name, method) in [
            ("ORB, LSH", OPENCV_ORB), ("AKAZE, LSH", OPENCV_AKAZE), ("BRISK, LSH", OPENCV_BRISK),
            ("SIFT, kd-trees", OPENCV_SIFT), ("RootSIFT, kd-trees", OPENCV_ROOT_SIFT),
        ] {
            let other = opencv_recognizer_create(method, 1000)
            defer { opencv_recognizer_destroy(other) }
            var sizes: [ImageSize] = []
            for number in 0..<database.targets.count {
                let picture = try pictures.picture(number).gray
                sizes.append(picture.size)
                opencv_recognizer_add(other, picture.bytes, Int32(picture.size.width), Int32(picture.size.height))
            }
            let bytes = Int(opencv_recognizer_train(other))
            try printRow(name, frameCount: frameCount, bytes: bytes) { picture in
                var homography = [Double](repeating: 0, count: 9)
                let target = Int(
                    opencv_recognize(
                        other, picture.bytes, Int32(picture.size.width), Int32(picture.size.height), &homography))
                guard target >= 0 else { return [] }
                let (width, height) = (Double(sizes[target].width), Double(sizes[target].height))
                let corners = [(0, 0), (width, 0), (width, height), (0, height)].map { x, y in
                    let (u, v) = (x - 0.5, y - 0.5)
                    let w = homography[6] * u + homography[7] * v + homography[8]
                    return PixelPoint(
                        (homography[0] * u + homography[1] * v + homography[2]) / w,
                        (homography[3] * u + homography[4] * v + homography[5]) / w)
                }
                return [(target, corners)]
            }
        }
    }

    /// Every recogniser is shown the same pictures.
    private func printRow(_ name: String, frameCount: Int, bytes: Int, _ recognize: Recognition) throws {
        var (cells, times, wrongCount) = ([String](), [Double](), 0)
        for (number, difficulty) in Self.difficulties.enumerated() {
            var conditions = PosedPrint.Conditions()
            difficulty.change(&conditions)
            var frames = RandomFrames(seed: UInt64(number), purpose: "choice")
            var foundCount = 0
            for _ in 0..<frameCount {
                let target = frames.number(in: 0...database.targets.count - 1)
                let (picture, posed) = frames.frame(of: try pictures.picture(target).gray, conditions: conditions)
                var found: [(target: Int, corners: [PixelPoint])] = []
                times.append(milliseconds { found = recognize(picture) })
                wrongCount += found.count { $0.target != target }
                let isFound = found.contains { $0.target == target && Self.isPlaced($0.corners, posed) }
                foundCount += isFound ? 1 : 0
            }
            cells.append(String(format: "%.0f %%", 100 * Double(foundCount) / Double(frameCount)))
        }
        let room = Double(bytes) / 1024 / Double(database.targets.count)
        print(
            "| \(name) | " + cells.joined(separator: " | ")
                + String(format: " | %d | %.1f | %.0f |", wrongCount, median(times), room))
    }

    /// Corners within 15 % of the print's width; prints that look the same after a quarter or half turn may be named turned.
    private static func isPlaced(_ corners: [PixelPoint], _ posed: PosedPrint) -> Bool {
        (0..<4).contains { steps in
            (0..<4).allSatisfy { corner in
                corners[(corner + steps) % 4].distance(to: posed.corners.corners[corner]) < 0.15 * posed.corners.width
            }
        }
    }
}
