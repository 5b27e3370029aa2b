// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision

@testable import ARSimulation

/// A board of 8×6 squares of 3 cm with a white border, lying on the plane y = 0 with its centre at the origin.
enum Chessboard {
    static let square = 0.03

    /// The small scene with the board instead of its floor, and without its finger.
    static func scene() throws -> Scene {
        var scene = try Scene(yaml: smallScene, file: "small")
        var checker = scene.materials[0]
        checker.scaleMeters = square
        checker.texelMeters = 0.0005
        checker.color = .zero
        checker.secondColor = Vector3(repeating: 0.95)
        var white = Scene.Material()
        white.name = "white"
        white.color = Vector3(repeating: 0.95)
        scene.materials = [checker, white]
        var board = scene.quads[0]
        board.size = Vector2(8, 6) * square
        var border = board
        border.name = "border"
        border.center.y = -0.0005
        border.size = Vector2(11, 9) * square
        border.material = "white"
        scene.quads = [board, border]
        scene.finger = nil
        return scene
    }

    /// The inner corners, in the world.
    static let corners = (0..<35).map { index in
        Point3((Double(index % 7) - 3) * square, 0, (Double(index / 7) - 2) * square)
    }

    /// The inner corners that OpenCV finds in a grey picture, in any order.
    static func findCorners(in image: ImageBuffer) -> [Vector2]? {
        var found = [Vector2](repeating: .zero, count: corners.count)
        let status = image.bytes.withUnsafeBufferPointer { bytes in
            var gray = CVisionGrayImage(
                pixels: bytes.baseAddress, width: Int32(image.size.width), height: Int32(image.size.height),
                bytes_per_row: Int32(image.bytesPerRow))
            return found.withUnsafeMutableBytes {
                cvision_find_chessboard_corners(&gray, 7, 5, 6, $0.assumingMemoryBound(to: Double.self).baseAddress)
            }
        }
        return status == CVISION_OK ? found : nil
    }

    /// How far each corner that is found lies from where it is projected; `nil` when the board is not found.
    static func errors(in image: ImageBuffer, _ project: (Point3) -> PixelPoint?) -> [Vector2]? {
        guard let found = findCorners(in: image) else { return nil }
        return corners.map { corner in
            guard let pixel = project(corner) else { return Vector2(.infinity, .infinity) }
            return found.map { $0 - pixel.vector }.min { $0.length < $1.length } ?? Vector2(.infinity, .infinity)
        }
    }
}

extension ImageBuffer {
    /// A grey picture whose edges are a pixel softer, and where they were: each pixel is a mean with the weights 1 4 6 4 1
    /// along rows and columns. OpenCV's refinement of corners scatters by 0.05 px where edges are one pixel wide.
    var softened: ImageBuffer {
        let (width, height) = (size.width, size.height)
        let weights = [1, 4, 6, 4, 1]
        func filtered(_ values: [Int], step: Int, index: (Int) -> Int, count: Int) -> [Int] {
            values.indices.map { place in
                (0..<5).reduce(0) { sum, tap in
                    let at = min(max(index(place) + tap - 2, 0), count - 1)
                    return sum + weights[tap] * values[place + (at - index(place)) * step]
                }
            }
        }
        let rows = filtered(bytes.map(Int.init), step: 1, index: { $0 % width }, count: width)
        let both = filtered(rows, step: width, index: { $0 / width }, count: height)
        return ImageBuffer(size: size, format: .gray8, bytes: both.map { UInt8(($0 + 128) / 256) })
    }
}
