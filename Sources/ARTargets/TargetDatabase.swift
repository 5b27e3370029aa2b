// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// Targets with all that is needed to recognise them, as they lie in a file: opening one reads no more than is used.
public struct TargetDatabase: Sendable {
    /// Makes a database of pictures.
    ///
    /// - Parameter progress: called after each picture with how many are done.
    /// Throws ``TargetDatabaseError`` where a picture cannot become a target.
    public init(
        building references: [ReferenceImage], progress: (_ done: Int) -> Void = { _ in }
    ) throws(TargetDatabaseError) {
        targets = []
    }

    /// Opens a database; its bytes are mapped, not read.
    public init(opening file: URL) throws(TargetDatabaseError) {
        targets = []
    }

    /// Writes the database: the same references, the same bytes.
    public func write(to file: URL) throws(FileError) {}

    /// The targets, in the order of their references.
    public var targets: [ImageTarget]

    /// The reference picture of a target, grey, its longer side 128 pixels at most.
    public func template(at index: Int) -> ImageBuffer {
        ImageBuffer(size: ImageSize(width: 1, height: 1), format: .gray8)
    }
}
