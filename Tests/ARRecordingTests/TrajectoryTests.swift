// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct TrajectoryTests {
    private func poses(_ random: inout TestRandom) -> [TrajectoryPose] {
        (0..<50).map { index in
            TrajectoryPose(
                timestamp: Timestamp(nanoseconds: 1_403_636_579_763_556_001 + 5_000_003 * index),
                worldFromBody: random.rigidTransform())
        }
    }

    private func write(_ poses: [TrajectoryPose], to file: URL, _ format: TrajectoryFormat) throws {
        let writer = try TrajectoryWriter(creating: file, format: format)
        for pose in poses { try writer.append(pose) }
        try writer.finish()
    }

    private func read(_ file: URL) throws -> (TrajectoryFormat, [TrajectoryPose]) {
        let reader = try TrajectoryReader(file)
        var poses: [TrajectoryPose] = []
        while let pose = try reader.next() { poses.append(pose) }
        return (reader.format, poses)
    }

    @Test(arguments: TrajectoryFormat.allCases) func roundTrip(_ format: TrajectoryFormat) throws {
        var random = TestRandom()
        let poses = poses(&random)
        let folder = try TemporaryFolder()
        try write(poses, to: folder("file"), format)
        let (found, read) = try read(folder("file"))
        #expect(found == format)
        #expect(read.map(\.timestamp) == poses.map(\.timestamp))
        for (a, b) in zip(read, poses) {
            #expect(a.worldFromBody.translation == b.worldFromBody.translation)
            #expect(a.worldFromBody.rotation.angle(to: b.worldFromBody.rotation) < 1e-14)
        }
    }

    @Test func conversionKeepsStampsExactly() throws {
        var random = TestRandom()
        let poses = poses(&random)
        let folder = try TemporaryFolder()
        try write(poses, to: folder("a.csv"), .euroc)
        #expect(try TrajectoryConversion.convert(folder("a.csv"), to: folder("b.txt"), format: .tum) == 50)
        #expect(try TrajectoryConversion.convert(folder("b.txt"), to: folder("c.csv"), format: .euroc) == 50)
        #expect(try read(folder("c.csv")).1.map(\.timestamp) == poses.map(\.timestamp))
        #expect(try folder.names() == ["a.csv", "b.txt", "c.csv"])
    }

    @Test func rowsOfBothKindsMeanTheSame() throws {
        let folder = try TemporaryFolder()
        try folder.write("# a comment\n1.5 1 2 3 0.5 -0.5 0.5 0.5\n\n2.5  1 2 3 0 0 0 1", to: "tum")
        try folder.write(
            "#x\r\n1500000000,1,2,3,0.5,0.5,-0.5,0.5,7,8,9\r\n2500000000, 1, 2, 3, 1, 0, 0, 0\r\n", to: "csv")
        #expect(try read(folder("tum")).1 == read(folder("csv")).1)
    }

    @Test(arguments: [
        ("1 2 3", RecordingError.Rule.columnCount, "3 columns"),
        ("x 1 2 3 0 0 0 1", .badNumber, "\"x\" in column 1"),
        ("1 1 2 nan 0 0 0 1", .notFinite, "nan in column 4"),
        ("1 1 2 one 0 0 0 1", .badNumber, "\"one\" in column 4"),
        ("1 1 2 3 0 0 0 2", .quaternionLength, "a quaternion of length 2"),
        ("-1 1 2 3 0 0 0 1", .stampOrder, "-1000000000 after 0"),
    ])
    func aBadRowIsNamed(_ row: String, _ rule: RecordingError.Rule, _ found: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("# header\n0 1 2 3 0 0 0 1\n\(row)\n5 1 2 3 0 0 0 1\n", to: "file")
        let reader = try TrajectoryReader(folder("file"))
        _ = try reader.next()
        let error = try #require(throws: RecordingError.self) { try reader.next() }
        #expect(error.rule == rule)
        #expect(error.file == "file")
        #expect(error.line == 3)
        #expect(error.found == found)
        // The rest can still be read.
        #expect(try reader.next()?.timestamp == Timestamp(nanoseconds: 5_000_000_000))
    }

    @Test func whatIsMissingOrEmptyIsSaid() throws {
        let folder = try TemporaryFolder()
        let error = try #require(throws: RecordingError.self) { try TrajectoryReader(folder("no")) }
        #expect(error.rule == .missingFile)
        try folder.write("# nothing\n", to: "empty")
        #expect(try TrajectoryReader(folder("empty")).next() == nil)
    }

    @Test(.enabled(if: RealData.has("evo_traj/V102_groundtruth.csv"), "evo_traj is absent"))
    func realTrajectoriesAreRead() throws {
        let euroc = try read(RealData.url("evo_traj/V102_groundtruth.csv"))
        #expect(euroc.0 == .euroc)
        #expect(euroc.1.count > 1000)
        let tum = try read(RealData.url("evo_traj/fr2_desk_groundtruth.txt"))
        #expect(tum.0 == .tum)
        #expect(tum.1.count > 1000)
    }
}
