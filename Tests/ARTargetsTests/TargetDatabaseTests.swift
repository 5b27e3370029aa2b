// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARSimulation
import ARTargets
import Foundation
import TestSupport
import Testing

@Suite struct TargetDatabaseTests {
    private static let references = [
        ReferenceImage(
            name: "first", picture: Emblem(number: 1).image(width: 200), physicalWidth: 0.15,
            record: ["founded": .integer(1899), "colours": .list([.string("red"), .string("gold")])]),
        ReferenceImage(name: "zweiter, ü", picture: Emblem(number: 2).image(width: 300)),
    ]
    private static let database = Result { try TargetDatabase(building: references) }

    @Test func filesHoldWhatWasBuilt() throws {
        let folder = try TemporaryFolder()
        let built = try Self.database.get()
        try built.write(to: folder("a.artargets"))
        try TargetDatabase(building: Self.references).write(to: folder("b.artargets"))
        #expect(try Data(contentsOf: folder("a.artargets")) == Data(contentsOf: folder("b.artargets")))

        let opened = try TargetDatabase(opening: folder("a.artargets"))
        #expect(Array(opened.targets) == Array(built.targets))
        #expect(opened.targets.map(\.name) == ["first", "zweiter, ü"])
        #expect(opened.targets[0].physicalSize == Vector2(0.15, 0.15))
        #expect(opened.targets[1].physicalSize == nil)
        #expect(opened.targets[0].record == Self.references[0].record)
        #expect(opened.targets[1].pictureSize == ImageSize(width: 300, height: 300))
        #expect(opened.targets.allSatisfy { $0.featureCount >= 12 })
        #expect(opened.template(at: 1) == built.template(at: 1))
        #expect(opened.template(at: 1).size == ImageSize(width: 128, height: 128))
        // A target takes at most 64 KiB.
        let size = try Data(contentsOf: folder("a.artargets")).count
        #expect(size < 2 * 64 * 1024)
    }

    @Test func progressIsToldAfterEachPicture() throws {
        var done: [Int] = []
        _ = try TargetDatabase(building: Self.references) { done.append($0) }
        #expect(done == [1, 2])
    }

    @Test func picturesThatCannotBeTargetsAreRefused() throws {
        func error(_ references: ReferenceImage...) -> TargetDatabaseError? {
            do { _ = try TargetDatabase(building: references) } catch { return error }
            return nil
        }
        func plain(_ width: Int, _ height: Int) -> ImageBuffer {
            ImageBuffer(size: ImageSize(width: width, height: height), format: .gray8, filledWith: 120)
        }
        let emblem = Emblem(number: 1).image(width: 128)
        #expect(error(ReferenceImage(name: "", picture: emblem)) == .nameMissing)
        #expect(
            error(ReferenceImage(name: "a", picture: emblem), ReferenceImage(name: "a", picture: emblem))
                == .nameTaken(name: "a"))
        #expect(
            error(ReferenceImage(name: "a", picture: plain(20, 40)))
                == .pictureTooSmall(name: "a", found: ImageSize(width: 20, height: 40), leastSide: 32))
        #expect(
            error(ReferenceImage(name: "a", picture: plain(40, 400)))
                == .pictureTooNarrow(name: "a", found: ImageSize(width: 40, height: 400)))
        #expect(error(ReferenceImage(name: "a", picture: plain(200, 200))) == .tooFewFeatures(name: "a", found: 0))
        #expect(
            error(ReferenceImage(name: "a", picture: emblem, physicalWidth: -1))
                == .widthOutOfRange(name: "a", found: -1))
    }

    @Test func filesThatAreNoneAreRefused() throws {
        let folder = try TemporaryFolder()
        let file = folder("x.artargets")
        try Self.database.get().write(to: file)
        let whole = try Data(contentsOf: file)
        func error(_ bytes: Data) throws -> TargetDatabaseError? {
            try bytes.write(to: file)
            do { _ = try TargetDatabase(opening: file) } catch { return error }
            return nil
        }
        #expect(try error(whole) == nil)
        #expect(try error(Data("hello".utf8)) == .notADatabase(file: file.path))
        for count in [128, 200, 1000, whole.count / 2, whole.count - 1] {
            #expect(
                try error(whole.prefix(count))
                    == .wrongSize(file: file.path, found: count, expected: UInt64(whole.count)), "\(count) bytes")
        }
        #expect(try error(whole + Data([0])) != nil)
        var changed = whole
        changed[8] = 9
        #expect(try error(changed) == .unknownVersion(file: file.path, found: 9, expected: 1))
        // Whatever is changed in the header or in the names is found out.
        for place in Array(12..<104) + Array(stride(from: 128, to: 300, by: 7)) {
            changed = whole
            changed[place] ^= 0x41
            #expect(try error(changed) != nil, "byte \(place)")
        }
        #expect(throws: TargetDatabaseError.self) { try TargetDatabase(opening: folder("missing")) }
    }
}
