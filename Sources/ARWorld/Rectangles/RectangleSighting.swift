// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision
import Foundation

/// A rectangle that a picture shows, with what else the picture tells of it.
struct RectangleSighting: Sendable {
    var view: RectangleView
    /// The largest code inside, and where it lies in the picture.
    var code: DetectedCode?
    /// Whether its corners are named as the code on it is read, not as the picture shows them.
    var isNamedByCode = false
    /// Its size on the plane that it lies on, if there is one.
    var sizeOnPlane: RectangleSize?

    init(
        _ detected: DetectedRectangle, codes: [DetectedCode], snapshot: WorldSnapshot,
        settings: RectangleTracker.Settings
    ) {
        let frame = snapshot.frame
        view = RectangleView(
            timestamp: frame.timestamp, worldFromOptical: frame.worldFromOptical, camera: frame.camera,
            quad: detected.quad, deviation: max(detected.cornerDeviationPixels, 0.02),
            isPoseEstimated: frame.motion != nil)
        code = detected.codes(among: codes).first
        if let turn = turnOfCode {
            view = view.turned(by: turn)
            isNamedByCode = true
        }
        sizeOnPlane = snapshot.rectangle(at: view.quad)?.rectangle.size
    }

    /// By how many corners the outline must be turned for its top to lie along the code's; `nil` without a code, and where
    /// its sides are askew to the code's.
    private var turnOfCode: Int? {
        guard let code, !code.isMirrored, let pictureFromCode = code.quad.pixelFromUnitSquare,
            let codeFromPicture = pictureFromCode.inverse
        else { return nil }
        // In the code's own axes, perspective is gone: the top leads along +x.
        let corners = view.quad.corners.map { corner -> Vector2 in
            let place = codeFromPicture * Vector3(corner.x, corner.y, 1)
            return Vector2(place.x, place.y) / place.z
        }
        return (0..<4).first { turn in
            let top = corners[(turn + 1) % 4] - corners[turn]
            return top.x > 0 && abs(top.y) < 0.5 * top.x
        }
    }
}
