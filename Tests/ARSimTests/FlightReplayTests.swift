// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import TestSupport
import Testing

/// A real flight with frames, inertial samples and motion-capture poses, replayed from its original logs.
@Suite(
    .enabled(
        if: RealData.has("euroc_mh01_clip/sample_video/img.avi"),
        "the public flight clip is not here: set ARSIM_DATA to the folder that holds euroc_mh01_clip"))
struct FlightReplayTests {
    @Test func theScreensCenterDrawsOnThePlanks() throws {
        let folder = try TemporaryFolder()
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        try Recipe(reading: package.appendingPathComponent("Tools/recipes/euroc-mh01.yaml"))
            .makeRecording(from: RealData.folder, to: folder("mh01"))
        #expect(Recording.validate(folder("mh01")).findings.isEmpty)

        var session = try Session(pinned: Recording(opening: folder("mh01")))
        var heights: [Double] = []
        while let frame = try session.next() {
            #expect(frame.trackingState == (frame.index < 22 ? .notAvailable : .normal))
            guard let pen = frame.pen else { continue }
            heights.append(frame.worldFromCamera.translation.y - pen.positionInWorld.y)
        }
        #expect(session.counts.frames == 51)
        #expect(session.counts.framesWithPose == 29)
        #expect(session.counts.imuSamples > 490)
        #expect(heights.allSatisfy { $0 > 0 }, "the camera flies above what it draws on")
        let solids = try session.drawing.solids(SolidOptions(height: 0.01))
        #expect(!solids.isEmpty)
        for solid in solids { #expect(solid.mesh.topology.isSolid) }
    }
}
