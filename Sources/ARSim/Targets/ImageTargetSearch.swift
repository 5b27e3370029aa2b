// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARTargets

/// Which image targets a session looks for: ARKit's `detectionImages` with `maximumNumberOfTrackedImages` and
/// `automaticImageScaleEstimationEnabled`.
public struct ImageTargetSearch: Sendable {
    /// The databases, each under the name by which its targets are known.
    public var databases: [(name: String, database: TargetDatabase)]
    /// How many things are shown at most at one time.
    public var maximumCount: Int
    /// Every how many frames is searched. Through those between, what was found is followed.
    public var interval: Int
    /// Whether the size of prints is measured although it is stated: it may be wrong. A size that is not stated always is.
    public var estimatesScale: Bool

    /// A search in these databases.
    public init(
        databases: [(name: String, database: TargetDatabase)], maximumCount: Int = 20, interval: Int = 1,
        estimatesScale: Bool = false
    ) {
        precondition(maximumCount >= 1, "at least one target is shown, not \(maximumCount)")
        precondition(interval >= 1, "every frame is searched, or every n-th, not every \(interval)th")
        self.databases = databases
        self.maximumCount = maximumCount
        self.interval = interval
        self.estimatesScale = estimatesScale
    }

    /// What a database holds of a target; `nil` where none of that name holds it.
    public func target(_ identity: TargetIdentity) -> ImageTarget? {
        guard let targets = databases.first(where: { $0.name == identity.database })?.database.targets else {
            return nil
        }
        return targets.index(named: identity.name).map { targets[$0] }
    }
}

/// Searches are equal where they look for the same targets in the same way.
extension ImageTargetSearch: Hashable {
    public static func == (a: ImageTargetSearch, b: ImageTargetSearch) -> Bool {
        a.databases.elementsEqual(b.databases) {
            $0.name == $1.name && $0.database.targets.elementsEqual($1.database.targets)
        }
            && (a.maximumCount, a.interval) == (b.maximumCount, b.interval) && a.estimatesScale == b.estimatesScale
    }

    public func hash(into hasher: inout Hasher) {
        for entry in databases { hasher.combine(entry.name) }
        hasher.combine(maximumCount)
        hasher.combine(interval)
    }
}
