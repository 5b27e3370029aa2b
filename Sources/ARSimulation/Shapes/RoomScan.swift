// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

/// A scanned room as a headset's scene capture stores it: labelled rectangles and boxes, and a mesh of everything, in
/// metres, +Y up.
///
/// The file is JSON as `immersive-web-emulation-runtime` exports it: `spatialEntities`, each with a semantic label, a pose
/// (`locatable_META`) and one of `bounded2D_META`, `bounded3D_META` and `triangleMesh_META`, whose vertices (three
/// 32-bit floats each) and indices (32 bits each) are little-endian in base64. Law: `RoomScanTests`.
struct RoomScan: Sendable {
    /// What the scan knows as flat.
    var rectangles: [Rectangle] = []
    /// What the scan knows as boxes.
    var boxes: [Box] = []
    /// Everything that was seen.
    var mesh = TriangleMesh()

    /// A labelled rectangle.
    struct Rectangle: Sendable {
        /// The label, as the file spells it: `WALL_FACE`.
        var label: String
        /// +Y is the normal, into the room (upwards on a table); the origin is the rectangle's middle.
        var roomFromRectangle: RigidTransform
        /// The extent along x and z.
        var size: Vector2
    }

    /// A labelled box.
    struct Box: Sendable {
        /// The label, as the file spells it: `TABLE`.
        var label: String
        /// Its place.
        var box: OrientedBox
    }

    /// The scan in a file.
    init(contentsOf file: URL) throws(RoomScanError) {
        let bytes: Data
        do { bytes = try Data(contentsOf: file) } catch {
            throw .unreadable(file: file.path, reason: FileError.reason(error, file: file))
        }
        do {
            let root = try JSONReader.read([UInt8](bytes)[...], file: file.path)
            for entity in try root.required("spatialEntities").items() { try add(entity) }
        } catch { throw .malformed(error) }
    }

    private mutating func add(_ entity: DocumentNode) throws(DocumentError) {
        let label = try entity.required("semanticLabel_META").string()
        let roomFromEntity = try Self.pose(try entity.required("locatable_META"))
        if let bounds = try entity.value("bounded2D_META") {
            let offset = try Self.numbers(bounds, "offset", ["x", "y"])
            let extent = try Self.numbers(bounds, "extent", ["width", "height"])
            let center = Point3(offset[0] + extent[0] / 2, 0, offset[1] + extent[1] / 2)
            // The file's normal leads out of the room, into the wall: half a turn about x brings it round.
            let entityFromRectangle = RigidTransform(
                rotation: Rotation(rotationVector: Vector3(.pi, 0, 0)), translation: center)
            rectangles.append(
                Rectangle(
                    label: label, roomFromRectangle: roomFromEntity * entityFromRectangle,
                    size: Vector2(extent[0], extent[1])))
        } else if let bounds = try entity.value("bounded3D_META") {
            let offset = try Self.numbers(bounds, "offset", ["x", "y", "z"])
            let extent = try Self.numbers(bounds, "extent", ["width", "height", "depth"])
            let half = Vector3(extent[0], extent[1], extent[2]) / 2
            let center = Point3(offset[0], offset[1], offset[2]) + half
            guard all(half .>= .zero) else { throw bounds.error(expected: "an extent that is not negative") }
            boxes.append(
                Box(
                    label: label,
                    box: OrientedBox(
                        worldFromBox: roomFromEntity * RigidTransform(translation: center), halfExtents: half)))
        } else if let triangles = try entity.value("triangleMesh_META") {
            mesh = mesh + roomFromEntity * (try Self.triangleMesh(triangles))
        }
    }

    private static func numbers(
        _ node: DocumentNode, _ key: String, _ names: [String]
    ) throws(DocumentError) -> [Double] {
        let record = try node.required(key)
        var numbers: [Double] = []
        for name in names { numbers.append(try record.required(name).double()) }
        return numbers
    }

    private static func pose(_ node: DocumentNode) throws(DocumentError) -> RigidTransform {
        let position = try numbers(node, "position", ["x", "y", "z"])
        let q = try numbers(node, "orientation", ["x", "y", "z", "w"])
        guard let rotation = Rotation(x: q[0], y: q[1], z: q[2], w: q[3]) else {
            throw try node.required("orientation").error(expected: "a quaternion that is not zero")
        }
        return RigidTransform(rotation: rotation, translation: Point3(position[0], position[1], position[2]))
    }

    private static func triangleMesh(_ node: DocumentNode) throws(DocumentError) -> TriangleMesh {
        let vertices = try node.required("vertices")
        let coordinates = try words(vertices).map { Double(Float(bitPattern: $0)) }
        guard coordinates.count % 3 == 0, coordinates.allSatisfy(\.isFinite) else {
            throw vertices.error(of: "\(coordinates.count) numbers", expected: "three finite numbers a vertex")
        }
        let positions = stride(from: 0, to: coordinates.count, by: 3).map {
            Point3(coordinates[$0], coordinates[$0 + 1], coordinates[$0 + 2])
        }
        let indices = try node.required("indices")
        let corners = try words(indices)
        guard corners.count % 3 == 0, corners.allSatisfy({ $0 < positions.count }) else {
            throw indices.error(
                of: "\(corners.count) indices", expected: "three a triangle, each below \(positions.count)")
        }
        return TriangleMesh(
            positions: positions,
            triangles: stride(from: 0, to: corners.count, by: 3).map {
                TriangleIndices(truncatingIfNeeded: SIMD3(corners[$0], corners[$0 + 1], corners[$0 + 2]))
            })
    }

    private static func words(_ node: DocumentNode) throws(DocumentError) -> [UInt32] {
        guard let data = Data(base64Encoded: try node.string()), data.count % 4 == 0 else {
            throw node.error(of: "a text", expected: "words of 32 bits in base64")
        }
        return data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map {
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
            }
        }
    }
}

extension DocumentNode {
    /// An error that does not quote the value, which may be long.
    fileprivate func error(of found: String, expected: String) -> DocumentError {
        DocumentError(file: file, line: line, column: column, found: found, expected: expected)
    }
}

/// What is wrong with a scanned room's file.
enum RoomScanError: Error, Hashable, Sendable {
    /// The file cannot be read.
    case unreadable(file: String, reason: String)
    /// The file says something else than it should.
    case malformed(DocumentError)

    /// What is wrong, and where in the file, without the file's name.
    var problem: String {
        switch self {
        case .unreadable(_, let reason): "cannot be read: \(reason)"
        case .malformed(let error):
            "has at \(error.line):\(error.column) \(error.found), expected \(error.expected)"
        }
    }
}
