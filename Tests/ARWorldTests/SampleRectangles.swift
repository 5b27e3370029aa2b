// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import ARVision
import Foundation
import TestSupport
@testable import ARWorld

/// A card of 63 by 88 mm, 0.74 m above the floor.
let sampleCard = RectangleShape(
    worldFromRectangle: RigidTransform(
        rotation: Rotation(rotationVector: Vector3(0, 0.35, 0)), translation: Vector3(0.02, 0.74, 0.06)),
    size: RectangleSize(width: 0.063, height: 0.088))

/// A frame whose camera is at a place and looks at another, +Y up in its picture.
func sampleFrame(
    from eye: Point3, lookingAt target: Point3, through camera: SampleCamera = .phone, seconds: Double = 0,
    state: TrackingState = .normal
) -> TrackedFrame {
    let back = (eye - target).normalized() ?? Vector3(0, 0, 1)
    let right = Vector3(0, 1, 0).cross(back).normalized() ?? Vector3(1, 0, 0)
    let rotation = Rotation(Matrix3x3(right, back.cross(right), back)) ?? .identity
    return TrackedFrame(
        timestamp: Timestamp(nanoseconds: Int64((seconds * 1e9).rounded())), trackingState: state,
        worldFromCamera: RigidTransform(rotation: rotation, translation: eye), camera: camera.camera,
        imageSize: camera.imageSize)
}

/// A place at a distance from another, so high above the horizon and so far around it, in radians.
func stand(around target: Point3, distance: Double, elevation: Double, azimuth: Double) -> Point3 {
    target + distance
        * Vector3(cos(elevation) * sin(azimuth), sin(elevation), cos(elevation) * cos(azimuth))
}

extension RectangleShape {
    /// The same lying on its back with that heading, in radians.
    func turned(toHeading heading: Double) -> RectangleShape {
        var turned = self
        turned.worldFromRectangle.rotation = Rotation(rotationVector: Vector3(0, heading, 0))
        return turned
    }

    /// Where a frame shows the corners; `nil` where it does not.
    func quad(in frame: TrackedFrame) -> PixelQuad? {
        let pixels = corners.compactMap { frame.project($0) }
        return pixels.count == 4 ? PixelQuad(corners: pixels) : nil
    }
}

extension PixelQuad {
    /// The corners off by a normal distribution of that deviation along each direction.
    func withNoise(_ deviation: Double, _ random: inout TestRandom) -> PixelQuad {
        PixelQuad(
            corners: corners.map {
                PixelPoint($0.x + deviation * random.normal(), $0.y + deviation * random.normal())
            })
    }
}
