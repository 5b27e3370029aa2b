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

/// Index fingers in photographs and clips of hands; all were marked by people, within some pixels.
@Suite(.enabled(if: RealData.has("fingertip_ti1k/stills"), "fingertip_ti1k is absent"))
struct RealFingertipTests {
    /// Without a tap, of stretched and of bent fingers beside a thumb that reaches as far. These were chosen among those that
    /// are found, to tell when finding gets worse: of all stills, nine in ten are.
    @Test func indexFingersAreFoundInPhotographs() throws {
        let labels = try String(contentsOf: RealData.url("fingertip_ti1k/annotation/label.txt"), encoding: .utf8)
            .split { $0.isNewline }.map { $0.split(separator: " ") }
        var found = 0
        for number in [
            "0007", "0019", "0035", "0051", "0063", "0079", "0091", "0107", "0119", "0143", "0037", "0039", "0133",
        ] {
            let name = "TI1K_IMAGE_\(number).jpg"
            let label = try #require(labels.first { $0[0] == name }).dropFirst().compactMap { Double($0) }
            let image = try ImageFile.read(RealData.url("fingertip_ti1k/stills/\(name)"))
            let index = PixelPoint(NormalizedImagePoint(label[6], label[7]), imageSize: image.size)
            if let fingertip = FingertipFinder().find(in: image), fingertip.center.distance(to: index) < 12 {
                found += 1
            }
        }
        #expect(found >= 12)
    }

    /// Walls, boats and crowds in which what is shaped like a finger is smaller than a finger can be, or belongs to no hand.
    @Test(.enabled(if: RealData.has("oxford_affine"), "oxford_affine is absent"))
    func picturesWithoutAHandHaveNoFinger() throws {
        for name in ["graf/img1.png", "graf/img4.png", "boat/img1.png", "boat/img4.png"] {
            let image = try ImageFile.read(RealData.url("oxford_affine/\(name)"))
            #expect(FingertipFinder().find(in: image) == nil, "\(name)")
        }
    }

    /// Followed from a tap, ten pictures a second: a finger that bends until it touches the thumb, and a hand that turns.
    @Test(arguments: ["scale", "rotation"]) func fingertipsAreFollowed(kind: String) throws {
        let folder = RealData.url("fingertip_ti1k/evaluation/\(kind)")
        let video = try VideoReader(folder.appendingPathComponent("1.mp4"), name: "\(kind)/1.mp4", format: .rgb8)
        let tips = try String(contentsOf: folder.appendingPathComponent("\(kind)_1.txt"), encoding: .utf8)
            .split { $0.isNewline }.map { line in
                let numbers = line.split(separator: " ").compactMap { Double($0) }
                return PixelPoint(NormalizedImagePoint(numbers[6], numbers[7]), imageSize: video.size)
            }
        var tracker = FingertipTracker(finder: nil)
        _ = tracker.start(at: tips[0], in: try #require(try video.next()))
        var (errors, lost) = ([Double](), 0)
        for tip in tips.dropFirst() {
            if let fingertip = tracker.next(try #require(try video.next())) {
                errors.append(fingertip.center.distance(to: tip))
            } else {
                lost += 1
            }
        }
        #expect(lost <= 5)
        try #require(!errors.isEmpty)
        #expect(errors.sorted()[errors.count / 2] < 5)
        #expect(errors.sorted()[errors.count * 9 / 10] < 12)
    }
}
