// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct OBJModelTests {
    private func model(_ text: String) throws -> OBJModel {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "model.obj")
        return try OBJModel(contentsOf: folder("model.obj"))
    }

    @Test func readsWhatProgramsWrite() throws {
        let model = try model(
            """
            # a comment
            mtllib nothing.mtl
            o thing
            v 0 0 0
            v 1.5 0 0 0.2 0.3 0.4
            v\t1 1e0 0   # another
            v 0 1 -0
            vt 0 0
            vt 1 0 0
            vt 1 1
            vt 0 1
            vn 0 0 2
            g side
            usemtl red
            s off
            f 1/1/1 2/2/1 3/3/1
            f -4//-1 -2//-1 -1//-1
            f 1/1 3/3 \\
              4/4
            l 1 2
            f 1 2 3
            """)
        #expect(model.positions == [Point3(0, 0, 0), Point3(1.5, 0, 0), Point3(1, 1, 0), Point3(0, 1, 0)])
        #expect(model.normals == [Vector3(0, 0, 2)])
        #expect(model.triangles.map(\.positions) == [[0, 1, 2], [0, 2, 3], [0, 2, 3], [0, 1, 2]])
        #expect(model.triangles.map(\.textureCoordinates) == [[0, 1, 2], nil, [0, 2, 3], nil])
        #expect(model.triangles.map(\.normals) == [[0, 0, 0], [0, 0, 0], nil, nil])
    }

    /// Polygons in any attitude, concave ones too, are filled: the areas of the triangles add up, and all face alike.
    @Test(arguments: 0..<20) func polygonsAreFilled(number: Int) throws {
        var random = TestRandom(case: number)
        // A star whose corners lie at random distances from its middle.
        let count = 4 + number % 7
        let outline = Polygon2(
            (0..<count).map { index in
                let angle = 2 * Double.pi * Double(index) / Double(count)
                return random.uniform(0.2...1) * Point2(cos(angle), sin(angle))
            })
        let pose = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let lines = outline.vertices.map { point -> String in
            let place = pose * Point3(point.x, point.y, 0)
            return "v \(place.x) \(place.y) \(place.z)"
        }
        let face = "f " + (1...count).map(String.init).joined(separator: " ")
        let mesh = try model((lines + [face]).joined(separator: "\n")).triangleMesh
        #expect(mesh.triangles.count == count - 2)
        expectClose(mesh.area, outline.area, tolerance: 1e-12)
        let up = pose.rotation * Vector3(0, 0, 1)
        for (a, b, c) in mesh.triangleCorners { #expect((b - a).cross(c - a).dot(up) > 0) }
    }

    static let malformed: [(text: String, message: String)] = [
        ("v 0 0\nf 1 1 1", "model.obj:1: found 2 words, expected three coordinates"),
        ("v 0 0 x\n", "model.obj:1: found 'x', expected a finite number"),
        ("v 0 0 nan\n", "model.obj:1: found 'nan', expected a finite number"),
        ("\nvt 1\n", "model.obj:2: found 1 words, expected two texture coordinates"),
        ("vn\n", "model.obj:1: found nothing, expected a normal of three numbers"),
        ("v 0 0 0\nf 1 1\n", "model.obj:2: found a face of 2 corners, expected at least three corners"),
        ("v 0 0 0\nf 1 2 1\n", "model.obj:2: found the index 2, expected one of the 1 vertices before it"),
        ("v 0 0 0\nf 1 0 1\n", "model.obj:2: found the index 0, expected one of the 1 vertices before it"),
        ("v 0 0 0\nf 1 -2 1\n", "model.obj:2: found the index -2, expected one of the 1 vertices before it"),
        (
            "v 0 0 0\nf 1/1 1/1 1/1\n",
            "model.obj:2: found the index 1, expected one of the 0 texture coordinates before it"
        ),
        ("v 0 0 0\nf 1//3 1 1\n", "model.obj:2: found the index 3, expected one of the 0 normals before it"),
        ("v 0 0 0\nf 1.5 1 1\n", "model.obj:2: found '1.5', expected a whole number"),
        ("v 0 0 0\nf 1/1/1/1 1 1\n", "model.obj:2: found '1/1/1/1', expected a corner such as 7/3/2"),
        ("v 0 0 0\nf 99999999999999999999 1 1\n", "model.obj:2: found '99999999999999999999', expected a whole number"),
        ("v 0 0 0\n", "model.obj: the model has no face (a line that starts with `f`)"),
        ("", "model.obj: the model has no face (a line that starts with `f`)"),
    ]

    @Test(arguments: malformed) func malformedModelsAreRefused(text: String, message: String) throws {
        let error = #expect(throws: OBJError.self) { try model(text) }
        #expect(error.map { "\($0)".hasSuffix(message) } == true, "\(String(describing: error))")
    }

    @Test func missingFilesSayWhy() {
        let error = #expect(throws: OBJError.self) { try OBJModel(contentsOf: URL(fileURLWithPath: "/nowhere/a.obj")) }
        #expect(error?.problem == "cannot be read: No such file or directory")
    }
}
