// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARSimulation

/// Faces of closed boxes that nobody outside can see.
@Suite struct ClosedBoxTests {
    private static let half = Vector3(0.3, 0.2, 0.5)

    /// The faces of a box of any attitude: each middle, outward normal, and rectangle, turned by any quarter of a turn.
    private static func faces(
        _ random: inout TestRandom
    ) -> [(middle: Point3, outward: Vector3, rectangle: TexturedRectangle)] {
        let worldFromBox = RigidTransform(
            rotation: Rotation(rotationVector: random.vector3(-3...3)), translation: random.vector3(-1...1))
        return (0..<6).map { number in
            let (axis, sign) = (number / 2, number.isMultiple(of: 2) ? -1.0 : 1)
            let outward = sign * Vector3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0)
            // The rectangle's own y is outward, or inward.
            let quarters = Double(Int(random.uniform(0...3.99)))
            let upright =
                switch axis {
                case 0: Rotation(rotationVector: Vector3(0, 0, -sign * .pi / 2))
                case 1: Rotation(rotationVector: Vector3(sign < 0 ? .pi : 0, 0, 0))
                default: Rotation(rotationVector: Vector3(sign * .pi / 2, 0, 0))
                }
            let turn = upright * Rotation(rotationVector: Vector3(0, quarters * .pi / 2, 0))
            let (across, along) = (turn * Vector3(1, 0, 0), turn * Vector3(0, 0, 1))
            func extent(_ direction: Vector3) -> Double {
                2 * (abs(direction.x) * half.x + abs(direction.y) * half.y + abs(direction.z) * half.z)
            }
            let middle = Point3(outward.x * half.x, outward.y * half.y, outward.z * half.z)
            let boxFromFace = RigidTransform(rotation: turn, translation: middle)
            return (
                worldFromBox * middle, worldFromBox.rotation * outward,
                TexturedRectangle(
                    worldFromSurface: worldFromBox * boxFromFace, size: Vector2(extent(across), extent(along)),
                    texture: MipTexture(plain: Vector3(repeating: 0.1 + 0.1 * Double(number))))
            )
        }
    }

    private static func hidden(_ rectangles: [TexturedRectangle], from place: Point3, stray: Double = 0) -> Set<Int> {
        var hidden: Set<Int> = []
        ClosedBoxes(of: rectangles.map { .rectangle($0) }).forEachHidden(from: place, stray: stray) {
            hidden.insert(Int($0))
        }
        return hidden
    }

    /// From outside those faces are hidden that are turned away, from inside none is.
    @Test(arguments: 0..<8) func facesTurnedAwayAreHiddenFromOutside(number: Int) {
        var random = TestRandom(case: number)
        let faces = Self.faces(&random)
        let rectangles = faces.map(\.rectangle)
        var counts: Set<Int> = []
        for _ in 0..<100 {
            let place = faces[0].middle + random.vector3(-1...1)
            let heights = faces.map { $0.outward.dot(place - $0.middle) }
            guard heights.allSatisfy({ abs($0) > 1e-3 }) else { continue }
            let isOutside = heights.contains { $0 > 0 }
            let expected = Set(faces.indices.filter { isOutside && heights[$0] < 0 })
            #expect(Self.hidden(rectangles, from: place) == expected)
            counts.insert(expected.count)
            // Who may be elsewhere may see more.
            #expect(Self.hidden(rectangles, from: place, stray: 4).isEmpty)
        }
        #expect(counts.isSuperset(of: [0, 3, 4, 5]))
    }

    /// A box that is open, or stands apart, hides nothing.
    @Test(arguments: 0..<6) func openBoxesHideNothing(face: Int) {
        var random = TestRandom(case: face)
        let faces = Self.faces(&random)
        let place = faces[0].middle + 5 * faces[0].outward
        var rectangles = faces.map(\.rectangle)
        #expect(!Self.hidden(rectangles, from: place).isEmpty)
        rectangles[face].worldFromSurface.translation += 1e-4 * faces[face].outward
        #expect(Self.hidden(rectangles, from: place).isEmpty)
        rectangles.remove(at: face)
        #expect(Self.hidden(rectangles, from: place).isEmpty)
    }

    /// What hidden faces leave out of the picture is not in it: with another face that closes nothing, so that none is
    /// hidden, all pixels see the same.
    @Test(arguments: 0..<6) func picturesStayAsTheyAre(number: Int) throws {
        var random = TestRandom(case: number)
        let size = ImageSize(width: 120, height: 90)
        let rectangles = (0..<5).flatMap { _ in Self.faces(&random).map(\.rectangle) }
        // Each box's first face stands there twice: the first of two at the same distance is seen.
        let doubled = rectangles + stride(from: 0, to: rectangles.count, by: 6).map { rectangles[$0] }
        let camera = Camera.pinhole(PinholeCamera(PinholeIntrinsics(fx: 70, fy: 70, cx: 60, cy: 45)))
        // Inside one of the boxes, or among them, with the first in view.
        let middle = (rectangles[0].worldFromSurface.translation + rectangles[1].worldFromSurface.translation) / 2
        var waypoint = Scene.Waypoint()
        (waypoint.position, waypoint.lookAt) = (middle + random.vector3(-2...2), middle)
        var worldFromCamera = try #require(waypoint.worldFromCamera)
        if number % 3 == 0 { worldFromCamera.translation = middle + random.vector3(-0.1...0.1) }
        let way = number.isMultiple(of: 2) ? .zero : random.vector3(-1e-3...1e-3)
        let shot = Shot(
            worldFromCameraByRow: (0..<size.height).map {
                RigidTransform(
                    rotation: worldFromCamera.rotation, translation: worldFromCamera.translation + Double($0) * way)
            })
        func objects(_ rectangles: [TexturedRectangle]) -> [Int32] {
            let renderer = Renderer(
                model: RenderModel(
                    surfaces: rectangles.map { .rectangle($0) }, illumination: Illumination(Scene.Light())),
                camera: camera, size: size, threads: 1)
            renderer.render(shot, into: RadianceImage(size: size))
            return renderer.objects
        }
        let (seen, expected) = (objects(rectangles), objects(doubled))
        #expect(zip(seen, expected).filter { $0 != $1 }.count <= 1)
        #expect(Set(seen).count > 1)
    }
}
