// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension TargetDatabase {
    /// The database with one more target.
    func adding(_ reference: ReferenceImage) throws(TargetDatabaseError) -> TargetDatabase {
        if targets.index(named: reference.name) != nil { throw .nameTaken(name: reference.name) }
        return try adding(TargetParts(reference, space: ScaleSpace()))
    }

    /// The database with one more target, of a name that is free.
    ///
    /// What was opened from a file is left as it is. Added targets make segments of their own, of fewer than 16, 256, 4096 …
    /// targets and no two of one size class, so that of n added ones there are no more than 1 + log₁₆ n to look through; one
    /// that is full goes into the next (Bentley and Saxe 1980, "Decomposable searching problems"). Each target is put together
    /// at most sixteen times for each size class: amortised, adding one costs O(log n). The worst costs O(n): now and then
    /// nearly all n are put together at once, m or more with one addition in m / 16 at most (`addingIsAmortised`).
    func adding(_ target: TargetParts) throws(TargetDatabaseError) -> TargetDatabase {
        var rest = segments
        var added = [target]
        var capacity = Self.growth
        while let last = rest.last, !last.storage.isMapped, last.count < capacity {
            added = last.parts + added
            rest.removeLast()
            while added.count >= capacity { capacity *= Self.growth }
        }
        return TargetDatabase(segments: rest + [try TargetSegment(added)])
    }

    /// How many times as many targets as in a size class there are in the next.
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
