// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

// The values of a recording's JSON files: how they are read, beside how they are written.

extension RigidTransform {
    /// Reads `{"rotation_xyzw": […], "translation_m": […]}`.
    init(_ node: DocumentNode) throws(DocumentError) {
        let rotationNode = try node.required("rotation_xyzw")
        let q = try rotationNode.doubles(count: 4)
        let coefficients = Vector4(q[0], q[1], q[2], q[3])
        // Unit quaternions that we wrote come back bit for bit; others are brought to length one.
        guard abs(coefficients.length - 1) <= 1e-6, let rotation = Rotation(x: q[0], y: q[1], z: q[2], w: q[3]) else {
            throw rotationNode.error(expected: "a quaternion x y z w of length 1")
        }
        let isUnit = abs(coefficients.length - 1) <= 1e-14
        self.init(
            rotation: isUnit ? Rotation(unitCoefficients: coefficients) : rotation,
            translation: try Vector3(node.required("translation_m")))
    }

    /// The transform as JSON.
    var json: JSONValue {
        let q = rotation.canonical.coefficients
        return .record(["rotation_xyzw": .numbers([q.x, q.y, q.z, q.w]), "translation_m": translation.json])
    }
}

extension SIMD3<Double> {
    /// Reads a list of three numbers.
    init(_ node: DocumentNode) throws(DocumentError) {
        let numbers = try node.doubles(count: 3)
        self.init(numbers[0], numbers[1], numbers[2])
    }

    /// The vector as JSON.
    var json: JSONValue { .numbers([x, y, z]) }
}

extension SIMD2<Double> {
    /// Reads a list of two numbers.
    init(_ node: DocumentNode) throws(DocumentError) {
        let numbers = try node.doubles(count: 2)
        self.init(numbers[0], numbers[1])
    }

    /// The vector as JSON.
    var json: JSONValue { .numbers([x, y]) }
}

extension UserEvent {
    /// The words of `events.jsonl` for what was done.
    private enum Word: String, CaseIterable {
        case tap
        case penDown = "pen_down"
        case penUp = "pen_up"
        case orientation
        case interruptionBegan = "interruption_began"
        case interruptionEnded = "interruption_ended"
        case named
    }

    /// Reads a row of `events.jsonl`.
    init(_ node: DocumentNode) throws(DocumentError) {
        let action: Action
        switch try node.required("action").choice(of: Word.self) {
        case .tap:
            let position = try Vector2(node.required("position_normalized"))
            action = .tap(NormalizedImagePoint(position.x, position.y))
        case .penDown: action = .penDown
        case .penUp: action = .penUp
        case .orientation:
            action = .orientation(try node.required("orientation").choice(of: InterfaceOrientation.self))
        case .interruptionBegan: action = .interruptionBegan
        case .interruptionEnded: action = .interruptionEnded
        case .named: action = .named(try node.required("name").string(), value: try node.required("value").string())
        }
        self.init(timestamp: Timestamp(nanoseconds: try node.required("t_ns").int64()), action: action)
    }

    /// The row of `events.jsonl`.
    var json: JSONValue {
        var entries: [String: JSONValue] = ["t_ns": .integer(timestamp.nanoseconds)]
        let word: Word
        switch action {
        case .tap(let point):
            word = .tap
            entries["position_normalized"] = .numbers([point.x, point.y])
        case .penDown: word = .penDown
        case .penUp: word = .penUp
        case .orientation(let orientation):
            word = .orientation
            entries["orientation"] = .string(orientation.rawValue)
        case .interruptionBegan: word = .interruptionBegan
        case .interruptionEnded: word = .interruptionEnded
        case .named(let name, let value):
            word = .named
            entries["name"] = .string(name)
            entries["value"] = .string(value)
        }
        entries["action"] = .string(word.rawValue)
        return .record(entries)
    }
}
