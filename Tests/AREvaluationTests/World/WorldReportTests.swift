// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARFiles
import ARGeometry
import TestSupport
import Testing

@Suite struct WorldReportTests {
    private func report() throws -> EvaluationReport {
        let way = Trajectory(
            SampleWorld.instants.indices.map { index in
                let truth = SampleWorld.frame(index)
                return StampedPose(timestamp: truth.timestamp, worldFromBody: truth.worldFromCamera)
            }, mode: "pinned")
        var evaluation = try Evaluation(of: way, against: way)
        var options = WorldEvaluationOptions()
        options.leastModulePixels = 0.2
        evaluation.world = SampleWorld.evaluate(SampleWorld.trueAnswers(), options: options)
        return EvaluationReport([.init(name: "sample", evaluation: evaluation)])
    }

    @Test func budgetsLimitTheWorld() throws {
        let report = try report()
        let kept = AccuracyBudget([
            .init("plane_normal_max_deg", 1e-6), .init("plane_camera_offset_max_m", 1e-9),
            .init("plane_iou_worst_min", 0.999), .init("planes_found_fraction_min", 1),
            .init("plane_class_right_fraction_min", 1), .init("false_plane_longest_s", 0),
            .init("plane_found_max_s", 0),
            .init("hit_p95_mm", 1e-5), .init("hit_camera_median_mm_per_m", 1e-5),
            .init("hit_existingPlaneUsingGeometry_max_mm", 1e-5), .init("rectangle_recall_min", 1),
            .init("rectangle_corner_median_px", 1e-6), .init("rectangle_size_p95_percent", 1e-6),
            .init("rectangle_heading_camera_p95_deg", 1e-4), .init("rectangle_quadrant_errors", 0),
            .init("rectangle_misnamed", 0),
            .init("code_recall_min", 1), .init("code_wrong_payloads", 0), .init("code_read_max_s", 0),
        ])
        #expect(kept.failures(of: report) == [])
        let failures = AccuracyBudget([.init("plane_iou_worst_min", 1.1), .init("hit_featurePoint_median_mm", 5)])
            .failures(of: report)
        #expect(failures.map(\.metric) == ["plane_iou_worst", "hit_featurePoint_median_mm"])
        #expect(failures[1].found == nil)
    }

    @Test func theJSONTellsOfEachThing() throws {
        let node = try JSONReader.read(Array(try report().json.indentedText.utf8)[...], file: "report")
        let run = try node.required("runs").items(count: 1)[0]
        #expect(try run.required("rectangle_recall").double() == 1)
        let world = try run.required("world")
        #expect(try world.required("frames").int64() == 40)
        let planes = try world.required("planes").items(count: 3)
        #expect(try planes[2].required("name").string() == "table")
        #expect(try planes[2].required("anchor").required("world").required("iou").double() > 0.999)
        #expect(
            try world.required("hits").items(count: 1)[0].required("error_mm").required("world").required("max")
                .double() < 1e-5)
        #expect(try world.required("codes").items(count: 1)[0].required("found").int64() == 40)
        #expect(try world.required("rectangles").items(count: 1)[0].required("name").string() == "card")
    }
}
