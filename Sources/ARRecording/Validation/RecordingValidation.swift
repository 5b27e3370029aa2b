// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What checking a recording found.
public struct RecordingValidation: Sendable {
    /// The broken rules in the order in which they were met; at most ``listedFindings`` of them.
    public internal(set) var findings: [RecordingError] = []
    /// How many errors there are, listed or not.
    public internal(set) var errorCount = 0
    /// How many warnings there are, listed or not.
    public internal(set) var warningCount = 0
    /// How many pieces of information there are, listed or not: faults that are there on purpose.
    public internal(set) var informationCount = 0
    /// How many rows `cam0/data.csv` has.
    public internal(set) var frameCount = 0
    /// How many frames can be read: of an unfinished recording those before the first picture that is not whole.
    public internal(set) var readableFrameCount = 0
    /// The time from the first frame or inertial sample that can be read to the last.
    public internal(set) var readableSeconds = 0.0
    /// How many rows `imu0/data.csv` has.
    public internal(set) var imuSampleCount = 0

    /// So many findings are listed: the rest of a thoroughly broken recording would only fill the memory.
    public static let listedFindings = 1000

    /// Whether the recording can be read and is what it says.
    public var isValid: Bool { errorCount == 0 }

    mutating func add(_ finding: RecordingError) {
        switch finding.severity {
        case .error: errorCount += 1
        case .warning: warningCount += 1
        case .information: informationCount += 1
        }
        if findings.count < Self.listedFindings { findings.append(finding) }
    }
}

extension Recording {
    /// Checks a recording against every rule of the format and does not stop at the first that is broken.
    ///
    /// Every picture is decoded. Memory stays flat but for the names of the pictures.
    /// - Parameters:
    ///   - folder: the folder that holds `mav0`, or that folder itself.
    ///   - progress: called after each frame with the number of frames checked and of all frames.
    public static func validate(
        _ folder: URL, progress: @escaping (_ checked: Int, _ all: Int) -> Void = { _, _ in }
    ) -> RecordingValidation {
        var validator = RecordingValidator(progress: progress)
        do {
            validator.check(try RecordingLayout(containing: folder))
        } catch {
            validator.report(error)
        }
        return validator.validation
    }
}
