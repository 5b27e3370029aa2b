// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import Foundation
import TestSupport
import Testing

@Suite struct LineReaderTests {
    private func lines(_ bytes: [UInt8]) throws -> [TextLine] {
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: folder("text"))
        let reader = try LineReader(folder("text"))
        var lines: [TextLine] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test func endsAndMarksAreRemoved() throws {
        let lines = try lines([0xef, 0xbb, 0xbf] + Array("a\r\n\nb\rc\nlast".utf8))
        #expect(lines.map(\.string) == ["a", "", "b\rc", "last"])
        #expect(lines.map(\.number) == [1, 2, 3, 4])
        #expect(lines.map(\.isTerminated) == [true, true, true, false])
        #expect(lines.map(\.isBlank) == [false, true, false, false])
    }

    @Test func anEmptyFileHasNoLine() throws {
        #expect(try lines([]).isEmpty)
        #expect(try lines(Array("\n".utf8)).map(\.string) == [""])
    }

    // Lines of every length around the size of the reader's buffer.
    @Test func linesMayStraddleTheBuffer() throws {
        let texts = (65530..<65540).map { String(repeating: "x", count: $0) } + ["", "end"]
        #expect(try lines(Array(texts.joined(separator: "\n").utf8)).map(\.string) == texts)
    }

    @Test func aLineWithoutEndIsNoText() throws {
        let folder = try TemporaryFolder()
        try Data(count: LineReader.longestLine + 100_000).write(to: folder("zeros"))
        #expect(throws: FileError.lineTooLong(file: folder("zeros").path, line: 1)) {
            try LineReader(folder("zeros")).next()
        }
    }

    @Test func whatIsMissingIsNamed() throws {
        let folder = try TemporaryFolder()
        let error = FileError.cannotOpen(file: folder("no").path, reason: "No such file or directory")
        #expect(throws: error) { try LineReader(folder("no")) }
        #expect(error.description.contains("No such file or directory"))
        #expect(throws: FileError.cannotRead(file: folder.url.path, reason: "Is a directory")) {
            try LineReader(folder.url).next()
        }
    }
}

@Suite struct AtomicFileTests {
    @Test func theFileAppearsWhole() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        let file = try AtomicFile(replacing: folder("file"))
        try file.write("new ")
        try file.write([UInt8](repeating: 65, count: 100_000))
        #expect(try String(contentsOf: folder("file"), encoding: .utf8) == "old")
        try file.commit()
        #expect(try Data(contentsOf: folder("file")).count == 100_004)
        #expect(try folder.names() == ["file"])
    }

    @Test func withoutCommitTheOldFileStays() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        func abandon() throws { try AtomicFile(replacing: folder("file")).write("new") }
        try abandon()
        #expect(try String(contentsOf: folder("file"), encoding: .utf8) == "old")
        #expect(try folder.names() == ["file"])
    }

    @Test func aFolderThatIsMissingIsNamed() throws {
        let folder = try TemporaryFolder()
        #expect(throws: FileError.cannotWrite(file: folder("no/file").path, reason: "No such file or directory")) {
            try AtomicFile(replacing: folder("no/file"))
        }
    }

    @Test func whatIsFlushedIsThere() throws {
        let folder = try TemporaryFolder()
        let writer = try FileWriter(creating: folder("log"))
        try writer.write("a row\n")
        #expect(try Data(contentsOf: folder("log")).isEmpty)
        try writer.flush()
        #expect(try String(contentsOf: folder("log"), encoding: .utf8) == "a row\n")
        try writer.write("half")
        try writer.close()
        #expect(try String(contentsOf: folder("log"), encoding: .utf8) == "a row\nhalf")
    }
}

@Suite struct NumberTextTests {
    @Test(arguments: 0..<4) func doublesSurviveTheRoundTrip(_ number: Int) throws {
        var random = TestRandom(case: number)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            #expect(NumberText.double(Array(NumberText.string(value).utf8)[...]) == value)
        }
    }

    // Digits as people and programs write them, against the standard library, which rounds correctly.
    @Test(arguments: 0..<4) func decimalsRoundCorrectly(_ number: Int) throws {
        var random = TestRandom(case: number)
        for _ in 0..<20_000 {
            let digits = String(random.next()).suffix(Int.random(in: 1...20, using: &random))
            let places = Int.random(in: 0...digits.count, using: &random)
            let exponent = Bool.random(using: &random) ? "e\(Int.random(in: -30...30, using: &random))" : ""
            let text = "-\(digits.dropLast(places)).\(digits.suffix(places))\(exponent)"
            let expected = text.hasPrefix("-.") ? Double("-0" + text.dropFirst()) : Double(text)
            #expect(NumberText.double(Array(text.utf8)[...]) == expected, "\(text)")
        }
    }

    @Test(arguments: [
        ("1", 1.0), ("+2.5", 2.5), ("-0", 0), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("2.E-1", 0.2),
        ("1403636580.838556", 1403636580.838556), ("inf", .infinity), ("1e400", .infinity),
    ])
    func numbersAreRead(_ text: String, _ value: Double) {
        #expect(NumberText.double(Array(text.utf8)[...]) == value)
    }

    @Test(arguments: ["", "-", ".", "1,5", " 1", "1 ", "1e", "e5", "0x10", "1.2.3", "--1", "one", "1e+-2"])
    func otherTextsAreNoNumbers(_ text: String) {
        #expect(NumberText.double(Array(text.utf8)[...]) == nil)
        #expect(NumberText.nanoseconds(fromSeconds: Array(text.utf8)[...]) == nil)
    }

    @Test func notANumberIsRead() { #expect(NumberText.double(Array("nan".utf8)[...])?.isNaN == true) }

    @Test(arguments: [
        (1.0, "1"), (-0.0, "0"), (0.1, "0.1"), (-2.5, "-2.5"), (1e-5, "1e-05"), (1e22, "1e+22"),
        (123456789, "123456789"),
    ])
    func numbersAreWrittenShort(_ value: Double, _ text: String) { #expect(NumberText.string(value) == text) }

    @Test(arguments: [
        ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("+7", 7), ("-0", 0),
    ])
    func wholeNumbersAreRead(_ text: String, _ value: Int64) {
        #expect(NumberText.int64(Array(text.utf8)[...]) == value)
    }

    @Test(arguments: [
        "", "-", "9223372036854775808", "-9223372036854775809", "1.0", "1e3", " 1", "99999999999999999999",
    ])
    func otherTextsAreNoWholeNumbers(_ text: String) { #expect(NumberText.int64(Array(text.utf8)[...]) == nil) }

    @Test(arguments: [
        ("1403636579.763556", Int64(1_403_636_579_763_556_000)), ("0.0000000004", 0), ("0.0000000005", 1),
        ("-1.5", -1_500_000_000), ("1e-9", 1), ("1.40363657976355600e9", 1_403_636_579_763_556_000),
        ("3", 3_000_000_000),
        ("0.00000000099999", 1), ("1e-500", 0),
    ])
    func secondsBecomeNanosecondsExactly(_ text: String, _ nanoseconds: Int64) {
        #expect(NumberText.nanoseconds(fromSeconds: Array(text.utf8)[...]) == nanoseconds)
    }

    @Test(arguments: 0..<2) func nanosecondsSurviveAsSeconds(_ number: Int) {
        var random = TestRandom(case: number)
        for _ in 0..<10_000 {
            let value = Int64.random(in: -1_000_000_000_000_000_000...1_000_000_000_000_000_000, using: &random)
            let text = NumberText.seconds(fromNanoseconds: value)
            #expect(NumberText.nanoseconds(fromSeconds: Array(text.utf8)[...]) == value)
        }
        #expect(NumberText.seconds(fromNanoseconds: -1_050_000_000) == "-1.050000000")
        #expect(NumberText.nanoseconds(fromSeconds: Array("1e12".utf8)[...]) == nil)
    }
}
