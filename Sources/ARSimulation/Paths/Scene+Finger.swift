// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension Scene {
    /// How the finger moves, or `nil` without one. What it writes must have passed ``checkWriting(positions:)``.
    func fingerTimeline(
        at position: ScenePosition = ScenePosition(file: "the scene", line: 1, column: 1)
    ) throws(SceneError) -> FingerTimeline? {
        guard let finger else { return nil }
        guard finger.csv.isEmpty else {
            let pen = try RecordedPen(contentsOf: file(finger.csv), isSmooth: finger.isSmooth, at: position)
            return FingerTimeline(finger, following: pen)
        }
        return FingerTimeline(finger, drawing: finger.curves)
    }

    /// Checks what the finger writes: that it is given in one way, and can be written in time.
    func checkWriting(positions: ScenePositions) throws(SceneError) {
        guard let finger else { return }
        let ways = finger.waysOfWriting
        guard let key = ways.first else {
            throw .missingKey(
                "strokes_m", expected: "what to write; or add `text`, `beziers_m` or `csv`", at: positions["finger"])
        }
        guard ways.count == 1 else {
            throw .outOfRange(
                key: ways[1], found: "given beside '\(key)'", expected: "one of them alone",
                at: positions["finger.\(ways[1])"])
        }
        let position = positions["finger.\(key)"]
        for stroke in finger.beziers where stroke.count % 3 != 1 {
            throw .outOfRange(
                key: key, found: "a stroke of \(stroke.count) points",
                expected: "a start and then three points for each piece: 4, 7, 10, … points", at: position)
        }
        if let letter = finger.text.first(where: { $0 != " " && StrokeFont.glyph($0) == nil }) {
            throw .outOfRange(
                key: key, found: "a text with '\(letter)'",
                expected: "letters among "
                    + String(StrokeFont.letters), at: position)
        }
        guard key != "text" || finger.text.contains(where: { $0 != " " }) else {
            throw .outOfRange(key: key, found: "blank", expected: "at least one letter", at: position)
        }
        guard let end = try fingerTimeline(at: position)?.endSeconds, end > durationSeconds else { return }
        throw .outOfRange(
            key: key, found: "writing that ends after \(end) s",
            expected: "an end within duration_s, \(durationSeconds): write faster or less, or start earlier",
            at: position)
    }
}

extension Scene.Finger {
    /// The keys that say what is written.
    fileprivate var waysOfWriting: [String] {
        [("strokes_m", strokes.isEmpty), ("text", text.isEmpty), ("beziers_m", beziers.isEmpty), ("csv", csv.isEmpty)]
            .filter { !$0.1 }.map(\.0)
    }

    /// What is written, in the plane's x and z: strokes, a text, or Béziers.
    fileprivate var curves: [StrokeCurve] {
        if !text.isEmpty {
            let plane = AffineTransform2D.placing(at: textPosition, scale: letterHeightMeters)
            return StrokeFont.strokes(of: text).flatMap { $0.transformed(by: plane).curves }
                .map { StrokeCurve($0, speed: speed) }
        }
        let pieces = beziers.map { points in
            stride(from: 0, to: points.count - 1, by: 3).map {
                CubicBezier(points[$0], points[$0 + 1], points[$0 + 2], points[$0 + 3])
            }
        }
        return pieces.map { StrokeCurve($0, speed: speed) }
            + strokes.map {
                isSmooth ? StrokeCurve(through: $0, speed: speed) : StrokeCurve(corners: $0, speed: speed)
            }
    }
}
