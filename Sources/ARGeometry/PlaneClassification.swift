// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// What a flat surface is, in ARKit's words.
public enum PlaneClassification: String, Hashable, Sendable, CaseIterable {
    /// Unknown.
    case none
    /// A wall.
    case wall
    /// The floor.
    case floor
    /// The ceiling.
    case ceiling
    /// A table or a desk.
    case table
    /// Something to sit on.
    case seat
    /// A window.
    case window
    /// A door.
    case door
}
