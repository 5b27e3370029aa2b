// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth

extension RecordingValidator {
    /// Checks `truth.json`, `truth.jsonl` and the pictures beside them.
    mutating func checkTruth(_ tables: TableCheck, imageSize: ImageSize?) {
        let layout = tables.layout
        let objects = readSessionTruth(layout)?.objects ?? []
        var pictures = TruthPictureKind.allCases.compactMap {
            TruthPictureCheck($0, layout: layout, imageSize: imageSize, objects: objects)
        }
        checkRows(tables, RecordingLayout.truth) { () throws(RecordingError) in
            try layout.truthTable(isComplete: tables.isComplete)
        } handle: { validator, row in
            for index in pictures.indices { pictures[index].check(row) { validator.report($0) } }
        }
        // A picture is on disk before its row: of an unfinished recording the last may have none.
        guard tables.isComplete else { return }
        for check in pictures { check.checkUnlisted { report($0) } }
    }

    /// Checks `truth/camera.yaml` beside the device of the recording's calibration.
    mutating func checkTrueCamera(beside device: RecordedRig, in layout: RecordingLayout) {
        do {
            _ = try layout.readTrueCamera(imuFromBody: device.imuFromBody, imageSize: device.rig.camera.imageSize)
        } catch {
            report(error)
        }
    }

    private mutating func readSessionTruth(_ layout: RecordingLayout) -> SessionTruth? {
        guard layout.exists(RecordingLayout.sessionTruth) else { return nil }
        do {
            return try SessionTruth(readingFrom: layout)
        } catch {
            report(error)
            return nil
        }
    }
}
