// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision
import Foundation
import TestSupport
import Testing

@Suite struct ChessboardTests {
    private static let columns = 7
    private static let rows = 5

    /// A board seen at an angle, box-filtered over each pixel as a sensor would: inner corner (i, j) lies at
    /// `origin + i·across + j·down`.
    private static func board(origin: Vector2, across: Vector2, down: Vector2, size: ImageSize) -> [UInt8] {
        let samples = 8
        let determinant = across.cross(down)
        return (0..<size.height * size.width).map { index in
            var light = 0.0
            for sample in 0..<samples * samples {
                let offset =
                    Vector2(Double(sample % samples), Double(sample / samples)) / Double(samples)
                    + (0.5 / Double(samples) - 0.5)
                let position = Vector2(Double(index % size.width), Double(index / size.width)) + offset - origin
                let column = (position.cross(down) / determinant).rounded(.down)
                let row = (across.cross(position) / determinant).rounded(.down)
                let isOnBoard =
                    (-1..<Double(columns)).contains(column) && (-1..<Double(rows)).contains(row)
                let isDark = (column + row).truncatingRemainder(dividingBy: 2) == 0
                light += isOnBoard && isDark ? 30 : 220
            }
            return UInt8((light / Double(samples * samples)).rounded())
        }
    }

    private static func findCorners(_ pixels: [UInt8], _ size: ImageSize) -> (CVisionStatus, [Vector2]) {
        var corners = [Vector2](repeating: .zero, count: columns * rows)
        let status = pixels.withUnsafeBufferPointer { buffer in
            var image = CVisionGrayImage(
                pixels: buffer.baseAddress, width: Int32(size.width), height: Int32(size.height),
                bytes_per_row: Int32(size.width))
            return corners.withUnsafeMutableBytes {
                cvision_find_chessboard_corners(
                    &image, Int32(columns), Int32(rows), 6, $0.assumingMemoryBound(to: Double.self).baseAddress)
            }
        }
        return (status, corners)
    }

    @Test(arguments: [0.0, 0.1, 0.6, -0.3]) func cornersAreFoundToAFractionOfAPixel(angle: Double) {
        let size = ImageSize(width: 480, height: 360)
        let across = Vector2(cos(angle), sin(angle)) * 30.25
        let down = Vector2(-sin(angle), cos(angle)) * 29.5
        let origin = Vector2(150.3, 100.7)
        let (status, corners) = Self.findCorners(
            Self.board(origin: origin, across: across, down: down, size: size), size)
        #expect(status == CVISION_OK)
        let errors = (0..<Self.rows * Self.columns).map { index in
            let expected = origin + across * Double(index % Self.columns) + down * Double(index / Self.columns)
            return corners.map { ($0 - expected).length }.min() ?? .infinity
        }
        // cornerSubPix is biased by the pixel grid, most where edges run along it: 0.2 px at worst in this series,
        // also with OpenCV used directly.
        #expect(errors.max() ?? .infinity < 0.25)
        let mean: Double = errors.reduce(0, +) / Double(errors.count)
        #expect(mean < 0.12)
    }

    @Test func aPictureWithoutBoardHasNoCorners() {
        let size = ImageSize(width: 160, height: 120)
        #expect(Self.findCorners(Array(repeating: 128, count: 160 * 120), size).0 == CVISION_NOT_FOUND)
    }

    @Test(arguments: 17..<40) func aPictureTooSmallForABoardHasNoCorners(side: Int) {
        let size = ImageSize(width: side, height: side)
        #expect(Self.findCorners(Array(repeating: 128, count: side * side), size).0 == CVISION_NOT_FOUND)
    }

    @Test func badArgumentsAreRefused() {
        var corners = [0.0]
        var image = CVisionGrayImage(pixels: nil, width: 10, height: 10, bytes_per_row: 10)
        #expect(cvision_find_chessboard_corners(&image, 7, 5, 0, &corners) == CVISION_INVALID_ARGUMENT)
        #expect(
            Self.findCorners(Array(repeating: 128, count: 16 * 16), ImageSize(width: 16, height: 16)).0
                == CVISION_INVALID_ARGUMENT)
        #expect(cvision_find_chessboard_corners(nil, 7, 5, 0, &corners) == CVISION_INVALID_ARGUMENT)
    }
}
