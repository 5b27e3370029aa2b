// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CRaycast

/// Which meshes may be seen somewhere, so that rays are cast at them.
struct MeshTargets: OptionSet {
    let rawValue: UInt8

    static let fixed = MeshTargets(rawValue: 1)
    static let moving = MeshTargets(rawValue: 2)

    /// What the ray caster calls them; `nil` for none.
    var subset: CRaycastSubset? {
        switch self {
        case []: nil
        case .fixed: CRAYCAST_FIXED_MESHES
        case .moving: CRAYCAST_MOVING
        default: CRAYCAST_MESHES
        }
    }

    /// All subsets that there may be.
    static let subsets = [CRAYCAST_FIXED_MESHES, CRAYCAST_MOVING, CRAYCAST_MESHES]
}

extension MeshTargets {
    /// A surface among them; none for a rectangle.
    init(_ surface: RenderSurface) {
        self =
            switch surface {
            case .rectangle: []
            case .mesh(_, placement: .fixed): .fixed
            case .mesh: .moving
            }
    }
}
