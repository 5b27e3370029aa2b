// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation
import TestSupport
import Testing
@testable import ARWorld

@Suite struct RectangleHitTests {
    /// A rectangle on a plane of any attitude, and a frame that shows its front from up to 65° aside.
    private static func scene(
        _ camera: SampleCamera, _ random: inout TestRandom
    ) -> (shape: RectangleShape, frame: TrackedFrame)? {
        let shape = RectangleShape(
            worldFromRectangle: RigidTransform(rotation: random.rotation(), translation: random.vector3()),
            size: RectangleSize(width: random.uniform(0.05...0.3), height: random.uniform(0.05...0.3)))
        let (tilt, around) = (random.uniform(0...1.1), random.uniform(0...2 * Double.pi))
        let side = Vector3(sin(tilt) * cos(around), cos(tilt), sin(tilt) * sin(around))
        let center = shape.worldFromRectangle.translation
        let eye = center + random.uniform(0.6...2) * (shape.worldFromRectangle.rotation * side)
        let frame = sampleFrame(from: eye, lookingAt: center + 0.1 * random.vector3(), through: camera)
        return shape.quad(in: frame) == nil ? nil : (shape, frame)
    }

    @Test(arguments: SampleCamera.all) func cornersAreThoseThatAreSeen(camera: SampleCamera) throws {
        var seen = 0
        for number in 0..<40 {
            var random = TestRandom(case: number)
            guard let (shape, frame) = Self.scene(camera, &random), let quad = shape.quad(in: frame) else { continue }
            seen += 1
            // The plane is known by some other point of it, by other axes in it, and from either side.
            let turn =
                Rotation(rotationVector: Vector3(0, random.uniform(-3...3), 0))
                * (number % 2 == 0 ? .identity : Rotation(rotationVector: Vector3(.pi, 0, 0)))
            let worldFromPlane = RigidTransform(
                rotation: shape.worldFromRectangle.rotation * turn,
                translation: shape.worldFromRectangle * Vector3(random.uniform(), 0, random.uniform()))
            let found = try #require(WorldRectangle(quad, in: frame, on: worldFromPlane))
            for (a, b) in zip(found.corners, shape.corners) { #expect((a - b).length < 1e-6) }
            #expect(abs(found.size.width - shape.size.width) < 1e-6)
            #expect(abs(found.size.height - shape.size.height) < 1e-6)
            #expect((found.center - shape.worldFromRectangle.translation).length < 1e-6)
            #expect(found.worldFromRectangle.rotation.angle(to: shape.worldFromRectangle.rotation) < 1e-5)
            #expect(found.largestAngleDeviation < 1e-5)
            let toCamera = frame.worldFromCamera.translation - found.center
            #expect(found.normal.dot(toCamera) > 0)
        }
        #expect(seen > 20)
    }

    /// The numeric derivatives of a hit by all that it follows from.
    @Test(arguments: SampleCamera.all) func hitsChangeWithTheirSources(camera: SampleCamera) throws {
        for number in 0..<10 {
            var random = TestRandom(case: number)
            guard let (shape, frame) = Self.scene(camera, &random), let quad = shape.quad(in: frame) else { continue }
            let worldFromPlane = RigidTransform(
                rotation: shape.worldFromRectangle.rotation,
                translation: shape.worldFromRectangle * Vector3(0.3, 0, -0.2))
            let pixel = quad.topRight
            let hit = try #require(PlaneHit(of: pixel, in: frame, on: worldFromPlane))
            func expect(_ columns: [Vector3], step: Double, _ change: @escaping (Vector3) -> Vector3?) {
                expectJacobian(
                    columns, of: change, at: Vector3.zero, step: step, tolerance: 1e-6, "\(camera) \(number)")
            }
            expect(hit.byPixel + [.zero], step: 1e-2) { d in
                PlaneHit(of: PixelPoint(pixel.x + d.x, pixel.y + d.y), in: frame, on: worldFromPlane)?.position
            }
            expect(hit.byPlace.columnArray, step: 1e-3) { d in
                var frame = frame
                frame.worldFromCamera.translation += d
                return PlaneHit(of: pixel, in: frame, on: worldFromPlane)?.position
            }
            expect(hit.byTurn.columnArray, step: 1e-4) { d in
                var frame = frame
                frame.worldFromCamera.rotation = Rotation(rotationVector: d) * frame.worldFromCamera.rotation
                return PlaneHit(of: pixel, in: frame, on: worldFromPlane)?.position
            }
            expect([hit.byTilt[0], hit.byOffset, hit.byTilt[1]], step: 1e-4) { d in
                let moved =
                    worldFromPlane
                    * RigidTransform(
                        rotation: Rotation(rotationVector: Vector3(d.x, 0, d.z)), translation: Vector3(0, d.y, 0))
                return PlaneHit(of: pixel, in: frame, on: moved)?.position
            }
        }
    }

    /// Corners that are seen with errors scatter in the world as is said: places, sizes and the turn.
    @Test func rectanglesScatterAsTheyShould() throws {
        var random = TestRandom()
        let center = sampleCard.worldFromRectangle.translation
        let frame = sampleFrame(
            from: stand(around: center, distance: 0.5, elevation: 0.7, azimuth: 0.4), lookingAt: center)
        let quad = try #require(sampleCard.quad(in: frame))
        let expected = try #require(
            WorldRectangle(quad, in: frame, on: sampleCard.worldFromRectangle, cornerDeviation: 0.5))
        let count = 4000.0
        var (width, height, turn, corner) = (0.0, 0.0, 0.0, 0.0)
        for _ in 0..<Int(count) {
            let found = try #require(
                WorldRectangle(quad.withNoise(0.5, &random), in: frame, on: sampleCard.worldFromRectangle))
            width += pow(found.size.width - expected.size.width, 2) / count
            height += pow(found.size.height - expected.size.height, 2) / count
            turn += pow(try #require(found.heading) - 0.35, 2) / count
            corner += (found.corners[2] - expected.corners[2]).squaredLength / count
        }
        // The variance of 4000 draws is known to 2 %.
        func ratio(_ variance: Double, _ deviation: Double) -> Double { variance / (deviation * deviation) }
        #expect(abs(ratio(width, expected.sizeDeviation.width) - 1) < 0.1)
        #expect(abs(ratio(height, expected.sizeDeviation.height) - 1) < 0.1)
        #expect(abs(ratio(turn, expected.turnDeviation) - 1) < 0.1)
        #expect(abs(corner / expected.cornerCovariances[2].trace - 1) < 0.1)
        #expect(expected.cornerCovariances[2].trace > 0)
    }

    /// A plane that is taken to be 1 cm too near at a distance of half a metre makes everything 2 % too small.
    @Test func thePlanesOffsetScalesTheRectangle() throws {
        let center = sampleCard.worldFromRectangle.translation
        let frame = sampleFrame(from: center + Vector3(0, 0.5, 1e-6), lookingAt: center)
        let quad = try #require(sampleCard.quad(in: frame))
        var worldFromPlane = sampleCard.worldFromRectangle
        worldFromPlane.translation.y += 0.01
        let found = try #require(
            WorldRectangle(
                quad, in: frame, on: worldFromPlane, planeDeviation: PlaneDeviation(offset: 0.01, tilt: 0)))
        #expect(abs(found.size.width / 0.063 - 0.98) < 1e-6)
        #expect(abs(found.sizeDeviation.width / 0.063 - 0.02) < 1e-4)
    }

    /// The upper right corner is seen above the horizon: it is where the other three say.
    @Test func threeCornersAreEnough() throws {
        let frame = sampleFrame(worldFromCamera: RigidTransform(translation: Vector3(0, 1, 0)))
        let quad = PixelQuad(corners: [
            PixelPoint(200, 260), PixelPoint(440, 100), PixelPoint(450, 400), PixelPoint(190, 400),
        ])
        let found = try #require(WorldRectangle(quad, in: frame, on: .identity))
        #expect((found.corners[1] - (found.corners[0] + found.corners[2] - found.corners[3])).length < 1e-9)
        for (corner, pixel) in zip(found.corners, quad.corners).enumerated().filter({ $0.offset != 1 }).map(\.element) {
            #expect(try #require(frame.project(corner)).distance(to: pixel) < 1e-6)
        }
        let level = PixelQuad(corners: [
            PixelPoint(200, 200), PixelPoint(440, 100), PixelPoint(450, 400), PixelPoint(190, 400),
        ])
        #expect(WorldRectangle(level, in: frame, on: .identity) == nil)
    }

    @Test func whatIsNoRectangleIsNone() {
        let frame = sampleFrame(worldFromCamera: lookingDown(from: 1))
        let quad = PixelQuad(corners: [
            PixelPoint(200, 200), PixelPoint(400, 200), PixelPoint(400, 300), PixelPoint(200, 300),
        ])
        #expect(WorldRectangle(quad, in: frame, on: .identity) != nil)
        #expect(WorldRectangle(PixelQuad(corners: quad.corners.reversed()), in: frame, on: .identity) == nil)
        let point = PixelQuad(corners: [PixelPoint](repeating: PixelPoint(300, 200), count: 4))
        #expect(WorldRectangle(point, in: frame, on: .identity) == nil)
        let above = RigidTransform(translation: Vector3(0, 2, 0))
        #expect(WorldRectangle(quad, in: frame, on: above) == nil)
    }

    /// All four quadrants, and their names: anticlockwise from above, from the world's +X.
    @Test(arguments: [-3.0, -1.6, -0.2, 0, 0.35, 1.5, 3.1]) func headingsKnowTheirQuadrant(heading: Double) throws {
        let card = sampleCard.turned(toHeading: heading)
        let center = card.worldFromRectangle.translation
        let frame = sampleFrame(
            from: stand(around: center, distance: 0.5, elevation: 0.9, azimuth: 0.4), lookingAt: center)
        let quad = try #require(card.quad(in: frame))
        let found = try #require(WorldRectangle(quad, in: frame, on: card.worldFromRectangle))
        #expect(abs(try #require(found.heading) - heading) < 1e-9)
        let turned = try #require(WorldRectangle(quad.turned(by: 1), in: frame, on: card.worldFromRectangle))
        // From the second corner on, the right side is the top: it leads along +Z.
        let expected = atan2(sin(heading - .pi / 2), cos(heading - .pi / 2))
        #expect(abs(try #require(turned.heading) - expected) < 1e-9)
        #expect(abs(turned.size.width - card.size.height) < 1e-9)
    }

    // MARK: Anchors

    /// Of two planes, one below the other, the one that holds all corners; without tracking none.
    @Test func theCommonPlaneIsHit() throws {
        let frame = sampleFrame(worldFromCamera: lookingDown(from: 2))
        let floor = samplePlane("floor", width: 4, depth: 4)
        func table(width: Double) -> PlaneAnchor {
            samplePlane(
                "table", worldFromAnchor: RigidTransform(translation: Vector3(0, 0.7, 0)), width: width, depth: 1)
        }
        let quad = PixelQuad(corners: [
            PixelPoint(271, 188), PixelPoint(371, 188), PixelPoint(371, 288), PixelPoint(271, 288),
        ])
        let wide = try #require(
            WorldSnapshot(frame: frame, planes: [floor, table(width: 1)]).rectangle(at: quad))
        #expect(wide.plane.name == "table")
        #expect(abs(wide.rectangle.size.width - 1.3 * 100 / 500) < 1e-9)
        #expect(abs(wide.rectangle.center.y - 0.7) < 1e-9)
        // On a narrow table lie two corners: the floor holds all four.
        let narrow = RigidTransform(translation: Vector3(0.6, 0.7, 0))
        let beside = samplePlane("beside", worldFromAnchor: narrow, width: 1.2, depth: 1)
        let found = try #require(WorldSnapshot(frame: frame, planes: [beside, floor]).rectangle(at: quad))
        #expect(found.plane.name == "floor")
        #expect(WorldSnapshot(frame: frame, planes: [beside]).rectangle(at: quad) == nil)
        let limited = sampleFrame(worldFromCamera: lookingDown(from: 2), state: .limited(.initializing))
        #expect(WorldSnapshot(frame: limited, planes: [floor]).rectangle(at: quad) == nil)
    }
}

extension Matrix3x3 {
    fileprivate var columnArray: [Vector3] { [columns.0, columns.1, columns.2] }
}
