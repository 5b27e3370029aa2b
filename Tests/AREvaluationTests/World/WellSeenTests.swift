// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

@testable import AREvaluation

/// What of a plane was seen well.
@Suite struct WellSeenTests {
    private static let camera = CameraCalibration(
        camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 500, fy: 500, cx: 319.5, cy: 239.5))),
        imageSize: ImageSize(width: 640, height: 480), rateInHertz: 30)
    private static let plane = TruePlane(
        DeclaredPlane(
            name: "floor", worldFromPlane: .identity,
            boundary: [Point2(-1, -1), Point2(-1, 1), Point2(1, 1), Point2(1, -1)], classification: .floor))

    private static func look(from eye: Point3) -> SeenPart.Look {
        SeenPart.Look(
            camera: camera, worldFromCamera: RigidTransform(from: eye, lookingAt: Point3(0, 0, 0.001)), others: [])
    }

    /// A spot is seen well when there are enough views and two of them lie far enough apart, in whatever order they come and however many
    /// lie between; and never when all of them do not.
    @Test(arguments: 0..<200) func parallaxAndCountDecide(number: Int) throws {
        var random = TestRandom(case: number)
        let count = Int(random.uniform(1...40))
        let reach = random.uniform(0.5...5) * .pi / 180
        let axis = random.direction()
        let across = try #require(axis.cross(random.direction()).normalized())
        var directions = (0..<count).map { _ in
            let turn = Rotation(rotationVector: random.uniform(0...(2 * .pi)) * axis)
            let aside = random.uniform(0...1) * reach
            return turn * (cos(aside) * axis + sin(aside) * across)
        }
        directions.shuffle(using: &random)
        var views = CellViews()
        for direction in directions { views.add(from: direction) }
        let greatest = directions.flatMap { a in directions.map { b in a.angle(to: b) } }.max() ?? 0
        if count < CellViews.fewestViews || greatest < CellViews.leastParallax { #expect(!views.areGood) }
        // The parallax may be underrated by a degree.
        if count >= CellViews.fewestViews, greatest >= CellViews.leastParallax + 1 * .pi / 180 {
            #expect(views.areGood)
        }
    }

    /// A view more than a degree aside of the first one counts by itself.
    @Test(arguments: [1.02, 1.5, 2.4]) func parallaxIsUnderratedByADegreeAtMost(aside: Double) {
        var views = CellViews()
        for degrees in [Double](repeating: 0, count: CellViews.fewestViews) + [-aside, 4.99] {
            views.add(from: Vector3(sin(degrees * .pi / 180), cos(degrees * .pi / 180), 0))
        }
        #expect(views.areGood)
    }

    /// A camera that looks straight down has f / height pixels on a metre: below a hundred nothing is seen well, whatever the parallax.
    @Test(arguments: [(4.0, true), (6.5, false)]) func farSpotsAreNotSeenWell(height: Double, isWell: Bool) {
        var part = SeenPart(of: Self.plane)
        for step in 0..<30 {
            part.look(Self.look(from: Point3(0.04 * Double(step - 15), height, 0)))
        }
        #expect(part.fraction == 1)
        #expect((part.wellSeenArea > 0.5) == isWell)
    }

    /// What stands before the plane hides it; so does a hole in it through which something else is seen.
    @Test(arguments: [-0.3, 0, 0.3]) func depthTellsWhatIsHidden(offset: Double) {
        var part = SeenPart(of: Self.plane)
        for step in 0..<30 {
            var look = Self.look(from: Point3(0.02 * Double(step - 15), 2, 0))
            let opticalFromWorld = RigidTransform.opticalFromCamera * look.worldFromCamera.inverse
            // What the right half of the picture sees lies aside of the plane.
            let meters = (0..<480).flatMap { row in
                (0..<640).map { column -> Float in
                    let sight = Self.camera.camera.unproject(PixelPoint(Double(column), Double(row)))!
                    let downward = -(opticalFromWorld.inverse.rotation * sight).y
                    return Float(sight.z * (2 + (column >= 320 ? offset : 0)) / downward)
                }
            }
            look.depth = DepthPicture(size: Self.camera.imageSize, meters: meters)
            part.look(look)
        }
        let found = part.wellSeenArea
        // The picture holds all of the plane along x, and 1.92 m of it along z.
        let all = 2 * 1.92
        #expect(offset == 0 ? found > 0.9 * all : found > 0.4 * all && found < 0.75 * all)
    }

    /// Without a pose nothing can be measured, and nothing counts as seen well.
    @Test func onlyFramesWithAPoseCount() {
        var part = SeenPart(of: Self.plane)
        for step in 0..<30 {
            var look = Self.look(from: Point3(0.04 * Double(step - 15), 2, 0))
            look.isTracked = false
            part.look(look)
        }
        #expect(part.wellSeenArea == 0 && part.area > 0)
    }

    /// What a polygon holds of the true plane beside the well-seen part counts neither for nor against it; what it holds beyond the
    /// plane counts against it in full.
    @Test(arguments: 0..<20) func areaBeyondThePlaneCounts(number: Int) throws {
        var random = TestRandom(case: number)
        var part = SeenPart(of: Self.plane)
        for step in 0..<30 {
            part.look(Self.look(from: Point3(0.02 * Double(step - 15), 1, 0)))
        }
        let asked = part.wellSeenArea
        try #require(asked > 0.3 && asked < 3.5)
        func overlap(right: Double) throws -> Double {
            let polygon = Polygon2([Point2(-1, -1), Point2(right, -1), Point2(right, 1), Point2(-1, 1)])
            return try #require(
                part.intersectionOverUnionWithWellSeen(
                    polygon, overlap: polygon.overlap(with: Self.plane.outline).area))
        }
        expectClose(try overlap(right: 1), 1, tolerance: 1e-9)
        let beyond = random.uniform(0.1...2)
        expectClose(try overlap(right: 1 + beyond), asked / (asked + 2 * beyond), tolerance: 1e-9)
        #expect(try overlap(right: 0) < 0.6)
    }
}
