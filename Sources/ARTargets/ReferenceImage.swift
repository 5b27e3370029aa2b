// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// What a user gives of a target: the picture as it is printed, its name, and what belongs to it.
public struct ReferenceImage: Hashable, Sendable {
    /// By this name the target is known; unique within its database.
    public var name: String
    /// The print seen straight on, without a margin around it.
    public var picture: ImageBuffer
    /// How wide the print is, in metres. `nil` where nobody knows: then the target has no pose of its own.
    public var physicalWidth: Double?
    /// What belongs to the target, for the program that recognises it.
    public var record: [String: JSONValue]

    public init(
        name: String, picture: ImageBuffer, physicalWidth: Double? = nil, record: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.picture = picture
        self.physicalWidth = physicalWidth
        self.record = record
    }
}
