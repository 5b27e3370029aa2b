// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct ReadmeTests {
    private let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The README's program is the file that the tests compile.
    @Test func theExampleIsCompiled() throws {
        let readme = try String(
            contentsOf: tests.appendingPathComponent("../../README.md").standardized, encoding: .utf8)
        let example = try String(
            contentsOf: tests.appendingPathComponent("ReadmeExample.swift"), encoding: .utf8)
        let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst().first)
        let printed = try #require(block.components(separatedBy: "```").first)
        #expect(example.hasSuffix(printed))
        #expect(printed.hasPrefix("import ARSim"))
    }
}
