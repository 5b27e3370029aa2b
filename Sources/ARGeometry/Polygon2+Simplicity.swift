// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension Polygon2 {
    /// Whether the outline neither crosses nor touches itself: at least three corners, no two in the same place, no
    /// corner on an edge of others. Flat corners are allowed. Exact.
    ///
    /// - Complexity: see ``DisjointRings``.
    public var isSimple: Bool { Self.areSimpleAndDisjoint([self]) }

    /// Whether all rings have three corners or more and none crosses or touches itself or another one. Exact.
    public static func areSimpleAndDisjoint(_ rings: [Polygon2]) -> Bool { DisjointRings(rings) != nil }
}
