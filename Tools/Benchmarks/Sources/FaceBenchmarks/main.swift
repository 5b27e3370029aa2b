// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARVision
import CFaces
import Foundation
import Timing

// Measures the face detector and the face tracker beside OpenCV's plain frontal cascades with their default parameters:
// recall, false boxes and rolls on the photographs of ARSIM_DATA, and the processor time of one thread a frame on the frames
// of the folders that are named.

/// One of OpenCV's cascades as it comes: every size, steps of 1.1, three neighbours.
struct PlainCascade {
    let name: String
    private let handle: OpaquePointer

    init(_ name: String) {
        self.name = name
        var handle: OpaquePointer?
        let path = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_\(name).xml"
        precondition(cfaces_open_cascade(path, &handle) == CFACES_OK, "cannot read \(path)")
        self.handle = handle!
    }

    func boxes(in image: ImageBuffer) -> [Box] {
        var scan = CFacesScan(scale_step: 1.1, least_side_px: 0, greatest_side_px: 0, least_neighbors: 3)
        var windows = [CFacesWindow](repeating: CFacesWindow(), count: 1024)
        var count: Int32 = 0
        let status = image.bytes.withUnsafeBufferPointer { pixels in
            var picture = CFacesPicture(
                pixels: pixels.baseAddress, width: Int32(image.size.width), height: Int32(image.size.height),
                bytes_per_row: Int32(image.bytesPerRow), channels: 1)
            return cfaces_scan(handle, &picture, &scan, &windows, Int32(windows.count), &count)
        }
        precondition(status == CFACES_OK, "the cascade \(name) refuses a picture of \(image.size)")
        return windows.prefix(Int(count)).map {
            Box(center: Vector2($0.left_px + $0.width_px / 2, $0.top_px + $0.height_px / 2), width: $0.width_px)
        }
    }
}

/// How well something finds the faces of photographs.
struct Score {
    var found = 0
    var expected = 0
    var falseBoxes = 0
    var rolls: [Double] = []

    /// A box is a face's whose middle lies within half of its width, and which is 0.45 to 2.2 times as wide.
    mutating func add(_ boxes: [Box], truth: [Box]) {
        var isFree = [Bool](repeating: true, count: truth.count)
        expected += truth.count
        for box in boxes {
            func distance(_ index: Int) -> Double { (truth[index].center - box.center).length / truth[index].width }
            let nearest = truth.indices.filter {
                isFree[$0] && distance($0) < 0.5 && (0.45...2.2).contains(box.width / truth[$0].width)
            }.min { distance($0) < distance($1) }
            guard let nearest else {
                falseBoxes += 1
                continue
            }
            isFree[nearest] = false
            found += 1
            if let roll = box.roll, let trueRoll = truth[nearest].roll { rolls.append(abs(roll - trueRoll)) }
        }
    }

    var text: String {
        let precision = found + falseBoxes > 0 ? 100 * found / (found + falseBoxes) : 100
        let rolls = rolls.isEmpty ? "" : String(format: ", roll within %.1f° (median)", median(rolls) * 180 / .pi)
        return "found \(found) of \(expected), \(falseBoxes) false, precision \(precision) %\(rolls)"
    }
}

let plain = [PlainCascade("default"), PlainCascade("alt2")]
let models = try FaceModels()
let detector = FaceDetector(models)

if let folder = ProcessInfo.processInfo.environment["ARSIM_DATA"].map({ URL(fileURLWithPath: $0) }) {
    for (name, photographs) in [
        ("faces_dlib", try Photographs.dlib(in: folder)), ("faces_opencv_extra", try Photographs.openCV(in: folder)),
    ] {
        var scores = [Score](repeating: Score(), count: plain.count + 1)
        for photograph in photographs {
            let image = try ImageFile.read(photograph.file)
            for (index, cascade) in plain.enumerated() {
                scores[index].add(cascade.boxes(in: image.gray), truth: photograph.faces)
            }
            scores[plain.count].add(
                detector.detect(in: image).map { face in
                    Box(
                        center: face.box.center.vector, width: face.box.size.x, roll: face.angles.roll)
                }, truth: photograph.faces)
        }
        print("\(name), \(photographs.count) pictures")
        for (score, name) in zip(scores, plain.map { "OpenCV \($0.name)" } + ["arsim"]) {
            print("  \(name): \(score.text)")
        }
    }
}

for path in CommandLine.arguments.dropFirst() {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
        .filter { ["png", "jpg", "jpeg", "pgm"].contains(URL(fileURLWithPath: $0).pathExtension.lowercased()) }
        .sorted { ($0.count, $0) < ($1.count, $1) }
    var tracker = FaceTracker(models)
    var (tracking, cascades) = ([Double](), [[Double]](repeating: [], count: plain.count))
    for (number, name) in names.enumerated() {
        let image = try ImageFile.read(URL(fileURLWithPath: path).appendingPathComponent(name))
        let timestamp = Timestamp(nanoseconds: Int64(number) * 33_333_333)
        tracking.append(milliseconds { _ = tracker.next(image, at: timestamp) })
        // Every tenth frame is enough to know what a cascade takes.
        guard number % 10 == 0 else { continue }
        let gray = image.gray
        for (index, cascade) in plain.enumerated() {
            cascades[index].append(milliseconds { _ = cascade.boxes(in: gray) })
        }
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(values.count, 1)) }
    print("\(path): \(names.count) frames")
    print(String(format: "  arsim's tracker: %.1f ms a frame, at most %.1f", mean(tracking), tracking.max() ?? 0))
    for (times, cascade) in zip(cascades, plain) {
        print(
            String(
                format: "  OpenCV %@: %.1f ms a frame; ratio %.2f", cascade.name, mean(times),
                mean(tracking) / mean(times)))
    }
}
