// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Recognises targets in pictures.
public struct TargetRecognizer: Sendable {
    /// A recogniser without targets.
    public init() {}

    /// The names of the active databases, in the order in which they were activated.
    public private(set) var activeDatabases: [String] = []

    /// Makes a database's targets recognisable, under a name that no active database has.
    public mutating func activate(_ database: TargetDatabase, as name: String) {}

    /// Forgets an active database.
    public mutating func deactivate(_ name: String) {}

    /// Adds one target; it belongs to the database of that name, which begins with its first target.
    public mutating func add(_ reference: ReferenceImage, to name: String = "added") throws(TargetDatabaseError) {}

    /// The targets in a picture, the surest first. Each may be seen in several places.
    ///
    /// - Parameter camera: the camera that took the picture, for poses.
    public mutating func recognize(in picture: ImageBuffer, camera: Camera?) -> [TargetSighting] { [] }
}
