// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import CFeatures
import Foundation

/// Targets with all that is needed to recognise them, as they lie in a file: opening one reads no more than is used.
///
/// The file's format is described on the page Image targets.
public struct TargetDatabase: Sendable {
    let storage: TargetStorage

    /// Makes a database of pictures.
    ///
    /// Throws ``TargetDatabaseError`` where a picture cannot become a target.
    /// - Parameter progress: called after each picture with how many are done.
    public init(
        building references: [ReferenceImage], progress: (_ done: Int) -> Void = { _ in }
    ) throws(TargetDatabaseError) {
        let space = ScaleSpace()
        var parts: [TargetParts] = []
        for reference in references {
            parts.append(try TargetParts(reference, space: space))
            progress(parts.count)
        }
        try self.init(parts)
    }

    /// Opens a database; its bytes are mapped, not read.
    public init(opening file: URL) throws(TargetDatabaseError) {
        storage = try TargetStorage(mapping: file)
    }

    init(_ parts: [TargetParts]) throws(TargetDatabaseError) {
        storage = try TargetStorage(Data(TargetAssembly.bytes(of: parts)), file: "memory")
    }

    /// Writes the database: the same references, the same bytes.
    public func write(to file: URL) throws(FileError) {
        let output = try AtomicFile(replacing: file)
        try output.write(storage.bytes)
        try output.commit()
    }

    /// The targets, in the order of their references. Each is read when it is asked for.
    public var targets: TargetList { TargetList(storage: storage) }

    /// The reference picture of a target, grey, its longer side 128 pixels: what the print is aligned with.
    public func template(at index: Int) -> ImageBuffer { storage.template(at: index) }

    /// The database with one more target.
    func adding(_ reference: ReferenceImage) throws(TargetDatabaseError) -> TargetDatabase {
        if targets.contains(where: { $0.name == reference.name }) { throw .nameTaken(name: reference.name) }
        return try TargetDatabase(storage.parts + [TargetParts(reference, space: ScaleSpace())])
    }
}

/// The targets of a database.
public struct TargetList: RandomAccessCollection, Sendable {
    let storage: TargetStorage

    public var startIndex: Int { 0 }
    public var endIndex: Int { storage.targetCount }

    public subscript(position: Int) -> ImageTarget { storage.target(at: position) }
}
