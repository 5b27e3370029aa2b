// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARWorld
import Foundation

/// A room as a headset scanned it, read from the JSON of `immersive-web-emulation-runtime`: its flat things as planes, and
/// everything as a mesh.
struct ScannedRoom {
    var planes: [PlaneAnchor] = []
    var mesh = TriangleMesh()

    init(contentsOf file: URL) throws {
        let scan = try JSONDecoder().decode(Scan.self, from: Data(contentsOf: file))
        for entity in scan.spatialEntities {
            let roomFromEntity = entity.locatable_META.roomFromEntity
            if let bounds = entity.bounded2D_META {
                planes.append(bounds.plane(named: "\(entity.semanticLabel_META) \(planes.count)", roomFromEntity))
            } else if let triangles = entity.triangleMesh_META {
                mesh = mesh + roomFromEntity * triangles.mesh
            }
        }
    }
}

private struct Scan: Decodable {
    var spatialEntities: [Entity]

    struct Entity: Decodable {
        var semanticLabel_META: String
        var locatable_META: Pose
        var bounded2D_META: Rectangle?
        var triangleMesh_META: Triangles?
    }

    struct Pose: Decodable {
        var position: XYZ
        var orientation: XYZ

        struct XYZ: Decodable {
            var x, y, z: Double
            var w: Double?
        }

        var roomFromEntity: RigidTransform {
            let q = orientation
            return RigidTransform(
                rotation: Rotation(x: q.x, y: q.y, z: q.z, w: q.w ?? 1) ?? .identity,
                translation: Point3(position.x, position.y, position.z))
        }
    }

    struct Rectangle: Decodable {
        var offset: Offset
        var extent: Extent

        struct Offset: Decodable { var x, y: Double }
        struct Extent: Decodable { var width, height: Double }

        /// The rectangle lies in the entity's x and z.
        func plane(named name: String, _ roomFromEntity: RigidTransform) -> PlaneAnchor {
            let (x, z) = (offset.x, offset.y)
            return PlaneAnchor(
                identifier: UUID(name: name), name: name, worldFromAnchor: roomFromEntity,
                boundary: [
                    Point2(x, z + extent.height), Point2(x + extent.width, z + extent.height),
                    Point2(x + extent.width, z), Point2(x, z),
                ])
        }
    }

    struct Triangles: Decodable {
        var vertices: Data
        var indices: Data

        var mesh: TriangleMesh {
            let numbers = vertices.words.map { Double(Float(bitPattern: $0)) }
            let corners = indices.words.map { Int32($0) }
            return TriangleMesh(
                positions: stride(from: 0, to: numbers.count, by: 3).map {
                    Point3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2])
                },
                triangles: stride(from: 0, to: corners.count, by: 3).map {
                    TriangleIndices(corners[$0], corners[$0 + 1], corners[$0 + 2])
                })
        }
    }
}

extension Data {
    /// The little-endian words of 32 bits.
    fileprivate var words: [UInt32] {
        withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map {
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
            }
        }
    }
}
