// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

extension ImagePyramid {
    /// Where points of this picture are in another, by patches on those levels, the coarsest first.
    func flow(
        of pixels: [PixelPoint], to other: ImagePyramid, startingAt starts: [PixelPoint], levels: ClosedRange<Int>
    ) -> [CVisionFlow] {
        precondition(pixels.count == starts.count, "\(pixels.count) points cannot start at \(starts.count) places")
        var flows = [CVisionFlow](repeating: CVisionFlow(), count: pixels.count)
        check(
            pixels.withCoordinates { pixels in
                starts.withCoordinates { starts in
                    withKernelPyramid { from in
                        other.withKernelPyramid { to in
                            cvision_follow_points(
                                &from, &to, Int32(levels.upperBound), Int32(levels.lowerBound), pixels, starts,
                                Int32(flows.count), &flows)
                        }
                    }
                }
            })
        return flows
    }

    /// The strongest corner of each cell on a level, or on the coarsest that there is; its strength is zero where there is none.
    func corners(
        in cells: [CVisionCell], onLevel level: Int = 1, awayFrom taken: [PixelPoint], spacing: Double,
        leastStrength: Double
    ) -> [CVisionCorner] {
        var corners = [CVisionCorner](repeating: CVisionCorner(), count: cells.count)
        check(
            taken.withCoordinates { coordinates in
                withKernelPyramid {
                    cvision_find_corners(
                        &$0, Int32(min(level, levelCount - 1)), cells, Int32(cells.count), coordinates,
                        Int32(taken.count),
                        spacing, leastStrength, &corners)
                }
            })
        return corners
    }

    /// What is measured on the picture.
    var measures: CVisionPictureMeasures {
        var measures = CVisionPictureMeasures()
        check(withKernelPyramid { cvision_measure_picture(&$0, &measures) })
        return measures
    }
}

extension [PixelPoint] {
    /// Calls a kernel with the points as packed doubles, x y x y ….
    fileprivate func withCoordinates<Result>(_ body: (UnsafePointer<Double>?) -> Result) -> Result {
        withUnsafeBytes { body($0.assumingMemoryBound(to: Double.self).baseAddress) }
    }
}
