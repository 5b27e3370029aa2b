// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import Foundation

/// Writes a database of more targets than there is memory for.
///
/// ```swift
/// var builder = try TargetDatabaseBuilder(file: file)
/// for entry in list.entries { try builder.add(entry.reference()) }
/// try builder.finish()
/// ```
///
/// Pictures, templates and features are in memory one target at a time: what was added waits on the disk, in files without a
/// name in the database's folder, which needs room for the database twice. Names, records and 64 bytes a target are held, and
/// while the file is written 8 bytes more for each feature. The file has the bytes that ``TargetDatabase/init(building:progress:)`` and ``TargetDatabase/write(to:)`` give for
/// the same references (`TargetDatabaseTests.buildersWriteTheSameBytes`).
public struct TargetDatabaseBuilder: ~Copyable {
    private let output: AtomicFile
    private var assembly: TargetAssembly<ByteFile>
    private let space = ScaleSpace()

    /// A builder without targets; the file appears when it is finished.
    public init(file: URL) throws(FileError) {
        let folder = file.deletingLastPathComponent()
        let (templates, postings) = (try ByteFile(in: folder), try ByteFile(in: folder))
        output = try AtomicFile(replacing: file)
        assembly = TargetAssembly(templates: templates, postings: postings)
    }

    /// How many targets were added.
    public var targetCount: Int { assembly.targetCount }

    /// Adds a target. Throws ``TargetDatabaseError`` where the picture cannot become one, and `FileError` where the disk
    /// is full; the builder then holds what it held before, and may go on.
    public mutating func add(_ reference: ReferenceImage) throws {
        guard assembly.isFree(reference.name) else { throw TargetDatabaseError.nameTaken(name: reference.name) }
        let target = try TargetParts(reference, space: space)
        try assembly.checkRoom(for: target)
        try assembly.append(target)
    }

    /// Writes the file, in place of what had its name; where that fails, what had the name is left.
    public consuming func finish() throws(FileError) {
        let output = output
        try assembly.write { (bytes) throws(FileError) in try output.write(bytes) }
        try output.commit()
    }
}
