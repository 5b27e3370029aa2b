// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension PlaneFinder {
    /// What a surface is, by its attitude, its size, and its height above the floor or, as long as none is known, below the
    /// camera.
    ///
    /// A floor is the lowest level surface that is seen from above, if nothing is seen below it and if a phone is held so
    /// far above it. Tables are 0.5 m to 1.2 m high, seats 0.3 m to 0.5 m (ISO 5970 and EN 1729 give both for
    /// bodies of all sizes). A wall is a plumb surface of half a square metre or more.
    func classification(of index: Int) -> PlaneClassification {
        let surface = surfaces[index]
        let area = surface.outline.area
        guard surface.isHorizontal else { return area >= 0.5 ? .wall : .none }
        let height = surface.middleHeight
        guard surface.plane.normal.y > 0 else { return height > cameraPlace.y && area >= 0.5 ? .ceiling : .none }
        if isFloor(surface) { return .floor }
        let floor = surfaces.filter(isFloor).map(\.middleHeight).min()
        guard let floor else {
            return cameraPlace.y - height <= 0.9 ? .table : .none
        }
        switch height - floor {
        case 0.3..<0.5: return .seat
        case 0.5...1.2: return .table
        default: return .none
        }
    }

    private func isFloor(_ surface: Surface) -> Bool {
        let height = surface.middleHeight
        guard surface.isHorizontal, surface.plane.normal.y > 0, cameraPlace.y - height >= 0.7,
            !surfaces.contains(where: { $0.isHorizontal && $0.middleHeight < height - 0.1 })
        else { return false }
        let below = memory.points.lazy.filter { point in
            let depth = height - point.position.y
            return depth > 0.1 && depth * depth > 9 * point.variance(along: Vector3(0, 1, 0))
        }.count
        return below < settings.minimumPoints / 2
    }
}

extension Surface {
    /// The height of the middle of the outline, in the world.
    var middleHeight: Double {
        (worldFromLevel * pointInLevel(Polygon2(outline.corners).centroid ?? .zero)).y
    }
}
