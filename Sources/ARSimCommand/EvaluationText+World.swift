// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

extension EvaluationText {
    /// What a session's world is like, thing by thing.
    func about(_ world: WorldEvaluation) -> [String] {
        [
            line(
                "world",
                "\(counted(world.frameCount, "frame")); each error in the aligned world, and for the frame's camera; each time"
                    + " from the first sight, and from the first with a pose")
        ]
            + (world.planes.map(planes) ?? []) + hits(of: world) + rectangles(of: world)
            + (world.codes.map(codes) ?? []) + (world.targets.map(targets) ?? [])
            + (world.faces.map(about) ?? [])
    }

    // MARK: Planes

    private func planes(_ planes: PlaneOutcomes) -> [String] {
        let head = row(
            "planes", ["normal, °", "offset, mm", "IoU", "of seen", "of well seen", "seen, well, %", "found, s"],
            "class")
        let longest = planes.falsePlanes.map(\.seconds).max().map { ", at most \(text($0, 2)) s" } ?? ""
        return [head] + planes.planes.map(row) + [
            line(
                "false",
                "\(counted(planes.falsePlanes.count, "plane")) without a true one\(longest); "
                    + "\(counted(planes.duplicateCount, "plane")) more than one for a true one at the end")
        ]
    }

    private func row(_ plane: PlaneOutcome) -> String {
        let seen = "\(text(plane.partSeen * 100, 0)) \(text(plane.partSeenWell * 100, 0))"
        guard let match = plane.match else {
            let reason = plane.whole.map { "part of \($0)" } ?? (plane.isSeenWell ? "not found" : "not seen well")
            return row("  \(plane.name)", ["", "", "", "", "", seen, ""], reason)
        }
        func both(_ value: (PlaneError) -> Double, _ places: Int) -> String {
            ([match.world] + (match.camera.map { [$0] } ?? [])).map { text(value($0), places) }.joined(separator: " ")
        }
        let isRight = match.classification == plane.classification
        return row(
            "  \(plane.name)",
            [
                both({ $0.turn * 180 / .pi }, 2), both({ $0.offset * 1000 }, 1), text(match.world.overlapWithWhole, 2),
                text(match.world.overlapWithSeen, 2), match.world.overlapWithWellSeen.map { text($0, 2) } ?? "", seen,
                [plane.secondsToFind, plane.secondsToFindWhenTracked].compactMap { $0 }.map { text($0, 2) }
                    .joined(separator: " "),
            ],
            match.classification.rawValue + (isRight ? "" : ", not \(plane.classification.rawValue)")
                + (plane.isSeenWell ? "" : "; not seen well"))
    }

    private func row(_ name: String, _ figures: [String], _ last: String) -> String {
        columns([name] + figures, [18, 13, 15, 7, 9, 14, 15, 12]) + "  " + last
    }

    // MARK: Hits, rectangles, codes

    private func hits(of world: WorldEvaluation) -> [String] {
        guard !world.hitsByType.isEmpty else { return [] }
        let widths = [30, 8, 18, 18, 20]
        return [columns(["hits, median (95 %)", "count", "world, mm", "camera, mm", "camera, mm/m"], widths)]
            + world.hitsByType.map { hits in
                let figures = [hits.metres?.world, hits.metres?.camera, hits.metresPerMetre?.camera]
                return columns(
                    ["  \(hits.type)", String(hits.count)]
                        + figures.map { $0.map { quantiles($0.inMillimetres) } ?? "no truth" }, widths)
            }
    }

    private func rectangles(of world: WorldEvaluation) -> [String] {
        var lines: [String] = []
        if let found = world.rectangles {
            let corners = found.cornerPixels.map { "; corners, median (95 %): \(quantiles($0)) px" } ?? ""
            lines.append(
                line("rectangles", "\(part(found.foundCount, of: found.expectedCount)) found in pictures\(corners)"))
        }
        guard !world.placedRectanglesByName.isEmpty else { return lines }
        let widths = [18, 13, 14, 14, 15, 15, 14, 14, 16, 10]
        lines.append(
            columns(
                [
                    "in the world", "found", "size, mm", "size, %", "centre, mm", "camera, mm", "heading, °",
                    "camera, °", "wrong quadrant", "misnamed",
                ], widths))
        for rectangle in world.placedRectanglesByName {
            let figures = [
                rectangle.sizeMetres?.inMillimetres, rectangle.sizeParts?.scaled(by: 100),
                rectangle.centerMetres?.world.inMillimetres, rectangle.centerMetres?.camera.inMillimetres,
                rectangle.heading?.world.inDegrees, rectangle.heading?.camera.inDegrees,
            ].map { $0.map(quantiles) ?? "" }
            lines.append(
                columns(
                    ["  \(rectangle.name)", part(rectangle.foundCount, of: rectangle.expectedCount)] + figures
                        + [String(rectangle.quadrantErrorCount), String(rectangle.misnamedCount)], widths))
        }
        // Names where no rectangle is are of none of the rows.
        let inRows = world.placedRectanglesByName.reduce(0) { $0 + $1.misnamedCount }
        let elsewhere = (world.placedRectangles?.misnamedCount ?? 0) - inRows
        if elsewhere > 0 {
            let empty = [String](repeating: "", count: widths.count - 2)
            lines.append(columns(["  where none is"] + empty + [String(elsewhere)], widths))
        }
        return lines
    }

    private func codes(_ codes: CodeOutcomes) -> [String] {
        let wrong = counted(codes.wrongPayloadCount, "wrong payload")
        return [line("codes", "\(part(codes.all.foundCount, of: codes.all.expectedCount)) read; \(wrong)")]
            + codes.codes.map { code in
                let corners = code.cornerPixels.map { "; corners, median (95 %): \(quantiles($0)) px" } ?? ""
                let time = code.secondsToRead.map { ", after \(text($0, 2)) s" } ?? ""
                return line("  \(code.name)", "\(part(code.foundCount, of: code.expectedCount)) read\(time)\(corners)")
            }
    }

    /// What all image targets amount to.
    func summary(of targets: TargetOutcomes) -> [String] {
        let all = targets.all
        let recall = all.recall.map { ", \(text($0 * 100, 1)) %" } ?? ""
        var lines = [
            line(
                "targets",
                "\(part(targets.namedCount, of: targets.targets.count)) named that were in full view; "
                    + "\(part(all.foundCount, of: all.expectedCount)) of their sights\(recall)"),
            line(
                "wrong",
                "\(counted(targets.wrongNameCount, "wrong name")), \(targets.misplacedCount) in the wrong place"),
        ]
        if let turn = all.turn, let offset = all.offsetParts, let corners = all.cornerPixels {
            lines.append(
                line(
                    "errors",
                    "median (95 %): turn \(quantiles(turn.inDegrees))°, distance \(quantiles(offset.scaled(by: 100))) %, "
                        + "corners \(quantiles(corners)) px"))
        }
        return lines
    }

    private func targets(_ targets: TargetOutcomes) -> [String] {
        let widths = [18, 14, 13, 16, 16, 18]
        return summary(of: targets)
            + [columns(["targets", "found", "after, s", "corners, px", "turn, °", "off, % of way"], widths)]
            + targets.targets.map { target in
                let figures = [target.cornerPixels, target.turn?.inDegrees, target.offsetParts?.scaled(by: 100)]
                return columns(
                    [
                        "  \(target.name)", part(target.foundCount, of: target.expectedCount),
                        target.secondsToName.map { text($0, 2) } ?? "never",
                    ] + figures.map { $0.map(quantiles) ?? "" }, widths)
            }
    }

    /// What all faces amount to.
    func summary(of faces: FaceOutcomes) -> [String] {
        let all = faces.all
        let recall = all.recall.map { ", \(text($0 * 100, 1)) %" } ?? ""
        return [
            line(
                "faces",
                "\(part(all.foundCount, of: all.expectedCount)) of their sights found\(recall); \(faces.falseCount) false; "
                    + "\(counted(all.switchCount, "change")) of numbers")
        ]
    }

    /// What the faces are like, one by one.
    func about(_ faces: FaceOutcomes) -> [String] {
        let widths = [18, 15, 10, 16, 16, 16, 16]
        return summary(of: faces)
            + [columns(["faces", "found", "changes", "roll, °", "yaw, °", "pitch, °", "1 − overlap"], widths)]
            + (faces.faces + [faces.all]).map { face in
                let figures = [face.roll?.inDegrees, face.yaw?.inDegrees, face.pitch?.inDegrees, face.missingOverlap]
                return columns(
                    ["  \(face.name)", part(face.foundCount, of: face.expectedCount), String(face.switchCount)]
                        + figures.map { $0.map(quantiles) ?? "" }, widths)
            }
    }

    /// A row of a table: the first column to the left, the others to the right.
    private func columns(_ texts: [String], _ widths: [Int]) -> String {
        texts[0].padding(toLength: max(widths[0], texts[0].count + 1), withPad: " ", startingAt: 0)
            + zip(texts, widths).dropFirst().map { $0.leftPadded(to: $1) }.joined()
    }

    private func part(_ count: Int, of all: Int) -> String { "\(count) of \(all)" }

    /// Median and 95th percentile.
    private func quantiles(_ errors: ErrorQuantiles) -> String {
        "\(text(errors.median, 2)) (\(text(errors.p95, 2)))"
    }
}
