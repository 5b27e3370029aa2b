// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARFiles
import ARGeometry
import ARSensing
import Foundation

extension Trajectory {
    /// Reads poses of KITTI's odometry benchmark, their axes as they are: a row holds the first three rows of the matrix
    /// `worldFromCamera`, twelve numbers. Rows have no instants; row i is stamped i/10 s, after the benchmark's rate.
    init(kitti file: URL) throws {
        let reader = try LineReader(file)
        var poses: [StampedPose] = []
        while let line = try reader.next() {
            guard !line.isBlank else { continue }
            poses.append(
                StampedPose(
                    timestamp: Timestamp(nanoseconds: Int64(poses.count) * 100_000_000),
                    worldFromBody: try RigidTransform(kitti: line, file: file.lastPathComponent)))
        }
        self.init(poses)
    }
}

extension RigidTransform {
    fileprivate init(kitti line: TextLine, file: String) throws(DocumentError) {
        var numbers: [Double] = []
        for field in line.bytes.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
            guard let number = NumberText.double(field), number.isFinite else {
                throw DocumentError(
                    file: file, line: line.number, column: field.startIndex - line.bytes.startIndex + 1,
                    found: "\"\(String(decoding: field, as: UTF8.self))\"", expected: "a number")
            }
            numbers.append(number)
        }
        guard numbers.count == 12 else {
            throw DocumentError(
                file: file, line: line.number, column: 1, found: "\(numbers.count) numbers", expected: "12 numbers")
        }
        let matrix = Matrix3x3(
            rows: Vector3(numbers[0], numbers[1], numbers[2]), Vector3(numbers[4], numbers[5], numbers[6]),
            Vector3(numbers[8], numbers[9], numbers[10]))
        // Published rows have as few as six digits.
        guard let rotation = Rotation(matrix, tolerance: 1e-4) else {
            throw DocumentError(
                file: file, line: line.number, column: 1, found: "a matrix that is no rotation",
                expected: "three rows of a rotation and a translation")
        }
        self.init(rotation: rotation, translation: Vector3(numbers[3], numbers[7], numbers[11]))
    }
}
