// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// Checks the files of a recording one after the other.
struct RecordingValidator {
    private(set) var validation = RecordingValidation()
    private let progress: (Int, Int) -> Void
    private(set) var frames = TableExtent()
    private(set) var samples = TableExtent()
    private var arrivals = ArrivalCheck()

    init(progress: @escaping (Int, Int) -> Void) { self.progress = progress }

    mutating func report(_ finding: RecordingError) { validation.add(finding) }

    mutating func check(_ layout: RecordingLayout) {
        let session = checkSession(layout)
        // Rows of an unfinished recording may be cut; of other recordings they may lack only the last line's end.
        let isComplete = session?.counts != nil || !layout.exists(RecordingLayout.session)
        let tables = TableCheck(
            layout: layout, isComplete: isComplete, warnsOfMissingNewline: session?.counts != nil)
        let device = layout.readRig(.landscapeRight) { validation.add($0) }
        let rig = device?.rig
        checkArrivals(tables, declared: session?.session.faults ?? [])
        validation.frameCount = checkFrames(tables, imageSize: rig?.camera.imageSize)
        validation.imuSampleCount = checkImu(tables)
        let events = checkRows(tables, RecordingLayout.events) { () throws(RecordingError) in
            try layout.eventTable(isComplete: isComplete)
        }
        checkTruth(tables, imageSize: rig?.camera.imageSize)
        if let device { checkTrueCamera(beside: device, in: layout) }
        checkRows(tables, RecordingLayout.groundTruth) { () throws(RecordingError) in
            try layout.groundTruthTable(isComplete: isComplete)
        }
        arrivals.reportMissing { validation.add($0) }
        if let rig { checkGaps(rig, declared: session?.session.faults ?? []) }
        if let session, session.counts == nil { reportUnfinished(events: events) }
        validation.readableSeconds = frames.union(samples).seconds
        if let counts = session?.counts {
            compare(counts.frames, validation.frameCount, "frames")
            compare(counts.imuSamples, validation.imuSampleCount, "IMU samples")
            compare(counts.events, events, "events")
        }
    }

    // MARK: session.json

    private mutating func checkSession(_ layout: RecordingLayout) -> SessionFile? {
        guard layout.exists(RecordingLayout.session) else { return nil }
        do {
            let file = try SessionFile.read(layout)
            for fault in file.session.faults {
                report(
                    RecordingError(
                        .declaredFault, file: RecordingLayout.session, found: fault.json.text,
                        expected: "this fault, as it was declared"))
            }
            checkPlanes(file.session)
            return file
        } catch {
            report(error)
            return nil
        }
    }

    private mutating func checkPlanes(_ session: SessionDescription) {
        var names: Set<String> = []
        for plane in session.declaredPlanes {
            if !names.insert(plane.name).inserted {
                report(
                    RecordingError(
                        .declaredPlane, file: RecordingLayout.session, found: "two planes named \"\(plane.name)\"",
                        expected: "a name of its own for each"))
            }
            let corners = plane.boundary
            // Seen from above, with x to the right, z runs down: there counter-clockwise is clockwise in (x, z).
            let doubledArea = corners.indices.reduce(0) {
                $0 - corners[$1].cross(corners[($1 + 1) % corners.count])
            }
            if doubledArea <= 0 {
                report(
                    RecordingError(
                        .declaredPlane, file: RecordingLayout.session,
                        found: "\"\(plane.name)\" with an area of \(NumberText.string(doubledArea / 2)) m²",
                        expected: "corners counter-clockwise seen from above, against +Y"))
            }
        }
    }

    private mutating func compare(_ counted: Int, _ found: Int, _ what: String) {
        guard counted != found else { return }
        report(
            RecordingError(
                .countMismatch, file: RecordingLayout.session, found: "\(found) \(what)", expected: "\(counted) \(what)"
            ))
    }

    // MARK: Tables

    /// What is common to the checks of all tables.
    struct TableCheck {
        let layout: RecordingLayout
        let isComplete: Bool
        let warnsOfMissingNewline: Bool
    }

    private mutating func checkArrivals(_ tables: TableCheck, declared faults: [Fault]) {
        let count = checkRows(tables, RecordingLayout.arrivals) { () throws(RecordingError) in
            try tables.layout.arrivalTable(isComplete: tables.isComplete)
        } handle: { validator, row in
            validator.arrivals.expect(row)
        }
        guard count > 0, !faults.contains(where: \.changesArrivals) else { return }
        report(
            RecordingError(
                .undeclaredArrival, file: RecordingLayout.arrivals,
                found: "\(count) events that came late or twice, and no fault that makes them so",
                expected: "events in the order of their stamps"))
    }

    private mutating func checkImu(_ tables: TableCheck) -> Int {
        let layout = tables.layout
        if layout.exists(RecordingLayout.imuYaml), !layout.exists(RecordingLayout.imu) {
            report(
                RecordingError(
                    .missingFile, file: RecordingLayout.imu, found: "no such file beside sensor.yaml",
                    expected: "the IMU's samples"))
        }
        return checkRows(tables, RecordingLayout.imu) { () throws(RecordingError) in
            try layout.imuTable(isComplete: tables.isComplete)
        } handle: { validator, row in
            validator.samples.add(row.timestamp)
            validator.arrivals.found(.imu, row.timestamp)
        }
    }

    /// Checks the rows of a table that may be missing, and returns their number.
    @discardableResult
    mutating func checkRows<Value>(
        _ tables: TableCheck, _ name: String, open: () throws(RecordingError) -> TimedTable<Value>,
        handle: (inout RecordingValidator, TimedRow<Value>) -> Void = { _, _ in }
    ) -> Int {
        guard tables.layout.exists(name) else { return 0 }
        do {
            let table = try open()
            return checkRows(of: table, tables, handle: handle)
        } catch {
            report(error)
            return 0
        }
    }

    /// Checks the rows of a table and returns their number. Rows that can be read are handed on.
    private mutating func checkRows<Value>(
        of table: TimedTable<Value>, _ tables: TableCheck,
        handle: (inout RecordingValidator, TimedRow<Value>) -> Void
    ) -> Int {
        var count = 0
        while true {
            do {
                guard let row = try table.nextInAnyOrder() else { break }
                if let error = row.orderError { report(error) }
                handle(&self, row)
            } catch {
                report(error)
                // Where the lines themselves cannot be read there is nothing to go on with.
                if error.rule == .unreadableFile { break }
            }
            count += 1
        }
        if table.endedUnterminated, tables.warnsOfMissingNewline {
            report(
                RecordingError(
                    .unterminatedRow, file: table.name, found: "a last row without a newline", expected: "a newline"))
        }
        return count
    }

    // MARK: Frames

    private mutating func checkFrames(_ tables: TableCheck, imageSize: ImageSize?) -> Int {
        let layout = tables.layout
        do {
            let table = try layout.frameTable(isComplete: tables.isComplete)
            var pictures = PictureCheck(layout: layout, imageSize: imageSize) { validation.add($0) }
            let all = try Self.countRows(layout.url(RecordingLayout.frames))
            var checked = 0
            var hasEnded = false
            let count = checkRows(of: table, tables) { validator, row in
                validator.arrivals.found(.camera, row.timestamp)
                pictures.check(row, isWanted: !hasEnded) { finding in
                    guard !tables.isComplete, finding.endsUnfinishedFrames else { return validator.report(finding) }
                    hasEnded = true
                    validator.report(
                        RecordingError(
                            .cutPicture, file: table.name, line: row.line, found: "\(finding.file): \(finding.found)",
                            expected: "a whole picture"))
                }
                if !hasEnded { validator.addReadableFrame(row.timestamp) }
                checked += 1
                validator.progress(checked, all)
            }
            if count == 0 {
                report(RecordingError(.noFrames, file: table.name, found: "no row", expected: "a row for each frame"))
            } else if checked == count {
                // Only where every row could be read is it known which pictures have none.
                pictures.checkUnlisted { validation.add($0) }
            }
            return count
        } catch {
            report(error)
            return 0
        }
    }

    private mutating func addReadableFrame(_ timestamp: Timestamp) {
        validation.readableFrameCount += 1
        frames.add(timestamp)
    }

    private static func countRows(_ file: URL) throws(RecordingError) -> Int {
        do {
            let reader = try LineReader(file)
            var count = 0
            while let line = try reader.next() {
                if !line.isBlank, line.bytes.first != UInt8(ascii: "#") { count += 1 }
            }
            return count
        } catch {
            throw RecordingError(error, name: RecordingLayout.frames)
        }
    }
}
