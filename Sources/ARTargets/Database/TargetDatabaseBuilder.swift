// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import Foundation

/// Writes a database of any number of targets, of which only one at a time is in memory.
///
/// ```swift
/// var builder = try TargetDatabaseBuilder(file: file)
/// for entry in list.entries { try builder.add(entry.reference()) }
/// try builder.finish()
/// ```
///
/// What was added waits on the disk, in files without a name in the database's folder, which needs room for the database
/// twice. The file has the bytes that ``TargetDatabase/init(building:progress:)`` and ``TargetDatabase/write(to:)`` give for
/// the same references (`TargetDatabaseTests.buildersWriteTheSameBytes`).
public struct TargetDatabaseBuilder {
    private let output: AtomicFile
    private var assembly: TargetAssembly<ByteFile>
    private let space = ScaleSpace()

    /// A builder without targets; the file appears when it is finished.
    public init(file: URL) throws(FileError) {
        let folder = file.deletingLastPathComponent()
        output = try AtomicFile(replacing: file)
        assembly = TargetAssembly(templates: try ByteFile(in: folder), postings: try ByteFile(in: folder))
    }

    /// How many targets were added.
    public var targetCount: Int { assembly.targetCount }

    /// Adds a target. Throws ``TargetDatabaseError`` where the picture cannot become one, and then holds what it held before;
    /// throws `FileError` where the disk is full.
    public mutating func add(_ reference: ReferenceImage) throws {
        guard assembly.isFree(reference.name) else { throw TargetDatabaseError.nameTaken(name: reference.name) }
        try assembly.append(try TargetParts(reference, space: space))
    }

    /// Writes the file, in place of what had its name.
    public consuming func finish() throws(FileError) {
        let output = output
        try assembly.write { (bytes) throws(FileError) in try output.write(bytes) }
        try output.commit()
    }
}
