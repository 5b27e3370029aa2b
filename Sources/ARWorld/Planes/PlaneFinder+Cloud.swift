// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking

extension PlaneFinder {
    /// The level and plumb planes in a cloud of points of which only the places are known, such as another tracker's, in
    /// the order in which they were found.
    ///
    /// - Parameters:
    ///   - points: in metres, in axes whose +Y is up; level planes are found up to ten metres from the middle height.
    ///   - spread: the standard deviation of a point's distance from the surface that it lies on, in metres.
    ///   - viewPoint: where the points were seen from: normals point there. Without one, level planes are seen from above,
    ///     plumb ones from the middle of the cloud.
    public static func planes(
        in points: [Point3], spread: Double, viewPoint: Point3? = nil,
        settings: PlaneFinderSettings = PlaneFinderSettings()
    ) -> [PlaneAnchor] {
        let points = points.filter(\.isFinite)
        let heights = points.map(\.y).sorted()
        guard let highest = heights.last else { return [] }
        var settings = settings
        settings.memory = points.count
        settings.thickness = max(settings.thickness, 1.5 * spread)
        var finder = PlaneFinder(settings: settings)
        let middle = points.reduce(.zero, +) / Double(points.count)
        finder.cameraPlace = viewPoint ?? Point3(middle.x, highest + 1, middle.z)
        let covariance = Matrix3x3(diagonal: Vector3(repeating: spread * spread))
        for (number, point) in points.enumerated() {
            finder.remember(EstimatedLandmark(id: UInt64(number), position: point, covariance: covariance))
        }
        finder.findAll(around: heights[heights.count / 2])
        return finder.surfaces.compactMap(\.news)
    }

    /// Searches until nothing more is found.
    private mutating func findAll(around middle: Double) {
        var known = -1
        while surfaces.count > known {
            known = surfaces.count
            searchLevelPlanes(100, around: middle)
            lookAfterAll()
        }
        // Each draw may miss: a wall that one search in four finds escapes thirty of them in one cloud of 5000.
        var misses = 0
        while misses < 30 {
            let count = surfaces.count
            let hasFound = searchPlumbPlanes()
            lookAfterAll()
            misses = hasFound && surfaces.count > count ? 0 : misses + 1
        }
    }
}
