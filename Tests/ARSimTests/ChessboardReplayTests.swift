// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import CVision
import Foundation
import TestSupport
import Testing

/// A real camera that moves over a printed chessboard, replayed with the poses that came with it.
@Suite(
    .tags(.slow), .whenSlowTestsRun,
    .enabled(
        if: RealData.has("boofcv_fiducial/chessboard/movie.mjpeg"),
        "the public chessboard clip is not here: set ARSIM_DATA to the folder that holds boofcv_fiducial"))
struct ChessboardReplayTests {
    /// The board has 4 × 6 inner corners, 30 mm apart.
    private let columns = 4
    private let rows = 6
    private let square = 0.03

    /// Corners of the board, projected with the recording's poses, lie where they are seen.
    @Test func theBoardSitsWhereItIsSeen() throws {
        let folder = try TemporaryFolder()
        let recording = try convertedRecording(in: folder)
        var session = try Session(pinned: recording)
        var distances: [Double] = []
        while let frame = try session.next() {
            guard frame.trackingState == .normal, let seen = detectedCorners(in: frame.image.gray) else { continue }
            let expected = try boardCorners.map { try #require(frame.world.frame.project($0)) }
            // The board looks the same from either end.
            let errors = [seen, seen.reversed()].map { zip($0, expected).map { $0.distance(to: $1) } }
            distances += errors.min { $0.reduce(0, +) < $1.reduce(0, +) } ?? []
        }
        #expect(distances.count >= 100 * boardCorners.count, "too few boards were seen to tell")
        distances.sort()
        let (median, most) = (distances[distances.count / 2], distances[distances.count * 99 / 100])
        #expect(median < 0.25, "half of the corners are off by \(median) px or more")
        #expect(most < 1, "one corner in a hundred is off by \(most) px or more")
    }

    @Test func theScreensCenterDrawsASolidOnTheBoard() throws {
        let folder = try TemporaryFolder()
        var session = try Session(pinned: convertedRecording(in: folder))
        while let frame = try session.next() {
            guard let pen = frame.pen else { continue }
            #expect(pen.plane.name == "chessboard")
            // The screen's centre is where the pen is.
            let pixel = try #require(frame.world.frame.project(pen.positionInWorld))
            #expect(pixel.distance(to: PixelPoint(319.5, 239.5)) < 1e-9)
        }
        #expect(session.counts.frames == 142)
        #expect(session.counts.framesWithPose == 104)
        #expect(SessionSummary(session).drawnMetres > 0.2)
        for solid in try session.drawing.solids(SolidOptions(height: 0.01)) {
            #expect(solid.mesh.topology.isSolid)
        }
    }

    private func convertedRecording(in folder: TemporaryFolder) throws -> Recording {
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        let recipe = try Recipe(reading: package.appendingPathComponent("Tools/recipes/boofcv-chessboard.yaml"))
        try recipe.makeRecording(from: RealData.folder, to: folder("chessboard"))
        return try Recording(opening: folder("chessboard"))
    }

    private var boardCorners: [Point3] {
        (0..<rows).flatMap { row in
            (0..<columns).map { column in Point3(Double(column) * square, 0, Double(row) * square) }
        }
    }

    private func detectedCorners(in image: ImageBuffer) -> [PixelPoint]? {
        var coordinates = [Double](repeating: 0, count: 2 * columns * rows)
        let status = image.bytes.withUnsafeBufferPointer { pixels in
            var view = CVisionGrayImage(
                pixels: pixels.baseAddress, width: Int32(image.size.width), height: Int32(image.size.height),
                bytes_per_row: Int32(image.bytesPerRow))
            return cvision_find_chessboard_corners(&view, Int32(columns), Int32(rows), 5, &coordinates)
        }
        guard status == CVISION_OK else { return nil }
        return (0..<columns * rows).map { PixelPoint(coordinates[2 * $0], coordinates[2 * $0 + 1]) }
    }
}
