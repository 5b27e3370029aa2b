// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking

extension PlaneFinder {
    /// The level and plumb planes in a cloud of points of which only the places are known, such as another tracker's, in
    /// the order in which they were found.
    ///
    /// - Parameters:
    ///   - points: in metres, in axes whose +Y is up. Those that are not finite or lie more than a kilometre from the middle
    ///     are left out; level planes are found up to ten metres from the middle height. The middle is the median.
    ///   - spread: the standard deviation of a point's distance from the surface that it lies on, in metres.
    ///   - viewPoint: where the points were seen from: normals point there. Without one, level planes are seen from above,
    ///     plumb ones from the middle of the cloud.
    public static func planes(
        in points: [Point3], spread: Double, viewPoint: Point3? = nil,
        settings: PlaneFinderSettings = PlaneFinderSettings()
    ) -> [PlaneAnchor] {
        let finite = points.filter(\.isFinite)
        guard let middle = median(of: finite) else { return [] }
        let points = finite.filter { ($0 - middle).length <= 1000 }
        var settings = settings
        settings.memory = points.count
        settings.thickness = max(settings.thickness, 1.5 * spread)
        var finder = PlaneFinder(settings: settings)
        let highest = points.reduce(middle.y) { max($0, $1.y) }
        finder.cameraPlace = viewPoint ?? Point3(middle.x, highest + 1, middle.z)
        let covariance = Matrix3x3(diagonal: Vector3(repeating: spread * spread))
        for (number, point) in points.enumerated() {
            finder.remember(EstimatedLandmark(id: UInt64(number), position: point, covariance: covariance))
        }
        finder.findAll(around: middle.y)
        return finder.surfaces.compactMap(\.news)
    }

    /// The median of each coordinate, which no few points far off can move; `nil` when there are none.
    private static func median(of points: [Point3]) -> Point3? {
        guard !points.isEmpty else { return nil }
        func middle(_ coordinate: (Point3) -> Double) -> Double { points.map(coordinate).sorted()[points.count / 2] }
        return Point3(middle(\.x), middle(\.y), middle(\.z))
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
