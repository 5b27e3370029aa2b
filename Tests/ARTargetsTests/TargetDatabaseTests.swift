// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARSimulation
import Foundation
import TestSupport
import Testing

@testable import ARTargets

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

    @Test func buildersWriteTheSameBytes() throws {
        let folder = try TemporaryFolder()
        try Self.database.get().write(to: folder("a.artargets"))
        var builder = try TargetDatabaseBuilder(file: folder("b.artargets"))
        for reference in Self.references {
            try builder.add(reference)
            // What is refused leaves nothing behind.
            #expect(throws: TargetDatabaseError.nameTaken(name: reference.name)) { try builder.add(reference) }
            #expect(throws: TargetDatabaseError.self) {
                try builder.add(
                    ReferenceImage(
                        name: "plain", picture: ImageBuffer(size: ImageSize(width: 64, height: 64), format: .gray8)))
            }
        }
        #expect(builder.targetCount == 2)
        #expect(!FileManager.default.fileExists(atPath: folder("b.artargets").path))
        try builder.finish()
        #expect(try Data(contentsOf: folder("a.artargets")) == Data(contentsOf: folder("b.artargets")))
        // Nothing else lies in the folder.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
    }

    /// A target with few features, so that many of them take no time.
    private static func smallParts() throws -> TargetParts {
        let picture = Emblem(number: 7).image(width: 64)
        var parts = try TargetParts(ReferenceImage(name: "small", picture: picture), space: ScaleSpace())
        parts.postings.removeSubrange(20...)
        return parts
    }

    /// Whatever was added and removed, the database holds what a list would, in the list's order.
    @Test func addedAndRemovedTargetsAreThoseOfAList() throws {
        var random = TestRandom(case: 11)
        let folder = try TemporaryFolder()
        try Self.database.get().write(to: folder("a.artargets"))
        var database = try TargetDatabase(opening: folder("a.artargets"))
        var names = Self.references.map(\.name)
        let parts = try Self.smallParts()
        for number in 0..<700 {
            if random.uniform(0...1) < 0.8 {
                var new = parts
                new.name = "added \(number)"
                database = try database.adding(new)
                names.append(new.name)
            } else if names.count > 1 {
                let name = names.remove(at: Int(random.uniform(1...Double(names.count) - 0.01)))
                let rest = database.removing(name)
                database = try #require(rest)
            }
        }
        #expect(database.removing("nobody") == nil)
        #expect(database.targets.indices.map { database.targets.name(at: $0) } == names)
        #expect(names.indices.allSatisfy { database.targets.index(named: names[$0]) == $0 })
        // There are three size classes of added ones, and the file's is left as it is.
        #expect(database.segments[0].storage.isMapped && database.segments.count <= 4)
        try database.write(to: folder("b.artargets"))
        let written = try TargetDatabase(opening: folder("b.artargets"))
        #expect(Array(written.targets) == Array(database.targets) && written.segments.count == 1)
        #expect(written.template(at: 0) == database.template(at: 0))
        // Targets come out of their segments as they went in.
        #expect(try Data(contentsOf: folder("b.artargets")) == TargetAssembly.bytes(of: written.segments[0].parts))
        for name in names {
            let rest = database.removing(name)
            database = try #require(rest)
        }
        #expect(database.targets.isEmpty)
    }

    /// What is left after removals has fewer targets and shorter keys, and the bytes that it has when nothing else was there.
    @Test func whatWasRemovedLeavesNoTrace() throws {
        let parts = try (1...40).map { number in
            let picture = Emblem(number: number).image(width: 64)
            return try TargetParts(ReferenceImage(name: "\(number)", picture: picture), space: ScaleSpace())
        }
        func storage(_ parts: [TargetParts]) throws -> TargetStorage {
            try TargetStorage(TargetAssembly.bytes(of: parts), file: "memory")
        }
        let (all, few) = (try storage(parts), try storage(Array(parts.prefix(10))))
        #expect(all.withIndex(\.key_bits) > few.withIndex(\.key_bits))
        var database = TargetDatabase(segments: [TargetSegment(all)])
        for number in 11...40 { database = try #require(database.removing("\(number)")) }
        let folder = try TemporaryFolder()
        try database.write(to: folder("few.artargets"))
        #expect(try Data(contentsOf: folder("few.artargets")) == few.bytes)
    }

    /// Each added target is put together at most sixteen times for each size class, here three; m or more at once, which may
    /// be nearly all, with one addition in m / 16.
    @Test func addingIsAmortised() throws {
        let count = 600
        var database = TargetDatabase(segments: [])
        var parts = try Self.smallParts()
        // How often each target was put together, and how many were with each addition.
        var times = [Int](repeating: 0, count: count)
        var moved: [Int] = []
        for number in 0..<count {
            parts.name = "\(number)"
            database = try database.adding(parts)
            moved.append(database.segments[database.segments.count - 1].count)
            for target in number + 1 - moved[number]...number { times[target] += 1 }
            #expect(database.segments.count <= 3)
        }
        #expect(times.allSatisfy { $0 <= 16 * 3 }, "\(times.max() ?? 0) times")
        #expect(moved.contains { $0 > count / 2 })
        for size in [32, 64, 128, 256] {
            #expect(moved.count { $0 >= size } <= 16 * count / size, "\(size) or more")
        }
    }

    /// A store of which one writing fails, as on a disk that is full for a while.
    private struct FailingStore: ByteStore {
        var bytes = ByteArray()
        var writesBeforeFailure: Int

        var count: Int { bytes.count }

        mutating func append(_ new: [UInt8]) throws(FileError) {
            writesBeforeFailure -= 1
            if writesBeforeFailure == -1 { throw .cannotWrite(file: "disk", reason: "full") }
            bytes.append(new)
        }

        mutating func truncate(to count: Int) { bytes.truncate(to: count) }

        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { bytes.withBytes(body) }
    }

    /// A target that could not be stored leaves nothing behind, and may come again.
    @Test(arguments: [(1, 9), (9, 1), (0, 9), (9, 0)]) func disksThatAreFullForAWhileSpoilNothing(
        templates: Int, postings: Int
    ) throws {
        let parts = try Self.references.map { try TargetParts($0, space: ScaleSpace()) }
        var assembly = TargetAssembly(
            templates: FailingStore(writesBeforeFailure: templates),
            postings: FailingStore(writesBeforeFailure: postings))
        var failureCount = 0
        for target in parts {
            do { try assembly.append(target) } catch {
                failureCount += 1
                let isFree = assembly.isFree(target.name)
                #expect(isFree)
                try assembly.append(target)
            }
        }
        #expect(failureCount == 1)
        var bytes = Data()
        try assembly.write { bytes.append(contentsOf: $0) }
        #expect(try bytes == TargetAssembly.bytes(of: parts))
    }

    /// A file on a disk goes on behind its last byte, wherever a writing that failed had come to.
    @Test func filesForgetWhatIsCutOff() throws {
        let folder = try TemporaryFolder()
        let file = try ByteFile(in: folder.url)
        try file.append([1, 2, 3])
        try file.append([4, 5])
        file.truncate(to: 3)
        try file.append([6])
        #expect(file.count == 4)
        #expect(try file.withBytes { Array($0) } == [1, 2, 3, 6])
    }

    /// What a file cannot count is refused before it is stored.
    @Test func whatAFileCannotCountIsRefused() throws {
        let parts = try Self.smallParts()
        func refusal(limit: Int, _ parts: TargetParts) -> TargetDatabaseError? {
            let assembly = TargetAssembly(templates: ByteArray(), postings: ByteArray(), limit: limit)
            do { try assembly.checkRoom(for: parts) } catch { return error }
            return nil
        }
        #expect(refusal(limit: 20, parts) == nil)
        #expect(
            refusal(limit: 19, parts) == .databaseFull(name: "small", found: 20, of: "features", most: 19))
        var verbose = parts
        verbose.record = #"{"text":"0123456789"}"#
        #expect(
            refusal(limit: 20, verbose)
                == .databaseFull(name: "small", found: 26, of: "bytes of names and records", most: 20))
        #expect(refusal(limit: 0, parts) == .databaseFull(name: "small", found: 1, of: "targets", most: 0))
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
        #expect(try error(changed) == .unknownVersion(file: file.path, found: 9, expected: TargetFileLayout.version))
        // Whatever is changed in the header or in the names is found out.
        for place in Array(12..<104) + Array(stride(from: 128, to: 300, by: 7)) {
            changed = whole
            changed[place] ^= 0x41
            #expect(try error(changed) != nil, "byte \(place)")
        }
        // The first posting, which no key has any more.
        changed = whole
        let starts = Int(whole.withUnsafeBytes { $0.number(TargetFileLayout.Header.starts, UInt64.self) })
        var key = starts
        while whole.withUnsafeBytes({ $0.number(key, UInt32.self) }) == 0 {
            changed[key] = 1
            key += 4
        }
        #expect(
            try error(changed)
                == .damaged(file: file.path, offset: starts, reason: "the postings of key 0 are out of order"))
        #expect(throws: TargetDatabaseError.self) { try TargetDatabase(opening: folder("missing")) }
    }

    /// Lookups rely on the order of the postings, and comparisons of one target on the places of its own.
    @Test func postingsAreInOrderAndFoundByTheirTargets() throws {
        try Self.database.get().segments[0].storage.withIndex { index in
            let postings = UnsafeBufferPointer(start: index.postings, count: Int(index.posting_count))
            for (one, next) in zip(postings, postings.dropFirst()) {
                #expect(one.signature.0 <= next.signature.0)
            }
            var seen = Set<UInt32>()
            for target in 0..<Int(index.target_count) {
                for number in index.target_starts[target]..<index.target_starts[target + 1] {
                    let place = index.places[Int(number)]
                    #expect(postings[Int(place)].target == UInt32(target))
                    seen.insert(place)
                }
            }
            #expect(seen.count == postings.count)
        }
    }

    /// A damage among the features, which opening does not read, is found when it is looked for, and harms nothing where it
    /// is not.
    @Test func damagedFeaturesAreFoundAndHarmNothing() throws {
        typealias Header = TargetFileLayout.Header
        let folder = try TemporaryFolder()
        let file = folder("x.artargets")
        try Self.database.get().write(to: file)
        _ = try TargetDatabase(opening: file, isVerified: true)
        let whole = try Data(contentsOf: file)
        let (postings, places, count) = whole.withUnsafeBytes { bytes in
            (
                Int(bytes.number(Header.postings, UInt64.self)), Int(bytes.number(Header.places, UInt64.self)),
                Int(bytes.number(Header.postingCount, UInt64.self))
            )
        }
        let size = TargetFileLayout.postingSize
        let (quad, _) = try corners(side: 260, turn: 0.3)
        var prints = WarpedPrints(seed: 1)
        try prints.add(Emblem(number: 1).image(width: 512), at: quad)

        func reason(_ change: (inout Data) -> Void) throws -> String? {
            var changed = whole
            change(&changed)
            try changed.write(to: file)
            // It is opened, and pictures are looked at.
            var recognizer = TargetRecognizer()
            recognizer.activate(try TargetDatabase(opening: file), as: "damaged")
            #expect(recognizer.recognize(in: prints.image).allSatisfy { $0.target.name == "first" })
            do { _ = try TargetDatabase(opening: file, isVerified: true) } catch {
                guard case .damaged(file.path, _, let reason) = error else { return "\(error)" }
                return reason
            }
            return nil
        }
        func write(_ number: UInt32, at place: Int, _ data: inout Data) {
            data.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: number.littleEndian, Array.init))
        }
        #expect(try reason { _ in } == nil)
        for place in [0, count / 2, count - 1] {
            // Beyond the postings, another target's, and one that is named twice.
            #expect(try reason { write(.max, at: places + 4 * place, &$0) }?.contains("none of target") == true)
            #expect(try reason { write(7, at: postings + size * place + 28, &$0) }?.contains("none of target") == true)
            let other = (place + 1) % count
            #expect(
                try reason { data in
                    let twice = data[places + 4 * other..<places + 4 * other + 4]
                    data.replaceSubrange(places + 4 * place..<places + 4 * place + 4, with: twice)
                }?.contains("none of target") == true)
        }
        #expect(
            try reason { data in
                let (first, last) = (
                    postings..<postings + size, postings + size * (count - 1)..<postings + size * count
                )
                let (one, other) = (Data(data[first]), Data(data[last]))
                data.replaceSubrange(first, with: other)
                data.replaceSubrange(last, with: one)
            }?.contains("not in the order") == true)
        #expect(
            try reason { data in
                var order = (0..<count).map { Data(data[postings + size * $0..<postings + size * ($0 + 1)]) }
                order.reverse()
                data.replaceSubrange(postings..<postings + size * count, with: order.reduce(Data(), +))
            }?.contains("not in the order") == true)
    }

    /// Entries that nobody builds are refused also where the checksum is theirs.
    @Test func entriesThatNobodyBuildsAreRefused() throws {
        typealias Entry = TargetFileLayout.Entry
        let whole = [UInt8](try Self.database.get().segments[0].storage.bytes)
        let (directory, text, textSize) = whole.withUnsafeBytes { bytes in
            (
                Int(bytes.number(TargetFileLayout.Header.directory, UInt64.self)),
                Int(bytes.number(TargetFileLayout.Header.text, UInt64.self)),
                Int(bytes.number(TargetFileLayout.Header.textSize, UInt64.self))
            )
        }
        func reason(_ place: Int, _ bytes: [UInt8]) -> String? {
            var changed = whole
            changed.replaceSubrange(place..<place + bytes.count, with: bytes)
            let checksum = changed.withUnsafeBytes { all in
                TargetFileLayout.checksum([
                    .init(rebasing: all[0..<TargetFileLayout.Header.checksum]),
                    .init(rebasing: all[directory..<directory + 2 * TargetFileLayout.entrySize]),
                    .init(rebasing: all[text..<text + textSize]),
                ])
            }
            let place = TargetFileLayout.Header.checksum
            changed.replaceSubrange(place..<place + 8, with: withUnsafeBytes(of: checksum.littleEndian, Array.init))
            do { _ = try TargetStorage(Data(changed), file: "f") } catch {
                guard case .damaged(_, _, let reason) = error else { return "\(error)" }
                return reason
            }
            return nil
        }
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian, Array.init)
        }
        #expect(reason(0, []) == nil)
        for width in [Double.infinity, .nan, -1, 1e308, 1e6] {
            #expect(reason(directory + Entry.physicalWidth, bytes(width.bitPattern)) != nil, "\(width)")
        }
        for (width, height) in [(1, UInt32.max), (0, 0), (31, 31), (40, 321)] as [(UInt32, UInt32)] {
            #expect(reason(directory + Entry.pictureWidth, bytes(width) + bytes(height)) != nil, "\(width)×\(height)")
        }
        #expect(reason(directory + Entry.templateWidth, bytes(UInt16(128)) + bytes(UInt16(8))) != nil)
        #expect(reason(directory + Entry.template, bytes(UInt64.max)) != nil)
        #expect(reason(directory + Entry.template, bytes(UInt64(whole.count))) != nil)
        #expect(reason(directory + Entry.colorSide, bytes(UInt32(7))) != nil)
        #expect(reason(directory + Entry.nameSize, bytes(UInt32(0))) != nil)
        #expect(reason(directory + Entry.featureCount, bytes(UInt32.max)) != nil)
        #expect(reason(directory + Entry.featureCount, bytes(UInt32(1))) != nil)
        #expect(reason(directory + Entry.name, bytes(UInt32.max)) != nil)
        #expect(reason(directory + Entry.recordSize, bytes(UInt32.max)) != nil)
        #expect(reason(text, [0xff]) != nil)
        // The second target's name becomes the first's.
        let second = directory + TargetFileLayout.entrySize
        #expect(reason(second, bytes(UInt32(0)) + bytes(UInt32(5)))?.contains("two targets") == true)
        // Whatever else is there, nothing crashes.
        var random = TestRandom(case: 3)
        for _ in 0..<400 {
            let place = Int(random.uniform(0...Double(text - 9)))
            _ = reason(place, bytes(UInt64(random.uniform(0...1.8e19))))
        }
    }

    /// Long narrow prints can be followed as soon as they can be built.
    @Test func theNarrowestPrintsCanBeFollowed() throws {
        let size = ImageSize(width: 760, height: 95)
        var picture = ImageBuffer(size: size, format: .gray8, filledWith: 220)
        var random = TestRandom(case: 8)
        for _ in 0..<120 {
            let (left, top) = (Int(random.uniform(0...740)), Int(random.uniform(0...80)))
            let light = UInt8(random.uniform(10...200))
            for row in top..<min(top + 14, 95) {
                for column in left..<min(left + Int(random.uniform(6...20)), 760) {
                    picture.bytes[row * 760 + column] = light
                }
            }
        }
        let database = try TargetDatabase(building: [ReferenceImage(name: "strip", picture: picture)])
        #expect(database.template(at: 0).size == ImageSize(width: 128, height: 16))
        let corners = PixelQuad(
            topLeft: PixelPoint(-0.5, -0.5), topRight: PixelPoint(759.5, -0.5), bottomRight: PixelPoint(759.5, 94.5),
            bottomLeft: PixelPoint(-0.5, 94.5))
        var tracker = try #require(
            TargetTracker(TargetIdentity(database: "", name: "strip"), of: database, at: corners, in: picture))
        #expect(tracker.track(picture) != nil)
        // A picture of another size shows nothing.
        #expect(tracker.track(ImageBuffer(size: ImageSize(width: 64, height: 64), format: .gray8)) == nil)
        #expect(tracker.missedCount == 1)
    }
}
