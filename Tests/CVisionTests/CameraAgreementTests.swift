// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision
import TestSupport
import Testing

extension CVisionCamera {
    /// The camera as OpenCV knows it.
    fileprivate init(_ camera: Camera) {
        self.init()
        let intrinsics = camera.intrinsics
        (fx, fy, cx, cy) = (intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy)
        let d = camera.distortion + Array(repeating: 0, count: 5 - camera.distortion.count)
        distortion = (d[0], d[1], d[2], d[3], d[4])
        model =
            switch camera {
            case .pinhole: CVISION_PINHOLE
            case .radialTangential: CVISION_RADIAL_TANGENTIAL
            case .equidistant: CVISION_EQUIDISTANT
            }
    }
}

@Suite struct CameraAgreementTests {
    /// Points that the camera sees, in front of it: OpenCV's fisheye is wrong elsewhere.
    private func pointsInView(of sample: SampleCamera, count: Int, using random: inout TestRandom) -> [Vector3] {
        var points: [Vector3] = []
        while points.count < count {
            let point = sample.directionInView(using: &random) * random.uniform(0.2...20)
            if point.z > 0.01 * point.length { points.append(point) }
        }
        return points
    }

    private func packed(_ points: [Vector3]) -> [Double] { points.flatMap { [$0.x, $0.y, $0.z] } }

    @Test(arguments: SampleCamera.all) func projectionsAgree(sample: SampleCamera) throws {
        var random = TestRandom()
        let points = pointsInView(of: sample, count: 1000, using: &random)
        var camera = CVisionCamera(sample.camera)
        var pixels = [Double](repeating: .nan, count: 2 * points.count)
        #expect(cvision_project_points(&camera, packed(points), Int32(points.count), &pixels) == CVISION_OK)
        for (index, point) in points.enumerated() {
            let ours = try #require(sample.camera.project(point))
            // A 1e-9th of a pixel, or of the coordinate where the point projects far outside the picture.
            expectClose(
                ours, PixelPoint(pixels[2 * index], pixels[2 * index + 1]), tolerance: 1e-9,
                scale: max(1, ours.vector.length * 1e-3))
        }
    }

    /// OpenCV undistorts by a fixed-point iteration, so that the two are compared where it lands: in pixels.
    @Test(arguments: [SampleCamera.phone, .euroc, .fisheye]) func undistortionsAgree(sample: SampleCamera) throws {
        let pixels = stride(from: 10.0, to: Double(sample.imageSize.height - 10), by: 23).flatMap { y in
            stride(from: 10.0, to: Double(sample.imageSize.width - 10), by: 31).map { PixelPoint($0, y) }
        }.filter { sample.camera.unproject($0).map { $0.z > 0.1 } ?? false }
        var camera = CVisionCamera(sample.camera)
        var normalized = [Double](repeating: .nan, count: 2 * pixels.count)
        let packedPixels = pixels.flatMap { [$0.x, $0.y] }
        #expect(cvision_undistort_points(&camera, packedPixels, Int32(pixels.count), &normalized) == CVISION_OK)
        for (index, pixel) in pixels.enumerated() {
            let theirs = Vector3(normalized[2 * index], normalized[2 * index + 1], 1)
            expectClose(try #require(sample.camera.project(theirs)), pixel, tolerance: 1e-7)
            let ours = try #require(sample.camera.unproject(pixel))
            expectClose(ours / ours.z, theirs, tolerance: 1e-9, scale: theirs.squaredLength)
        }
    }

    @Test(arguments: SampleCamera.all, [CVISION_PNP_ITERATIVE, CVISION_PNP_PLANAR])
    func poseOfAKnownPlaneIsFound(sample: SampleCamera, method: CVisionPnPMethod) throws {
        let opticalFromObject = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0.3, -0.4, 0.2)), translation: Vector3(0.05, -0.03, 1.2))
        let points = (0..<20).map { Vector3(Double($0 % 5) * 0.1 - 0.2, Double($0 / 5) * 0.1 - 0.15, 0) }
        let pixels = try points.map { try #require(sample.camera.project(opticalFromObject * $0)) }
        var camera = CVisionCamera(sample.camera)
        var rotationVector = [Double](repeating: .nan, count: 3)
        var translation = rotationVector
        #expect(
            cvision_solve_pnp(
                &camera, method, packed(points), pixels.flatMap { [$0.x, $0.y] }, Int32(points.count),
                &rotationVector, &translation) == CVISION_OK)
        let found = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(coordinates: rotationVector)),
            translation: Vector3(coordinates: translation))
        // OpenCV starts from points undistorted by few iterations; the plane method does not refine after that.
        expectClose(found, opticalFromObject, radians: 1e-4, metres: 1e-4)
    }

    @Test func badArgumentsAreRefused() {
        var camera = CVisionCamera(SampleCamera.euroc.camera)
        var pixels = [0.0, 0.0]
        #expect(cvision_project_points(&camera, nil, 0, nil) == CVISION_OK)
        #expect(cvision_project_points(&camera, nil, 1, &pixels) == CVISION_INVALID_ARGUMENT)
        #expect(cvision_project_points(&camera, [0, 0, 1], -1, &pixels) == CVISION_INVALID_ARGUMENT)
        #expect(cvision_project_points(nil, [0, 0, 1], 1, &pixels) == CVISION_INVALID_ARGUMENT)
        #expect(cvision_undistort_points(&camera, nil, 1, &pixels) == CVISION_INVALID_ARGUMENT)
        var vector = [0.0, 0, 0]
        var other = vector
        #expect(
            cvision_solve_pnp(&camera, CVISION_PNP_ITERATIVE, [0, 0, 1], [0, 0], 1, &vector, &other)
                == CVISION_NOT_FOUND)
        #expect(
            cvision_solve_pnp(&camera, CVISION_PNP_ITERATIVE, [0, 0, .nan], [0, 0], 1, &vector, &other)
                == CVISION_INVALID_ARGUMENT)
        camera.distortion.1 = .nan
        #expect(cvision_project_points(&camera, [0, 0, 1], 1, &pixels) == CVISION_INVALID_ARGUMENT)
        // What the model has no use for is not looked at.
        camera.model = CVISION_PINHOLE
        #expect(cvision_project_points(&camera, [0, 0, 1], 1, &pixels) == CVISION_OK)
        #expect(pixels == [camera.cx, camera.cy])
    }
}
