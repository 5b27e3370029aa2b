// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTargets
import Foundation
import TestSupport
import Testing

struct ReferenceListTests {
    /// A folder with two pictures in it, and a third one deeper.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let deeper = folder.url.appendingPathComponent("deeper")
        try FileManager.default.createDirectory(at: deeper, withIntermediateDirectories: true)
        for (name, value) in [("a.png", UInt8(10)), ("b.PNG", 20), ("deeper/c, d.png", 30)] {
            try ImageFile.writePNG(
                ImageBuffer(size: ImageSize(width: 4, height: 3), format: .gray8, filledWith: value),
                to: folder.url.appendingPathComponent(name))
        }
        try "no picture".write(to: folder.url.appendingPathComponent("a.txt"), atomically: true, encoding: .utf8)
        return folder
    }

    private func list(_ text: String, in folder: TemporaryFolder, named name: String = "list") throws -> ReferenceList {
        let file = folder.url.appendingPathComponent(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return try ReferenceList(contentsOf: file)
    }

    @Test func picturesOfAFolder() throws {
        let folder = try Self.folder()
        let list = try ReferenceList(contentsOf: folder.url)
        #expect(list.entries.map(\.name) == ["a", "b"])
        #expect(list.entries.allSatisfy { $0.physicalWidth == nil && $0.record.isEmpty })
        #expect(try list.entries.map { try $0.reference().picture.bytes[0] } == [10, 20])
    }

    /// Both forms of a list say the same.
    @Test func listsInBothForms() throws {
        let folder = try Self.folder()
        let table = try list(
            "\u{FEFF}name,picture,width_m,motto\r\nOne,a.png,0.1,\"first, \"\"best\"\"\nof all\"\r\n\r\nTwo,\"deeper/c, d.png\",,\r\n",
            in: folder)
        let document = try list(
            """
            {"arsim_targets": 1, "targets": [
              {"name": "One", "picture": "a.png", "width_m": 0.1, "motto": "first, \\"best\\"\\nof all"},
              {"name": "Two", "picture": "deeper/c, d.png"}]}
            """, in: folder)
        #expect(table == document)
        #expect(table.entries.map(\.physicalWidth) == [0.1, nil])
        #expect(table.entries.map(\.record) == [["motto": .string("first, \"best\"\nof all")], [:]])
        #expect(try table.entries.map { try $0.reference().picture.bytes[0] } == [10, 30])
    }

    @Test func recordsKeepTheirTypes() throws {
        let folder = try Self.folder()
        let record = try list(
            """
            {"arsim_targets": 1, "targets": [{"name": "One", "picture": "a.png", "founded": 1897, "share": 0.5,
              "plays": true, "colors": ["red", "white"], "coach": null, "ground": {"seats": 4000}}]}
            """, in: folder
        ).entries[0].record
        #expect(
            record == [
                "founded": .integer(1897), "share": .number(0.5), "plays": .bool(true),
                "colors": .list([.string("red"), .string("white")]), "coach": .null,
                "ground": .record(["seats": .integer(4000)]),
            ])
    }

    @Test(arguments: [
        ("name,width_m\nOne,0.1\n", "list:1:1", "\"picture\""),
        ("name,picture\n", "list:1:1", "rows behind"),
        ("", "list:1:1", "names columns"),
        ("name,name\na,b\n", "list:1:6", "a name for each column"),
        ("name,picture\nOne,a.png,3\n", "list:2:1", "found 3 fields, expected 2"),
        ("name,picture\nOne,nowhere.png\n", "list:2:5", "a picture that exists"),
        ("name,picture\nOne,a.png\nOne,b.PNG\n", "list:3:1", "given in line 2 already"),
        ("name,picture\n,a.png\n", "list:2:1", "the key \"name\""),
        ("name,picture,width_m\nOne,a.png,wide\n", "list:2:11", "a width in metres"),
        ("name,picture,width_m\nOne,a.png,-0.1\n", "list:2:11", "a width in metres"),
        ("name,picture,width_m\nOne,a.png,150\n", "list:2:11", "a width in metres"),
        ("name,picture\n\"One,a.png\n", "list:2:1", "a closing one"),
        ("name,picture\n\"One\"x,a.png\n", "list:2:6", "a comma"),
        ("{\"arsim_targets\": 2, \"targets\": []}", "list:1:19", "version 1"),
        ("{\"targets\": []}", "list:1:1", "the key \"arsim_targets\""),
        ("{\"arsim_targets\": 1, \"targets\": []}", "list:1:33", "at least one target"),
        ("{\"arsim_targets\": 1, \"targets\": [{\"name\": \"x\"}]}", "list:1:34", "the key \"picture\""),
        ("{\"arsim_targets\": 1, \"targets\": [{\"name\": 3, \"picture\": \"a.png\"}]}", "list:1:43", "a text"),
        ("{\"arsim_targets\": 1, \"target\": []}", "list:1:32", "the key \"target\""),
        ("{\"arsim_targets\": 1", "list:1:", "expected"),
    ])
    func listsThatBreakARule(text: String, place: String, words: String) throws {
        let folder = try Self.folder()
        let error = try #require(throws: DocumentError.self) { try list(text, in: folder) }
        #expect(error.description.contains(place), "\(error)")
        #expect(error.description.contains(words), "\(error)")
    }

    @Test func foldersThatGiveNoTargets() throws {
        let folder = try Self.folder()
        let empty = folder.url.appendingPathComponent("empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        #expect(throws: ReferenceListError.noPictures(folder: empty.relativePath)) {
            try ReferenceList(contentsOf: empty)
        }
        try Data(contentsOf: folder.url.appendingPathComponent("a.png"))
            .write(to: folder.url.appendingPathComponent("a.jpeg"))
        #expect(throws: ReferenceListError.nameTaken(name: "a", file: "a.png", other: "a.jpeg")) {
            try ReferenceList(contentsOf: folder.url)
        }
        #expect(throws: FileError.self) {
            try ReferenceList(contentsOf: folder.url.appendingPathComponent("nowhere.csv"))
        }
    }

    @Test func picturesThatAreNone() throws {
        let folder = try Self.folder()
        let list = try list("name,picture\nOne,a.txt\n", in: folder)
        #expect(throws: ImageFileError.self) { try list.entries.map { try $0.reference() } }
    }
}
