// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The triangles of a Wavefront OBJ file, with the texture coordinates and normals that the file gives them.
///
/// Faces with more than three corners are cut into triangles; groups, objects, materials, lines and points are passed
/// over. Positions are in the file's unit. Law: `OBJModelTests`.
public struct OBJModel: Hashable, Sendable {
    /// The vertices (`v`).
    public var positions: [Point3] = []
    /// The texture coordinates (`vt`): (0, 0) is the bottom left corner of the texture.
    public var textureCoordinates: [Point2] = []
    /// The normals (`vn`), of any length.
    public var normals: [Vector3] = []
    /// The triangles, counter-clockwise seen from the front.
    public var triangles: [Triangle] = []

    /// Three corners.
    public struct Triangle: Hashable, Sendable {
        /// Indices into ``OBJModel/positions``.
        public var positions: SIMD3<Int32>
        /// Indices into ``OBJModel/textureCoordinates``, or `nil` where a corner has none.
        public var textureCoordinates: SIMD3<Int32>?
        /// Indices into ``OBJModel/normals``, or `nil` where a corner has none.
        public var normals: SIMD3<Int32>?
    }

    /// A model without triangles.
    public init() {}

    /// The model in a file, which must have a face.
    public init(contentsOf file: URL) throws(OBJError) {
        var reader = OBJReader(path: file.path)
        do {
            let lines = try LineReader(file)
            while let line = try lines.next() { try reader.read(line) }
        } catch let error as OBJError { throw error } catch let error as FileError { throw .unreadable(error) } catch {
            preconditionFailure("reading lines throws only errors of files: \(error)")
        }
        self = try reader.finish()
    }

    /// The bare triangles.
    public var triangleMesh: TriangleMesh {
        TriangleMesh(positions: positions, triangles: triangles.map(\.positions))
    }
}

/// What is wrong with an OBJ file.
public enum OBJError: Error, Hashable, Sendable {
    /// The file cannot be read as lines.
    case unreadable(FileError)
    /// A line says something else than it should.
    case malformed(file: String, line: Int, found: String, expected: String)
    /// The file has no face.
    case noFaces(file: String)

    /// What is wrong and where in the file, without the file's name.
    public var problem: String {
        switch self {
        case .unreadable(.cannotOpen(_, let reason)), .unreadable(.cannotRead(_, let reason)),
            .unreadable(.cannotWrite(_, let reason)):
            "cannot be read: \(reason)"
        case .unreadable(.lineTooLong(_, let line)): "is no text in line \(line)"
        case .malformed(_, let line, let found, let expected): "has in line \(line) \(found), expected \(expected)"
        case .noFaces: "has no face (a line that starts with `f`)"
        }
    }
}

extension OBJError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .malformed(let file, let line, let found, let expected):
            "\(file):\(line): found \(found), expected \(expected)"
        case .noFaces(let file): "\(file): the model \(problem)"
        }
    }
}
