// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// Where a recipe's poses come from, and what they say.
struct PoseRecipe: Sendable {
    /// What a row's rotation and translation are: coordinates in the second frame become coordinates in the first.
    enum Meaning: String, CaseIterable, Sendable {
        case worldFromImu = "world_from_imu"
        case worldFromCamera = "world_from_camera"
        case worldFromOptical = "world_from_optical"
        case imuFromWorld = "imu_from_world"
        case cameraFromWorld = "camera_from_world"
        case opticalFromWorld = "optical_from_world"

        var isFromWorld: Bool { self == .imuFromWorld || self == .cameraFromWorld || self == .opticalFromWorld }
    }

    let table: RecipeTable
    let meaning: Meaning
    /// The file's world to ours.
    let worldFromFileWorld: RigidTransform
    /// Poses are not interpolated across longer gaps, in nanoseconds.
    let longestGap: Int64
    private let rotationColumns: [String]
    /// The largest values of columns that rate a pose, by the columns' names in the recipe.
    private let limits: [(column: String, largest: Double)]

    private static let translationColumns = ["tx", "ty", "tz"]

    init(_ node: DocumentNode) throws(RecordingError) {
        let ownKeys = ["gives", "world_axes", "longest_gap_ns", "at_most"]
        (table, meaning, longestGap) = try reading { () throws(DocumentError) in
            (
                try RecipeTable(node, needed: Self.translationColumns, extraKeys: ownKeys),
                try node.required("gives").choice(of: Meaning.self), try node.value("longest_gap_ns")?.int64() ?? 0
            )
        }
        limits = try Self.limits(node, of: table)
        rotationColumns = table.has("rx") ? ["rx", "ry", "rz"] : ["qx", "qy", "qz", "qw"]
        for column in rotationColumns where !table.has(column) {
            throw node.broken(
                .recipe, found: "no column \"\(column)\"",
                expected: "the columns qx, qy, qz, qw of a quaternion or rx, ry, rz of a rotation vector")
        }
        guard table.has("time") != table.has("frame") else {
            throw node.broken(
                .recipe, found: "no way to match poses with frames", expected: "a column \"time\" or a column \"frame\""
            )
        }
        let axes = try reading { () throws(DocumentError) in try node.required("world_axes") }
        worldFromFileWorld = try RigidTransform(axes: axes)
    }

    private static func limits(
        _ node: DocumentNode, of table: RecipeTable
    ) throws(RecordingError) -> [(column: String, largest: Double)] {
        try reading { () throws(DocumentError) in
            var limits: [(column: String, largest: Double)] = []
            for (column, value) in try node.value("at_most")?.entries() ?? [] {
                guard table.has(column) else { throw value.error(expected: "the limit of a column that is named") }
                limits.append((column, try value.double()))
            }
            return limits
        }
    }

    /// Whether a row has a pose, and one that is good enough.
    func holdsPose(_ row: RecipeRow) throws(RecordingError) -> Bool {
        guard !row.isEmpty(Self.translationColumns + rotationColumns) else { return false }
        for (column, largest) in limits {
            guard try row.numbers([column])[0] <= largest else { return false }
        }
        return true
    }

    /// The IMU's pose in our world, from a row.
    func worldFromImu(_ row: RecipeRow, rig: SensorRig) throws(RecordingError) -> RigidTransform {
        let t = try row.numbers(Self.translationColumns)
        let r = try row.numbers(rotationColumns)
        let rotation =
            r.count == 3
            ? Rotation(rotationVector: Vector3(r[0], r[1], r[2]))
            : try row.fields.rotation(x: r[0], y: r[1], z: r[2], w: r[3])
        let given = RigidTransform(rotation: rotation, translation: Vector3(t[0], t[1], t[2]))
        let fileWorldFromBody = meaning.isFromWorld ? given.inverse : given
        return worldFromFileWorld * fileWorldFromBody * bodyFromImu(rig)
    }

    private func bodyFromImu(_ rig: SensorRig) -> RigidTransform {
        switch meaning {
        case .worldFromImu, .imuFromWorld: .identity
        case .worldFromCamera, .cameraFromWorld: rig.camera.imuFromCamera.inverse
        case .worldFromOptical, .opticalFromWorld: rig.camera.imuFromOptical.inverse
        }
    }
}

extension RigidTransform {
    /// The turn of axes that a recipe's `world_axes` names: for each axis of our world (+Y up) an axis of the file's,
    /// for example `[x, z, -y]` for a world whose z is up.
    fileprivate init(axes node: DocumentNode) throws(RecordingError) {
        let directions: [String: Vector3] = [
            "x": Vector3(1, 0, 0), "-x": Vector3(-1, 0, 0), "y": Vector3(0, 1, 0), "-y": Vector3(0, -1, 0),
            "z": Vector3(0, 0, 1), "-z": Vector3(0, 0, -1),
        ]
        let names = try reading { () throws(DocumentError) in
            var names: [String] = []
            for item in try node.items(count: 3) { names.append(try item.string()) }
            return names
        }
        let rows = names.compactMap { directions[$0] }
        guard rows.count == 3, let rotation = Rotation(Matrix3x3(rows[0], rows[1], rows[2]).transpose) else {
            throw node.broken(
                .recipe, found: "the axes " + names.joined(separator: ", "),
                expected: "three of x, y, z, -x, -y, -z that form a right-handed system")
        }
        self.init(rotation: rotation)
    }
}
