// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension PatchTracker {
    /// The most promising window: around the last place, else turned or scaled there, else anywhere.
    func search(_ picture: ImageBuffer) -> PatchFilter.Sight {
        var sight = filter.look(at: picture, around: pose)
        if sight.height < Self.sureHeight * usualHeight { sight = changedSight(picture, than: sight) }
        if sight.height < Self.weakHeight * usualHeight, configuration.searchesWholePicture,
            let far = farSight(picture, than: sight)
        {
            sight = far
        }
        return sight
    }

    /// The share of the usual answer below which other turns and sizes are tried.
    private static let sureHeight = 0.8
    /// The share of the usual answer below which other places are tried.
    private static let weakHeight = 0.65

    /// The sight under another turn or scale where it answers more strongly.
    private func changedSight(_ picture: ImageBuffer, than sight: PatchFilter.Sight) -> PatchFilter.Sight {
        let leastGain = 1.08
        let (turn, growth) = (0.25, 1.15)
        var (best, leastHeight) = (sight, sight.height * leastGain)
        for changed in [
            pose.changed(rotation: turn), pose.changed(rotation: -turn), pose.changed(scale: growth),
            pose.changed(scale: 1 / growth),
        ] where (0.2...5).contains(changed.scale) {
            let other = filter.look(at: picture, around: changed)
            if other.height > leastHeight { (best, leastHeight) = (other, other.height) }
        }
        return best
    }

    /// A place elsewhere in the picture, and what speaks for it.
    private struct Candidate {
        var pose: PatchPose
        var height: Double
        /// The height as a share of the usual one, more where a remembered look fits.
        var worth = 0.0
        var correlation = 0.0
    }

    /// A place far from the last, where it answers much more strongly than there, and than anywhere else.
    private func farSight(_ picture: ImageBuffer, than sight: PatchFilter.Sight) -> PatchFilter.Sight? {
        let near = assessed(Candidate(pose: filter.answer(in: sight), height: sight.height), picture)
        let candidates = strongest(
            in: windows().map { filter.look(at: picture, around: $0) }
                .map { Candidate(pose: filter.answer(in: $0), height: $0.height) }
        ).map { assessed($0, picture) }.sorted { $0.worth > $1.worth }
        guard let best = candidates.first, distance(best.pose, near.pose) >= 0.5 * size(of: near.pose) else {
            return nil
        }
        let runnerUp = candidates.dropFirst().first?.worth ?? 0
        // What fits almost perfectly may have surroundings that the filter never saw.
        let leastWorth = best.correlation > 0.97 ? 0.4 : best.correlation > 0.8 ? 0.75 : 1
        guard best.worth > leastWorth, best.worth > 1.2 * runnerUp, best.worth > 1.3 * near.worth else { return nil }
        return filter.look(at: picture, around: best.pose)
    }

    /// Windows that cover the picture; where they are very many, or the patch has been lost for long, those whose turn it
    /// is.
    private func windows() -> [PatchPose] {
        // Windows overlap, because answers near their rims are faint.
        let step = filter.cellSize * pose.scale * Double(effort.cells) * 0.6
        let (width, height) = (Double(imageSize.width), Double(imageSize.height))
        let (columns, rows) = (max(Int((width / step).rounded(.up)), 1), max(Int((height / step).rounded(.up)), 1))
        let count = columns * rows
        let share = lostCount < 3 ? count : (count + 1) / 2
        let lookCount = min(share, effort.searchWindowCount)
        let first = lookCount < count ? pictureCount * lookCount % count : 0
        return (0..<lookCount).map { index in
            let (row, column) = ((first + index) % count).quotientAndRemainder(dividingBy: columns)
            var window = pose
            window.center = Vector2(
                (Double(column) + 0.5) * width / Double(columns), (Double(row) + 0.5) * height / Double(rows))
            return window
        }
    }

    /// The three strongest of different places.
    private func strongest(in candidates: [Candidate]) -> [Candidate] {
        var strongest: [Candidate] = []
        for candidate in candidates.sorted(by: { $0.height > $1.height }) where strongest.count < 3 {
            let isNew = strongest.allSatisfy { distance($0.pose, candidate.pose) > 0.5 * size(of: candidate.pose) }
            if isNew { strongest.append(candidate) }
        }
        return strongest
    }

    private func assessed(_ candidate: Candidate, _ picture: ImageBuffer) -> Candidate {
        var candidate = candidate
        candidate.correlation = memory.fit(picture, near: candidate.pose, tolerance: 0.4)?.correlation ?? 0
        candidate.worth = candidate.height / usualHeight * (1 + 1.5 * max(candidate.correlation - 0.6, 0))
        return candidate
    }

    private func distance(_ one: PatchPose, _ other: PatchPose) -> Double { (one.center - other.center).length }

    private func size(of pose: PatchPose) -> Double {
        (firstBox.width * firstBox.height).squareRoot() * pose.scale
    }
}
