// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

/// Points that were lost, with the patches by which they can be found again.
struct LostPoints: Sendable {
    private(set) var points: [FeaturePoint] = []
    /// The warps of their patches into the frames that showed them last.
    private(set) var warps: [CVisionWarp] = []
    /// From where their patches were taken.
    private(set) var origins: [PatchOrigin] = []
    private(set) var patches = PatchStore()

    mutating func add(
        _ point: FeaturePoint, _ warp: CVisionWarp, _ origin: PatchOrigin, _ index: Int, of patches: PatchStore
    ) {
        self.patches.insert(index, of: patches, at: points.count)
        points.append(point)
        warps.append(warp)
        origins.append(origin)
    }

    /// From now on nothing is known of the camera's turn since.
    mutating func forgetTurns() {
        for index in origins.indices { origins[index].forgetTurn() }
    }

    mutating func keep(_ isKept: (FeatureID) -> Bool) {
        let areKept = points.map { isKept($0.id) }
        guard areKept.contains(false) else { return }
        patches.keep(areKept)
        points = zip(points, areKept).filter(\.1).map(\.0)
        warps = zip(warps, areKept).filter(\.1).map(\.0)
        origins = zip(origins, areKept).filter(\.1).map(\.0)
    }
}

extension FeatureTracker {
    /// Looks for points that were lost where they should be seen again. One that is found takes the place of a point that was
    /// found at the same corner meanwhile.
    mutating func findLostPoints(_ expected: [ExpectedReturn], _ counts: inout FeatureFrame.Counts) {
        var found: Set<FeatureID> = []
        for expected in expected {
            guard let index = lost.points.firstIndex(where: { $0.id == expected.id }),
                let sight = sight(ofLost: index, expected)
            else { continue }
            let spacing = Self.sameCorner * Self.pixels(ofLevel: lost.points[index].level)
            let others = points.indices.filter { points[$0].pixel.distance(to: sight.point.pixel) < spacing }
            guard others.allSatisfy({ !lastingPoints.contains(points[$0].id) }) else { continue }
            keep(points.indices.map { !others.contains($0) })
            let place = points.firstIndex { $0.id > expected.id } ?? points.count
            patches.insert(index, of: lost.patches, at: place)
            points.insert(sight.point, at: place)
            warps.insert(sight.warp, at: place)
            origins.insert(sight.origin, at: place)
            found.insert(expected.id)
        }
        counts.returned += found.count
        lost.keep { !found.contains($0) }
    }

    /// Points that are nearer to each other than this are the same corner, in pixels of their level.
    private static let sameCorner = 5.0
    /// How far apart the starts of a search are, in pixels of the point's level: a patch is found from so far.
    private static let searchStep = 1.5

    /// Where a lost point is seen, if it is seen within three deviations of where it should be.
    private func sight(
        ofLost index: Int, _ expected: ExpectedReturn
    ) -> (point: FeaturePoint, warp: CVisionWarp, origin: PatchOrigin)? {
        var (point, origin) = (lost.points[index], lost.origins[index])
        origin.look(camera, at: expected.pixel, opticalFromFirstOptical: opticalFromFirstOptical)
        let pixelSize = Self.pixels(ofLevel: point.level)
        let reach = 3 * expected.deviationPixels + 0.5 * pixelSize
        let (steps, step) = (Int((reach / pixelSize / Self.searchStep).rounded()), Self.searchStep * pixelSize)
        let warp = lost.warps[index].followed(by: expected)
        guard warp.isModerate else { return nil }
        origin.curve(camera, as: warp)
        var warps: [CVisionWarp] = []
        for row in -steps...steps {
            for column in -steps...steps {
                let start = PixelPoint(
                    expected.pixel.x + step * Double(column), expected.pixel.y + step * Double(row))
                if isInside(start, onLevel: point.level) { warps.append(warp.moved(to: start)) }
            }
        }
        let flows = lost.patches.align(index, &warps, curved: origin.view.curvature, in: pyramid)
        let best = flows.indices.filter { flows[$0].isGood }.max { flows[$0].correlation < flows[$1].correlation }
        guard let best, warps[best].isModerate, isInside(flows[best].pixel, onLevel: point.level),
            flows[best].pixel.distance(to: expected.pixel) <= reach,
            Double(flows[best].deviation_px) <= configuration.deviationLimitPixels * pixelSize,
            let direction = camera.unproject(flows[best].pixel)
        else { return nil }
        point.pixel = flows[best].pixel
        point.direction = direction
        point.deviationPixels = Double(flows[best].deviation_px)
        point.slide = PixelCovariance(flows[best].slide)
        point.frameCount += 1
        return (point, warps[best], origin)
    }
}

extension CVisionWarp {
    /// The same patch where a point should be seen again.
    fileprivate func followed(by expected: ExpectedReturn) -> CVisionWarp {
        func followed(_ x: Float, _ y: Float) -> Vector2 {
            Double(x) * expected.acrossColumns + Double(y) * expected.acrossRows
        }
        let (u, v) = (followed(xx, yx), followed(xy, yy))
        return CVisionWarp(
            x: expected.pixel.x, y: expected.pixel.y, xx: Float(u.x), xy: Float(v.x), yx: Float(u.y), yy: Float(v.y))
    }

    fileprivate func moved(to pixel: PixelPoint) -> CVisionWarp {
        CVisionWarp(x: pixel.x, y: pixel.y, xx: xx, xy: xy, yx: yx, yy: yy)
    }
}
