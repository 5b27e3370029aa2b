// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct ProjectionMatrixTests {
    private let phone = SampleCamera.phone

    /// The matrix that a phone's ARKit returned for these intrinsics, as published. Its numbers went through Float.
    @Test func aRealDevice() {
        let viewport = Viewport(size: ViewSize(width: 700, height: 300), orientation: .landscapeRight)
        let matrix = viewport.projectionMatrix(
            phone.camera.intrinsics, imageSize: phone.imageSize, near: 0.007, far: 1300)
        let device = Matrix4x4(
            rows: Vector4(1.4592401, 0, 0.034053326, 0), Vector4(0, 3.4048936, 0.012987971, 0),
            Vector4(0, 0, -1.0000054, -0.007000038), Vector4(0, 0, -1, 0))
        expectClose(matrix, device, tolerance: 1e-6)
    }

    @Test func depthRunsFromNearToFar() throws {
        let viewport = Viewport(size: ViewSize(width: 700, height: 300), orientation: .portrait)
        let intrinsics = phone.camera.intrinsics
        let finite = viewport.projectionMatrix(intrinsics, imageSize: phone.imageSize, near: 0.1, far: 50)
        expectClose(try #require(finite.project(Point3(0, 0, -0.1))).z, 0, tolerance: 1e-15)
        expectClose(try #require(finite.project(Point3(0, 0, -50))).z, 1, tolerance: 1e-15)
        let infinite = viewport.projectionMatrix(intrinsics, imageSize: phone.imageSize, near: 0.1)
        expectClose(try #require(infinite.project(Point3(0, 0, -0.1))).z, 0, tolerance: 1e-15)
        expectClose(try #require(infinite.project(Point3(0, 0, -1e9))).z, 1, tolerance: 1e-9)
        #expect(infinite[2, 2] == -1 && infinite[3, 2] == -0.1)
        let nearlyInfinite = viewport.projectionMatrix(intrinsics, imageSize: phone.imageSize, near: 0.1, far: 1e12)
        expectClose(nearlyInfinite, infinite, tolerance: 1e-12)
    }

    /// One way goes through matrices, the other through pixels; both must end at the same point of the view.
    @Test(arguments: InterfaceOrientation.allCases, Viewport.ContentMode.allCases)
    func matricesAgreeWithPictures(orientation: InterfaceOrientation, contentMode: Viewport.ContentMode) throws {
        for number in 0..<100 {
            var random = TestRandom(case: number)
            let view = CameraView(
                camera: phone.camera, imageSize: phone.imageSize,
                worldFromCamera: RigidTransform(rotation: random.rotation(), translation: random.vector3(-5...5)),
                viewport: Viewport(
                    size: ViewSize(width: random.uniform(100...1000), height: random.uniform(100...1000)),
                    orientation: orientation, contentMode: contentMode))
            let pointInCamera = Point3(random.uniform(), random.uniform(), random.uniform(-10 ... -1))
            let pointInWorld = view.worldFromCamera * pointInCamera

            let clipFromWorld = view.projectionMatrix(near: 0.01, far: 100) * Matrix4x4(view.viewFromWorld)
            let device = try #require(clipFromWorld.project(pointInWorld))
            let throughMatrices = view.viewport.viewPoint(ofNormalizedDevice: Point2(device.x, device.y))

            let pixel = try #require(view.camera.project(RigidTransform.opticalFromCamera * pointInCamera))
            let normalized = NormalizedImagePoint(pixel, imageSize: view.imageSize)
            let fraction =
                view.viewport.displayTransform(imageSize: view.imageSize) * Point2(normalized.x, normalized.y)
            let throughPixels = ViewPoint(
                fraction.x * view.viewport.size.width, fraction.y * view.viewport.size.height)

            expectClose(throughMatrices, throughPixels, tolerance: 1e-9)
            expectClose(try #require(view.project(pointInWorld)), throughPixels, tolerance: 1e-9)
        }
    }

    /// In portrait the sensor's right is the screen's bottom: what is right of the camera appears low.
    @Test func portraitTurnsTheRightWay() throws {
        let view = CameraView(
            camera: phone.camera, imageSize: phone.imageSize, worldFromCamera: .identity,
            viewport: Viewport(size: ViewSize(width: 375, height: 812), orientation: .portrait))
        let center = try #require(view.project(Point3(0, 0, -1)))
        let rightOfCamera = try #require(view.project(Point3(0.1, 0, -1)))
        let aboveCamera = try #require(view.project(Point3(0, 0.1, -1)))
        #expect(rightOfCamera.y > center.y + 10 && abs(rightOfCamera.x - center.x) < 1e-9)
        #expect(aboveCamera.x > center.x + 10 && abs(aboveCamera.y - center.y) < 1e-9)
    }
}

@Suite struct CameraViewTests {
    @Test(arguments: SampleCamera.all, InterfaceOrientation.allCases)
    func unprojectOntoAPlane(sample: SampleCamera, orientation: InterfaceOrientation) throws {
        for number in 0..<20 {
            var random = TestRandom(case: number)
            let view = CameraView(
                camera: sample.camera, imageSize: sample.imageSize,
                worldFromCamera: RigidTransform(rotation: random.rotation(), translation: random.vector3(-5...5)),
                viewport: Viewport(size: ViewSize(width: 390, height: 844), orientation: orientation))
            let pointInCamera = Point3(random.uniform(-0.5...0.5), random.uniform(-0.5...0.5), -1) * 2
            let pointInWorld = view.worldFromCamera * pointInCamera
            // A plane through the point that the ray does not graze.
            let towardsCamera = try #require((view.worldFromCamera.translation - pointInWorld).normalized())
            let plane = try #require(
                Plane(normal: towardsCamera + random.vector3(-0.5...0.5), through: pointInWorld))

            let shown = try #require(view.project(pointInWorld))
            expectClose(try #require(view.unproject(shown, onto: plane)), pointInWorld, tolerance: 1e-9)
            let ray = try #require(view.rayInCamera(through: shown))
            expectClose(ray.direction, try #require(pointInCamera.normalized()), tolerance: 1e-12)
            let behind = try #require(
                Plane(normal: towardsCamera, through: view.worldFromCamera.translation + towardsCamera))
            #expect(view.unproject(shown, onto: behind) == nil)
        }
    }

    @Test func whatTheLensDoesNotSeeIsNothing() {
        let view = CameraView(
            camera: SampleCamera.folding.camera, imageSize: SampleCamera.folding.imageSize, worldFromCamera: .identity,
            viewport: Viewport(size: ViewSize(width: 100, height: 100), orientation: .landscapeRight))
        #expect(view.project(Point3(0, 0, 1)) == nil)
        #expect(view.project(Point3(5, 0, -1)) == nil)
        #expect(view.ray(through: ViewPoint(5000, 50)) == nil)
    }
}
