// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where a rolling shutter shows a point: in the row that is exposed while the camera sees the point there.
///
/// The pixel p solves p = π(opticalFromWorld(t(p.y)) · x(t(p.y))) with t the instant of a row. Iterating that equation
/// converges while the picture moves slower than the shutter rolls; each round multiplies the error by the ratio of the
/// two speeds. Law: `RollingShutterTests.cornersAreWhereTheyAreProjected`.
struct RollingShutterProjection {
    /// The lens and the sensor.
    let camera: Camera
    /// When each row is exposed.
    let shutter: ShutterTiming

    /// The pixel of a point at a frame's instant, or `nil` where the lens does not see it, or where it moves up or down
    /// faster than the rows are read, so that no single row shows it.
    ///
    /// Beyond the picture's first and last row, time stands still: what is outside the picture is outside here too, near
    /// it to within the motion between rows.
    /// - pointInOptical: the point in the camera's optical axes, a time after the frame's instant, in seconds.
    func project(_ pointInOptical: (Double) -> Point3) -> PixelPoint? {
        func pixel(atRow row: Double) -> PixelPoint? {
            camera.project(pointInOptical(shutter.offsetSeconds(ofRow: row)))
        }
        let lastRow = Double(shutter.rowCount - 1)
        var row = lastRow / 2
        for _ in 0..<Self.maximumRounds {
            guard let found = pixel(atRow: row) else { return nil }
            if shutter.readoutSeconds == 0 { return found }
            let next = min(max(found.y, 0), lastRow)
            if abs(next - row) < Self.tolerancePixels {
                guard let later = pixel(atRow: row + 1), abs(later.y - found.y) < 1 else { return nil }
                return found
            }
            row = next
        }
        return nil
    }

    /// Far below what any detector finds.
    private static let tolerancePixels = 1e-9
    /// Enough for a picture that moves at two thirds of the shutter's speed.
    private static let maximumRounds = 80
}
