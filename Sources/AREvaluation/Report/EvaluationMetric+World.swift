// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension EvaluationMetric {
    /// The metrics of what a session answered about its world. Where `camera` stands in a name, places are compared as the
    /// frame's camera sees them (``WorldAndCamera``), else in the world.
    static var world: [EvaluationMetric] { planes + hits + rectangles + codes + targets + faces }

    // MARK: Planes

    private static var planes: [EvaluationMetric] {
        planeDeviations("plane", \.world) + planeDeviations("plane_camera") { $0.camera } + [
            plane("planes_found_fraction", higherIsBetter: true) { planes in
                fraction(of: planes.seenWell.map { $0.match != nil })
            },
            plane("plane_found_max_s") { planes in planes.seenWell.compactMap(\.secondsToFind).max() },
            plane("plane_found_tracked_max_s") { planes in
                planes.seenWell.compactMap(\.secondsToFindWhenTracked).max()
            },
            plane("plane_class_right_fraction", higherIsBetter: true) { planes in
                fraction(
                    of: planes.seenWell.compactMap { plane in
                        plane.match.map { $0.classification == plane.classification }
                    })
            },
            plane("false_planes") { Double($0.falsePlanes.count) },
            plane("false_plane_longest_s") { $0.falsePlanes.map(\.seconds).max() ?? 0 },
            plane("duplicate_planes") { Double($0.duplicateCount) },
        ]
    }

    /// How the planes that were seen well and found are off: the middle one and the worst one.
    private static func planeDeviations(
        _ name: String, _ view: @escaping @Sendable (PlaneMatch) -> PlaneError?
    ) -> [EvaluationMetric] {
        func values(_ value: @escaping @Sendable (PlaneError) -> Double) -> @Sendable (PlaneOutcomes) -> [Double] {
            { planes in planes.seenWell.compactMap { $0.match.flatMap(view).map(value) } }
        }
        let turns = values { abs($0.turn) * 180 / .pi }
        let offsets = values { abs($0.offset) }
        let overlaps = values(\.overlapWithWhole)
        let seenOverlaps = values(\.overlapWithSeen)
        return [
            plane("\(name)_normal_median_deg") { ErrorQuantiles(turns($0))?.median },
            plane("\(name)_normal_max_deg") { turns($0).max() },
            plane("\(name)_offset_median_m") { ErrorQuantiles(offsets($0))?.median },
            plane("\(name)_offset_max_m") { offsets($0).max() },
            plane("\(name)_iou_worst", higherIsBetter: true) { overlaps($0).min() },
            plane("\(name)_seen_iou_worst", higherIsBetter: true) { seenOverlaps($0).min() },
        ]
    }

    private static func plane(
        _ name: String, higherIsBetter: Bool = false, _ value: @escaping @Sendable (PlaneOutcomes) -> Double?
    ) -> EvaluationMetric {
        EvaluationMetric(name, higherIsBetter: higherIsBetter) { $0.world?.planes.flatMap(value) }
    }

    private static func fraction(of facts: [Bool]) -> Double? {
        facts.isEmpty ? nil : Double(facts.count { $0 }) / Double(facts.count)
    }

    // MARK: Hits

    /// ARKit's names of hits, by which budgets can limit them.
    private static let hitTypes = [
        "featurePoint", "estimatedHorizontalPlane", "estimatedVerticalPlane", "existingPlane",
        "existingPlaneUsingExtent", "existingPlaneUsingGeometry",
    ]

    private static var hits: [EvaluationMetric] {
        hits("hit") { $0.hits }
            + hitTypes.flatMap { type in
                hits("hit_\(type)") { world in world.hitsByType.first { $0.type == type } }
            }
    }

    private static func hits(
        _ name: String, _ hits: @escaping @Sendable (WorldEvaluation) -> HitErrors?
    ) -> [EvaluationMetric] {
        views(name, unit: "_mm") { $0.world.flatMap(hits)?.metres?.map(\.inMillimetres) }
            + views(name, unit: "_mm_per_m") { $0.world.flatMap(hits)?.metresPerMetre?.map(\.inMillimetres) }
    }

    // MARK: Rectangles

    private static var rectangles: [EvaluationMetric] {
        let placed: @Sendable (Evaluation) -> PlacedRectangleErrors? = { $0.world?.placedRectangles }
        return [
            EvaluationMetric("rectangle_recall", higherIsBetter: true) { $0.world?.rectangles?.recall },
            EvaluationMetric("rectangle_placed_recall", higherIsBetter: true) { placed($0)?.recall },
            EvaluationMetric("rectangle_quadrant_errors") { (placed($0)?.quadrantErrorCount).map(Double.init) },
            EvaluationMetric("rectangle_misnamed") { (placed($0)?.misnamedCount).map(Double.init) },
        ] + quantiles("rectangle_corner", unit: "_px") { $0.world?.rectangles?.cornerPixels }
            + quantiles("rectangle_size", unit: "_mm") { placed($0)?.sizeMetres?.inMillimetres }
            + quantiles("rectangle_size", unit: "_percent") { placed($0)?.sizeParts?.scaled(by: 100) }
            + views("rectangle_corner", unit: "_mm") { placed($0)?.cornerMetres?.map(\.inMillimetres) }
            + views("rectangle_center", unit: "_mm") { placed($0)?.centerMetres?.map(\.inMillimetres) }
            + views("rectangle_heading", unit: "_deg") { placed($0)?.heading?.map(\.inDegrees) }
            + views("rectangle_tilt", unit: "_deg") { placed($0)?.tilt?.map(\.inDegrees) }
    }

    // MARK: Codes

    private static var codes: [EvaluationMetric] {
        [
            EvaluationMetric("code_recall", higherIsBetter: true) { $0.world?.codes?.all.recall },
            EvaluationMetric("code_wrong_payloads") { ($0.world?.codes?.wrongPayloadCount).map(Double.init) },
            EvaluationMetric("code_read_max_s") { $0.world?.codes?.all.secondsToRead },
        ] + quantiles("code_corner", unit: "_px") { $0.world?.codes?.all.cornerPixels }
    }

    // MARK: Image targets

    private static var targets: [EvaluationMetric] {
        let all: @Sendable (Evaluation) -> TargetErrors? = { $0.world?.targets?.all }
        return [
            EvaluationMetric("target_recall", higherIsBetter: true) { all($0)?.recall },
            EvaluationMetric("target_wrong_names") { ($0.world?.targets?.wrongNameCount).map(Double.init) },
            EvaluationMetric("target_misplaced") { ($0.world?.targets?.misplacedCount).map(Double.init) },
            EvaluationMetric("targets_named_fraction", higherIsBetter: true) { evaluation in
                evaluation.world?.targets.flatMap { outcomes in
                    outcomes.targets.isEmpty
                        ? nil : Double(outcomes.namedCount) / Double(outcomes.targets.count)
                }
            },
            EvaluationMetric("target_named_max_s") { all($0)?.secondsToName },
        ] + quantiles("target_corner", unit: "_px") { all($0)?.cornerPixels }
            + quantiles("target_turn", unit: "_deg") { all($0)?.turn?.inDegrees }
            + quantiles("target_offset", unit: "_percent") { all($0)?.offsetParts?.scaled(by: 100) }
    }

    // MARK: Faces

    private static var faces: [EvaluationMetric] {
        let all: @Sendable (Evaluation) -> FaceErrors? = { $0.world?.faces?.all }
        return [
            EvaluationMetric("face_recall", higherIsBetter: true) { all($0)?.recall },
            EvaluationMetric("face_precision", higherIsBetter: true) { $0.world?.faces?.precision },
            EvaluationMetric("face_id_switches") { (all($0)?.switchCount).map(Double.init) },
        ] + quantiles("face_roll", unit: "_deg") { all($0)?.roll?.inDegrees }
            + quantiles("face_yaw", unit: "_deg") { all($0)?.yaw?.inDegrees }
            + quantiles("face_pitch", unit: "_deg") { all($0)?.pitch?.inDegrees }
    }

    // MARK: -

    private static func quantiles(
        _ name: String, unit: String, _ value: @escaping @Sendable (Evaluation) -> ErrorQuantiles?
    ) -> [EvaluationMetric] {
        [
            EvaluationMetric("\(name)_median\(unit)") { value($0)?.median },
            EvaluationMetric("\(name)_p95\(unit)") { value($0)?.p95 },
            EvaluationMetric("\(name)_max\(unit)") { value($0)?.maximum },
        ]
    }

    /// The quantiles in the world, and those for the camera.
    private static func views(
        _ name: String, unit: String, _ value: @escaping @Sendable (Evaluation) -> WorldAndCamera<ErrorQuantiles>?
    ) -> [EvaluationMetric] {
        quantiles(name, unit: unit) { value($0)?.world } + quantiles("\(name)_camera", unit: unit) { value($0)?.camera }
    }
}
