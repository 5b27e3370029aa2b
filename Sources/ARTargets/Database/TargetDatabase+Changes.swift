// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension TargetDatabase {
    /// The database with one more target.
    func adding(_ reference: ReferenceImage) throws(TargetDatabaseError) -> TargetDatabase {
        if targets.index(named: reference.name) != nil { throw .nameTaken(name: reference.name) }
        return adding(try TargetParts(reference, space: ScaleSpace()))
    }

    /// The database with one more target, of a name that is free.
    ///
    /// What was opened from a file is left as it is. Added targets make segments of their own, each at least sixteen times as
    /// large as the one behind it: a target is put together anew at most sixteen times for each of them, and of n added ones
    /// there are no more than log₁₆ n segments to look through (Bentley and Saxe 1980, "Decomposable searching problems").
    func adding(_ target: TargetParts) -> TargetDatabase {
        var rest = segments
        var added = [target]
        while let last = rest.last, !last.storage.isMapped, last.count < Self.growth * added.count {
            added = last.parts + added
            rest.removeLast()
        }
        return TargetDatabase(segments: rest + [TargetSegment(added)])
    }

    /// How many times as large as the next segment one is at least.
    private static let growth = 16

    /// The database without a target; `nil` where it has none of that name.
    func removing(_ name: String) -> TargetDatabase? {
        for (index, segment) in segments.enumerated() {
            guard let target = segment.target(named: name) else { continue }
            var changed = segments
            changed[index] = segment.removing(target)
            if changed.count > 1, changed[index].count == 0 { changed.remove(at: index) }
            return TargetDatabase(segments: changed)
        }
        return nil
    }
}
