// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

extension PlaneFinder {
    /// Searches the free points for level planes: for heights where many points lie.
    mutating func searchLevelPlanes() {
        let free = memory.slots.filter {
            memory[$0].owner == nil
                && memory[$0].variance(along: Vector3(0, 1, 0)) <= settings.thickness * settings.thickness
        }
        guard free.count >= settings.minimumPoints else { return }
        for height in HeightHistogram(free.map { memory[$0] }).peaks(minimumMass: Double(settings.minimumPoints) / 2) {
            let isBelow = cameraPlace.y > height
            var slab = free.filter {
                memory[$0].owner == nil && abs(memory[$0].position.y - height) <= 2 * settings.thickness
            }
            for _ in 0..<3 where slab.count >= settings.minimumPoints {
                var middle = memory[slab[0]].position
                middle.y = height
                guard
                    let axes = Surface.levelAxes(at: middle, normal: Vector3(0, isBelow ? 1 : -1, 0)),
                    let (surface, members) = surface(of: slab, in: axes, isHorizontal: true)
                else { break }
                if isCredible(surface, members: members) { add(surface, members: members) }
                slab = slab.filter { !members.contains($0) }
            }
        }
    }

    /// Searches the free points for plumb planes: for lines in the plan on which many points of different heights lie.
    ///
    /// Two points make a hypothesis; the best of some tens is tried (Fischler, Bolles 1981, "Random sample consensus").
    mutating func searchPlumbPlanes() {
        let free = memory.slots.filter { memory[$0].owner == nil }
        guard free.count >= settings.minimumPoints else { return }
        // The points of a subset vote, all points make the surface.
        let voters = free.count <= 400 ? free : (0..<400).map { _ in free[Int(random.next() % UInt64(free.count))] }
        var best: (score: Double, axes: RigidTransform)?
        for _ in 0..<40 {
            let a = memory[voters[Int(random.next() % UInt64(voters.count))]].position
            let b = memory[voters[Int(random.next() % UInt64(voters.count))]].position
            let along = Vector3(b.x - a.x, 0, b.z - a.z)
            guard along.length >= settings.minimumSize / 2, along.length <= 1.5,
                var normal = Vector3(-along.z, 0, along.x).normalized()
            else { continue }
            if normal.dot(cameraPlace - a) < 0 { normal = -normal }
            let score = self.score(of: voters, on: a, normal)
            if score > best?.score ?? 0, let axes = Surface.levelAxes(at: a, normal: normal) { best = (score, axes) }
        }
        guard let axes = best?.axes,
            let (surface, members) = surface(of: free, in: axes, isHorizontal: false),
            isCredible(surface, members: members)
        else { return }
        add(surface, members: members)
    }

    /// How many of the points near a point lie on a plumb plane through it; nothing when they all lie at one height.
    private func score(of voters: [Int], on point: Point3, _ normal: Vector3) -> Double {
        var (count, sum, squares) = (0.0, 0.0, 0.0)
        for slot in voters {
            let offset = memory[slot].position - point
            let distance = offset.dot(normal)
            guard abs(distance) <= settings.thickness, offset.squaredLength < 1.5 * 1.5 else { continue }
            let variance = memory[slot].variance(along: normal) + SurfaceFit.roughness * SurfaceFit.roughness
            guard variance <= settings.thickness * settings.thickness, distance * distance <= 9 * variance
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

    /// The surface that some of the points make, and these; `nil` when they make none.
    private func surface(
        of slots: [Int], in axes: RigidTransform, isHorizontal: Bool
    ) -> (surface: Surface, members: [Int])? {
        let start = SurfaceFit(offset: 0, slopes: .zero)
        var grid = SurfaceGrid(cellSize: settings.cellSize)
        grid.support(.zero)
        guard let nowhere = SurfaceOutline(grid, reach: settings.reach) else { return nil }
        var surface = Surface(
            number: 0, isHorizontal: isHorizontal, worldFromLevel: axes, fit: start, grid: grid, outline: nowhere)
        let slopeErrors = Surface.slopeErrors(isHorizontal: isHorizontal, levelError: settings.levelError)
        var members = slots
        for _ in 0..<2 {
            members = slots.filter { surface.squaredDistance(of: memory[$0], thickness: settings.thickness) != nil }
            surface.grid = SurfaceGrid(cellSize: settings.cellSize)
            for slot in members { surface.grid.support(surface.place(of: memory[slot].position)) }
            guard let outline = SurfaceOutline(surface.grid, reach: settings.reach) else { return nil }
            surface.outline = outline
            members = members.filter { outline.contains(surface.place(of: memory[$0].position)) }
            guard
                let fit = surface.fit.refined(
                    to: members.map { surface.sample(memory[$0]) }, slopeErrors: slopeErrors)
            else { return nil }
            surface.fit = fit
        }
        return members.isEmpty ? nil : (surface, members)
    }

    /// Whether points make a surface rather than lie on a plane by chance.
    private func isCredible(_ surface: Surface, members: [Int]) -> Bool {
        guard members.count >= settings.minimumPoints,
            2 * surface.outline.supportedCells >= settings.minimumPoints,
            let rectangle = Polygon2(surface.outline.corners).minimumAreaBoundingRectangle,
            2 * min(rectangle.halfExtents.x, rectangle.halfExtents.y) >= settings.minimumSize,
            !surfaces.contains(where: { $0.isSame(as: surface, settings: settings) })
        else { return false }
        let (on, beside) = pointsOnAndBeside(surface)
        // Three standard deviations beyond what a fair coin gives; and of a sharp surface, on beats beside by seven to one.
        let excess = Double(on - beside)
        return on >= 2 * beside && excess * excess >= 9 * Double(on + beside)
    }

    /// How many points lie within 1.5 standard deviations of a surface, and how many close in front of it and behind it, up
    /// to three times as far.
    ///
    /// Of a surface's own points 13 % lie beside it, and all clutter that is spread evenly in depth puts twice as many
    /// beside as on: things on a table, walls that a level plane crosses, floors that a plumb one crosses.
    func pointsOnAndBeside(_ surface: Surface) -> (on: Int, beside: Int) {
        var (on, beside) = (0, 0)
        for point in memory.points {
            let distance = surface.plane.signedDistance(to: point.position)
            guard abs(distance) <= 4.5 * settings.thickness else { continue }
            let variance = point.variance(along: surface.plane.normal) + SurfaceFit.roughness * SurfaceFit.roughness
            let ratio = distance * distance / variance
            guard ratio <= 4.5 * 4.5, variance <= settings.thickness * settings.thickness,
                surface.outline.contains(surface.place(of: point.position))
            else { continue }
            if ratio <= 1.5 * 1.5 { on += 1 } else { beside += 1 }
        }
        return (on, beside)
    }
}

/// How many points lie at each height; each is spread over the heights that its variance allows.
struct HeightHistogram {
    /// The height of a bin, in metres.
    static let step = 0.01
    private var masses: [Double] = []
    private var lowest = 0.0

    init(_ points: [Evidence]) {
        let heights = points.map(\.position.y)
        guard let low = heights.min(), let high = heights.max() else { return }
        lowest = low - 10 * Self.step
        // Points farther off than 20 m are not counted.
        masses = [Double](repeating: 0, count: min(4000, Int((high - low) / Self.step) + 21))
        for point in points {
            let deviation = max(Self.step / 2, point.variance(along: Vector3(0, 1, 0)).squareRoot())
            let bin = (point.position.y - lowest) / Self.step
            let width = max(1, Int((2 * deviation / Self.step).rounded()))
            var total = 0.0
            for pass in 0..<2 {
                for offset in -width...width {
                    let place = Int(bin) + offset
                    guard masses.indices.contains(place) else { continue }
                    let ratio = (Double(place) + 0.5 - bin) * Self.step / deviation
                    let mass = max(0, 1 - ratio * ratio / 5)
                    if pass == 0 { total += mass } else if total > 0 { masses[place] += mass / total }
                }
            }
        }
    }

    /// The heights of up to three highest peaks, the highest first, 5 cm apart at least.
    func peaks(minimumMass: Double) -> [Double] {
        var sums = masses.indices.map { masses[max(0, $0 - 1)...min(masses.count - 1, $0 + 1)].reduce(0, +) }
        var found: [Double] = []
        while found.count < 3, let top = sums.indices.max(by: { (sums[$0], -$0) < (sums[$1], -$1) }),
            sums[top] >= minimumMass
        {
            found.append(lowest + (Double(top) + 0.5) * Self.step)
            for bin in max(0, top - 5)...min(sums.count - 1, top + 5) { sums[bin] = 0 }
        }
        return found
    }
}
