// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import ARSensing
import Foundation
import TestSupport
import Testing

/// EuRoC's V1_01 as it was published: a folder with none of our files.
@Suite(.enabled(if: RealData.has("euroc_micro_v101/mav0"), "euroc_micro_v101 is absent"))
struct EurocTests {
    @Test func aPlainFolderIsARecording() throws {
        let recording = try Recording(opening: RealData.url("euroc_micro_v101"))
        #expect(recording.frameCount == 95)
        #expect(recording.isComplete)
        #expect(recording.rig.camera.imageSize == ImageSize(width: 752, height: 480))
        #expect(
            recording.rig.camera.camera.intrinsics
                == PinholeIntrinsics(fx: 458.654, fy: 457.296, cx: 367.215, cy: 248.375))
        #expect(recording.rig.camera.camera.distortion == [-0.28340811, 0.07395907, 0.00019359, 1.76187114e-05, 0])
        #expect(recording.rig.imu?.gyroscopeNoiseDensity == 1.6968e-04)
        #expect(recording.declaredPlanes.isEmpty)
    }

    @Test func allEventsComeInOrder() throws {
        var stream = try Recording(opening: RealData.url("euroc_micro_v101")).makeStream()
        var frames = 0
        var samples = 0
        var last = Timestamp(nanoseconds: 0)
        while let event = try stream.next() {
            #expect(event.timestamp >= last)
            last = event.timestamp
            if case .frame = event { frames += 1 } else { samples += 1 }
        }
        #expect(frames == 95)
        #expect(samples == 29120)
    }

    // Gravity ties the three frames together: the accelerometer at rest, turned into our world by the ground truth and
    // the constant for the axes, must point along +Y and be as long as g.
    @Test func poseAndAccelerometerAgreeThatUpIsY() throws {
        let recording = try Recording(opening: RealData.url("euroc_micro_v101"))
        let truths = try recording.allTruths()
        #expect(truths.count >= 77)
        let first = try #require(truths.first)
        var stream = try recording.makeStream()
        var sum = Vector3.zero
        var count = 0.0
        while let event = try stream.next(), event.timestamp <= first.timestamp.advanced(byNanoseconds: 1_000_000_000) {
            if case .imu(let sample) = event {
                sum += sample.specificForce
                count += 1
            }
        }
        let worldFromImu = first.worldFromCamera * recording.rig.camera.imuFromCamera.inverse
        let up = worldFromImu.rotation * (sum / count)
        // The accelerometer's bias is some 0.07 m/s².
        #expect((up - Vector3(0, 9.81, 0)).length < 0.2)
    }
}
