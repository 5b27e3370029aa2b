// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct OBJWriterTests {
    @Test func textIsAsPrinted() {
        let mesh = TriangleMesh(
            positions: [Point3(0, -0.0, 0), Point3(1.5, 0, -1e-10), Point3(0, -0.0000000125, 12)],
            triangles: [TriangleIndices(0, 2, 1)])
        let text = OBJWriter().text(of: [
            StrokeSolid(name: "stroke_1", mesh: mesh), StrokeSolid(name: "stroke_2", mesh: mesh),
        ])
        #expect(
            text == """
                # Made by arsim. Unit: metre. Axes: right-handed, +Y up.
                o stroke_1
                g stroke_1
                v 0 0 0
                v 1.5 0 0
                v 0 -0.000000013 12
                vn 0 1 0
                vn 0 1 0
                vn 0 1 0
                f 1//1 3//3 2//2
                o stroke_2
                g stroke_2
                v 0 0 0
                v 1.5 0 0
                v 0 -0.000000013 12
                vn 0 1 0
                vn 0 1 0
                vn 0 1 0
                f 4//4 6//6 5//5

                """)
    }

    @Test func localeDoesNotReachTheText() {
        let box = TriangleMesh(OrientedBox(worldFromBox: .identity, halfExtents: Vector3(1234.5, 0.5, 0.25)))
        let object = StrokeSolid(name: "box", mesh: box)
        let before = OBJWriter().text(of: [object])
        let original = setlocale(LC_ALL, nil).map { String(cString: $0) }
        for name in ["de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"] where setlocale(LC_ALL, name) != nil { break }
        defer { setlocale(LC_ALL, original) }
        #expect(OBJWriter().text(of: [object]) == before)
        #expect(before.contains("v -1234.5 -0.5 -0.25\n"))
    }

    @Test(arguments: 0..<30) func whatIsWrittenReadsBack(number: Int) throws {
        var random = TestRandom(case: number)
        let meshes = (1...3).map { index in
            let scale = [1e-3, 1, 1e5].randomElement(using: &random)!
            let positions = (0..<50).map { _ in scale * random.vector3() }
            let triangles = (0..<80).map { _ in
                TriangleIndices((0..<50).shuffled(using: &random).prefix(3).map(Int32.init))
            }
            return StrokeSolid(
                name: "stroke_\(index)", mesh: TriangleMesh(positions: positions, triangles: triangles))
        }
        let parsed = try ParsedOBJ(OBJWriter(creaseAngle: 0).text(of: meshes))
        #expect(parsed.objects.map(\.name) == meshes.map(\.name))
        for (mesh, object) in zip(meshes.map(\.mesh), parsed.objects) {
            #expect(object.mesh.triangles == mesh.triangles)
            for (written, read) in zip(mesh.positions, object.mesh.positions) {
                // Half a nanometre, and the rounding of numbers up to 1e5.
                expectClose(read, written, tolerance: 5.1e-10)
            }
            for (index, corners) in mesh.triangleCorners.enumerated() {
                let normal = try #require((corners.1 - corners.0).cross(corners.2 - corners.0).normalized())
                for read in object.normals[index] { expectClose(read, normal, tolerance: 1e-6) }
            }
        }
    }

    @Test(arguments: ["", "stroke 1", "stroke\nv 0 0 0", "\u{a0}", "a\u{0}"])
    func namesThatWouldBreakTheFileAreRefused(name: String) async {
        await #expect(processExitsWith: .failure) { [name] in
            _ = OBJWriter().text(of: [StrokeSolid(name: name, mesh: TriangleMesh())])
        }
    }

    @Test func largeNumbersReadBack() throws {
        let mesh = TriangleMesh(
            positions: [Point3(1e15, -3e300, 0), Point3(0, 1, 0), Point3(0, 0, 1)],
            triangles: [TriangleIndices(0, 1, 2)])
        let parsed = try ParsedOBJ(OBJWriter().text(of: [StrokeSolid(name: "far", mesh: mesh)]))
        #expect(parsed.objects[0].mesh == mesh)
    }

    @Test func roundSidesAreSmoothAndRimsAreSharp() throws {
        let dot = try Stroke(positions: [.zero]).solid()
        let parsed = try ParsedOBJ(OBJWriter(creaseAngle: .pi / 6).text(of: [StrokeSolid(name: "dot", mesh: dot)]))
        for (triangle, normals) in zip(dot.triangleCorners, parsed.objects[0].normals) {
            let corners = [triangle.0, triangle.1, triangle.2]
            let isWall = Set(corners.map(\.y)).count == 2
            for (corner, normal) in zip(corners, normals) {
                let expected = isWall ? Vector3(corner.x, 0, corner.z) / 0.0015 : Vector3(0, corner.y > 0 ? 1 : -1, 0)
                expectClose(normal, expected, tolerance: isWall ? 0.01 : 0)
            }
        }
    }

    @Test func byDefaultEveryPositionHasOneNormal() throws {
        let solid = try Stroke(positions: [Point2(0, 0), Point2(0.1, 0.05), Point2(0.02, 0.05)]).solid()
        let parsed = try ParsedOBJ(OBJWriter().text(of: [StrokeSolid(name: "stroke_1", mesh: solid)]))
        var normalOf: [Int32: Vector3] = [:]
        for (triangle, normals) in zip(solid.triangles, parsed.objects[0].normals) {
            for (corner, normal) in zip([triangle.x, triangle.y, triangle.z], normals) {
                #expect(normalOf.updateValue(normal, forKey: corner) ?? normal == normal)
            }
        }
    }

    @Test func fileAppearsWholeAndIsTheSameTwice() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("arsim-obj-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let drawing = Drawing(strokes: [Stroke(positions: [Point2(0, 0), Point2(0.1, 0.05)])])
        let file = folder.appendingPathComponent("drawing.obj")
        for _ in 0..<2 { try DrawingExport(to: file).write(drawing) }
        let text = OBJWriter(materialFile: "drawing.mtl").text(of: try drawing.solids())
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["drawing.mtl", "drawing.obj"])
        #expect(throws: (any Error).self) {
            try DrawingExport(to: folder.appendingPathComponent("missing/drawing.obj")).write([StrokeSolid]())
        }
    }
}

/// What an OBJ file of the writer's kind says.
private struct ParsedOBJ {
    struct Object {
        var name: String
        var mesh = TriangleMesh()
        var normals: [[Vector3]] = []
    }

    var objects: [Object] = []

    struct SyntaxError: Error { var line: Substring }

    init(_ text: String) throws {
        var normals: [Vector3] = []
        var (positionCount, firstPosition) = (0, 0)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Double($0) }
            switch words[0] {
            case "o":
                objects.append(Object(name: String(words[1])))
                firstPosition = positionCount
            case "g": break
            case "vt" where numbers.count == 2: break
            case "v" where numbers.count == 3:
                objects[objects.count - 1].mesh.positions.append(Point3(numbers))
                positionCount += 1
            case "vn" where numbers.count == 3: normals.append(Vector3(numbers))
            case "f" where words.count == 4:
                let corners = try words.dropFirst().map { word in
                    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
                    guard parts.count == 3, let v = Int(parts[0]), let n = Int(parts[2]) else {
                        throw SyntaxError(line: line)
                    }
                    return (v - 1 - firstPosition, n - 1)
                }
                objects[objects.count - 1].mesh.triangles.append(TriangleIndices(corners.map { Int32($0.0) }))
                objects[objects.count - 1].normals.append(corners.map { normals[$0.1] })
            default: throw SyntaxError(line: line)
            }
        }
    }
}
