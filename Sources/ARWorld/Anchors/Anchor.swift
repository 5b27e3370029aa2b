// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Something that has a place in the world, whatever it is: ARKit's `ARAnchor` and its subclasses.
///
/// ```swift
/// for case .plane(let plane) in snapshot.anchors where plane.classification == .table { … }
/// ```
public enum Anchor: Hashable, Sendable {
    /// A place that the app chose.
    case user(UserAnchor)
    /// A flat surface.
    case plane(PlaneAnchor)
    /// A known picture.
    case image(ImageAnchor)
    /// A code that can be read.
    case code(CodeAnchor)
    /// A rectangular thing, such as a card.
    case rectangle(RectangleAnchor)
    /// A face.
    case face(FaceAnchor)

    /// The same for the anchor's whole life, and in every run of the same session.
    public var identifier: UUID { value.identifier }
    /// The name it was given, if any.
    public var name: String? { value.name }
    /// The anchor's axes in the world.
    public var worldFromAnchor: RigidTransform { value.worldFromAnchor }
    /// Whether the frame shows it, as ARKit's `ARTrackable`; `nil` for anchors that are not looked for in pictures: places
    /// and planes.
    public var isTracked: Bool? { (value as? any SeenAnchor)?.isTracked }
}

/// What all anchors have.
protocol AnchorValue: Hashable, Sendable {
    var identifier: UUID { get }
    var name: String? { get }
    var worldFromAnchor: RigidTransform { get set }
    /// The value as one of the kinds of anchors.
    var anchor: Anchor { get }
}

/// An anchor of something that is looked for in pictures.
protocol SeenAnchor: AnchorValue {
    var isTracked: Bool { get }
}

extension Anchor {
    /// What the kind of anchor holds.
    var value: any AnchorValue {
        switch self {
        case .user(let anchor): anchor
        case .plane(let anchor): anchor
        case .image(let anchor): anchor
        case .code(let anchor): anchor
        case .rectangle(let anchor): anchor
        case .face(let anchor): anchor
        }
    }

    /// The anchor in a world whose coordinates changed.
    func moved(by correction: WorldCorrection) -> Anchor {
        var value = value
        value.worldFromAnchor = correction.worldFromOldWorld * value.worldFromAnchor
        return value.anchor
    }
}

extension UserAnchor: AnchorValue {
    var anchor: Anchor { .user(self) }
}

extension PlaneAnchor: AnchorValue {
    var anchor: Anchor { .plane(self) }
}

extension ImageAnchor: SeenAnchor {
    var anchor: Anchor { .image(self) }
}

extension CodeAnchor: SeenAnchor {
    var anchor: Anchor { .code(self) }
}

extension RectangleAnchor: SeenAnchor {
    var anchor: Anchor { .rectangle(self) }
}

extension FaceAnchor: SeenAnchor {
    var anchor: Anchor { .face(self) }
}
