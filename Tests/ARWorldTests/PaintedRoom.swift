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

    /// Where each pixel looks, row by row, in the optical axes.
    private static let sights: [Vector3] = (0..<imageSize.height).flatMap { row in
        (0..<imageSize.width).map { column in camera.unproject(PixelPoint(Double(column), Double(row)))! }
    }

    /// What a camera with that pose sees.
    func picture(from worldFromCamera: RigidTransform) -> ImageBuffer {
        let worldFromOptical = worldFromCamera * .cameraFromOptical
        let eye = worldFromOptical.translation
        let faces = panels.enumerated().map { index, panel in
            PaintedFace(
                panel, number: index, contrast: faint.contains(panel.name) ? contrast / 12 : contrast, grain: grain,
                isPlain: plain.contains(panel.name), eye: eye)
        }
        var image = ImageBuffer(size: Self.imageSize, format: .gray8, filledWith: 128)
        for (index, sight) in Self.sights.enumerated() {
            image.bytes[index] = Self.brightness(of: faces, from: eye, along: worldFromOptical.rotation * sight)
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

    private static func brightness(of faces: [PaintedFace], from eye: Point3, along sight: Vector3) -> UInt8 {
        var nearest: (distance: Double, face: Int)?
        for (index, face) in faces.enumerated() {
            guard let distance = face.distance(along: sight), distance < nearest?.distance ?? 10 else { continue }
            nearest = (distance, index)
        }
        guard let nearest else { return 128 }
        return faces[nearest.face].brightness(at: eye + nearest.distance * sight)
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

/// A panel as one eye sees it.
private struct PaintedFace {
    let panel: Panel
    let number: Int
    let contrast: Double
    let grain: Double
    let isPlain: Bool
    private let eye: Point3
    private let eyeDistance: Double
    private let (normal, right, up): (Vector3, Vector3, Vector3)

    init(_ panel: Panel, number: Int, contrast: Double, grain: Double, isPlain: Bool, eye: Point3) {
        (self.panel, self.number, self.contrast, self.grain, self.isPlain) = (panel, number, contrast, grain, isPlain)
        self.eye = eye
        eyeDistance = panel.plane.signedDistance(to: eye)
        (normal, right, up) = (panel.normal, panel.halfWidth.normalized()!, panel.halfHeight.normalized()!)
    }

    /// How many lengths of a line of sight it is to the panel; `nil` beside it.
    func distance(along sight: Vector3) -> Double? {
        let distance = -eyeDistance / normal.dot(sight)
        guard distance > 0, distance.isFinite else { return nil }
        let offset = eye + distance * sight - panel.center
        guard abs(offset.dot(panel.halfWidth)) <= panel.halfWidth.squaredLength,
            abs(offset.dot(panel.halfHeight)) <= panel.halfHeight.squaredLength
        else { return nil }
        return distance
    }

    func brightness(at place: Point3) -> UInt8 {
        guard !isPlain else { return 128 }
        let across = Point2((place - panel.center).dot(right), (place - panel.center).dot(up))
        let pattern =
            noise(across / (0.04 * grain), seed: number) + noise(across / (0.017 * grain), seed: number + 50) / 2
        return UInt8(128 + contrast * pattern)
    }

    /// Numbers from −1 to 1 at whole places, and what lies between.
    private func noise(_ place: Point2, seed: Int) -> Double {
        let (column, row) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
        let (x, y) = (place.x - Double(column), place.y - Double(row))
        func value(_ column: Int, _ row: Int) -> Double {
            var bits = UInt64(bitPattern: Int64(column &* 73_856_093 ^ row &* 19_349_663 ^ seed &* 83_492_791))
            // Two rounds of splitmix64's finish.
            bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
            return Double(bits >> 11) / Double(1 << 52) - 1
        }
        let upper = value(column, row) + x * (value(column + 1, row) - value(column, row))
        let lower = value(column, row + 1) + x * (value(column + 1, row + 1) - value(column, row + 1))
        return upper + y * (lower - upper)
    }
}
