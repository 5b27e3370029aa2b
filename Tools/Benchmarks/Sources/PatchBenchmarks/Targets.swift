// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRecording
import ARSensing
import ARTargets
import Foundation
import OpenCVTrackers
import Timing

/// Follows both prints of a video from their corners in its first picture, beside the time that ORB takes for its 1,000
/// best features of the same pictures.
func compareTargets(in data: URL) throws {
    let folder = data.appendingPathComponent("boofcv_fiducial")
    let table = try String(
        contentsOf: folder.appendingPathComponent("reference/image_movie_targets.csv"), encoding: .utf8)
    print("\nImage targets (boofcv): the worst corner's error in pixels")
    print("  print       seen   error 50 %   90 %     ms  of ORB's")
    for name in ["chicken", "yinyang"] {
        let truth = table.split(whereSeparator: \.isNewline).filter { $0.contains(",\(name),") }.map { line in
            let numbers = line.split { !"-.0123456789".contains($0) }.compactMap { Double($0) }.suffix(8).map { $0 }
            return PixelQuad(corners: (0..<4).map { PixelPoint(numbers[2 * $0], numbers[2 * $0 + 1]) })
        }
        let pattern = try ImageFile.read(folder.appendingPathComponent("image/patterns/\(name).png")).gray
        let database = try TargetDatabase(building: [ReferenceImage(name: name, picture: framed(pattern))])
        let video = try VideoReader(
            folder.appendingPathComponent("image/video/movie.mjpeg"), name: "movie.mjpeg", format: .gray8)
        guard let first = try video.next(),
            var tracker = TargetTracker(
                TargetIdentity(database: "boofcv", name: name), of: database, at: truth[0], in: first)
        else { continue }
        var (errors, times, ratios, count) = ([Double](), [Double](), [Double](), 0)
        while let picture = try video.next() {
            count += 1
            var sighting: TargetSighting?
            times.append(milliseconds { sighting = tracker.track(picture) })
            let orb = opencv_orb_milliseconds(
                picture.bytes, Int32(picture.size.width), Int32(picture.size.height), 1000)
            ratios.append(times[count - 1] / orb)
            guard let sighting else { continue }
            errors.append(
                zip(sighting.corners.corners, truth[count].corners).map { $0.distance(to: $1) }.max() ?? .infinity)
        }
        print(
            "  " + padded(name, 9)
                + String(
                    format: "%4d/%3d  %9.2f %6.2f  %5.2f  %7.3f", errors.count, count, median(errors),
                    quantile(errors, 0.9), times.reduce(0, +) / Double(count),
                    ratios.reduce(0, +) / Double(count)))
    }
}

/// The pattern as it is printed: in a black frame of half its size.
private func framed(_ pattern: ImageBuffer) -> ImageBuffer {
    let (width, height) = (pattern.size.width, pattern.size.height)
    var print = ImageBuffer(size: ImageSize(width: 2 * width, height: 2 * height), format: .gray8)
    for row in 0..<height {
        let start = (row + height / 2) * 2 * width + width / 2
        print.bytes.replaceSubrange(start..<start + width, with: pattern.bytes[row * width..<(row + 1) * width])
    }
    return print
}
