// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

extension PlaneFinder {
    /// Searches the free points for level planes: for heights where many points lie.
    ///
    /// - Parameters:
    ///   - count: how many heights are tried, those with most points.
    ///   - middle: the height about which they are; by default the camera's.
    mutating func searchLevelPlanes(_ count: Int = 4, around middle: Double? = nil) {
        let free = memory.slots(of: nil).filter {
            memory[$0].variance(along: Vector3(0, 1, 0)) <= settings.thickness * settings.thickness
        }
        // What is not seen now may be much that is on no plane, and would win again and again.
        let voters = free.filter { isRecent(memory[$0], within: Self.present) }.map { memory[$0] }
        guard voters.count >= settings.fewestPoints else { return }
        let histogram = HeightHistogram(voters, around: middle ?? cameraPlace.y)
        for height in histogram.peaks(count, minimumMass: Double(settings.fewestPoints) / 2) {
            let isBelow = cameraPlace.y > height
            var slab = free.filter {
                memory[$0].owner == nil && abs(memory[$0].position.y - height) <= 2 * settings.thickness
            }
            for _ in 0..<3 where slab.count >= settings.fewestPoints {
                var middle = memory[slab[0]].position
                middle.y = height
                guard
                    let axes = Surface.levelAxes(at: middle, normal: Vector3(0, isBelow ? 1 : -1, 0)),
                    let candidate = candidate(of: slab, in: axes, isHorizontal: true)
                else { break }
                if isCredible(candidate) { take(candidate) }
                let tried = Set(candidate.members)
                slab.removeAll { tried.contains($0) || memory[$0].owner != nil }
            }
        }
    }

    /// Searches the free points for plumb planes: for lines in the plan on which many points of different heights lie.
    ///
    /// Only points that are seen now vote: others may be many that are on no plane, and would win again and again. What no
    /// surface is made of at the first try does not vote at the next, nor does what lies on a plane that is nowhere flat.
    ///
    /// Returns whether one was found.
    @discardableResult mutating func searchPlumbPlanes() -> Bool {
        let free = memory.slots(of: nil)
        var voters = free.filter { isRecent(memory[$0], within: Self.present) }
        for _ in 0..<Self.plumbTries where voters.count >= settings.fewestPoints {
            guard let axes = bestPlumbAxes(among: voters) else { return false }
            guard let candidate = candidate(of: free, in: axes, isHorizontal: false) else {
                let levelFromWorld = axes.inverse
                voters.removeAll { abs((levelFromWorld * memory[$0].position).y) <= settings.thickness }
                continue
            }
            if isCredible(candidate), take(candidate) { return true }
            let tried = Set(candidate.members)
            voters.removeAll { tried.contains($0) }
        }
        return false
    }

    /// How many plumb planes one search tries, and how many pairs of points it draws for each.
    private static let plumbTries = 3
    private static let plumbDraws = 80

    /// The axes of the plumb plane on which most points lie, as far as drawing tells: two points make a hypothesis
    /// (Fischler, Bolles 1981, "Random sample consensus").
    private mutating func bestPlumbAxes(among voters: [Int]) -> RigidTransform? {
        func draw(_ slots: [Int]) -> Int { slots[Int(random.next() % UInt64(slots.count))] }
        let voters = voters.count <= 400 ? voters : (0..<400).map { _ in draw(voters) }
        var best: (score: Double, axes: RigidTransform)?
        for _ in 0..<Self.plumbDraws {
            let (a, b) = (memory[draw(voters)].position, memory[draw(voters)].position)
            let along = Vector3(b.x - a.x, 0, b.z - a.z)
            guard along.length >= settings.minimumSize / 2, along.length <= 1.5,
                var normal = Vector3(-along.z, 0, along.x).normalized()
            else { continue }
            if normal.dot(cameraPlace - a) < 0 { normal = -normal }
            let score = self.score(of: voters, on: a, normal)
            if score > best?.score ?? 0, let axes = Surface.levelAxes(at: a, normal: normal) { best = (score, axes) }
        }
        return best?.axes
    }

    /// How many of the points near a point lie on a plumb plane through it; nothing when they all lie at one height.
    private func score(of voters: [Int], on point: Point3, _ normal: Vector3) -> Double {
        var (count, sum, squares) = (0.0, 0.0, 0.0)
        for slot in voters {
            let offset = memory[slot].position - point
            let distance = offset.dot(normal)
            guard abs(distance) <= settings.thickness, offset.squaredLength < 1.5 * 1.5 else { continue }
            let variance = memory[slot].variance(along: normal) + SurfaceFit.roughness * SurfaceFit.roughness
            guard variance <= settings.largestDeviation * settings.largestDeviation, distance * distance <= 9 * variance
            else { continue }
            count += 1
            sum += offset.y
            squares += offset.y * offset.y
        }
        guard count >= 3 else { return 0 }
        // Points that are spread evenly over a length have a twelfth of its square as variance.
        let heightVariance = squares / count - (sum / count) * (sum / count)
        return 12 * heightVariance >= settings.minimumSize * settings.minimumSize ? count : 0
    }
}
