// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

/// A pen's way as it was recorded: where it was on the plane at which time, and whether it drew.
///
/// The file is a table: a first line `t_s,x_m,z_m,pen`, then one line a sample, with times that increase and a pen of 0 or
/// 1. Lines that are blank or start with `#` are left out.
struct RecordedPen: Sendable {
    /// A stroke: samples with the pen down, one after the other.
    struct Stroke: Sendable {
        /// From the first sample of the recording.
        let seconds: ClosedRange<Double>
        /// The curve: points a tenth of a millimetre or so apart.
        let points: [Point2]
    }

    let strokes: [Stroke]
    private let samples: [Sample]
    private let isSmooth: Bool

    private struct Sample {
        var seconds: Double
        let place: Point2
        let isDown: Bool
        let line: Int
    }

    static let header = "t_s,x_m,z_m,pen"

    /// Reads a recording. Between samples the pen goes straight, or on a curve whose velocity is continuous.
    init(contentsOf file: URL, isSmooth: Bool, at position: ScenePosition) throws(SceneError) {
        let table = try Self.samples(in: file, at: position)
        (samples, self.isSmooth) = (table, isSmooth)
        guard table.count >= 2 else {
            throw .malformedPath(file: file.path, line: 1, found: "no path", expected: "at least two samples")
        }
        var strokes: [Stroke] = []
        for run in Self.runs(of: table) {
            guard run.count >= 2 else {
                throw .malformedPath(
                    file: file.path, line: table[run.lowerBound].line, found: "a stroke of one sample",
                    expected: "at least two samples with the pen 1 one after the other")
            }
            strokes.append(
                Stroke(
                    seconds: table[run.lowerBound].seconds...table[run.upperBound - 1].seconds,
                    points: Self.points(of: run, in: table, isSmooth: isSmooth)))
        }
        guard !strokes.isEmpty else {
            throw .malformedPath(
                file: file.path, line: table[0].line, found: "a pen that is never down",
                expected: "samples with the pen 1")
        }
        self.strokes = strokes
    }

    /// Where the pen is so long after the first sample; before it and after the last one it stays where it was.
    func place(at seconds: Double) -> Point2 {
        guard let next = samples.firstIndex(where: { seconds < $0.seconds }) else {
            return samples[samples.count - 1].place
        }
        guard next > 0 else { return samples[0].place }
        let duration = samples[next].seconds - samples[next - 1].seconds
        let fraction = (seconds - samples[next - 1].seconds) / duration
        return Self.segment(from: next - 1, in: samples, isSmooth: isSmooth).point(at: fraction)
    }

    /// The way from a sample to the next one, whose parameter goes with time.
    ///
    /// - Reference: Catmull, Rom 1974: the velocity at a sample is that from its predecessor to its successor.
    private static func segment(from index: Int, in samples: [Sample], isSmooth: Bool) -> CubicBezier {
        let (start, end) = (samples[index], samples[index + 1])
        guard isSmooth else { return CubicBezier(from: start.place, to: end.place) }
        func velocity(_ index: Int) -> Vector2 {
            let (before, after) = (samples[max(index - 1, 0)], samples[min(index + 1, samples.count - 1)])
            return (after.place - before.place) / (after.seconds - before.seconds)
        }
        let third = (end.seconds - start.seconds) / 3
        return CubicBezier(
            start.place, start.place + third * velocity(index), end.place - third * velocity(index + 1), end.place)
    }

    private static func points(of run: Range<Int>, in samples: [Sample], isSmooth: Bool) -> [Point2] {
        var points = [samples[run.lowerBound].place]
        for index in run.dropLast() {
            let segment = segment(from: index, in: samples, isSmooth: isSmooth)
            let count = max(1, Int(((segment.end - segment.start).length / 1e-4).rounded(.up)))
            for step in 1...count { points.append(segment.point(at: Double(step) / Double(count))) }
        }
        return points
    }

    /// The ranges of samples with the pen down.
    private static func runs(of samples: [Sample]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for index in samples.indices where samples[index].isDown {
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<(index + 1)
            } else {
                runs.append(index..<(index + 1))
            }
        }
        return runs
    }
}

// MARK: - The file

extension RecordedPen {
    private static func samples(in file: URL, at position: ScenePosition) throws(SceneError) -> [Sample] {
        let bytes: Data
        do { bytes = try Data(contentsOf: file) } catch {
            throw .unreadablePath(path: file.path, reason: FileError.reason(error, file: file), at: position)
        }
        var samples: [Sample] = []
        var hasHeader = false
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.filter { $0 != " " && $0 != "\t" } }
            if fields == [""] || line.hasPrefix("#") { continue }
            let row = Row(fields: fields, text: String(line), file: file.path, line: index + 1)
            if hasHeader { samples.append(try row.sample(after: samples.last)) } else { try row.checkHeader() }
            hasHeader = true
        }
        let start = samples.first?.seconds ?? 0
        for index in samples.indices { samples[index].seconds -= start }
        return samples
    }

    /// A line of the table.
    private struct Row {
        let fields: [String]
        let text: String
        let file: String
        let line: Int

        func checkHeader() throws(SceneError) {
            guard fields.joined(separator: ",") == RecordedPen.header else {
                throw malformed(found: "'\(text)'", expected: "the line '\(RecordedPen.header)' first")
            }
        }

        func sample(after last: Sample?) throws(SceneError) -> Sample {
            guard fields.count == 4 else {
                throw malformed(found: "\(fields.count) values", expected: "4: \(RecordedPen.header)")
            }
            var numbers: [Double] = []
            for field in fields {
                guard let number = NumberText.double(Array(field.utf8)[...]), SceneRange.anywhere.contains(number)
                else {
                    throw malformed(found: "'\(field)'", expected: "a number, -10000 to 10000")
                }
                numbers.append(number)
            }
            guard numbers[3] == 0 || numbers[3] == 1 else {
                throw malformed(found: "a pen of \(fields[3])", expected: "1 where it draws, 0 where it does not")
            }
            guard last.map({ $0.seconds < numbers[0] }) ?? true else {
                throw malformed(found: "the time \(fields[0]) s", expected: "a time after that of the line before")
            }
            return Sample(
                seconds: numbers[0], place: Point2(numbers[1], numbers[2]), isDown: numbers[3] == 1, line: line)
        }

        private func malformed(found: String, expected: String) -> SceneError {
            .malformedPath(file: file, line: line, found: found, expected: expected)
        }
    }
}
