// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import ARVision
import ARWorld

/// Where the pen is at a frame, and whether it draws.
public struct PenContact: Hashable, Sendable {
    /// The plane that the pen is on.
    public var plane: PlaneAnchor
    /// The pen's tip in the plane's x and z, in metres.
    public var position: Point2
    /// Whether it draws.
    public var isDown: Bool

    /// The pen's tip, in the world.
    public var positionInWorld: Point3 { plane.pointInWorld(position) }
}

/// Finds the pen in each frame. A press that is over before the next frame leaves no mark.
struct Pen: Sendable {
    private var source: SessionConfiguration.Pen
    /// What the last event said; `nil` before there was one.
    private var isPressed: Bool?
    private var fingertipPen: FingertipPen
    /// Where the last picture showed a fingertip.
    private var lastTouch: PenContact?
    /// Whether a fingertip is pressed until the first event.
    private let startsPressed: Bool

    init(source: SessionConfiguration.Pen, lift: SessionConfiguration.PenLift) {
        self.source = source
        fingertipPen = FingertipPen(seeingLifts: lift == .seen)
        startsPressed = lift == .seen
    }

    /// Presses or lifts the pen. Until the first event the screen's centre is pressed, and a fingertip is where its lifts are seen.
    mutating func handle(_ action: UserEvent.Action) {
        switch action {
        case .penDown: isPressed = true
        case .penUp: isPressed = false
        case .tap, .orientation, .interruptionBegan, .interruptionEnded, .named: break
        }
    }

    /// The fingertip that the last picture showed, where the pen is one that is seen.
    var fingertip: Fingertip? { source == .fingertip ? fingertipPen.fingertip : nil }

    /// The pen's contact with a plane of the world, or `nil` where it touches none.
    mutating func contact(of frame: FoundFrame, in snapshot: WorldSnapshot, viewport: Viewport) -> PenContact? {
        settleSource(with: frame.truth)
        return switch source {
        case .fingertip: touch(in: frame, snapshot)
        case .trueFingertip: frame.truth?.fingertip.flatMap { contact(of: $0, in: snapshot) }
        case .screenCenter, .automatic: contactOfCenter(in: snapshot, viewport: viewport)
        }
    }

    /// An old picture shows the finger where it was, from where the camera was.
    private mutating func touch(in frame: FoundFrame, _ snapshot: WorldSnapshot) -> PenContact? {
        let isPressed = isPressed ?? startsPressed
        if frame.tracked.showsOldPicture {
            if !isPressed { lastTouch?.isDown = false }
        } else {
            lastTouch = fingertipPen.contact(in: frame.image, snapshot: snapshot, isPressed: isPressed)
        }
        return lastTouch
    }

    /// The first frame whose truth is known decides what an automatic pen is.
    private mutating func settleSource(with truth: FrameTruth?) {
        guard source == .automatic, let truth else { return }
        source = truth.fingertip == nil ? .screenCenter : .trueFingertip
    }

    private func contactOfCenter(in snapshot: WorldSnapshot, viewport: Viewport) -> PenContact? {
        snapshot.hitTest(viewport.size.center, in: viewport, types: .existingPlaneUsingExtent).first.flatMap {
            guard let plane = $0.anchor, let hit = $0.anchorFromHit?.translation else { return nil }
            return PenContact(plane: plane, position: Point2(hit.x, hit.z), isDown: isPressed ?? true)
        }
    }

    /// The tip dropped along the normal onto the nearest plane that lies beneath or above it.
    private func contact(of fingertip: FingertipTruth, in snapshot: WorldSnapshot) -> PenContact? {
        let drops = snapshot.planes.compactMap { plane -> (height: Double, contact: PenContact)? in
            let tip = plane.worldFromAnchor.inverse * fingertip.positionInWorld
            let position = Point2(tip.x, tip.z)
            guard plane.boundaryContains(position) else { return nil }
            return (abs(tip.y), PenContact(plane: plane, position: position, isDown: fingertip.isPenDown))
        }
        return drops.min { $0.height < $1.height }?.contact
    }
}
