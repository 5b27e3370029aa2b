// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where a rolling shutter shows a point: in the row that is exposed while the camera sees the point there.
///
/// The pixel p solves p = π(opticalFromWorld(t(p.y)) · x(t(p.y))) with t the instant of a row: the row r is a zero of
/// y(r) − r, where y(r) is the point's place at the instant of r. Secants find it, within a bracket that each of them makes
/// smaller. Law: `RollingShutterTests.cornersAreWhereTheyAreProjected`.
struct RollingShutterProjection {
    /// The lens and the sensor.
    let camera: Camera
    /// When each row is exposed.
    let shutter: ShutterTiming

    /// The pixel of a point at a frame's instant, or `nil` where the lens does not see it, or where it moves down as fast
    /// as the rows are read, or faster, so that no single row shows it.
    ///
    /// Beyond the picture's first and last row, time stands still: what is outside the picture is outside here too, near
    /// it to within the motion between rows.
    /// - pointInOptical: the point in the camera's optical axes, a time after the frame's instant, in seconds.
    func project(_ pointInOptical: (Double) -> Point3) -> PixelPoint? {
        func pixel(atRow row: Double) -> PixelPoint? {
            camera.project(pointInOptical(shutter.offsetSeconds(ofRow: row)))
        }
        var search = RowSearch(lastRow: Double(shutter.rowCount - 1))
        for _ in 0..<Self.maximumRounds {
            guard let found = pixel(atRow: search.row) else { return nil }
            if shutter.readoutSeconds == 0 { return found }
            if search.isDone(found.y) {
                guard let later = pixel(atRow: search.row + 1), later.y - found.y < 1 else { return nil }
                return found
            }
            search.continue(after: found.y)
        }
        return nil
    }

    /// Even halving, fifty times, leaves less of a picture's rows than the tolerance.
    private static let maximumRounds = 60
}

/// The search for the row that shows a point.
private struct RowSearch {
    /// Where to look next.
    private(set) var row: Double
    private let lastRow: Double
    /// Rows between which the point's row lies, as far as they are known.
    private var low: Double?
    private var high: Double?
    private var previous: (row: Double, lead: Double)?

    init(lastRow: Double) {
        self.lastRow = lastRow
        row = lastRow / 2
    }

    /// Whether the row shows the point, or lies at the picture's rim with the point beyond; `y` is where the point is then.
    func isDone(_ y: Double) -> Bool {
        abs(y - row) < Self.tolerancePixels || row == 0 && y < 0 || row == lastRow && y > lastRow
    }

    /// Chooses the next row; the first time as if the picture stood still.
    mutating func `continue`(after y: Double) {
        let lead = y - row
        if lead > 0 { low = row } else { high = row }
        let slope = previous.map { (lead - $0.lead) / (row - $0.row) } ?? -1
        previous = (row, lead)
        let next = min(max(row - lead / slope, 0), lastRow)
        let isInside = low.map { $0 < next } ?? true && high.map { next < $0 } ?? true
        row = slope < 0 && isInside ? next : ((low ?? 0) + (high ?? lastRow)) / 2
    }

    /// Far below what any detector finds.
    private static let tolerancePixels = 1e-9
}
