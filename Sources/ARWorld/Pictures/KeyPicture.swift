// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A picture that is kept, and how it was taken.
struct KeyPicture: Sendable {
    private let shot: Shot
    /// The pose of the middle row, with OpenCV's axes.
    private(set) var worldFromOptical: RigidTransform
    private(set) var opticalFromWorld: RigidTransform

    /// Key pictures are numbered from one.
    var number: Int { shot.number }
    var picture: SmoothedPicture { shot.picture }
    var camera: Camera { shot.camera }
    /// The pose as the tracker believed it when it took the picture.
    var believedWorldFromOptical: RigidTransform { shot.believedWorldFromOptical }
    /// The points that the frame shows, in its own pixels.
    var sightings: [UInt64: PixelPoint] { shot.sightings }
    /// How many pixels a radian has where it has most: of the middle, the edges and the corners.
    var pixelsByRadian: Double { shot.pixelsByRadian }

    /// What does not change when more is learned: pictures are handed on by the thousand, this part of them as one reference.
    private final class Shot: Sendable {
        let number: Int
        let picture: SmoothedPicture
        let camera: Camera
        let believedWorldFromOptical: RigidTransform
        let sightings: [UInt64: PixelPoint]
        let pixelsByRadian: Double
        /// How the camera stands when each row is exposed, from the middle row's pose; empty where all rows are exposed at once.
        let middleFromRow: [RigidTransform]

        init(
            number: Int, picture: SmoothedPicture, camera: Camera, believedWorldFromOptical: RigidTransform,
            motion: Twist, readoutSeconds: Double, sightings: [UInt64: PixelPoint]
        ) {
            (self.number, self.picture, self.camera, self.sightings) = (number, picture, camera, sightings)
            self.believedWorldFromOptical = believedWorldFromOptical
            let (right, bottom) = (Double(picture.width - 1), Double(picture.height - 1))
            let places = [0, 0.5, 1].flatMap { x in [0, 0.5, 1].map { y in PixelPoint(x * right, y * bottom) } }
            let scales = places.map { camera.greatestPixelsByRadian(at: picture.framePixel(of: $0)) ?? 0 }
            pixelsByRadian = scales.reduce(0, max) / Double(picture.step)
            let rows = readoutSeconds != 0 ? picture.height : 0
            middleFromRow = (0..<rows).map { row in
                let part = (Double(row) + 0.5) / Double(rows) - 0.5
                return RigidTransform((part * readoutSeconds) * motion)
            }
        }
    }

    /// A picture of a camera that moves while the rows are exposed.
    ///
    /// - Parameters:
    ///   - motion: how: of the pose in its own axes, per second.
    ///   - readoutSeconds: from the first row's exposure to the last one's; below zero where the last one's comes first.
    ///   - sightings: the points that the frame shows, in its own pixels.
    init(
        number: Int, picture: SmoothedPicture, camera: Camera, worldFromOptical: RigidTransform, motion: Twist,
        readoutSeconds: Double, sightings: [UInt64: PixelPoint] = [:]
    ) {
        shot = Shot(
            number: number, picture: picture, camera: camera, believedWorldFromOptical: worldFromOptical,
            motion: motion, readoutSeconds: readoutSeconds, sightings: sightings)
        self.worldFromOptical = worldFromOptical
        opticalFromWorld = worldFromOptical.inverse
    }

    /// Moves the picture's pose by a small motion in its own axes.
    mutating func move(by motion: Twist) {
        worldFromOptical = worldFromOptical * RigidTransform(motion)
        opticalFromWorld = worldFromOptical.inverse
    }

    /// The pose when a row of the picture was exposed, or the nearest row that there is.
    func worldFromOptical(atRow row: Double) -> RigidTransform {
        let rows = shot.middleFromRow
        guard !rows.isEmpty else { return worldFromOptical }
        return worldFromOptical * rows[Int(min(max(row, 0), Double(rows.count - 1)) + 0.5)]
    }

    /// The direction in the camera's axes in which a pixel of the picture looks.
    func direction(of pixel: PixelPoint) -> Vector3? { camera.unproject(picture.framePixel(of: pixel)) }

    /// Where the picture shows a point of the world, by the pose of some row; `nil` where it cannot.
    func pixel(of point: Point3, from opticalFromWorld: RigidTransform) -> PixelPoint? {
        let local = opticalFromWorld * point
        guard local.z > 0.05, let pixel = camera.project(local) else { return nil }
        return picture.pixel(ofFrame: pixel)
    }

    /// How far aside the picture shows a patch that lies a metre in front of its plane, in pixels, at most: as far as where
    /// a radian has most pixels. Law: `PatchComparisonTests.noPatchIsShownFartherAsideThanTheGreatestShift`.
    func greatestShift(of patch: PlanePatch) -> Double {
        let eye = worldFromOptical.translation
        let (way, nearerWay) = (patch.place - eye, patch.nearer - eye)
        let radians = atan2(way.cross(nearerWay).length, way.dot(nearerWay))
        return pixelsByRadian * radians / patch.displacement
    }

    /// Whether a pixel lies in the picture, that far from its rim at least.
    func holds(_ pixel: PixelPoint, margin: Double) -> Bool {
        pixel.x >= margin && pixel.y >= margin && pixel.x <= Double(picture.width - 1) - margin
            && pixel.y <= Double(picture.height - 1) - margin
    }
}

extension Camera {
    /// How many pixels a radian has at a pixel, in the direction in which it has most; `nil` where the pixel shows nothing.
    ///
    /// That is the projection's larger singular value at a distance of one: moving along the ray changes no pixel.
    fileprivate func greatestPixelsByRadian(at pixel: PixelPoint) -> Double? {
        guard let direction = unproject(pixel)?.normalized(), let shown = projectWithJacobians(direction) else {
            return nil
        }
        let jacobian = shown.pixelByPoint
        let byX = Vector3(jacobian.x.x, jacobian.y.x, jacobian.z.x)
        let byY = Vector3(jacobian.x.y, jacobian.y.y, jacobian.z.y)
        let (xx, xy, yy) = (byX.squaredLength, byX.dot(byY), byY.squaredLength)
        return ((xx + yy + ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()) / 2).squareRoot()
    }
}
