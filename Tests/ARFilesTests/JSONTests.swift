// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import Foundation
import TestSupport
import Testing

@Suite struct JSONTests {
    private func read(_ text: String) throws(DocumentError) -> DocumentNode {
        try JSONReader.read(Array(text.utf8)[...], file: "x", line: 1)
    }

    /// The value that was read, as one to be written.
    private func value(_ node: DocumentNode) throws -> JSONValue {
        switch node.content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number: if let whole = try? node.int64() { .integer(whole) } else { .number(try node.double()) }
        case .string(let text): .string(text)
        case .list(let items): .list(try items.map(value))
        case .record(let entries):
            .record(Dictionary(uniqueKeysWithValues: try entries.map { ($0.key, try value($0.value)) }))
        }
    }

    private func randomValue(_ random: inout TestRandom, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: Int64.min...Int64.max, using: &random))
        case 3: return .number(random.uniform(-1...1) + 0.123)
        case 4:
            return .string(
                ["", "a\"b\\c/", "\u{0}\u{1f}\n\t\r", "é🖊\u{2028}", "\u{7f}"].randomElement(using: &random)!)
        case 5: return .list((0..<3).map { _ in randomValue(&random, depth: depth - 1) })
        default:
            return .record(["b": randomValue(&random, depth: depth - 1), "a": randomValue(&random, depth: depth - 1)])
        }
    }

    @Test(arguments: 0..<50) func whatIsWrittenIsRead(_ number: Int) throws {
        var random = TestRandom(case: number)
        let written = randomValue(&random, depth: 4)
        #expect(try value(read(written.text)) == written)
        #expect(try value(read(written.indentedText)) == written)
        // Another reader agrees that it is JSON.
        #expect(throws: Never.self) {
            try JSONSerialization.jsonObject(with: Data(written.text.utf8), options: .fragmentsAllowed)
        }
    }

    @Test func keysAreSortedAndNumbersShort() {
        let value = JSONValue.record([
            "b": .numbers([1, -0.0, 0.1, 1e-9]), "a": .record(["x": .integer(5)]), "c": .record([:]),
        ])
        #expect(value.text == "{\"a\":{\"x\":5},\"b\":[1,0,0.1,1e-09],\"c\":{}}")
        #expect(
            value.indentedText == "{\n  \"a\": {\n    \"x\": 5\n  },\n  \"b\": [1, 0, 0.1, 1e-09],\n  \"c\": {}\n}\n")
    }

    @Test func valuesKnowTheirPlace() throws {
        let node = try read("{\n  \"a\": [1,\n 2.5]}")
        let items = try node.required("a").items()
        #expect(items.map(\.line) == [2, 3])
        #expect(items.map(\.column) == [9, 2])
        #expect(throws: DocumentError(file: "x", line: 3, column: 2, found: "2.5", expected: "a whole number")) {
            try items[1].int64()
        }
        #expect(throws: DocumentError(file: "x", line: 1, column: 1, found: "a record of 1", expected: "the key \"b\""))
        {
            try node.required("b")
        }
    }

    @Test func escapesAreRead() throws {
        #expect(try read(#""\u00e9\ud83d\udd8a\/\b\f\n\r\t\"\\""#).string() == "é🖊/\u{8}\u{c}\n\r\t\"\\")
    }

    @Test(arguments: [
        ("", 1, "a value"), ("{\"a\":1", 7, "\",\" or \"}\""), ("[1,]", 4, "a value"), ("[1 2]", 4, "\",\" or \"]\""),
        ("{a:1}", 2, "a key in quotation marks"), ("{\"a\" 1}", 6, "\":\""), ("01", 2, "the end of the text"),
        ("1.", 3, "a digit"), ("1e", 3, "a digit"), ("-", 2, "a digit"), ("+1", 1, "a value"), ("nan", 1, "a value"),
        ("tru", 1, "a value"), ("\"a", 3, "the closing quotation mark"),
        ("\"a\u{1}\"", 3, "the closing quotation mark"),
        ("\"\\x\"", 4, "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"),
        ("\"\\u12g4\"", 4, "four hexadecimal digits"), ("\"\\ud800\"", 8, "the second half of a surrogate pair"),
        ("{\"a\":1,\"a\":2}", 11, "each key once: \"a\""), ("1 2", 3, "the end of the text"), ("\u{e9}", 1, "a value"),
    ])
    func otherTextsAreNoJSON(_ text: String, _ column: Int, _ expected: String) throws {
        let error = try #require(throws: DocumentError.self) { try read(text) }
        #expect(error.column == column, "\(error)")
        #expect(error.expected == expected, "\(error)")
    }

    @Test func deepNestingIsRefused() {
        #expect(throws: DocumentError.self) { try read(String(repeating: "[", count: 100_000)) }
        #expect(throws: Never.self) {
            try read(String(repeating: "[", count: 60) + String(repeating: "]", count: 60))
        }
    }

    @Test func everyTruncationIsAnError() throws {
        let text = "{\"a\":[1,true,null,\"x\\u0041\"],\"b\":{}}"
        for length in 0..<text.count { #expect(throws: DocumentError.self) { try read(String(text.prefix(length))) } }
        #expect(throws: Never.self) { try read(text) }
    }

    private enum Color: String, CaseIterable { case red, green }

    @Test func valuesOfTheWrongKindAreExplained() throws {
        let node = try read("{\"text\":\"red\",\"number\":1,\"no\":null,\"yes\":true,\"list\":[1,2]}")
        #expect(try node.required("text").choice(of: Color.self) == .red)
        #expect(try node.required("yes").bool())
        let numbers: [Double] = try node.required("list").doubles(count: 2)
        #expect(numbers == [1, 2])
        let missing = try node.value("no")
        #expect(missing?.line == nil)
        func expected(_ body: () throws -> Void) throws -> String {
            try #require(throws: DocumentError.self, performing: body).expected
        }
        #expect(try expected { _ = try node.required("number").choice(of: Color.self) } == "one of red, green")
        #expect(try expected { _ = try node.required("number").string() } == "a text")
        #expect(try expected { _ = try node.required("number").bool() } == "true or false")
        #expect(try expected { _ = try node.required("text").double() } == "a number")
        #expect(try expected { _ = try node.required("text").entries() } == "a record")
        #expect(try expected { _ = try node.required("text").items() } == "a list")
        #expect(try expected { _ = try node.required("list").items(count: 3) } == "a list of 3")
        #expect(try expected { _ = try node.required("list").value("x") } == "a record with the key \"x\"")
        #expect(try expected { try node.check(keys: ["text", "number"]) } == "one of the keys text, number")
        #expect(
            DocumentError(file: "f", line: 2, column: 3, found: "a", expected: "b").description
                == "f:2:3: found a, expected b")
    }
}
