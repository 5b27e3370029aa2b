// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How a target that was recognised is known at a frame: Vuforia's states of a trackable.
public enum TargetStatus: String, Hashable, Sendable, CaseIterable {
    /// The frame shows it, and the one before did not.
    case detected
    /// The frame shows it, as the one before did.
    case tracked
    /// The frame does not show it; where it is, is known from where it was in the world.
    case extendedTracked = "extended-tracked"
    /// The frame does not show it, and nothing tells where it is: Vuforia's `NO_POSE`.
    case lost

    /// Whether the frame shows it: ARKit's `isTracked`.
    public var isTracked: Bool { self == .detected || self == .tracked }
}
