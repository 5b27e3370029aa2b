// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth

// The values of `truth.jsonl` and `truth.json`: how they are read, beside how they are written.

extension FrameTruth {
    /// Reads a row of `truth.jsonl`.
    init(_ node: DocumentNode) throws(DocumentError) {
        self.init(
            timestamp: Timestamp(nanoseconds: try node.required("t_ns").int64()),
            worldFromCamera: try RigidTransform(node.required("world_from_camera")))
        if let value = try node.value("inertia") { inertia = try InertiaTruth(value) }
        if let value = try node.value("fingertip") { fingertip = try FingertipTruth(value) }
        for item in try node.value("planes")?.items() ?? [] { planes.append(try PlaneTruth(item)) }
        for item in try node.value("targets")?.items() ?? [] { targets.append(try ImageTargetTruth(item)) }
        for item in try node.value("rectangles")?.items() ?? [] { rectangles.append(try RectangleTruth(item)) }
        for item in try node.value("codes")?.items() ?? [] { codes.append(try CodeTruth(item)) }
        for item in try node.value("faces")?.items() ?? [] { faces.append(try FaceTruth(item)) }
    }

    /// The row of `truth.jsonl`; what the session does not have is left out.
    var json: JSONValue {
        var entries: [String: JSONValue] = [
            "t_ns": .integer(timestamp.nanoseconds), "world_from_camera": worldFromCamera.json,
        ]
        if let inertia { entries["inertia"] = inertia.json }
        if let fingertip { entries["fingertip"] = fingertip.json }
        if !planes.isEmpty { entries["planes"] = .list(planes.map(\.json)) }
        if !targets.isEmpty { entries["targets"] = .list(targets.map(\.json)) }
        if !rectangles.isEmpty { entries["rectangles"] = .list(rectangles.map(\.json)) }
        if !codes.isEmpty { entries["codes"] = .list(codes.map(\.json)) }
        if !faces.isEmpty { entries["faces"] = .list(faces.map(\.json)) }
        return .record(entries)
    }
}

extension InertiaTruth {
    init(_ node: DocumentNode) throws(DocumentError) {
        self.init(
            velocityInWorld: try Vector3(node.required("velocity_in_world_m_per_s")),
            angularVelocityInImu: try Vector3(node.required("angular_velocity_in_imu_rad_per_s")),
            gyroscopeBias: try Vector3(node.required("gyroscope_bias_rad_per_s")),
            accelerometerBias: try Vector3(node.required("accelerometer_bias_m_per_s2")))
    }

    var json: JSONValue {
        .record([
            "velocity_in_world_m_per_s": velocityInWorld.json,
            "angular_velocity_in_imu_rad_per_s": angularVelocityInImu.json,
            "gyroscope_bias_rad_per_s": gyroscopeBias.json, "accelerometer_bias_m_per_s2": accelerometerBias.json,
        ])
    }
}

extension FingertipTruth {
    init(_ node: DocumentNode) throws(DocumentError) {
        self.init(
            positionInWorld: try Point3(node.required("position_in_world_m")),
            pixel: try node.value("pixel").map { value throws(DocumentError) in try PixelPoint(value) },
            isVisible: try node.required("visible").bool(), isPenDown: try node.required("pen_down").bool(),
            stroke: try node.value("stroke").map { value throws(DocumentError) in Int(try value.int64()) })
    }

    var json: JSONValue {
        var entries: [String: JSONValue] = [
            "position_in_world_m": positionInWorld.json, "visible": .bool(isVisible), "pen_down": .bool(isPenDown),
        ]
        if let pixel { entries["pixel"] = pixel.json }
        if let stroke { entries["stroke"] = .integer(Int64(stroke)) }
        return .record(entries)
    }
}

extension PlaneTruth {
    init(_ node: DocumentNode) throws(DocumentError) {
        self.init(
            name: try node.required("name").string(), visibleFraction: try node.required("visible_fraction").double())
    }

    var json: JSONValue { .record(["name": .string(name), "visible_fraction": .number(visibleFraction)]) }
}

extension ImageTargetTruth {
    init(_ node: DocumentNode) throws(DocumentError) {
        self.init(
            name: try node.required("name").string(), picture: try node.required("picture").string(),
            worldFromTarget: try RigidTransform(node.required("world_from_target")),
            size: try Vector2(node.required("size_m")), corners: try CornersTruth(node.required("corners")))
    }

    var json: JSONValue {
        .record([
            "name": .string(name), "picture": .string(picture), "world_from_target": worldFromTarget.json,
            "size_m": size.json, "corners": corners.json,
        ])
    }
}

extension RectangleTruth {
    init(_ node: DocumentNode) throws(DocumentError) {
        self.init(
            name: try node.required("name").string(), corners: try CornersTruth(node.required("corners")))
    }

    var json: JSONValue { .record(["name": .string(name), "corners": corners.json]) }
}

extension CodeTruth {
    init(_ node: DocumentNode) throws(DocumentError) {
        self.init(
            name: try node.required("name").string(), payload: try node.required("payload").string(),
            symbology: try node.required("symbology").string(),
            modulesAcross: try node.value("modules_across").map { value throws(DocumentError) in
                Int(try value.int64())
            },
            corners: try CornersTruth(node.required("corners")))
    }

    var json: JSONValue {
        var entries: [String: JSONValue] = [
            "name": .string(name), "payload": .string(payload), "symbology": .string(symbology),
            "corners": corners.json,
        ]
        if let modulesAcross { entries["modules_across"] = .integer(Int64(modulesAcross)) }
        return .record(entries)
    }
}

extension CornersTruth {
    init(_ node: DocumentNode) throws(DocumentError) {
        let worldNode = try node.required("in_world_m")
        let pixelNode = try node.required("pixels")
        var inWorld: [Point3] = []
        for item in try worldNode.items() { inWorld.append(try Point3(item)) }
        var pixels: [PixelPoint?] = []
        for item in try pixelNode.items() { pixels.append(item.isNull ? nil : try PixelPoint(item)) }
        guard inWorld.count == 4 else { throw worldNode.error(expected: "four corners [x, y, z]") }
        guard pixels.count == 4 else { throw pixelNode.error(expected: "four corners, each [x, y] or null") }
        self.init(
            inWorld: inWorld, pixels: pixels, visibleFraction: try node.required("visible_fraction").double())
    }

    var json: JSONValue {
        .record([
            "in_world_m": .list(inWorld.map(\.json)), "pixels": .list(pixels.map { $0?.json ?? .null }),
            "visible_fraction": .number(visibleFraction),
        ])
    }
}

extension FaceTruth {
    init(_ node: DocumentNode) throws(DocumentError) {
        self.init(
            name: try node.required("name").string(),
            worldFromHead: try RigidTransform(node.required("world_from_head")),
            box: try node.value("box").map { value throws(DocumentError) in
                PixelBox(
                    minimum: try PixelPoint(value.required("minimum_pixel")),
                    maximum: try PixelPoint(value.required("maximum_pixel")))
            },
            angles: EulerAngles(
                pitch: try node.required("pitch_rad").double(), yaw: try node.required("yaw_rad").double(),
                roll: try node.required("roll_rad").double()),
            visibleFraction: try node.required("visible_fraction").double())
    }

    var json: JSONValue {
        var entries: [String: JSONValue] = [
            "name": .string(name), "world_from_head": worldFromHead.json, "pitch_rad": .number(angles.pitch),
            "yaw_rad": .number(angles.yaw), "roll_rad": .number(angles.roll),
            "visible_fraction": .number(visibleFraction),
        ]
        if let box {
            entries["box"] = .record(["minimum_pixel": box.minimum.json, "maximum_pixel": box.maximum.json])
        }
        return .record(entries)
    }
}

extension SessionTruth {
    /// Reads `truth.json`.
    init(_ node: DocumentNode) throws(DocumentError) {
        self.init()
        for item in try node.required("planes").items() { planes.append(try DeclaredPlane(item)) }
        for item in try node.required("strokes").items() { strokes.append(try StrokeTruth(item)) }
        for item in try node.value("objects")?.items() ?? [] { objects.append(try TruthObject(item)) }
    }

    /// The content of `truth.json`.
    var json: JSONValue {
        var entries: [String: JSONValue] = [
            "planes": .list(planes.map(\.json)), "strokes": .list(strokes.map(\.json)),
        ]
        if !objects.isEmpty { entries["objects"] = .list(objects.map(\.json)) }
        return .record(entries)
    }
}

extension TruthObject {
    init(_ node: DocumentNode) throws(DocumentError) {
        let number = try node.required("id")
        guard let id = UInt16(exactly: try number.int64()), id > 0 else { throw number.error(expected: "1…65535") }
        self.init(
            id: Int(id), name: try node.required("name").string(), kind: try node.required("kind").string())
    }

    var json: JSONValue { .record(["id": .integer(Int64(id)), "name": .string(name), "kind": .string(kind)]) }
}

extension StrokeTruth {
    init(_ node: DocumentNode) throws(DocumentError) {
        var points: [Point3] = []
        for item in try node.required("points_in_world_m").items() { points.append(try Point3(item)) }
        self.init(
            start: Timestamp(nanoseconds: try node.required("start_ns").int64()),
            end: Timestamp(nanoseconds: try node.required("end_ns").int64()), pointsInWorld: points)
    }

    var json: JSONValue {
        .record([
            "start_ns": .integer(start.nanoseconds), "end_ns": .integer(end.nanoseconds),
            "points_in_world_m": .list(pointsInWorld.map(\.json)),
        ])
    }
}

extension PixelPoint {
    /// Reads a list of a column and a row.
    fileprivate init(_ node: DocumentNode) throws(DocumentError) { self.init(try Vector2(node)) }

    /// The column and the row as JSON.
    fileprivate var json: JSONValue { vector.json }
}
