// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import ARWorld
import Foundation
import TestSupport

/// Panels with patterns that no corner could be followed on, and pictures of them.
struct PaintedRoom {
    let panels: [Panel]
    /// The panels' names that are of one colour.
    var plain: Set<String> = []
    /// The panels' names whose pattern is fainter by a factor of twelve.
    var faint: Set<String> = []
    /// How far the pattern reaches above and below the middle, in grey levels, and how much coarser it is than usual.
    var contrast = 60.0
    var grain = 1.0

    static let camera = Camera.pinhole(PinholeCamera(PinholeIntrinsics(fx: 260, fy: 260, cx: 159.5, cy: 119.5)))
    static let imageSize = ImageSize(width: 320, height: 240)

    /// What a camera with that pose sees.
    func picture(from worldFromCamera: RigidTransform) -> ImageBuffer {
        let worldFromOptical = worldFromCamera * .cameraFromOptical
        var image = ImageBuffer(size: Self.imageSize, format: .gray8, filledWith: 128)
        for row in 0..<Self.imageSize.height {
            for column in 0..<Self.imageSize.width {
                let pixel = PixelPoint(Double(column), Double(row))
                guard let direction = Self.camera.unproject(pixel) else { continue }
                let eye = worldFromOptical.translation
                image.bytes[row * Self.imageSize.width + column] = brightness(
                    from: eye, to: eye + 10 * (worldFromOptical.rotation * direction))
            }
        }
        return image
    }

    /// The same with the noise of a sensor, of that standard deviation in grey levels.
    func noisyPicture(from pose: RigidTransform, deviation: Double, _ random: inout TestRandom) -> ImageBuffer {
        var image = picture(from: pose)
        for index in image.bytes.indices {
            let noise = (deviation * random.normal()).rounded()
            image.bytes[index] = UInt8(min(255, max(0, Double(image.bytes[index]) + noise)))
        }
        return image
    }

    private func brightness(from eye: Point3, to end: Point3) -> UInt8 {
        var nearest: (crossing: Double, panel: Int)?
        for (index, panel) in panels.enumerated() {
            guard let crossing = panel.crossing(from: eye, to: end), crossing < nearest?.crossing ?? 1 else { continue }
            nearest = (crossing, index)
        }
        guard let nearest else { return 128 }
        let panel = panels[nearest.panel]
        guard !plain.contains(panel.name) else { return 128 }
        let place = eye + nearest.crossing * (end - eye) - panel.center
        let across = Point2(place.dot(panel.halfWidth.normalized()!), place.dot(panel.halfHeight.normalized()!))
        let pattern =
            noise(across / (0.04 * grain), panel: nearest.panel)
            + noise(across / (0.017 * grain), panel: nearest.panel + 50) / 2
        return UInt8(128 + (faint.contains(panel.name) ? contrast / 12 : contrast) * pattern)
    }

    /// Numbers from −1 to 1 at whole places, and what lies between.
    private func noise(_ place: Point2, panel: Int) -> Double {
        let (column, row) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
        let (x, y) = (place.x - Double(column), place.y - Double(row))
        func value(_ column: Int, _ row: Int) -> Double {
            var bits = UInt64(bitPattern: Int64(column &* 73_856_093 ^ row &* 19_349_663 ^ panel &* 83_492_791))
            // Two rounds of splitmix64's finish.
            bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
            return Double(bits >> 11) / Double(1 << 52) - 1
        }
        let upper = value(column, row) + x * (value(column + 1, row) - value(column, row))
        let lower = value(column, row + 1) + x * (value(column + 1, row + 1) - value(column, row + 1))
        return upper + y * (lower - upper)
    }

    /// A frame with that pose that follows these points.
    func frame(_ number: Int, at worldFromCamera: RigidTransform, following points: [Point3]) -> TrackedFrame {
        var frame = TrackedFrame(
            timestamp: Timestamp(nanoseconds: Int64(number) * 33_333_333), trackingState: .normal,
            worldFromCamera: worldFromCamera, camera: Self.camera, imageSize: Self.imageSize)
        for (index, point) in points.enumerated() {
            guard let pixel = frame.project(point), Self.imageSize.contains(pixel) else { continue }
            let id = UInt64(index)
            frame.sightings.append(PointSighting(id: id, pixel: pixel))
            frame.featurePoints.append(
                EstimatedLandmark(id: id, position: point, covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6))))
        }
        return frame
    }
}
