// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Say what is wrong with a recording or a scene, with file and line.",
        discussion: """
            Every rule that a recording breaks is listed: where, what was found, what was expected, what to do. A scene's \
            check ends at the first. The exit code is 65 when there are errors; warnings, and faults that are there on purpose, leave it at 0.
            """)

    @Argument(help: "A recording's folder, a scene's file, or the name of one that `arsim scenes` lists.")
    var input: SessionInput
    @Flag(help: "Print the findings as JSON.") var json = false

    func run() throws {
        guard input.isFolder else {
            let scene = try input.scene()
            _ = try scene.validated()
            return try report(
                Report(findings: [], errors: 0, warnings: 0, information: 0, frames: nil, imuSamples: nil, seconds: nil)
            )
        }
        var progress = ProgressBar("validating", total: nil)
        let validation = Recording.validate(input.url) { checked, all in progress.show(checked, of: all) }
        progress.finish()
        try report(Report(validation))
        if !validation.isValid { throw ExitCode(65) }
    }

    private func report(_ report: Report) throws {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return print(String(decoding: try encoder.encode(report), as: UTF8.self))
        }
        for finding in report.findings { print("\(finding.severity): \(finding.text)") }
        let unlisted = report.errors + report.warnings + report.information - report.findings.count
        if unlisted > 0 { print("… and \(unlisted) more") }
        let verdict = counted(report.errors, "error") + ", " + counted(report.warnings, "warning")
        let contents = [
            report.frames.map { counted($0, "frame") }, report.imuSamples.map { counted($0, "inertial sample") },
            report.seconds.map { "\(($0 * 1000).rounded() / 1000) s" },
        ].compactMap { $0 }
        print(contents.isEmpty ? verdict : verdict + " in " + contents.joined(separator: ", "))
    }
}

/// What is printed of a validation.
private struct Report: Encodable {
    struct Finding: Encodable {
        let severity: String
        let rule: String
        let file: String
        let line: Int?
        let column: Int?
        let found: String
        let expected: String
        let text: String
    }

    let findings: [Finding]
    let errors: Int
    let warnings: Int
    let information: Int
    let frames: Int?
    let imuSamples: Int?
    let seconds: Double?

    enum CodingKeys: String, CodingKey {
        case findings, errors, warnings, information, frames
        case imuSamples = "imu_samples"
        case seconds = "readable_s"
    }
}

extension Report {
    fileprivate init(_ validation: RecordingValidation) {
        findings = validation.findings.map {
            Finding(
                severity: $0.severity.rawValue, rule: $0.rule.rawValue, file: $0.file, line: $0.line, column: $0.column,
                found: $0.found, expected: $0.expected, text: $0.description)
        }
        errors = validation.errorCount
        warnings = validation.warningCount
        information = validation.informationCount
        frames = validation.readableFrameCount
        imuSamples = validation.imuSampleCount
        seconds = validation.readableSeconds
    }
}
