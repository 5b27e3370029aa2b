// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import TestSupport
import Testing

@testable import ARWorld

/// When surfaces are refined.
@Suite struct SurfaceRestTests {
    /// A table's points, each estimated always alike, and the finder that sees them at 30 Hz.
    private struct Table {
        var finder = PlaneFinder()
        private var points: [EstimatedLandmark] = []
        private var random = TestRandom(case: 0, "table")
        private var frame = 0

        init() { addPoints(60) }

        mutating func addPoints(_ count: Int) {
            for _ in 0..<count {
                let place = Point3(
                    random.uniform(-0.4...0.4), random.uniform(-0.001...0.001), random.uniform(-0.4...0.4))
                points.append(
                    EstimatedLandmark(
                        id: UInt64(points.count), position: place,
                        covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6))))
            }
        }

        mutating func raise(by height: Double) {
            for index in points.indices { points[index].position.y += height }
        }

        /// Shows so many frames; says in how many of them the table was refined.
        mutating func show(frames: Int) -> Int {
            var refinements = 0
            for _ in 0..<frames {
                let before = finder.surfaces.first?.refinement.time
                frame += 1
                var shown = sampleFrame(
                    worldFromCamera: .looking(from: Point3(0, 1, 0.8), at: .zero),
                    nanoseconds: Int64(frame) * 33_333_333)
                shown.featurePoints = points
                _ = finder.update(with: shown)
                if finder.surfaces.first?.refinement.time != before { refinements += 1 }
            }
            return refinements
        }
    }

    /// The longer evidence has not moved a surface, the longer it rests: two seconds in the end.
    @Test func whatEvidenceDoesNotMoveIsRefinedSeldom() {
        var table = Table()
        #expect(table.show(frames: 30) >= 3)
        #expect((3...6).contains(table.show(frames: 300)))
        #expect(table.finder.surfaces.count == 1)
    }

    /// A quarter more points end the rest.
    @Test func newPointsEndTheRest() {
        var table = Table()
        _ = table.show(frames: 150)
        table.addPoints(15)
        #expect(table.show(frames: 4) >= 1)
    }

    /// So does a correction that moves all points by a centimetre and takes none off the surface, which follows at once.
    @Test func aCorrectionEndsTheRest() throws {
        var table = Table()
        _ = table.show(frames: 150)
        table.raise(by: 0.01)
        _ = table.show(frames: 8)
        #expect(try abs(#require(table.finder.surfaces.first).plane.offset - 0.01) < 0.001)
    }

    /// And so does a world of which the tracker learnt that it hung otherwise, by a half or more of what is known of the surface.
    @Test func whatTheTrackerLearnsEndsTheRest() {
        let fit = SurfaceFit(
            offset: 0, slopes: .zero, covariance: Matrix3x3(diagonal: Vector3(1e-6, 1e-6, 1e-6)))
        #expect(fit.isMoved(by: Matrix3x3(diagonal: Vector3(0.3e-6, 0.3e-6, 0.3e-6))))
        #expect(!fit.isMoved(by: Matrix3x3(diagonal: Vector3(0.2e-6, 0.2e-6, 0.2e-6))))
        #expect(SurfaceFit(offset: 0.9e-3, slopes: .zero, covariance: fit.covariance).isMoved(from: fit))
        #expect(!SurfaceFit(offset: 0.8e-3, slopes: .zero, covariance: fit.covariance).isMoved(from: fit))
    }
}
