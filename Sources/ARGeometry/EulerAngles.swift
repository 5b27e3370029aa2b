// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A rotation as three turns about the axes, in radians, as ARKit applies them: roll, then pitch, then yaw, each about
/// a fixed axis. R = R_y(yaw) · R_x(pitch) · R_z(roll).
///
/// The order of the fields is that of ARKit's `eulerAngles` vector: x, y, z. A level camera that looks along −Z has
/// three zeros; yaw turns it to the left, pitch raises it, roll tilts its head to the left.
public struct EulerAngles: Hashable, Sendable {
    /// The turn about x.
    public var pitch: Double
    /// The turn about y.
    public var yaw: Double
    /// The turn about z.
    public var roll: Double

    /// The three turns, in radians.
    @inlinable public init(pitch: Double, yaw: Double, roll: Double) {
        self.pitch = pitch
        self.yaw = yaw
        self.roll = roll
    }
}
