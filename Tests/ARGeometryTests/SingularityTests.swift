// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

/// Maps that cannot be undone, cameras' edges, rays and planes that do not meet: each has one answer, `nil`.
@Suite struct SingularityTests {
    // MARK: Matrices

    /// An inverse is there and is finite, or it is `nil`: also where the determinant is at the end of the numbers.
    @Test(arguments: Array(stride(from: -320, through: 300, by: 20))) func inversesAreFiniteOrNone(exponent: Int) {
        var random = TestRandom(case: 320 + exponent)
        let size = scale(exponent)
        let three = size * random.rotation().matrix
        if let inverse = three.inverse {
            #expect(abs(exponent) < 108)
            expectClose(inverse * three, .identity, tolerance: 1e-14)
        } else {
            #expect(abs(exponent) > 100)
        }
        let four = Matrix4x4(diagonal: Vector4(size, -size, size, size))
        if let inverse = four.inverse {
            #expect(abs(exponent) < 80)
            // Each element is off by the roundings of the determinant and of two products.
            expectClose((inverse * four).coordinates, Matrix4x4.identity.coordinates, tolerance: 1e-15)
        } else {
            #expect(abs(exponent) > 70)
        }
        let two = AffineTransform2D(a: 0, b: size, c: -size, d: 0, tx: 3, ty: 4)
        if let inverse = two.inverse {
            #expect(abs(exponent) < 160)
            expectClose(inverse * (two * Point2(0, 0)), Point2(0, 0), tolerance: 1e-14, scale: max(1, 1 / size))
        } else {
            #expect(abs(exponent) > 150)
        }
    }

    @Test(arguments: [0.0, Double.nan, .infinity]) func flatMapsHaveNoInverse(factor: Double) {
        #expect(Matrix3x3(diagonal: Vector3(1, factor, 1)).inverse == nil)
        #expect(Matrix4x4(diagonal: Vector4(1, 1, factor, 1)).inverse == nil)
        #expect(AffineTransform2D.scaling(Vector2(factor, 1), about: .zero).inverse == nil)
    }

    @Test func pointsAtInfinityHaveNoImage() {
        let projection = Matrix4x4(
            rows: Vector4(1, 0, 0, 0), Vector4(0, 1, 0, 0), Vector4(0, 0, 1, 0), Vector4(0, 0, -1, 0))
        #expect(projection.project(Point3(1, 2, 0)) == nil)
        #expect(projection.project(Point3(1, 2, .nan)) == nil)
        #expect(projection.project(Point3(1, 2, -2)) == Point3(0.5, 1, -1))
        #expect(projection.project(Point3(1, 2, 2)) == Point3(-0.5, -1, -1))
    }

    // MARK: Cameras

    @Test(arguments: SampleCamera.all) func pointsAtInfinityAreNotSeen(sample: SampleCamera) {
        for point in [
            Vector3(0, 0, .infinity), Vector3(1, 1, .infinity), Vector3(0, 0, -.infinity),
            Vector3(.infinity, 0, .infinity),
        ] {
            #expect(sample.camera.project(point) == nil, "\(point)")
            #expect(sample.camera.projectWithJacobians(point) == nil, "\(point)")
        }
    }

    /// Projection forgets the distance, from the size of atoms to that of the universe.
    @Test(arguments: SampleCamera.all, [1e-100, 1e-30, 1e-3, 1e3, 1e30, 1e100])
    func distanceDoesNotMatter(sample: SampleCamera, distance: Double) throws {
        var random = TestRandom()
        for _ in 0..<100 {
            let direction = sample.directionInView(using: &random)
            let near = try #require(sample.camera.project(direction))
            let projection = try #require(sample.camera.projectWithJacobians(distance * direction))
            // The widest angles reach pixels of 1e5.
            expectClose(projection.pixel, near, tolerance: 1e-13, scale: 1e3 + near.vector.length)
            // Along the ray nothing moves.
            let along = projection.pixelByPoint * (distance * direction)
            #expect(along.length < 1e-12 * (1e3 + near.vector.squaredLength))
        }
    }

    @Test(arguments: [PixelPoint(320, 240), PixelPoint(1, 2)]) func camerasWithoutFocalLengthSeeNothing(
        pixel: PixelPoint
    ) {
        let intrinsics = PinholeIntrinsics(fx: 0, fy: 0, cx: 320, cy: 240)
        #expect(PinholeCamera(intrinsics).unproject(pixel) == nil)
        #expect(RadialTangentialCamera(intrinsics, k1: -0.3, k2: 0.1, p1: 0, p2: 0).unproject(pixel) == nil)
        #expect(EquidistantCamera(intrinsics, k1: 0, k2: 0, k3: 0, k4: 0).unproject(pixel) == nil)
    }

    /// A fisheye whose θ' stops growing at once, and one whose polynomial never does.
    @Test func polynomialsAtTheirEnds() {
        let intrinsics = PinholeIntrinsics(fx: 300, fy: 300, cx: 0, cy: 0)
        let steep = EquidistantCamera(intrinsics, k1: -1e6, k2: 0, k3: 0, k4: 0)
        // 1 − 3e6 θ² = 0.
        expectClose(steep.maximumAngle, 1 / (3e6).squareRoot(), tolerance: 1e-15)
        #expect(steep.project(Vector3(0, 0, 1)) == PixelPoint(0, 0))
        #expect(steep.project(Vector3(0.01, 0, 1)) == nil)
        let growing = EquidistantCamera(intrinsics, k1: 1, k2: 1, k3: 1, k4: 1)
        #expect(growing.maximumAngle == .pi)
        #expect(growing.project(Vector3(1e-9, 0, -1)) != nil)
        #expect(growing.project(Vector3(0, 0, -1)) == nil)
    }

    // MARK: Rays, planes, boxes

    @Test(arguments: [Vector3(.nan, 0, 0), Vector3(0, .nan, 0), Vector3(0, 0, .nan)])
    func nothingIsHitFromNowhere(nowhere: Vector3) {
        let box = AxisAlignedBox(minimum: Point3(-1, -1, -1), maximum: Point3(1, 1, 1))
        let plane = Plane(unitNormal: Vector3(0, 1, 0), offset: 0)
        let rays = [
            Ray(origin: nowhere, unitDirection: Vector3(0.6, -0.8, 0)), Ray(origin: .zero, unitDirection: nowhere),
            Ray(origin: nowhere, unitDirection: Vector3(0, 0, 1)),
        ]
        for ray in rays {
            #expect(ray.distances(through: box) == nil, "\(ray)")
            #expect(ray.distances(through: OrientedBox(box)) == nil, "\(ray)")
            #expect(
                ray.intersection(withTriangle: Point3(-9, -2, -9), Point3(9, -2, -9), Point3(0, -2, 9)) == nil, "\(ray)"
            )
        }
        #expect(Ray(origin: nowhere, unitDirection: Vector3(0, -1, 0)).distance(to: plane) == nil || nowhere.y == 0)
        #expect(AxisAlignedBox(containing: [.zero, nowhere]) == nil)
        #expect(AxisAlignedBox(containing: [nowhere, .zero]) == nil)
        #expect(!box.contains(nowhere))
    }

    @Test func raysFromThePlaneHitItAtOnce() {
        let plane = Plane(unitNormal: Vector3(0, 1, 0), offset: 2)
        let onIt = Point3(5, 2, -3)
        #expect(Ray(origin: onIt, unitDirection: Vector3(0, 1, 0)).distance(to: plane) == 0)
        #expect(Ray(origin: onIt, unitDirection: Vector3(0, -1, 0)).distance(to: plane) == 0)
        #expect(Ray(origin: onIt, unitDirection: Vector3(1, 0, 0)).distance(to: plane) == nil)
        #expect(Ray(origin: .zero, unitDirection: Vector3(1, 0, 0)).distance(to: plane) == nil)
    }

    /// Points of a line that rounding pushes off it by a last digit still span no plane.
    @Test(arguments: 0..<500) func pointsOfALineHaveNoPlane(number: Int) {
        var random = TestRandom(case: number)
        let along = random.direction() * [1e-6, 1, 1e6][number % 3]
        let (a, b) = (random.uniform(0.1...2), random.uniform(-2 ... -0.1))
        #expect(Plane(through: .zero, a * along, b * along) == nil)
        #expect(Plane(through: .zero, a * along, 3 * a * along) == nil)
    }

    @Test(arguments: [1e-12, 1e-9, 1e-6]) func sliversHaveAPlane(angle: Double) throws {
        let plane = try #require(Plane(through: Point3(0, 0, 0), Point3(1, 0, 0), Point3(1, 0, -angle)))
        expectClose(plane.normal, Vector3(0, 1, 0), tolerance: 1e-15)
        let ray = try #require(Ray(from: Point3(0, 1, 0), through: Point3(0.75, 0, -angle / 2)))
        let hit = try #require(ray.intersection(withTriangle: Point3(0, 0, 0), Point3(1, 0, 0), Point3(1, 0, -angle)))
        expectClose(hit.distance, 1.25, tolerance: 1e-12)
        #expect(hit.isFrontFace)
    }

    @Test func boxesWithoutThicknessAreHit() throws {
        let sheet = AxisAlignedBox(minimum: Point3(-1, 0, -1), maximum: Point3(1, 0, 1))
        let ray = try #require(Ray(from: Point3(0, 2, 0), through: Point3(0.5, 0, 0.5)))
        let range = try #require(ray.distances(through: sheet))
        #expect(range.lowerBound == range.upperBound)
        #expect(sheet.contains(Point3(1, 0, -1)) && !sheet.contains(Point3(1, .leastNonzeroMagnitude, -1)))
        #expect(OrientedBox(sheet).volume == 0)
    }
}

/// Ten to a power whose own value need not exist as a literal.
private func scale(_ exponent: Int) -> Double {
    (0..<abs(exponent)).reduce(1) { value, _ in exponent < 0 ? value / 10 : value * 10 }
}
