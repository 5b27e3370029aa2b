// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARTruth

extension Scene {
    /// Checks that names are unique where they must be, and that what is named exists.
    func checkNames(files: SceneFiles, positions: ScenePositions) throws(SceneError) {
        try Self.checkUnique(materials.indices.map { ("materials[\($0)].name", [materials[$0].name]) }, positions)
        try Self.checkUnique(thingNames, positions)
        let scanned = files.declaredPlanes(of: self).map(\.name)
        try Self.checkUnique(
            [("scans", scanned)] + planes.indices.map { ("planes[\($0)].name", [planes[$0].name]) }, positions)
        let materialNames = materials.map(\.name)
        for (path, name) in materialUses {
            try Self.check(path, name, among: materialNames, positions)
        }
        for (index, plane) in planes.enumerated() {
            try Self.check(
                "planes[\(index)].surface", plane.surface, among: flatSurfaces.map(\.name), positions)
        }
        if let finger { try Self.check("finger.plane", finger.plane, among: planes.map(\.name) + scanned, positions) }
    }

    /// The names of all things that can be seen, each with the path where it is given; a room gives several.
    private var thingNames: [(path: String, names: [String])] {
        func names<Part>(_ list: String, _ parts: [Part], _ name: KeyPath<Part, String>) -> [(String, [String])] {
            parts.enumerated().map { ("\(list)[\($0)].name", [$1[keyPath: name]]) }
        }
        let rooms = rooms.enumerated().map { ("rooms[\($0)].name", [$1.name] + $1.quads.map(\.name)) }
        let decks = decks.enumerated().map { ("decks[\($0)].name", $1.prints.map(\.name)) }
        return names("quads", quads, \.name) + names("boxes", boxes, \.name) + rooms
            + names("cylinders", cylinders, \.name) + names("spheres", spheres, \.name)
            + names("meshes", meshes, \.name) + names("prints", prints, \.name) + decks
            + names("flags", flags, \.name)
            + names("heads", heads, \.name) + names("scans", scans, \.name)
    }

    /// Where materials are named.
    private var materialUses: [(path: String, name: String)] {
        func uses<Part>(_ list: String, _ parts: [Part], _ key: String, _ name: KeyPath<Part, String>) -> [(
            String, String
        )] {
            parts.enumerated().map { ("\(list)[\($0)].\(key)", $1[keyPath: name]) }
        }
        return uses("quads", quads, "material", \.material) + uses("boxes", boxes, "material", \.material)
            + uses("rooms", rooms, "floor", \.floor) + uses("rooms", rooms, "walls", \.walls)
            + uses("rooms", rooms, "ceiling", \.ceiling).filter { !$0.1.isEmpty }
            + uses("cylinders", cylinders, "material", \.material) + uses("spheres", spheres, "material", \.material)
            + uses("meshes", meshes, "material", \.material) + uses("prints", prints, "material", \.material)
            + uses("flags", flags, "material", \.material) + uses("heads", heads, "material", \.material)
    }

    private static func checkUnique(
        _ entries: [(path: String, names: [String])], _ positions: ScenePositions
    ) throws(SceneError) {
        var seen: Set<String> = []
        for (path, names) in entries {
            for name in names where !seen.insert(name).inserted {
                throw .duplicateName(key: "name", name: name, at: positions[path])
            }
        }
    }

    private static func check(
        _ path: String, _ name: String, among known: [String], _ positions: ScenePositions
    ) throws(SceneError) {
        let key = String(path.split(separator: ".").last ?? "")
        guard known.contains(name) else {
            throw .unknownName(key: key, found: name, known: known, at: positions[path])
        }
    }
}
