// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How many times as large a print is as it was stated, measured in the world.
///
/// From one place a large print far away and a small one nearby look the same. The camera's own way tells them apart: with
/// the print's middle seen at d_i in world axes from the camera's place C_i, C_i + s d_i is the same for each view i where s
/// is right, so that the least squares give s = −Σ (d_i − d̄)·(C_i − C̄) / Σ |d_i − d̄|². The plane on which the print lies
/// tells it from one view.
struct TargetScale: Sendable {
    private var views: [(camera: Point3, offset: Vector3)] = []
    private var onPlane: [Double] = []

    /// More views are spread over the time instead of kept all.
    private static let mostViews = 64

    /// Adds a view.
    /// - Parameters:
    ///   - camera: where the camera is in the world.
    ///   - offset: from there to the print's middle in the world's axes, were the print as large as stated.
    ///   - planeScale: how much farther the plane is on which the print lies; `nil` where none is known.
    mutating func add(camera: Point3, offset: Vector3, planeScale: Double?) {
        if let planeScale {
            onPlane.append(planeScale)
            if onPlane.count > Self.mostViews { onPlane.removeFirst() }
        }
        // A view from the place of the last one says nothing new.
        if let last = views.last, (last.camera - camera).length < 0.02 * offset.length { return }
        views.append((camera, offset))
        if views.count > Self.mostViews { views = views.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) }
    }

    /// The best estimate with its standard deviation, as parts of itself; `nil` before anything tells it.
    var estimate: (scale: Double, deviation: Double)? {
        [fromMotion, fromPlane].compactMap { $0 }.min { $0.deviation < $1.deviation }
    }

    private var fromMotion: (scale: Double, deviation: Double)? {
        guard views.count >= 4 else { return nil }
        let count = Double(views.count)
        let meanCamera = views.reduce(.zero) { $0 + $1.camera } / count
        let meanOffset = views.reduce(.zero) { $0 + $1.offset } / count
        let spread = views.reduce(0) { $0 + ($1.offset - meanOffset).squaredLength }
        guard spread > 0.005 * count * meanOffset.squaredLength else { return nil }
        let scale = -views.reduce(0) { $0 + ($1.offset - meanOffset).dot($1.camera - meanCamera) } / spread
        guard scale > 0.02, scale < 50 else { return nil }
        let rest = views.reduce(0) {
            $0 + ($1.camera - meanCamera + scale * ($1.offset - meanOffset)).squaredLength
        }
        let deviation = (rest / (3 * count - 4) / spread).squareRoot() / scale
        // Errors of neighbouring views are alike: they count as fewer.
        return deviation < 0.1 ? (scale, 2 * deviation) : nil
    }

    private var fromPlane: (scale: Double, deviation: Double)? {
        guard onPlane.count >= 3 else { return nil }
        let sorted = onPlane.sorted()
        let median = sorted[sorted.count / 2]
        let spread = sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]
        guard median > 0.02, median < 50 else { return nil }
        // Planes are known to a centimetre or so: two parts in a hundred of a usual distance.
        return (median, max(spread / median, 0.02))
    }
}
