// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A picture that is kept, and how it was taken.
struct KeyPicture: Sendable {
    /// Key pictures are numbered from one.
    let number: Int
    let picture: SmoothedPicture
    let camera: Camera
    /// The pose of the middle row, with OpenCV's axes.
    private(set) var worldFromOptical: RigidTransform
    private(set) var opticalFromWorld: RigidTransform
    /// The same pose as the tracker believed it when it took the picture.
    let believedWorldFromOptical: RigidTransform
    /// How the camera moved while the rows were exposed: of the pose in its own axes, per second.
    let motion: Twist
    /// From the first row's exposure to the last one's, in seconds.
    let readoutSeconds: Double
    /// The points that the frame shows, in its own pixels.
    let sightings: [UInt64: PixelPoint]
    /// How many pixels a radian has in the middle of the picture.
    let pixelsByRadian: Double

    init(
        number: Int, picture: SmoothedPicture, camera: Camera, worldFromOptical: RigidTransform, motion: Twist,
        readoutSeconds: Double, sightings: [UInt64: PixelPoint] = [:]
    ) {
        self.number = number
        self.picture = picture
        self.camera = camera
        self.worldFromOptical = worldFromOptical
        opticalFromWorld = worldFromOptical.inverse
        believedWorldFromOptical = worldFromOptical
        self.motion = motion
        self.readoutSeconds = readoutSeconds
        self.sightings = sightings
        let (middle, aside) = (camera.project(Point3(0, 0, 1)), camera.project(Point3(0.01, 0, 1)))
        let pixels = middle.flatMap { middle in aside.map { ($0.vector - middle.vector).length } } ?? 0
        pixelsByRadian = pixels / 0.01 / Double(picture.step)
    }

    /// Moves the picture's pose by a small motion in its own axes.
    mutating func move(by motion: Twist) {
        worldFromOptical = worldFromOptical * RigidTransform(motion)
        opticalFromWorld = worldFromOptical.inverse
    }

    /// The pose when a row of the picture was exposed.
    func worldFromOptical(atRow row: Double) -> RigidTransform {
        guard readoutSeconds > 0 else { return worldFromOptical }
        let part = (row + 0.5) / Double(picture.height) - 0.5
        return worldFromOptical * RigidTransform((part * readoutSeconds) * motion)
    }

    /// The direction in the camera's axes in which a pixel of the picture looks.
    func direction(of pixel: PixelPoint) -> Vector3? { camera.unproject(picture.framePixel(of: pixel)) }

    /// Where the picture shows a point of the world, by the pose of some row; `nil` where it cannot.
    func pixel(of point: Point3, from opticalFromWorld: RigidTransform) -> PixelPoint? {
        let local = opticalFromWorld * point
        guard local.z > 0.05 else { return nil }
        return camera.project(local).map(picture.pixel(ofFrame:))
    }

    /// How far aside the picture shows a patch that lies a metre in front of its plane, in pixels, at least: as far as in the
    /// middle of the picture, where a pixel is widest.
    func leastShift(of patch: PlanePatch) -> Double {
        let way = patch.place - worldFromOptical.translation
        let radians = (patch.nearer - patch.place).cross(way).length / way.squaredLength
        return pixelsByRadian * radians / patch.displacement
    }

    /// Whether a pixel lies in the picture, that far from its rim at least.
    func holds(_ pixel: PixelPoint, margin: Double) -> Bool {
        pixel.x >= margin && pixel.y >= margin && pixel.x <= Double(picture.width - 1) - margin
            && pixel.y <= Double(picture.height - 1) - margin
    }
}
