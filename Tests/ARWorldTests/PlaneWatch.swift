// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARWorld
import Foundation

/// How far a found plane is off the one that is there.
struct PlaneErrors {
    /// The angle between the normals, in radians.
    let normal: Double
    /// How far the true plane is off at the found one's centre, in metres.
    let offset: Double
    /// The area that both outlines enclose, as a part of what one of them encloses.
    let overlap: Double
    /// How much of the found outline lies in the true one.
    let inside: Double

    init(_ plane: PlaneAnchor, of panel: Panel, drift: Vector3 = .zero) {
        let center = plane.worldFromAnchor * plane.center - drift
        normal = acos(min(1, (plane.worldFromAnchor.rotation * Vector3(0, 1, 0)).dot(panel.normal)))
        offset = panel.plane.signedDistance(to: center)
        let found = Polygon2(plane.boundary).counterClockwise
        let truth = Polygon2(
            panel.corners.map {
                let corner = plane.worldFromAnchor.inverse * ($0 + drift)
                return Point2(corner.x, corner.z)
            }
        ).counterClockwise
        let common = found.clipped(to: truth).area
        overlap = common / (found.area + truth.area - common)
        inside = common / found.area
    }
}

/// Runs a finder, keeps the planes that its findings tell of, and judges them by the panels that are there.
struct PlaneWatch {
    let panels: [Panel]
    var finder = PlaneFinder()
    /// Where the true world is in the tracker's.
    var drift = Vector3.zero
    /// In the order in which they were found.
    private(set) var planes: [PlaneAnchor] = []
    /// When a plane of each panel was first found, in seconds.
    private(set) var foundAt: [String: Double] = [:]
    /// The identifier of that plane.
    private(set) var firstIdentifier: [String: UUID] = [:]
    /// All planes that were removed, in order.
    private(set) var removed: [UUID] = []
    /// For how long a plane was there that does not exist, at most, in seconds.
    private(set) var longestPhantom = 0.0
    private var phantomSince: [UUID: Double] = [:]

    init(panels: [Panel]) { self.panels = panels }

    /// Shows the finder the next frames of a room, from a camera whose way is a function of the seconds since it began.
    mutating func follow(_ room: inout SyntheticRoom, frames: Int, along path: (Double) -> RigidTransform) {
        for _ in 0..<frames {
            let seconds = Double(room.frameNumber) / SyntheticRoom.framesPerSecond
            let findings = finder.update(with: room.frame(at: path(seconds)))
            drift = room.driftNow
            note(findings, at: seconds)
        }
    }

    mutating func note(_ findings: PlaneFindings, at seconds: Double) {
        removed += findings.removed
        planes.removeAll { findings.removed.contains($0.identifier) }
        for plane in findings.updated {
            guard let index = planes.firstIndex(where: { $0.identifier == plane.identifier }) else {
                preconditionFailure("a plane was updated that had not been added")
            }
            planes[index] = plane
        }
        planes += findings.added
        for plane in planes {
            if let panel = panel(of: plane) {
                if foundAt[panel.name] == nil {
                    foundAt[panel.name] = seconds
                    firstIdentifier[panel.name] = plane.identifier
                }
                phantomSince[plane.identifier] = nil
            } else {
                let since = phantomSince[plane.identifier] ?? seconds
                phantomSince[plane.identifier] = since
                longestPhantom = max(longestPhantom, seconds - since)
            }
        }
    }

    /// The panel that a plane shows: within 3 cm and 5°, and three quarters of its outline on it; `nil` for a plane that
    /// does not exist.
    func panel(of plane: PlaneAnchor) -> Panel? {
        panels.first { panel in
            let errors = PlaneErrors(plane, of: panel, drift: drift)
            return errors.normal < 5 * .pi / 180 && abs(errors.offset) < 0.03 && errors.inside > 0.75
        }
    }
}
