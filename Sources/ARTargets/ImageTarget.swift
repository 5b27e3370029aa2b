// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

/// What a database holds of a target.
public struct ImageTarget: Hashable, Sendable {
    /// By this name the target is known in its database.
    public var name: String
    /// Width and height of the print in metres; `nil` where its width is unknown.
    public var physicalSize: Vector2?
    /// Columns and rows of the reference picture.
    public var pictureSize: ImageSize
    /// What belongs to the target.
    public var record: [String: JSONValue]
    /// How many features its pictures can be recognised by.
    public var featureCount: Int
}

/// A target among those of all active databases.
public struct TargetIdentity: Hashable, Sendable {
    /// The name under which its database was activated.
    public var database: String
    /// The target's name in it.
    public var name: String

    public init(database: String, name: String) {
        self.database = database
        self.name = name
    }
}
