// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRecording
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

/// Patches in recorded pictures.
@Suite(.tags(.slow), .whenSlowTestsRun) struct RealPatchTests {
    private static func pictures(in folder: String) throws -> [ImageBuffer] {
        try FileManager.default.contentsOfDirectory(atPath: RealData.url(folder).path).filter { $0.hasSuffix(".jpg") }
            .sorted().map { try ImageFile.read(RealData.url("\(folder)/\($0)")) }
    }

    /// A carton on a table is held while a camera walks around and away from it. Its places were read off the pictures.
    @Test(.enabled(if: RealData.has("track_dlib_juicebox/frames"), "track_dlib_juicebox is absent"))
    func cartonIsHeld() throws {
        let pictures = try Self.pictures(in: "track_dlib_juicebox/frames")
        let places = [48: PixelPoint(125, 79), 96: PixelPoint(242, 130), 144: PixelPoint(203, 90)]
        let start = PatchBox(center: PixelPoint(93, 110), width: 38, height: 86)
        var tracker = try #require(PatchTracker(pictures[0], box: start))
        for (index, picture) in pictures.enumerated().dropFirst() {
            let patch = tracker.track(picture)
            #expect(!patch.isLost)
            if let place = places[index] { #expect(patch.box.center.distance(to: place) < 5) }
        }
    }

    /// A face, against boxes drawn by hand.
    @Test(.enabled(if: RealData.has("track_dudek20/img"), "track_dudek20 is absent"))
    func faceIsHeld() throws {
        let truth = try String(contentsOf: RealData.url("track_dudek20/groundtruth_rect.txt"), encoding: .utf8)
            .split { $0.isNewline }.map { $0.split { !"-.0123456789".contains($0) }.compactMap { Double($0) } }
        func box(_ numbers: [Double]) -> PatchBox {
            PatchBox(
                center: PixelPoint(numbers[0] + numbers[2] / 2 - 0.5, numbers[1] + numbers[3] / 2 - 0.5),
                width: numbers[2], height: numbers[3])
        }
        let pictures = try Self.pictures(in: "track_dudek20/img")
        var tracker = try #require(PatchTracker(pictures[0], box: box(truth[0])))
        let overlaps = zip(pictures, truth).dropFirst().map { picture, numbers in
            tracker.track(picture).box.uprightOverlap(with: box(numbers))
        }
        let mean: Double = overlaps.reduce(0, +) / Double(overlaps.count)
        #expect(mean > 0.85)
    }

    /// Tips of fingers that move by up to two hundred pixels from picture to picture: half of the boxes that the tracker
    /// vouches for are within 6 px, and seldom does it say that it lost one.
    @Test(.enabled(if: RealData.has("fingertip_ti1k/evaluation"), "fingertip_ti1k is absent"))
    func fingertipsAreHeld() throws {
        var (errors, lost) = ([Double](), 0)
        for clip in ["translation", "rotation", "scale"].flatMap({ kind in [1, 2].map { (kind, $0) } }) {
            let folder = RealData.url("fingertip_ti1k/evaluation/\(clip.0)")
            let video = try VideoReader(
                folder.appendingPathComponent("\(clip.1).mp4"), name: "\(clip.1).mp4", format: .rgb8)
            let labels = folder.appendingPathComponent("\(clip.0)_\(clip.1).txt")
            let tips = try String(contentsOf: labels, encoding: .utf8).split { $0.isNewline }.map { line in
                let numbers = line.split(separator: " ").compactMap { Double($0) }
                return PixelPoint(NormalizedImagePoint(numbers[6], numbers[7]), imageSize: video.size)
            }
            let first = try #require(try video.next())
            var tracker = try #require(
                PatchTracker(first, box: PatchBox(center: tips[0], width: 40, height: 40)))
            for tip in tips.dropFirst() {
                let patch = tracker.track(try #require(try video.next()))
                if patch.isLost { lost += 1 } else { errors.append(patch.box.center.distance(to: tip)) }
            }
        }
        #expect(errors.sorted()[errors.count / 2] < 6)
        #expect(Double(lost) / Double(errors.count + lost) < 0.1)
    }
}

extension PatchBox {
    /// Intersection over union, as if both boxes were upright.
    fileprivate func uprightOverlap(with other: PatchBox) -> Double {
        let across = (width + other.width) / 2 - abs(center.x - other.center.x)
        let down = (height + other.height) / 2 - abs(center.y - other.center.y)
        let common = max(min(across, width, other.width), 0) * max(min(down, height, other.height), 0)
        return common / (width * height + other.width * other.height - common)
    }
}
