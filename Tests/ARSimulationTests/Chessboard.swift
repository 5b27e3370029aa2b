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
    static let corners = (0..<35).map { index -> Point3 in
        let (column, row) = (Double(index % 7), Double(index / 7))
        return Point3((column - 3) * square, 0, (row - 2) * square)
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

extension Chessboard {
    /// A picture of the board with each pixel of it made anew, as an ideal camera sees it: the mean of 16×16 places in the
    /// pixel, black or as bright as the lightest pixel, without textures, filters or rays.
    static func ideal(_ image: ImageBuffer, camera: Camera, worldFromCamera: RigidTransform) -> ImageBuffer {
        let worldFromOptical = worldFromCamera * .cameraFromOptical
        /// The square on which a place of the picture lies, as 0 or 1; white around the board, `nil` beyond.
        func lightness(_ x: Double, _ y: Double) -> Double? {
            guard let inOptical = camera.unproject(PixelPoint(x, y)) else { return nil }
            let direction = worldFromOptical.rotation * inOptical
            guard direction.y < 0 else { return nil }
            let place =
                (worldFromOptical.translation - direction * (worldFromOptical.translation.y / direction.y)) / square
            guard abs(place.x) < 5, abs(place.z) < 4 else { return nil }
            guard abs(place.x) < 4, abs(place.z) < 3 else { return 1 }
            // A checker's first square has the first colour, which is black: that at (−4, −3).
            return (Int(place.x.rounded(.down)) + Int(place.z.rounded(.down))).isMultiple(of: 2) ? 1 : 0
        }
        var ideal = image
        let white = Double(image.bytes.max() ?? 0)
        for index in image.bytes.indices {
            let (x, y) = (Double(index % image.size.width), Double(index / image.size.width))
            let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)].map { lightness(x + $0.0, y + $0.1) }
            guard !corners.contains(nil), let middle = lightness(x, y) else { continue }
            guard !corners.allSatisfy({ $0 == middle }) else {
                ideal.bytes[index] = UInt8((white * middle).rounded())
                continue
            }
            let steps = 16
            let sum = (0..<steps * steps).reduce(0) { sum, step in
                let dx = (Double(step % steps) + 0.5) / Double(steps) - 0.5
                let dy = (Double(step / steps) + 0.5) / Double(steps) - 0.5
                return sum + (lightness(x + dx, y + dy) ?? 1)
            }
            ideal.bytes[index] = UInt8((white * sum / Double(steps * steps)).rounded())
        }
        return ideal
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
