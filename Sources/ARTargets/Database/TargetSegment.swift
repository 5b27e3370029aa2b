// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Targets with an index of their own: a part of a database.
struct TargetSegment: Sendable {
    /// All targets that were put together, those that were removed being in no index.
    private(set) var storage: TargetStorage
    /// The numbers in the storage of the targets that were not removed, ascending; `nil` where none was.
    private var kept: [Int]?

    init(_ storage: TargetStorage) { self.storage = storage }

    /// A segment in memory.
    init(_ parts: [TargetParts]) throws(TargetDatabaseError) {
        storage = try TargetStorage(TargetAssembly.bytes(of: parts), file: "memory")
    }

    var count: Int { kept?.count ?? storage.targetCount }

    /// The number in the storage of the target at a position.
    func target(at position: Int) -> Int { kept?[position] ?? position }

    /// The position of the target of a number, or where it would be.
    func position(of target: Int) -> Int { kept?.partition(before: target) ?? target }

    func contains(_ target: Int) -> Bool {
        guard let kept else { return true }
        let position = position(of: target)
        return position < kept.count && kept[position] == target
    }

    /// The number in the storage of the target of a name.
    func target(named name: String) -> Int? { storage.numbers[name].flatMap { contains($0) ? $0 : nil } }

    /// The segment without a target that it contains. The next picture costs a copy of the features. When more targets are
    /// gone than are left they are put together anew, so that what is gone takes no more room than what is there.
    func removing(_ target: Int) -> TargetSegment {
        var rest = self
        rest.kept = (kept ?? Array(0..<storage.targetCount)).filter { $0 != target }
        if 2 * rest.count < storage.targetCount, let anew = try? TargetSegment(rest.parts) { return anew }
        rest.storage = TargetStorage(storage, isShown: (0..<storage.targetCount).map(rest.contains))
        return rest
    }

    /// The targets as they were before they were put together.
    var parts: [TargetParts] {
        guard let kept else { return storage.parts }
        let all = storage.parts
        return kept.map { all[$0] }
    }
}

extension [Int] {
    /// How many numbers of an ascending list are less.
    fileprivate func partition(before number: Int) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = self[middle] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
