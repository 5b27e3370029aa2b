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
              arsim eval out/trace.jsonl card --top-view card.svg

            Where the estimate is a trace and the truth a recording or a scene, planes, hits, rectangles and codes are \
            compared, too.

            Figures of trajectories agree with evo's. The article Evaluating trajectories explains each, and the keys of a budget. \
            The exit code is 1 when a limit of the budget is not kept, or when nothing could be compared.
            """)

    @Argument(help: ArgumentHelp("An estimate and its truth; more pairs for more runs.", valueName: "estimate truth"))
    var files: [String]
    @OptionGroup var comparison: ComparisonOptions
    @Option(help: ArgumentHelp("Limits to keep.", valueName: "yaml")) var budget: String?
    @Option(help: ArgumentHelp("Draw the first run's ways and errors.", valueName: "svg")) var plot: String?
    @Option(help: ArgumentHelp("Draw what the first run found, and the truth, from above.", valueName: "svg"))
    var topView: String?
    @Flag(help: "Print the figures as JSON.") var json = false

    func validate() throws {
        guard !files.isEmpty, files.count.isMultiple(of: 2) else {
            throw ValidationError("estimates and truths come in pairs, and there are \(counted(files.count, "file"))")
        }
        for file in files where file.isEmpty { throw ValidationError("a file's name is empty") }
    }

    func run() throws {
        let limits = try budget.map { try AccuracyBudget(contentsOf: URL(fileURLWithPath: $0)) }
        try Outputs(files: [plot, topView].compactMap { $0.map { URL(fileURLWithPath: $0) } })
            .prepare(besides: files.map { URL(fileURLWithPath: $0) })
        let report = EvaluationReport(
            try stride(from: 0, to: files.count, by: 2).map { try evaluate(files[$0], against: files[$0 + 1]) })
        if let plot { try write(EvaluationPlot(report.runs[0].evaluation, title: files[0]).svg, to: plot) }
        if let topView { try write(drawFirstRun(report.runs[0].evaluation), to: topView) }
        if json {
            print(report.json.indentedText, terminator: "")
        } else {
            for line in EvaluationText(report).lines { print(line) }
            if let plot { print("plot        \(plot)") }
            if let topView { print("top view    \(topView)") }
        }
        guard let limits else { return }
        let failures = limits.failures(of: report)
        let verdict = BudgetVerdict(report, limitCount: limits.limits.count, failures: failures)
        if !failures.isEmpty { throw CameToNothing.overBudget(verdict) }
        if !json { print("budget      \(verdict)") }
    }

    private func evaluate(_ estimate: String, against truth: String) throws -> EvaluationReport.Run {
        guard FileManager.default.fileExists(atPath: estimate) else {
            throw MissingInput(input: estimate, expected: "a trace, a recording's folder or a trajectory")
        }
        let evaluation = try comparison.compare(URL(fileURLWithPath: estimate), with: TruthInput(truth))
        return EvaluationReport.Run(name: estimate, evaluation: evaluation)
    }

    /// What the first run found, and the truth, from above.
    private func drawFirstRun(_ evaluation: Evaluation) throws -> String {
        guard evaluation.world != nil, let source = try TruthInput(files[1]).source else {
            throw ValidationError("--top-view draws what a trace found, beside the truth of a recording or a scene")
        }
        return TopView(
            try SessionAnswers(contentsOf: URL(fileURLWithPath: files[0])),
            truth: try TopView.Truth(of: source, truthFromSession: evaluation.truthFromNormal), title: files[0]
        ).svg
    }

    private func write(_ text: String, to place: String) throws {
        let file = try AtomicFile(replacing: URL(fileURLWithPath: place))
        try file.write(text)
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
