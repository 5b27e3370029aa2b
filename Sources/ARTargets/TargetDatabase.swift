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
    /// What it was opened or built as, and what was added since.
    let segments: [TargetSegment]

    /// Makes a database of pictures in memory. ``TargetDatabaseBuilder`` writes one of more than there is room for.
    ///
    /// Throws ``TargetDatabaseError`` where a picture cannot become a target.
    /// - Parameter progress: called after each picture with how many are done.
    public init(
        building references: [ReferenceImage], progress: (_ done: Int) -> Void = { _ in }
    ) throws(TargetDatabaseError) {
        let space = ScaleSpace()
        var names: Set<String> = []
        var parts: [TargetParts] = []
        for reference in references {
            guard names.insert(reference.name).inserted else { throw .nameTaken(name: reference.name) }
            parts.append(try TargetParts(reference, space: space))
            progress(parts.count)
        }
        self.init(segments: [try TargetSegment(parts)])
    }

    /// Opens a database; its bytes are mapped, not read.
    ///
    /// - Parameter isVerified: whether all of its features are read and checked, too: their order, and whose they are. Pixels and
    ///   colours of templates are never checked. Without that, what is damaged among them harms nothing, but may not be recognised.
    public init(opening file: URL, isVerified: Bool = false) throws(TargetDatabaseError) {
        let storage = try TargetStorage(mapping: file)
        if isVerified { try storage.verify(file: file.path) }
        segments = [TargetSegment(storage)]
    }

    init(segments: [TargetSegment]) { self.segments = segments }

    /// Writes the database as one: the same references, the same bytes.
    public func write(to file: URL) throws(FileError) {
        let bytes: Data
        do { bytes = try self.bytes } catch { throw .cannotWrite(file: file.path, reason: "\(error)") }
        let output = try AtomicFile(replacing: file)
        try output.write(bytes)
        try output.commit()
    }

    private var bytes: Data {
        get throws(TargetDatabaseError) {
            if segments.count == 1, segments[0].count == segments[0].storage.targetCount {
                return segments[0].storage.bytes
            }
            return try TargetAssembly.bytes(of: segments.flatMap(\.parts))
        }
    }

    /// The targets, in the order of their references, what was added last. Each is read when it is asked for.
    public var targets: TargetList { TargetList(segments: segments) }

    /// The reference picture of a target, grey, its longer side 128 pixels: what the print is aligned with.
    public func template(at index: Int) -> ImageBuffer {
        let (storage, target) = targets.place(of: index)
        return storage.template(at: target)
    }

    /// The names of targets that no picture shows as surely as their name asks: they have hardly more straight edges and corners
    /// than any four-sided figure (``TargetScore/markCount``). Reads all templates.
    ///
    /// Law: `PrintMarkTests.poorPrintsHaveNoName`.
    public var neverNamed: [String] {
        targets.indices.filter { index in
            let (storage, target) = targets.place(of: index)
            return storage.withTemplate(at: target) { $0.markCount } < PrintMarks.least
        }.map { targets.name(at: $0) }
    }
}

/// The targets of a database.
public struct TargetList: RandomAccessCollection, Sendable {
    let segments: [TargetSegment]

    public var startIndex: Int { 0 }
    public var endIndex: Int { segments.reduce(0) { $0 + $1.count } }

    public subscript(position: Int) -> ImageTarget {
        let (storage, target) = place(of: position)
        return storage.target(at: target)
    }

    /// The name of the target at that place; its record is not read.
    public func name(at position: Int) -> String {
        let (storage, target) = place(of: position)
        return storage.entries[target].name
    }

    /// The place of the target of that name; `nil` where there is none.
    public func index(named name: String) -> Int? {
        var start = 0
        for segment in segments {
            if let target = segment.target(named: name) { return start + segment.position(of: target) }
            start += segment.count
        }
        return nil
    }

    /// Where a target is stored.
    func place(of position: Int) -> (storage: TargetStorage, target: Int) {
        var rest = position
        for segment in segments {
            if rest < segment.count { return (segment.storage, segment.target(at: rest)) }
            rest -= segment.count
        }
        preconditionFailure("there are \(count) targets, none is number \(position)")
    }
}
