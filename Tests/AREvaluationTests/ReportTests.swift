// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARFiles
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct ReportTests {
    private func report(_ errors: [Double] = [0.01, 0.02, 0.06]) throws -> EvaluationReport {
        EvaluationReport(
            try errors.enumerated().map { number, error in
                // Every second pose is too high.
                let estimate = windingWay().mapPoses {
                    RigidTransform(
                        rotation: $1.rotation, translation: $1.translation + Vector3(0, Double($0 % 2) * 2 * error, 0))
                }
                return EvaluationReport.Run(
                    name: "run \(number)", evaluation: try Evaluation(of: estimate, against: windingWay()))
            })
    }

    private func budget(_ text: String) throws -> AccuracyBudget {
        try AccuracyBudget(YamlReader.read(text, file: "budget.yaml"))
    }

    @Test func metricsHaveNamesOfTheirOwn() {
        let names = EvaluationMetric.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(EvaluationMetric.all.map(\.budgetKey)).count == names.count)
    }

    @Test func runsAreSummarised() throws {
        func metric(_ name: String) throws -> EvaluationMetric {
            try #require(EvaluationMetric.all.first { $0.name == name })
        }
        let ate = try #require(try report().summary(of: metric("ate_rmse_m")))
        expectClose(ate.median, 0.02, tolerance: 1e-9)
        expectClose(ate.mean, 0.03, tolerance: 1e-9)
        expectClose(ate.worst, 0.06, tolerance: 1e-9)
        let matched = try #require(try report().summary(of: metric("matched_frames")))
        #expect(matched.worst == 200 && matched.runCount == 3)
        #expect(try report().summary(of: metric("normal_fraction")) == nil)
    }

    @Test func limitsThatAreKeptGiveNoFailure() throws {
        let budget = try budget(
            "format: arsim-budget/1\nate_rmse_m: 0.07\nrotation_max_deg: 1e-6\nmatched_fraction_min: 1\n")
        #expect(
            budget
                == AccuracyBudget([
                    .init("ate_rmse_m", 0.07), .init("rotation_max_deg", 1e-6), .init("matched_fraction_min", 1),
                ]))
        #expect(budget.failures(of: try report()) == [])
    }

    @Test func failuresSayByHowMuch() throws {
        let budget = try budget(
            "format: arsim-budget/1\nate_rmse_m: 0.05\nmatched_frames_min: 201\nnormal_fraction_min: 0.9\n"
                + "nees_pose_inside_fraction_min: 0.8\n")
        let failures = budget.failures(of: try report())
        #expect(
            failures.map(\.description) == [
                "ate_rmse_m is 0.06 in run 2, 0.01 too high: it should be at most 0.05",
                "matched_frames is 200 in run 0, 1 too low: it should be at least 201",
                "matched_frames is 200 in run 1, 1 too low: it should be at least 201",
                "matched_frames is 200 in run 2, 1 too low: it should be at least 201",
                "normal_fraction is not known in run 0, and should be at least 0.9",
                "normal_fraction is not known in run 1, and should be at least 0.9",
                "normal_fraction is not known in run 2, and should be at least 0.9",
                "nees_pose_inside_fraction is not known, and should be at least 0.8",
            ])
    }

    @Test(arguments: [
        ("format: arsim-budget/1\nate_rmse_cm: 2\n", 2, "the key \"ate_rmse_cm\""),
        ("format: arsim-budget/1\nate_rmse_m: 1\nnormal_fraction: 2\n", 3, "the key \"normal_fraction\""),
        ("format: arsim-budget/1\nate_rmse_m: two\n", 2, "\"two\""),
        ("format: arsim-budget/1\nate_rmse_m: .nan\n", 2, "\".nan\""),
        ("format: arsim-budget/2\nate_rmse_m: 1\n", 1, "\"arsim-budget/2\""),
        ("ate_rmse_m: 1\n", 1, "a record of 1"), ("format: arsim-budget/1\n", 1, "a record of 1"),
        ("- 1\n", 1, "a list of 1"),
    ]) func badBudgetsAreNamed(_ text: String, _ line: Int, _ found: String) throws {
        let error = try #require(throws: DocumentError.self) { try budget(text) }
        #expect(error.file == "budget.yaml" && error.line == line && error.found == found, "\(error)")
    }

    @Test func theJSONHasEveryKnownMetric() throws {
        let report = try report()
        let node = try JSONReader.read(Array(report.json.indentedText.utf8)[...], file: "report")
        let runs = try node.required("runs").items(count: 3)
        let run = report.runs[1].evaluation
        for metric in EvaluationMetric.all {
            #expect(try runs[1].value(metric.name)?.double() == metric.value(of: run), "\(metric.name)")
        }
        #expect(try runs[1].required("alignment").string() == "yaw")
        #expect(try runs[1].required("only_normal").bool() == false)
        #expect(try node.required("all_runs").required("ate_rmse_m").required("worst").double() > 0.059)
    }

    @Test func thePlotIsTheSameTwiceAndEscapesItsTitle() throws {
        let evaluation = try report().runs[0].evaluation
        let svg = EvaluationPlot(evaluation, title: "a < b & c").svg
        #expect(svg == EvaluationPlot(evaluation, title: "a < b & c").svg)
        #expect(svg.contains("a &lt; b &amp; c") && svg.hasSuffix("</svg>\n"))
        #expect(!svg.contains("nan") && !svg.contains("inf\""))
        let parser = XMLParserCheck(svg)
        #expect(parser.isBalanced)
    }
}

/// Whether each element that is opened is closed.
private struct XMLParserCheck {
    let isBalanced: Bool

    init(_ text: String) {
        let opened = text.components(separatedBy: "<").count - 1
        let closing = text.components(separatedBy: "</").count - 1
        let selfClosed = text.components(separatedBy: "/>").count - 1
        isBalanced = opened == 2 * closing + selfClosed
    }
}
