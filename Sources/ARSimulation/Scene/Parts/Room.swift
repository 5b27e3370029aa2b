// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// An empty room: floor, walls and, where it has one, a ceiling, all seen from inside.
    ///
    /// It stands for quads whose names begin with the room's: `room.floor`, `room.ceiling`, and the walls by the compass,
    /// −Z being north: `room.north`, `room.south`, `room.east`, `room.west`.
    public struct Room: Hashable, Sendable {
        /// The room's name.
        public var name = ""
        /// The middle of its floor.
        public var position = Point3.zero
        /// How far it is turned about +Y.
        public var turnRadians = 0.0
        /// Its width, height and depth, along its own x, y and z.
        public var size = Vector3(4, 2.5, 4)
        /// The floor's material.
        public var floor = ""
        /// The walls' material.
        public var walls = ""
        /// The ceiling's material; empty for a room that is open above.
        public var ceiling = ""

        /// A room without materials.
        public init() {}
    }
}

extension Scene.Room: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.triple("position_m", &position, in: SceneRange.anywhere, isRequired: false)
        try fields.number("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
        try fields.triple("size_m", &size, in: SceneRange.lengths)
        try fields.text("floor", &floor)
        try fields.text("walls", &walls)
        try fields.optionalText("ceiling", &ceiling)
    }
}

extension Scene.Room {
    /// The quads for which the room stands.
    var quads: [Scene.Quad] {
        let worldFromRoom = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, turnRadians, 0)), translation: position)
        let (half, height) = (size / 2, size.y)
        func quad(_ side: String, _ center: Vector3, facing: Vector3, _ extent: Vector2, _ material: String)
            -> Scene.Quad
        {
            var quad = Scene.Quad()
            quad.name = "\(name).\(side)"
            quad.center = worldFromRoom * center
            quad.facing = worldFromRoom.rotation * facing
            quad.turnRadians = facing.y > 0 ? turnRadians : facing.y < 0 ? -turnRadians : 0
            quad.size = extent
            quad.material = material
            return quad
        }
        let ground = Vector2(size.x, size.z)
        let lowered = [
            quad("floor", .zero, facing: Vector3(0, 1, 0), ground, floor),
            quad("north", Vector3(0, height / 2, -half.z), facing: Vector3(0, 0, 1), Vector2(size.x, height), walls),
            quad("south", Vector3(0, height / 2, half.z), facing: Vector3(0, 0, -1), Vector2(size.x, height), walls),
            quad("east", Vector3(half.x, height / 2, 0), facing: Vector3(-1, 0, 0), Vector2(size.z, height), walls),
            quad("west", Vector3(-half.x, height / 2, 0), facing: Vector3(1, 0, 0), Vector2(size.z, height), walls),
        ]
        guard !ceiling.isEmpty else { return lowered }
        return lowered + [quad("ceiling", Vector3(0, height, 0), facing: Vector3(0, -1, 0), ground, ceiling)]
    }
}
