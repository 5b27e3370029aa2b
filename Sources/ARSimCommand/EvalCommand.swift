// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct EvalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval", abstract: "Compare a trajectory with the truth: errors, drift, consistency, budgets.",
        discussion: """
            ESTIMATE and TRUTH are each a trace, a recording's folder (its truth is taken), a truth.jsonl, or a file of \
            TUM's, EuRoC's or KITTI's kind. More pairs are more runs, which are summarised:

              arsim eval out/trace.jsonl recording --budget budget.yaml
              arsim eval seed1.jsonl rec1 seed2.jsonl rec2 --json
              arsim eval estimate.txt truth.csv --align sim3 --plot plot.svg

            Figures agree with evo's. The article Evaluating trajectories explains each, and the keys of a budget. \
            The exit code is 1 when a limit of the budget is not kept, or when nothing could be compared.
            """)

    @Argument(help: ArgumentHelp("An estimate and its truth; more pairs for more runs.", valueName: "estimate truth"))
    var files: [String]
    @OptionGroup var comparison: ComparisonOptions
    @Option(help: ArgumentHelp("Limits to keep.", valueName: "yaml")) var budget: String?
    @Option(help: ArgumentHelp("Draw the first run's ways and errors.", valueName: "svg")) var plot: String?
    @Flag(help: "Print the figures as JSON.") var json = false

    func validate() throws {
        guard !files.isEmpty, files.count.isMultiple(of: 2) else {
            throw ValidationError("estimates and truths come in pairs, and there are \(counted(files.count, "file"))")
        }
        for file in files where file.isEmpty { throw ValidationError("a file's name is empty") }
    }

    func run() throws {
        let limits = try budget.map { try AccuracyBudget(contentsOf: URL(fileURLWithPath: $0)) }
        if let plot {
            try Outputs(files: [URL(fileURLWithPath: plot)]).prepare(besides: files.map { URL(fileURLWithPath: $0) })
        }
        let report = EvaluationReport(
            try stride(from: 0, to: files.count, by: 2).map { try evaluate(files[$0], against: files[$0 + 1]) })
        if let plot { try draw(report.runs[0], to: URL(fileURLWithPath: plot)) }
        if json {
            print(report.json.indentedText, terminator: "")
        } else {
            for line in EvaluationText(report).lines { print(line) }
            if let plot { print("plot        \(plot)") }
        }
        guard let limits else { return }
        let failures = limits.failures(of: report)
        let verdict = BudgetVerdict(report, limitCount: limits.limits.count, failures: failures)
        if !failures.isEmpty { throw CameToNothing.overBudget(verdict) }
        if !json { print("budget      \(verdict)") }
    }

    private func evaluate(_ estimate: String, against truth: String) throws -> EvaluationReport.Run {
        let evaluation = try comparison.compare(try place(estimate), with: try place(truth))
        return EvaluationReport.Run(name: estimate, evaluation: evaluation)
    }

    private func place(_ file: String) throws -> URL {
        guard FileManager.default.fileExists(atPath: file) else {
            throw MissingInput(input: file, expected: "a trace, a recording's folder or a trajectory")
        }
        return URL(fileURLWithPath: file)
    }

    private func draw(_ run: EvaluationReport.Run, to place: URL) throws {
        let file = try AtomicFile(replacing: place)
        try file.write(EvaluationPlot(run.evaluation, title: run.name).svg)
        try file.commit()
    }
}

/// What a budget says of a report, with the mode of the poses and the number of frames: a verdict without them could be
/// taken for one on something else.
struct BudgetVerdict: CustomStringConvertible {
    private let basis: String
    private let limitCount: Int
    private let failures: [BudgetFailure]

    init(_ report: EvaluationReport, limitCount: Int, failures: [BudgetFailure]) {
        let modes = Set(report.runs.map { $0.evaluation.mode ?? "not stated" }).sorted().joined(separator: ", ")
        let frames = report.runs.reduce(0) { $0 + $1.evaluation.matches.pairs.count }
        basis = "\(counted(frames, "frame")) of \(counted(report.runs.count, "run")), mode \(modes)"
        self.limitCount = limitCount
        self.failures = failures
    }

    var description: String {
        guard !failures.isEmpty else { return "kept: \(counted(limitCount, "limit")) on \(basis)" }
        return "over budget on \(basis):\n" + failures.map { "  \($0)" }.joined(separator: "\n")
    }
}
