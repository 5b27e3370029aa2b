// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARFiles
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite final class DrawingFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "arsim-drawing-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var file: DrawingFile { DrawingFile(folder.appendingPathComponent("a.ardrawing")) }

    private static func drawing(_ random: inout TestRandom) -> Drawing {
        Drawing(
            strokes: (0..<4).map { index in
                var stroke = SamplePath.allCases.randomElement(using: &random)!.stroke(&random)
                stroke.width = random.uniform(0.001...0.01)
                stroke.height = random.uniform(0.001...0.1)
                stroke.color = StrokeColor(red: UInt8(40 * index), green: 255, blue: 3)
                stroke.isFilled = index == 2
                for point in stroke.points.indices {
                    stroke.points[point].pressure = random.uniform(0.1...2)
                    stroke.points[point].timestamp = Timestamp(
                        nanoseconds: 1_403_636_579_763_555_584 + Int64(point))
                }
                return stroke
            })
    }

    @Test(arguments: 0..<20) func whatIsWrittenReadsBack(number: Int) throws {
        var random = TestRandom(case: number)
        let drawing = Self.drawing(&random)
        try file.write(drawing)
        #expect(try file.read() == drawing)
        let bytes = try Data(contentsOf: file.url)
        try file.write(try file.read())
        #expect(try Data(contentsOf: file.url) == bytes)
        try file.write(Drawing())
        #expect(try file.read() == Drawing())
    }

    @Test func longStrokesAreSpreadOverLines() throws {
        let stroke = Stroke(positions: (0..<1234).map { Point2(Double($0), 0) })
        try file.write(Drawing(strokes: [stroke]))
        #expect(try file.read().strokes == [stroke])
        #expect(try String(contentsOf: file.url, encoding: .utf8).split(separator: "\n").count == 5)
    }

    @Test func textIsAsDocumented() throws {
        var stroke = Stroke(positions: [Point2(0.5, -1)])
        stroke.color = StrokeColor(hex: "#ff8800")!
        try file.write(Drawing(strokes: [stroke]))
        #expect(
            try String(contentsOf: file.url, encoding: .utf8) == """
                {"format":"ardrawing","strokes":1,"version":1}
                {"stroke":{"color":"#ff8800","filled":false,"height_m":0.003,"plane_position_m":[0,0,0],\
                "plane_rotation_xyzw":[0,0,0,1],"point_count":1,"width_m":0.003}}
                {"points":[[0,0.5,-1,1]]}

                """)
    }

    @Test func everyTruncationIsRefused() throws {
        var random = TestRandom(case: 0)
        try file.write(Self.drawing(&random))
        let whole = try Data(contentsOf: file.url)
        for length in stride(from: 0, to: whole.count - 1, by: 97) {
            try whole.prefix(length).write(to: file.url)
            #expect(throws: DrawingFileError.self) { try file.read() }
        }
    }

    @Test(arguments: [
        ("\"version\":1", "\"version\":2", "version 2"),
        ("\"ardrawing\"", "\"drawing\"", ":1:11: found \"drawing\""),
        ("\"strokes\":1", "\"strokes\":0", "the end of the file after 0 strokes"),
        ("\"strokes\":1", "\"strokes\":2", "stroke 2 of 2"),
        ("\"strokes\":1", "\"strokes\":-1", "not negative"),
        ("#ff8800", "orange", "a colour such as"),
        ("\"width_m\":0.003", "\"width_m\":0", "a length from"),
        ("\"height_m\":0.003", "\"height_m\":null", "height_m"),
        ("[0,0,0,1]", "[0,0,0,2]", "a quaternion of length 1"),
        ("\"point_count\":1", "\"point_count\":3", "2 of the 3 points of stroke 1"),
        ("\"point_count\":1", "\"point_count\":0", "the end of the file"),
        ("[0,0.5,-1,1]", "[0,0.5,-1]", "a list of 4"),
        ("[0,0.5,-1,1]", "[0.5,0.5,-1,1]", "a whole number"),
        ("[0,0.5,-1,1]", "[0,0.5,-1,0]", "a pressure from"),
        ("\"filled\"", "\"full\"", "one of the keys"),
        ("\"points\"", "\"point\"", "one of the keys points"),
        ("{\"points\"", "{{\"points\"", "a key in quotation marks"),
    ])
    func mistakesAreNamed(good: String, bad: String, words: String) throws {
        var stroke = Stroke(positions: [Point2(0.5, -1)])
        stroke.color = StrokeColor(hex: "#ff8800")!
        try file.write(Drawing(strokes: [stroke]))
        let text = try String(contentsOf: file.url, encoding: .utf8)
        try text.replacing(good, with: bad).write(to: file.url, atomically: true, encoding: .utf8)
        let error = try #require(throws: DrawingFileError.self) { try file.read() }
        #expect(error.description.contains(words), "\(error)")
        #expect(error.description.contains(file.url.path))
    }

    @Test func aMissingFileIsNamed() {
        let missing = DrawingFile(folder.appendingPathComponent("missing.ardrawing"))
        #expect(throws: DrawingFileError.self) { try missing.read() }
    }
}
