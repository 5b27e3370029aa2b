// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARFiles
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

/// The binary formats, the plan, and the choice among them.
@Suite struct WriterTests {
    private static func solids(timestamps: Bool = true) throws -> [StrokeSolid] {
        var strokes = [
            Stroke(positions: [Point2(0, 0), Point2(0.1, 0), Point2(0.1, 0.05)]),
            Stroke(positions: [Point2(0.3, 0)]),
        ]
        strokes[1].color = StrokeColor(red: 255, green: 136, blue: 0)
        for stroke in strokes.indices {
            for point in strokes[stroke].points.indices {
                strokes[stroke].points[point].timestamp = Timestamp(
                    nanoseconds: Int64(stroke * 10 + point) * 500_000_000)
            }
        }
        return try Drawing(strokes: strokes).solids(SolidOptions(hasTimestamps: timestamps))
    }

    private static func bytes(_ write: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void) -> Data {
        var data = Data()
        write { data.append($0) }
        return data
    }

    // MARK: STL

    @Test func stlHoldsTheTrianglesUpright() throws {
        let solids = try Self.solids()
        let data = Self.bytes { STLWriter(unit: .millimetres).write(solids, to: $0) }
        let count = solids.reduce(0) { $0 + $1.mesh.triangles.count }
        #expect(data.count == 84 + 50 * count)
        #expect(data.number(UInt32.self, at: 80) == UInt32(count))
        #expect(
            String(decoding: data.prefix(80), as: UTF8.self).hasPrefix(
                "arsim, z up, unit mm, origin 0 0 0 m "))
        let corners = solids.flatMap(\.mesh.triangleCorners).flatMap { [$0.0, $0.1, $0.2] }
        for (index, corner) in corners.enumerated() {
            let place = 84 + 50 * (index / 3) + 12 + 12 * (index % 3)
            let read = data.vector(at: place)
            expectClose(read, 1000 * Vector3(corner.x, -corner.z, corner.y), tolerance: 1e-4)
        }
        for index in 0..<count {
            let place = 84 + 50 * index
            let (a, b, c) = (
                data.vector(at: place + 12), data.vector(at: place + 24), data.vector(at: place + 36)
            )
            let normal = try #require((b - a).cross(c - a).normalized())
            #expect((normal - data.vector(at: place)).length < 1e-2)
        }
    }

    @Test func stlFarAwayKeepsItsTriangles() throws {
        var stroke = Stroke(positions: [Point2(0, 0), Point2(0.02, 0.01), Point2(0, 0.02)])
        stroke.worldFromPlane.translation = Vector3(1000.25, -2000.5, 3000)
        let solids = try Drawing(strokes: [stroke]).solids()
        let data = Self.bytes { STLWriter().write(solids, to: $0) }
        #expect(String(decoding: data.prefix(80), as: UTF8.self).contains("origin 1000 -2000 3000 m"))
        for index in 0..<solids[0].mesh.triangles.count {
            let place = 84 + 50 * index
            let (a, b, c) = (
                data.vector(at: place + 12), data.vector(at: place + 24), data.vector(at: place + 36)
            )
            #expect((b - a).cross(c - a).length > 0)
        }
    }

    // MARK: PLY

    @Test func plyHoldsEveryVertex() throws {
        let solids = try Self.solids()
        let data = Self.bytes { PLYWriter().write(solids, to: $0) }
        let end = try #require(data.range(of: Data("end_header\n".utf8))).upperBound
        let header = String(decoding: data[..<end], as: UTF8.self)
        let vertexCount = solids.reduce(0) { $0 + $1.mesh.positions.count }
        let faceCount = solids.reduce(0) { $0 + $1.mesh.triangles.count }
        #expect(
            header.contains("element vertex \(vertexCount)\n")
                && header.contains("element face \(faceCount)\n"))
        let stride = 24 + 12 + 3 + 8 + 4
        #expect(data.count == end + stride * vertexCount + 13 * faceCount)
        for (index, position) in solids.flatMap(\.mesh.positions).enumerated() {
            for component in 0..<3 {
                let bits = data.number(UInt64.self, at: end + stride * index + 8 * component)
                #expect(Double(bitPattern: bits) == position[component])
            }
        }
        let seconds = solids.flatMap(\.seconds)
        for (index, time) in seconds.enumerated() {
            #expect(data.float(at: end + stride * index + stride - 4) == Float(time))
        }
        let lastFace = end + stride * vertexCount + 13 * (faceCount - 1)
        let firstOfLast = Int32(solids[0].mesh.positions.count)
        for corner in 0..<3 {
            let index = data.number(Int32.self, at: lastFace + 1 + 4 * corner)
            #expect(index - firstOfLast == solids[1].mesh.triangles.last![corner])
        }
    }

    // MARK: glTF

    @Test(arguments: [Double.pi, .pi / 6]) func glbHoldsEverySolid(creaseAngle: Double) throws {
        let solids = try Self.solids()
        let writer = GLBWriter(creaseAngle: creaseAngle)
        let data = Self.bytes { writer.write(solids, to: $0) }
        #expect(data.prefix(4) == Data("glTF".utf8) && data.count == writer.size(of: solids))
        #expect(
            data.number(UInt32.self, at: 4) == 2 && data.number(UInt32.self, at: 8) == UInt32(data.count))
        let textSize = Int(data.number(UInt32.self, at: 12))
        #expect(textSize % 4 == 0)
        let binary = 20 + textSize + 8
        #expect(Int(data.number(UInt32.self, at: 20 + textSize)) == data.count - binary)
        let document = try JSONReader.read(Array(data[20..<20 + textSize])[...], file: "a.glb")
        #expect(try document.required("materials").items().count == 2)
        let views = try document.required("bufferViews").items()
        let accessors = try document.required("accessors").items()
        func start(_ accessor: DocumentNode) throws -> Int {
            let view = views[Int(try accessor.required("bufferView").int64())]
            return binary + Int(try view.required("byteOffset").int64())
        }
        let nodes = try document.required("nodes").items()
        for (index, solid) in solids.enumerated() {
            #expect(try nodes[index].required("name").string() == solid.name)
            let translation = Vector3(try nodes[index].required("translation").doubles(count: 3))
            let mesh = try document.required("meshes").items()[index]
            let primitive = try mesh.required("primitives").items()[0]
            func accessor(_ name: String) throws -> DocumentNode {
                let attributes = try primitive.required("attributes")
                return accessors[Int(try attributes.required(name).int64())]
            }
            let positions = try accessor("POSITION")
            let vertexCount = Int(try positions.required("count").int64())
            #expect(
                creaseAngle == .pi
                    ? vertexCount == solid.mesh.positions.count : vertexCount > solid.mesh.positions.count)
            let first = try start(positions)
            let read = (0..<vertexCount).map { translation + data.vector(at: first + 12 * $0) }
            let least = read.reduce(read[0]) { pointwiseMin($0, $1) } - translation
            #expect(
                try positions.required("min").doubles(count: 3)
                    == [least.x, least.y, least.z].map { Double(Float($0)) })
            let indices = accessors[Int(try primitive.required("indices").int64())]
            #expect(try indices.required("count").int64() == Int64(3 * solid.mesh.triangles.count))
            let times = try start(try accessor("_TIMESTAMP_S"))
            let normals = try start(try accessor("NORMAL"))
            let corners = try start(indices)
            for (triangle, expected) in solid.mesh.triangleCorners.enumerated() {
                for (corner, position) in [expected.0, expected.1, expected.2].enumerated() {
                    let vertex = Int(data.number(UInt32.self, at: corners + 12 * triangle + 4 * corner))
                    expectClose(read[vertex], position, tolerance: 1e-7)
                    #expect(abs(data.vector(at: normals + 12 * vertex).length - 1) < 1e-6)
                    let index = Int(solid.mesh.triangles[triangle][corner])
                    #expect(data.float(at: times + 4 * vertex) == Float(solid.seconds[index]))
                }
            }
        }
    }

    @Test func stampsAreThoseOfTheNearestPlace() throws {
        let solids = try Self.solids()
        for (position, seconds) in zip(solids[0].mesh.positions, solids[0].seconds) {
            // The pen was at x = 0 at 0 s, at x = 0.1 at 0.5 s, and at z = 0.05 at 1 s.
            let expected =
                position.x < 0.098 ? 5 * min(0.1, max(0, position.x)) : 0.5 + 10 * max(0, position.z)
            #expect(abs(seconds - expected) < 0.03)
        }
        #expect(solids[1].seconds.allSatisfy { $0 == 5 })
        #expect(try Self.solids(timestamps: false).allSatisfy(\.seconds.isEmpty))
        for style in [SolidOptions.Style.ribbon, .tube] {
            let stroke = Stroke(positions: [Point2(0, 0), Point2(0.1, 0)])
            let solid = try Drawing(strokes: [stroke]).solids(
                SolidOptions(style: style, hasTimestamps: true))[0]
            for (position, seconds) in zip(solid.mesh.positions, solid.seconds) {
                #expect(seconds == (position.x < 0.05 ? 0 : 1e-9))
            }
        }
    }

    // MARK: SVG and the choice of formats

    @Test func svgIsAsPrinted() throws {
        var square = Stroke(positions: [Point2(0x1p-7, 0x1p-6)], width: 0x1p-8)
        square.color = StrokeColor(hex: "#ff8800")!
        var other = square
        other.worldFromPlane.translation.y = 1
        let plan = try DrawingPlan(Drawing(strokes: [square, other]), SolidOptions(cap: .square))
        let text = String(decoding: Self.bytes { SVGWriter().write(plan, to: $0) }, as: UTF8.self)
        #expect(
            text.hasPrefix(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"22.8125mm\" height=\"13.9063mm\" viewBox=\"0 0 22.8125 13.9063\">"
            ))
        #expect(text.contains("<path id=\"stroke_1\" fill=\"#ff8800\" d=\"M"))
        #expect(text.contains("<g id=\"plane_2\" fill-rule=\"evenodd\">"))
        for corner in ["5 5", "8.9063 5", "8.9063 8.9063", "5 8.9063", "13.9063 5", "17.8125 8.9063"] {
            #expect(text.contains(corner))
        }
        #expect(text.hasSuffix("</g>\n</svg>\n"))
    }

    @Test func theExtensionChoosesTheFormat() throws {
        func export(_ name: String, _ unit: LengthUnit? = nil) throws(DrawingExportError)
            -> DrawingExport
        {
            try DrawingExport(to: URL(fileURLWithPath: "/tmp/\(name)"), unit: unit)
        }
        #expect(try export("a.OBJ").format == .obj)
        #expect(try export("my word.obj").materialFile?.lastPathComponent == "my_word.mtl")
        #expect(try export("a.stl", .millimetres).unit == .millimetres)
        #expect(try export("a.svg").unit == .millimetres)
        #expect(throws: DrawingExportError.unknownFormat(file: "/tmp/a.usdz")) { try export("a.usdz") }
        #expect(throws: DrawingExportError.unknownFormat(file: "/tmp/obj")) { try export("obj") }
        #expect(throws: DrawingExportError.unitNotAllowed(file: "/tmp/a.glb", unit: .millimetres)) {
            try export("a.glb", .millimetres)
        }
    }

    @Test(arguments: DrawingFormat.allCases) func filesAppearWholeAndAreTheSameTwice(
        format: DrawingFormat
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "arsim-export-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let export = try DrawingExport(to: folder.appendingPathComponent("a.\(format.rawValue)"))
        let drawing = Drawing(strokes: [
            Stroke(positions: [Point2(0, 0), Point2(0.1, 0.05)]), Stroke(positions: [Point2(1, 1)]),
        ])
        #expect(try export.write(drawing).count == 2)
        let first = try Data(contentsOf: export.url)
        try export.write(drawing)
        #expect(try Data(contentsOf: export.url) == first)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == (format == .obj ? ["a.mtl", "a.obj"] : ["a.\(format.rawValue)"]))
        // A drawing without strokes is a file, too.
        try export.write(Drawing())
    }

    @Test func materialsAreOneForEachColour() throws {
        var solids = try Self.solids()
        solids.append(solids[0])
        let writer = OBJWriter(materialFile: "a.mtl")
        #expect(
            writer.materials(of: solids) == """
                # Made by arsim.
                newmtl color_000000
                Kd 0 0 0
                Ks 0 0 0
                d 1
                illum 1
                newmtl color_ff8800
                Kd 1 0.533333 0
                Ks 0 0 0
                d 1
                illum 1

                """)
        let lines = writer.text(of: solids).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("usemtl") } == [
                "usemtl color_000000", "usemtl color_ff8800", "usemtl color_000000",
            ])
        #expect(lines[1] == "mtllib a.mtl")
        #expect(
            lines.count { $0.hasPrefix("vt ") } == solids.reduce(0) { $0 + $1.mesh.positions.count })
    }

    @Test func millimetresAreAThousandTimesMetres() throws {
        let box = TriangleMesh(
            OrientedBox(worldFromBox: .identity, halfExtents: Vector3(1.2345, 0.0005, 2e-9)))
        let text = OBJWriter(unit: .millimetres).text(of: [StrokeSolid(name: "box", mesh: box)])
        #expect(text.hasPrefix("# Made by arsim. Unit: millimetre."))
        #expect(text.contains("v -1234.5 -0.5 -0.000002\n"))
    }

    @Test func theSimulatorsReaderReadsTheFileBack() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "arsim-export-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let export = try DrawingExport(to: folder.appendingPathComponent("a.obj"))
        let solids = try Self.solids()
        try export.write(solids)
        let model = try OBJModel(contentsOf: export.url)
        let whole = solids[0].mesh + solids[1].mesh
        #expect(model.positions.count == whole.positions.count)
        #expect(model.triangles.map(\.positions) == whole.triangles)
        #expect(
            model.triangles.allSatisfy {
                $0.normals == $0.positions && $0.textureCoordinates == $0.positions
            })
        for (read, written) in zip(model.positions, whole.positions) {
            expectClose(read, written, tolerance: 5.1e-10)
        }
        #expect(model.triangleMesh.topology == whole.topology)
    }
}

extension Data {
    fileprivate func number<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number {
        withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: type)) }
    }

    fileprivate func float(at place: Int) -> Float {
        Float(bitPattern: number(UInt32.self, at: place))
    }

    fileprivate func vector(at place: Int) -> Vector3 {
        Vector3(Double(float(at: place)), Double(float(at: place + 4)), Double(float(at: place + 8)))
    }
}
