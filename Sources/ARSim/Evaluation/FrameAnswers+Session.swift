// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARTruth
import ARVision
import ARWorld

extension FrameAnswers {
    /// What a session answered at a frame: what the trace says of it, for evaluations without one.
    public init(_ frame: SessionFrame) {
        self.init(
            timestamp: frame.timestamp,
            worldFromCamera: frame.trackingState == .notAvailable ? nil : frame.worldFromCamera,
            isTracked: frame.trackingState == .normal)
        let changes = frame.world.changes
        changedPlanes = (changes.added + changes.updated).compactMap { identifier in
            if case .plane(let plane) = frame.world.anchor(identifier) { PlaneAnswer(plane) } else { nil }
        }
        removedAnchors = changes.removed.map(\.uuidString)
        hits = frame.centerHits.map { HitAnswer($0, at: frame.centerPixel) }
        rectangles = frame.detections?.rectangles.map { RectangleAnswer(quad: $0.quad) }
        codes = frame.detections?.codes.map {
            CodeAnswer(payload: $0.payload, symbology: $0.symbology.rawValue, quad: $0.quad)
        }
        targets = frame.targets?.compactMap { target in
            target.sighting.map {
                TargetAnswer(
                    picture: target.identity.name, quad: $0.corners, cameraFromTarget: target.cameraFromTarget)
            }
        }
        placedRectangles = frame.rectangles?.map(PlacedRectangleAnswer.init)
        faces = frame.faces?.map(FaceAnswer.init)
    }
}

extension SessionFrame {
    /// The pixel in the middle of the view.
    var centerPixel: PixelPoint {
        let imageSize = world.frame.imageSize
        return PixelPoint(
            NormalizedImagePoint(viewport.size.center, in: viewport, imageSize: imageSize), imageSize: imageSize)
    }

    /// What lies behind the middle of the view, by a hit test of every kind. A plane that is known leaves none to be
    /// estimated: what would have been estimated comes last then.
    var centerHits: [HitTestResult] {
        let estimates: HitTestResult.ResultType = [.estimatedHorizontalPlane, .estimatedVerticalPlane]
        let known: HitTestResult.ResultType = [
            .featurePoint, .existingPlane, .existingPlaneUsingExtent, .existingPlaneUsingGeometry,
        ]
        let hits = hitTest(viewport.size.center, types: known.union(estimates))
        return hits.contains { estimates.contains($0.type) }
            ? hits : hits + hitTest(viewport.size.center, types: estimates)
    }
}

extension PlacedRectangleAnswer {
    init(_ tracked: TrackedRectangle) {
        let rectangle = tracked.rectangle
        self.init(
            identifier: tracked.identifier.uuidString, name: tracked.code?.payload, corners: rectangle.corners,
            size: Vector2(rectangle.size.width, rectangle.size.height))
    }
}

extension FaceAnswer {
    init(_ tracked: TrackedFace) {
        let (box, angles) = (tracked.face.box, tracked.face.angles)
        self.init(
            id: tracked.id, box: PixelBox(minimum: box.minimum, maximum: box.maximum), isSeen: tracked.isSeen,
            angles: EulerAngles(pitch: angles.pitch ?? 0, yaw: angles.yaw ?? 0, roll: angles.roll ?? 0))
    }
}

extension PlaneAnswer {
    init(_ plane: PlaneAnchor) {
        self.init(
            identifier: plane.identifier.uuidString, worldFromPlane: plane.worldFromAnchor, boundary: plane.boundary,
            classification: plane.classification)
    }
}

extension HitAnswer {
    init(_ hit: HitTestResult, at pixel: PixelPoint) {
        self.init(
            type: hit.type.name, pixel: pixel, position: hit.worldFromHit.translation,
            anchor: hit.anchor?.identifier.uuidString)
    }
}
