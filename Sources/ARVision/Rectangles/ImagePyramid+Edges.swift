// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

extension ImagePyramid {
    /// The straight pieces of the edges on a level, the longest first, in pixels of the picture.
    func edgeSegments(level: Int, leastContrast: Double, leastLength: Double, limit: Int) -> [CVisionEdgeSegment] {
        [CVisionEdgeSegment](unsafeUninitializedCapacity: limit) { segments, count in
            var found: Int32 = 0
            check(
                withKernelPyramid {
                    cvision_find_edge_segments(
                        &$0, Int32(level), leastContrast, leastLength, segments.baseAddress, Int32(limit), &found)
                })
            count = Int(found)
        }
    }

    /// Lines fitted to the edges next to the given ones; polarity 1 wants the right brighter, −1 the left, 0 takes both.
    func edgeFits(
        along lines: [(start: Vector2, end: Vector2)], level: Int, reach: Int, polarity: Int, leastContrast: Double,
        profileLimit: Int = Int(CVISION_MAX_PROFILES)
    ) -> [CVisionEdgeFit] {
        let coordinates = lines.flatMap { [$0.start.x, $0.start.y, $0.end.x, $0.end.y] }
        var fits = [CVisionEdgeFit](repeating: CVisionEdgeFit(), count: lines.count)
        check(
            withKernelPyramid {
                cvision_fit_edges(
                    &$0, Int32(level), coordinates, Int32(lines.count), Int32(reach), Int32(polarity), leastContrast,
                    Int32(profileLimit), &fits)
            })
        return fits
    }
}
