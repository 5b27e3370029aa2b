// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A change of the world's coordinates: the same things have other numbers from now on, because the map was corrected.
///
/// What is applied to all anchors and to the camera alike leaves everything where it is seen.
/// Law: `CorrectionTests.whatIsSeenStaysWhereItIsSeen`.
public struct WorldCorrection: Hashable, Sendable {
    /// The coordinates from now on, from those before.
    public var worldFromOldWorld: RigidTransform

    /// The correction that moves the world so.
    public init(worldFromOldWorld: RigidTransform) { self.worldFromOldWorld = worldFromOldWorld }

    /// This correction after an earlier one.
    public func after(_ earlier: WorldCorrection) -> WorldCorrection {
        WorldCorrection(worldFromOldWorld: worldFromOldWorld * earlier.worldFromOldWorld)
    }
}
