// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct CameraModelTests {
    // MARK: Round trips

    @Test(arguments: SampleCamera.all) func projectThenUnproject(sample: SampleCamera) throws {
        var random = TestRandom()
        for _ in 0..<2000 {
            let direction = sample.directionInView(using: &random)
            let point = direction * pow(10, random.uniform(-3...3))
            let pixel = try #require(sample.camera.project(point), "\(point) is in view")
            let found = try #require(sample.camera.unproject(pixel), "\(pixel) shows \(point)")
            // A pixel of 1e5 resolves directions to 1e-11/f; the tightest angle here is 0.0017 rad from the image plane.
            expectClose(found, direction, tolerance: 1e-12)
        }
    }

    /// More of k1 moves pixels as the fifth derivative says, and nothing else changes.
    @Test(arguments: SampleCamera.all) func radialDistortionIsAdded(sample: SampleCamera) throws {
        var random = TestRandom()
        let same = sample.camera.distorting
        let before = sample.camera.distortion.isEmpty ? [0, 0, 0, 0, 0] : sample.camera.distortion
        #expect(same.intrinsics == sample.camera.intrinsics && same.distortion == before)
        let h = 1e-7
        let (more, less) = (sample.camera.addingRadialDistortion(h), sample.camera.addingRadialDistortion(-h))
        for (changed, change) in [(more, h), (less, -h)] {
            #expect(changed.intrinsics == same.intrinsics)
            #expect(changed.distortion == [before[0] + change] + before.dropFirst())
        }
        var seenCount = 0
        for _ in 0..<200 {
            let direction = sample.directionInView(using: &random)
            let found = try #require(same.projectWithJacobians(direction))
            #expect(try found.pixel.distance(to: #require(sample.camera.project(direction))) < 1e-9)
            guard let after = more.project(direction), let before = less.project(direction) else { continue }
            let numeric = (after.vector - before.vector) / (2 * h)
            #expect((found.pixelByParameters[4] - numeric).length < 1e-4 * (1 + numeric.length))
            seenCount += 1
        }
        #expect(seenCount > 150)
    }

    @Test(arguments: SampleCamera.all) func unprojectThenProject(sample: SampleCamera) throws {
        let size = sample.imageSize
        for y in stride(from: -0.5, through: Double(size.height), by: 29.75) {
            for x in stride(from: -0.5, through: Double(size.width), by: 30.25) {
                let pixel = PixelPoint(x, y)
                guard let direction = sample.camera.unproject(pixel) else {
                    // Only the two cameras whose domain is smaller than their picture may decline.
                    #expect([SampleCamera.folding.name, SampleCamera.allRound.name].contains(sample.name))
                    continue
                }
                #expect(abs(direction.length - 1) < 1e-15)
                expectClose(try #require(sample.camera.project(direction)), pixel, tolerance: 1e-10)
            }
        }
    }

    // MARK: Derivatives

    @Test(arguments: SampleCamera.all) func jacobiansAreTheDerivatives(sample: SampleCamera) throws {
        var random = TestRandom()
        for number in 0..<100 {
            // Within 0.9 of the field of view, so that the numeric derivative stays in the domain.
            let fromAxis = number == 0 ? 0 : random.uniform(0...sample.halfFieldOfView * 0.9)
            let around = random.uniform(-Double.pi...Double.pi)
            let point =
                Vector3(sin(fromAxis) * cos(around), sin(fromAxis) * sin(around), cos(fromAxis))
                * random.uniform(0.5...5)
            let projection = try #require(sample.camera.projectWithJacobians(point))
            #expect(projection.pixel == sample.camera.project(point))

            let byPoint = projection.pixelByPoint
            expectJacobian(
                [byPoint.x, byPoint.y, byPoint.z], of: sample.camera.project, at: point, step: 2e-4, tolerance: 1e-8)
            expectJacobian(
                Array(projection.pixelByParameters),
                of: { (parameters: [Double]) in sample.camera.with(parameters: parameters).project(point) },
                at: sample.camera.parameters, step: 1e-4, tolerance: 1e-8)
        }
    }

    @Test func chainRule() {
        var random = TestRandom()
        let jacobian = PixelByPoint(x: random.vector2(), y: random.vector2(), z: random.vector2())
        let matrix = Matrix3x3(random.vector3(), random.vector3(), random.vector3())
        let displacement = random.vector3()
        expectClose((jacobian * matrix) * displacement, jacobian * (matrix * displacement), tolerance: 1e-14)
    }

    // MARK: Domains

    @Test(arguments: SampleCamera.all) func outsideTheDomainIsNothing(sample: SampleCamera) {
        let outside: [Vector3] = [
            Vector3(0, 0, 0), Vector3(0, 0, -1), Vector3(.nan, 0, 1), Vector3(0, .nan, 1), Vector3(0, 0, .nan),
            Vector3(.infinity, 0, 1), Vector3(0, -.infinity, 1), Vector3(.infinity, .infinity, .infinity),
        ]
        for point in outside {
            #expect(sample.camera.project(point) == nil, "\(point)")
            #expect(sample.camera.projectWithJacobians(point) == nil, "\(point)")
        }
        for pixel in [PixelPoint(.nan, 0), PixelPoint(0, .nan), PixelPoint(.infinity, 0), PixelPoint(0, -.infinity)] {
            #expect(sample.camera.unproject(pixel) == nil, "\(pixel)")
        }
    }

    @Test(arguments: [SampleCamera.phone, .euroc, .folding, .pincushion])
    func onlyFisheyesSeeBehind(sample: SampleCamera) {
        #expect(sample.camera.project(Vector3(0.1, 0.1, -1)) == nil)
        #expect(sample.camera.project(Vector3(0.1, 0.1, 0)) == nil)
    }

    @Test func fisheyesSeeBehindUpToTheirLimit() throws {
        guard case .equidistant(let camera) = SampleCamera.allRound.camera else { return }
        #expect(camera.maximumAngle > 1.9 && camera.maximumAngle < 3)
        func point(_ angle: Double) -> Vector3 { Vector3(sin(angle), 0, cos(angle)) }
        #expect(camera.project(point(1.85)) != nil)
        #expect(camera.project(Vector3(1, 0, 0)) != nil)
        let inside = try #require(camera.project(point(camera.maximumAngle - 1e-9)))
        #expect(camera.project(point(camera.maximumAngle + 1e-9)) == nil)
        #expect(camera.unproject(PixelPoint(inside.x + 0.001, inside.y)) == nil)
    }

    @Test func undistortedFisheyeIsProportionalToTheAngle() throws {
        let camera = EquidistantCamera(SampleCamera.fisheye.camera.intrinsics, k1: 0, k2: 0, k3: 0, k4: 0)
        #expect(camera.maximumAngle == .pi)
        let pixel = try #require(camera.project(Vector3(0, sin(3), cos(3))))
        expectClose(pixel.y, camera.intrinsics.cy + 3 * camera.intrinsics.fy, tolerance: 1e-10)
        expectClose(pixel.x, camera.intrinsics.cx, tolerance: 1e-10)
    }

    /// A ray that walks away from the axis never turns back in the picture: it leaves the domain first.
    @Test(arguments: [SampleCamera.euroc, .folding, .pincushion], 0..<24)
    func theDomainEndsBeforeTheDistortionFoldsOver(sample: SampleCamera, sector: Int) throws {
        guard case .radialTangential(let camera) = sample.camera else { return }
        let around = Double(sector) * .pi / 12
        let outward = Vector2(cos(around), sin(around))
        let focal = Vector2(camera.intrinsics.fx, camera.intrinsics.fy)
        let end = min(camera.maximumRadius, 10)
        var before = -Double.infinity
        for radius in stride(from: 0, to: end, by: end / 2000) {
            let projection = try #require(camera.projectWithJacobians(Vector3(outward * radius, 1)))
            let byPoint = projection.pixelByPoint
            #expect(byPoint.x.cross(byPoint.y) > 0, "the picture is turned over at radius \(radius)")
            let distance = (projection.pixel.vector / focal).dot(outward)
            #expect(distance > before, "at radius \(radius)")
            before = distance
        }
    }

    @Test func beyondTheFoldThereIsNothing() throws {
        guard case .radialTangential(let camera) = SampleCamera.folding.camera else { return }
        // The radial part alone, 1 − 0.96 s + 0.45 s² − 0.105 s³ = 0, folds at 1.66; the tangential part takes a little.
        #expect(camera.maximumRadius > 1.2 && camera.maximumRadius < 1.7)
        let edge = camera.maximumRadius
        #expect(camera.project(Vector3(edge - 1e-9, 0, 1)) != nil)
        #expect(camera.project(Vector3(edge + 1e-9, 0, 1)) == nil)
        let pixel = try #require(camera.project(Vector3(edge - 1e-9, 0, 1)))
        #expect(camera.unproject(PixelPoint(pixel.x + 1, pixel.y)) == nil)
        #expect(camera.unproject(PixelPoint(1e5, -1e5)) == nil)
    }

    @Test func theDomainReachesAsFarAsTheDistortionAllows() {
        // With k1 = −1/3 alone, f′ = 1 − r² ends at 1. With p1 = 1/6 alone, 1 − 6 r/6 ends at 1 as well.
        let intrinsics = SampleCamera.euroc.camera.intrinsics
        let radial = RadialTangentialCamera(intrinsics, k1: -1.0 / 3, k2: 0, p1: 0, p2: 0)
        expectClose(radial.maximumRadius, 1, tolerance: 1e-15)
        let tangential = RadialTangentialCamera(intrinsics, k1: 0, k2: 0, p1: 1.0 / 6, p2: 0)
        expectClose(tangential.maximumRadius, 1, tolerance: 1e-15)
        #expect(RadialTangentialCamera(intrinsics, k1: 0.1, k2: 0, p1: 0, p2: 0).maximumRadius == 1e6)
    }

    @Test(arguments: [SampleCamera.folding, .allRound]) func roundTripsHoldUpToTheEdge(sample: SampleCamera) throws {
        let edge =
            switch sample.camera {
            case .pinhole: 0.0
            case .radialTangential(let camera): atan(camera.maximumRadius)
            case .equidistant(let camera): camera.maximumAngle
            }
        for exponent in 1...6 {
            let angle = edge - pow(10, -Double(exponent))
            let direction = Vector3(sin(angle) * 0.6, sin(angle) * 0.8, cos(angle))
            let pixel = try #require(sample.camera.project(direction))
            let found = try #require(sample.camera.unproject(pixel))
            // The slope vanishes at the edge, in proportion to the distance: errors grow by its inverse.
            expectClose(found, direction, tolerance: 1e-14 * pow(10, Double(exponent)))
        }
    }

    // MARK: Batches

    @Test(arguments: SampleCamera.all) func batchesAgreeWithSinglePoints(sample: SampleCamera) {
        var random = TestRandom()
        let points = (0..<500).map { _ in random.vector3(-2...2) }
        let pixels = [PixelPoint](unsafeUninitializedCapacity: points.count) { buffer, count in
            points.withUnsafeBufferPointer {
                sample.camera.project($0, into: UnsafeMutableBufferPointer(rebasing: buffer[..<points.count]))
            }
            count = points.count
        }
        for (point, pixel) in zip(points, pixels) {
            if let expected = sample.camera.project(point) {
                #expect(pixel == expected)
            } else {
                #expect(pixel.x.isNaN && pixel.y.isNaN)
            }
        }
    }

    @Test func intrinsicsCanBeReplaced() {
        let other = PinholeIntrinsics(fx: 1, fy: 2, cx: 3, cy: 4)
        for sample in SampleCamera.all {
            var camera = sample.camera
            camera.intrinsics = other
            #expect(camera.parameters == [1, 2, 3, 4] + sample.camera.distortion)
        }
    }
}
