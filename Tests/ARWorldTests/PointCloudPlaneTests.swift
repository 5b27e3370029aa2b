// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARWorld
import Foundation
import TestSupport
import Testing

@Suite struct PointCloudPlaneTests {
    static let cloud = "arkit_data_logger/ARKit_point_cloud.txt"

    /// ARKit's points of a heap of things on a table: the heights of the floor, at −1.44 m, and of the table, at −0.81 m,
    /// are two of the peaks of their histogram.
    @Test(.enabled(if: RealData.has(cloud), "the folder of real data lacks \(cloud)"))
    func theFloorAndTheTableAreInARKitsCloud() throws {
        let text = try String(contentsOf: RealData.url(Self.cloud), encoding: .utf8)
        let points = text.split(separator: "\n").dropFirst().map { line in
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            return Point3(numbers[0], numbers[1], numbers[2])
        }
        #expect(points.count == 14644)
        let planes = PlaneFinder.planes(in: points, spread: 0.03)
        let heights = planes.filter { $0.alignment == .horizontal }.map { ($0.worldFromAnchor * $0.center).y }
        #expect(heights.contains { abs($0 + 1.44) <= 0.03 })
        #expect(heights.contains { abs($0 + 0.81) <= 0.04 })
        #expect(heights.allSatisfy { $0 > -1.55 && $0 < -0.4 })
    }

    /// A box's top and sides in a cloud without noise, among points in the air.
    @Test func aBoxIsFoundInACloud() {
        var random = TestRandom()
        var points: [Point3] = []
        for _ in 0..<400 {
            let (u, v) = (random.uniform(), random.uniform())
            points += [Point3(0.5 * u, 0.6, 0.4 * v), Point3(0.5, 0.3 + 0.3 * u, 0.4 * v), 3 * random.vector3()]
        }
        let planes = PlaneFinder.planes(in: points, spread: 0.005, viewPoint: Point3(3, 2, 0))
        #expect(planes.count == 2)
        #expect(Set(planes.map(\.alignment)) == [.horizontal, .vertical])
        for plane in planes {
            let normal = plane.worldFromAnchor.rotation * Vector3(0, 1, 0)
            let truth = plane.alignment == .horizontal ? Vector3(0, 1, 0) : Vector3(1, 0, 0)
            #expect(acos(min(1, normal.dot(truth))) < 0.01)
            let expected = plane.alignment == .horizontal ? 0.8 : 0.48
            #expect(abs(Polygon2(plane.boundary).area - expected) < 0.15 * expected)
        }
    }

    /// Places that are nowhere, or far off, change nothing: not even where level planes are searched for and seen from.
    @Test func pointsThatAreNowhereChangeNothing() {
        var random = TestRandom()
        let table = (0..<400).map { _ in Point3(0.5 * random.uniform(), 0.7, 0.4 * random.uniform()) }
        let alone = PlaneFinder.planes(in: table, spread: 0.005)
        #expect(alone.count == 1)
        for value in [Double.nan, .infinity, -.infinity, 1e300, 1e30, -1e30, 1e12] {
            for wild in [Point3(value, 0.7, 0), Point3(0, value, 0), Point3(0, 0.7, value)] {
                #expect(PlaneFinder.planes(in: table + [wild], spread: 0.005) == alone)
            }
        }
        // One that may be there is a point of the cloud, and may turn the draws.
        for height in [-60.0, 200] {
            let planes = PlaneFinder.planes(in: table + [Point3(0, height, 0)], spread: 0.005)
            #expect(planes.map(\.boundary) == alone.map(\.boundary))
        }
    }

    @Test func aCloudWithoutPlanesHasNone() {
        var random = TestRandom()
        #expect(PlaneFinder.planes(in: [], spread: 0.01).isEmpty)
        #expect(PlaneFinder.planes(in: (0..<2000).map { _ in random.vector3() }, spread: 0.005).isEmpty)
    }
}
