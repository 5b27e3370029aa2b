// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct SolidTests {
    /// 17 kinds of path, 120 of each: 2,040 strokes.
    @Test(.tags(.slow), .whenSlowTestsRun, arguments: SamplePath.allCases, 0..<120)
    func solidsAreSolids(path: SamplePath, number: Int) throws {
        var random = TestRandom(case: number, "solidsAreSolids \(path)")
        let stroke = path.stroke(&random)
        let options = SolidOptions(style: .solid, height: 0.002)
        let solid = try stroke.solid(options)
        #expect(solid.topology.isSolid)
        #expect(solid.topology.componentCount == 1)
        let area = solid.signedVolume / 0.002
        let expected = areaByLines(stroke, spacing: 5e-5)
        #expect(abs(area - expected) < 0.01 * expected, "solid \(area) m², by lines \(expected) m²")
        // As programs read it: in the world, with nanometre decimals, positions within 10 nm made one.
        let inWorld = (stroke.worldFromPlane * solid).mergingPositions(roundedTo: 1e-8)
        if stroke.worldFromPlane.translation.length < 100 {
            #expect(inWorld.topology == solid.topology)
        }
    }

    @Test(arguments: SamplePath.allCases, 0..<20)
    func ribbonsAreClosedWhateverThePath(path: SamplePath, number: Int) throws {
        var random = TestRandom(case: number, "ribbonsAreClosedWhateverThePath \(path)")
        let solid = try path.stroke(&random).solid(SolidOptions(style: .ribbon))
        #expect(solid.topology.isSolid)
        #expect(solid.topology.eulerCharacteristic == 2)
        #expect(solid.signedVolume > 0)
        // Above means up: no triangle of floor and top is turned over.
        for (a, b, c) in solid.triangleCorners where a.y == b.y && b.y == c.y {
            #expect((b - a).cross(c - a).y * (a.y - 1e-6) > 0)
        }
    }

    @Test(arguments: [SolidOptions.Style.solid, .ribbon])
    func solidsFaceOutwardsOnTheNormalsSide(style: SolidOptions.Style) throws {
        // An L that turns from +X to +Z: seen from above, a right turn.
        let stroke = Stroke(positions: [Point2(0, 0), Point2(0.1, 0), Point2(0.1, 0.05)])
        let solid = try stroke.solid(SolidOptions(style: style, height: 0.01))
        let bounds = try #require(solid.bounds)
        #expect(bounds.minimum.y == 0)
        #expect(bounds.maximum.y == 0.01)
        #expect(abs(bounds.maximum.x - 0.1015) < 1e-6)
        #expect(abs(bounds.maximum.z - (style == .ribbon ? 0.05 : 0.0515)) < 1e-5)
        #expect(solid.signedVolume > 0)
        let down = Ray(origin: Point3(0.05, 1, 0), unitDirection: Vector3(0, -1, 0))
        let hits = solid.triangleCorners.compactMap { down.intersection(withTriangle: $0, $1, $2) }
        #expect(hits.filter(\.isFrontFace).allSatisfy { abs($0.distance - 0.99) < 1e-12 })
        #expect(hits.filter { !$0.isFrontFace }.allSatisfy { abs($0.distance - 1) < 1e-12 })
        #expect(hits.contains(where: \.isFrontFace) && hits.contains { !$0.isFrontFace })
        let beside = Ray(origin: Point3(0.05, 1, -0.05), unitDirection: Vector3(0, -1, 0))
        #expect(solid.triangleCorners.allSatisfy { beside.intersection(withTriangle: $0, $1, $2) == nil })
    }

    @Test func dotsAreRoundAndCirclesKeepTheirHoles() throws {
        let dot = try Stroke(positions: [Point2(1, 2)]).solid()
        let disc = Double.pi * 0.0015 * 0.0015 * 0.003
        #expect(abs(dot.signedVolume - disc) < 0.01 * disc)
        let ribbonDot = try Stroke(positions: [Point2(1, 2)]).solid(SolidOptions(style: .ribbon))
        #expect(abs(ribbonDot.signedVolume - disc) < 0.01 * disc)
        let circle = (0...100).map { 0.02 * Point2(cos(Double($0) * .pi / 50), sin(Double($0) * .pi / 50)) }
        #expect(try Stroke(positions: circle).solid().topology.eulerCharacteristic == 0)
        let eight = (0...100).map { 0.04 * Point2(sin(Double($0) * .pi / 50), sin(Double($0) * .pi / 25)) }
        #expect(try Stroke(positions: eight).solid().topology.eulerCharacteristic == -2)
    }

    @Test func arcToleranceBoundsTheDistanceToTheTrueOutline() throws {
        for tolerance in [1e-4, 1e-5, 1e-6] {
            let dot = try Stroke(positions: [.zero]).solid(SolidOptions(style: .solid, arcTolerance: tolerance))
            for (a, b, c) in dot.triangleCorners where a.y != b.y || b.y != c.y {
                for point in [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)] {
                    let distance = Vector2(point.x, point.z).length
                    #expect(distance > 0.0015 - tolerance - 2e-7)
                    #expect(distance < 0.0015 + 2e-7)
                }
            }
        }
    }

    @Test(arguments: [1.0, 100, 1000, 0x1p29])
    func strokesFarFromThePlanesOriginAreTheSameSolid(distance: Double) throws {
        let path = (0...100).map { 0.04 * Point2(sin(Double($0) * .pi / 50), sin(Double($0) * .pi / 25)) }
        let near = try Stroke(positions: path).solid()
        let far = try Stroke(positions: path.map { $0 + Point2(distance, -distance) }).solid()
        #expect(far.topology.isSolid)
        #expect(far.topology.eulerCharacteristic == near.topology.eulerCharacteristic)
        // Corners lie on the grid of 60 nm in both places, but not on the same points of it.
        #expect(abs(far.signedVolume - near.signedVolume) < 1e-3 * near.signedVolume)
    }

    @Test func badInputIsRefusedWithItsEvidence() {
        #expect(throws: SolidError.strokeWithoutPoints) { try Stroke(positions: []).solid() }
        #expect(throws: SolidError.optionOutOfRange(name: "height", found: 0)) {
            try Stroke(positions: [.zero]).solid(SolidOptions(style: .ribbon, height: 0))
        }
        #expect(throws: SolidError.self) { try Stroke(positions: [Point2(.nan, 0)]).solid() }
        #expect(throws: SolidError.positionOutOfRange(Point2(1e12, 0))) {
            try Stroke(positions: [Point2(1e12, 0)]).solid()
        }
        #expect(throws: SolidError.widthOutOfRange(1e-6)) {
            try Stroke(positions: [.zero], width: 1e-6).solid()
        }
    }
}
