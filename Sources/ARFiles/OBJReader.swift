// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Reads an OBJ file line by line. The format is that of Wavefront's "Advanced Visualizer Manual", appendix B.
struct OBJReader {
    private let path: String
    private var model = OBJModel()
    /// What a line that ends in a backslash has said so far.
    private var begun: [UInt8] = []
    private var number = 0

    init(path: String) { self.path = path }

    /// Reads the next line.
    mutating func read(_ line: TextLine) throws(OBJError) {
        number = line.number
        if line.bytes.last == UInt8(ascii: "\\") {
            begun += line.bytes.dropLast()
            begun.append(UInt8(ascii: " "))
            return
        }
        let statement = begun.isEmpty ? line.bytes : (begun + line.bytes)[...]
        begun.removeAll(keepingCapacity: true)
        try read(statement)
    }

    /// What was read.
    func finish() throws(OBJError) -> OBJModel {
        guard !model.triangles.isEmpty else { throw .noFaces(file: path) }
        return model
    }

    private mutating func read(_ statement: ArraySlice<UInt8>) throws(OBJError) {
        let text = statement.prefix { $0 != UInt8(ascii: "#") }
        let words = text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let keyword = words.first else { return }
        let arguments = words.dropFirst()
        if keyword.elementsEqual("v".utf8) {
            let numbers = try numbers(arguments, atLeast: 3, expected: "three coordinates")
            model.positions.append(Point3(numbers[0], numbers[1], numbers[2]))
        } else if keyword.elementsEqual("vt".utf8) {
            let numbers = try numbers(arguments, atLeast: 2, expected: "two texture coordinates")
            model.textureCoordinates.append(Point2(numbers[0], numbers[1]))
        } else if keyword.elementsEqual("vn".utf8) {
            let numbers = try numbers(arguments, atLeast: 3, expected: "a normal of three numbers")
            model.normals.append(Vector3(numbers[0], numbers[1], numbers[2]))
        } else if keyword.elementsEqual("f".utf8) {
            try readFace(arguments)
        }
    }

    private func numbers(
        _ words: ArraySlice<ArraySlice<UInt8>>, atLeast count: Int, expected: String
    ) throws(OBJError) -> [Double] {
        guard words.count >= count else { throw malformed(Self.count(words.count), expected: expected) }
        var numbers: [Double] = []
        for word in words.prefix(count) {
            guard let number = NumberText.double(word), number.isFinite else {
                throw malformed(Self.quote(word), expected: "a finite number")
            }
            numbers.append(number)
        }
        return numbers
    }

    private struct Corner {
        var position: Int32
        var textureCoordinates: Int32?
        var normal: Int32?
    }

    private mutating func readFace(_ words: ArraySlice<ArraySlice<UInt8>>) throws(OBJError) {
        guard words.count >= 3 else {
            throw malformed("a face of \(words.count) corners", expected: "at least three corners")
        }
        var corners: [Corner] = []
        for word in words { corners.append(try corner(word)) }
        for triangle in triangulation(of: corners) {
            let (a, b, c) = (corners[triangle.0], corners[triangle.1], corners[triangle.2])
            model.triangles.append(
                OBJModel.Triangle(
                    positions: SIMD3(a.position, b.position, c.position),
                    textureCoordinates: Self.all(a.textureCoordinates, b.textureCoordinates, c.textureCoordinates),
                    normals: Self.all(a.normal, b.normal, c.normal)))
        }
    }

    private static func all(_ a: Int32?, _ b: Int32?, _ c: Int32?) -> SIMD3<Int32>? {
        guard let a, let b, let c else { return nil }
        return SIMD3(a, b, c)
    }

    /// A corner: `7`, `7/3`, `7//2` or `7/3/2`.
    private func corner(_ word: ArraySlice<UInt8>) throws(OBJError) -> Corner {
        let parts = word.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= 3 else { throw malformed(Self.quote(word), expected: "a corner such as 7/3/2") }
        func optional(_ part: Int, of count: Int, _ what: String) throws(OBJError) -> Int32? {
            guard part < parts.count, !parts[part].isEmpty else { return nil }
            return try index(parts[part], of: count, what)
        }
        return Corner(
            position: try index(parts[0], of: model.positions.count, "vertices"),
            textureCoordinates: try optional(1, of: model.textureCoordinates.count, "texture coordinates"),
            normal: try optional(2, of: model.normals.count, "normals"))
    }

    /// An index counted from one, or, when negative, from the last that was read.
    private func index(_ word: ArraySlice<UInt8>, of count: Int, _ what: String) throws(OBJError) -> Int32 {
        guard let number = NumberText.int64(word) else { throw malformed(Self.quote(word), expected: "a whole number") }
        let index = number < 0 ? number + Int64(count) : number - 1
        guard number != 0, (0..<Int64(count)).contains(index) else {
            throw malformed("the index \(number)", expected: "one of the \(count) \(what) before it")
        }
        return Int32(index)
    }

    /// Triangles that fill a face, which may be concave; one that crosses itself, seen along its normal, becomes a fan.
    private func triangulation(of corners: [Corner]) -> [(Int, Int, Int)] {
        let fan = (1..<(corners.count - 1)).map { (0, $0, $0 + 1) }
        guard corners.count > 3 else { return fan }
        let points = corners.map { model.positions[Int($0.position)] }
        // Newell's normal: the sum of the cross products around the outline.
        let following = points.dropFirst() + points.prefix(1)
        let normal = zip(points, following).reduce(Vector3.zero) {
            $0 + ($1.0 - points[0]).cross($1.1 - points[0])
        }
        guard let up = normal.normalized(), let right = up.anyPerpendicular() else { return fan }
        let front = up.cross(right)
        let outline = Polygon2(points.map { Point2(($0 - points[0]).dot(right), ($0 - points[0]).dot(front)) })
        guard outline.isSimple, let filling = outline.triangulation(), filling.count == fan.count else { return fan }
        return filling.map { (Int($0.x), Int($0.y), Int($0.z)) }
    }

    private func malformed(_ found: String, expected: String) -> OBJError {
        .malformed(file: path, line: number, found: found, expected: expected)
    }

    private static func quote(_ word: ArraySlice<UInt8>) -> String {
        "'\(String(decoding: word.prefix(40), as: UTF8.self))'"
    }

    private static func count(_ count: Int) -> String { count == 0 ? "nothing" : "\(count) words" }
}
