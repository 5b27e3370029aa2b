// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTargets
import ARWorld
import Foundation

/// A thing that wears a target's picture, as a session knows it at a frame.
public struct SessionTarget: Sendable {
    /// The same for the session's whole life, and that of its anchor.
    public let identifier: UUID
    /// The target, and the database that knows it.
    public let identity: TargetIdentity
    /// What the database holds of it: its size and its record.
    public let target: ImageTarget
    /// How it is known at this frame.
    public let status: TargetStatus
    /// How the picture shows it; `nil` where the picture does not show it.
    public let sighting: TargetSighting?
    /// The print's axes in the camera's, both as ARKit has them, as this picture alone tells it with the size that the print
    /// is taken for; `nil` where no size is known, and where ``sighting`` is.
    public let cameraFromTarget: RigidTransform?
    /// Its place in the world; `nil` before that is known.
    public let anchor: ImageAnchor?
}
