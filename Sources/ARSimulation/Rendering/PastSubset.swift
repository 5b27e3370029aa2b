// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CRaycast

/// What is collected for each of the subsets past which the sun may be seen: what moves, on rectangles, whose light maps
/// know the rest, and all there is, on meshes.
struct PastSubset<Element> {
    private var moving: [Element] = []
    private var all: [Element] = []

    static var subsets: [CRaycastSubset] { [CRAYCAST_MOVING, CRAYCAST_ALL] }

    subscript(subset: CRaycastSubset) -> [Element] { subset == CRAYCAST_MOVING ? moving : all }

    mutating func append(_ element: Element, past subset: CRaycastSubset) {
        if subset == CRAYCAST_MOVING { moving.append(element) } else { all.append(element) }
    }

    mutating func removeAll() {
        moving.removeAll(keepingCapacity: true)
        all.removeAll(keepingCapacity: true)
    }
}
