// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a surface may be, and how sure that is, from 0 to 1.
struct SurfaceKind: Sendable {
    var classification = PlaneClassification.none
    var confidence = 1.0
}

extension PlaneFinder {
    /// What a surface is, by its attitude, its size, and its height above the floor or, as long as none is known, below
    /// the camera. What is less sure than one half is nothing.
    ///
    /// Tables are 0.55 m to 1.1 m high (EN 1729 has 0.46 m to 0.82 m for bodies of all sizes, counters are higher), seats
    /// 0.35 m to 0.5 m. A wall or a ceiling has half a square metre or more.
    func kind(of index: Int) -> SurfaceKind {
        let surface = surfaces[index]
        let size = degree(surface.outline.area, from: 0.25, to: 0.75)
        var kinds: [SurfaceKind] = []
        if !surface.isHorizontal {
            kinds = [SurfaceKind(classification: .wall, confidence: size)]
        } else if surface.plane.normal.y < 0 {
            let above = degree(surface.middleHeight - cameraPlace.y, from: 0, to: 0.4)
            kinds = [SurfaceKind(classification: .ceiling, confidence: above * size)]
        } else {
            let floor = floorConfidence(surface)
            kinds = [SurfaceKind(classification: .floor, confidence: floor)]
            if let height = heightAboveFloor(of: surface) {
                kinds += [
                    SurfaceKind(
                        classification: .table,
                        confidence: degree(height, from: 0.4, to: 0.6) * (1 - degree(height, from: 1, to: 1.3))),
                    SurfaceKind(
                        classification: .seat,
                        confidence: degree(height, from: 0.2, to: 0.4) * (1 - degree(height, from: 0.45, to: 0.6))),
                ]
            } else {
                // Without a floor, what lies within reach of a hand that holds a phone.
                let within = 1 - degree(cameraPlace.y - surface.middleHeight, from: 0.6, to: 1.2)
                kinds.append(SurfaceKind(classification: .table, confidence: within * (1 - floor)))
            }
        }
        let best = kinds.max { $0.confidence < $1.confidence } ?? SurfaceKind()
        return best.confidence >= 0.5 ? best : SurfaceKind(confidence: 1 - best.confidence)
    }

    /// How sure it is that a surface is the floor: the lowest level one that is seen from above, with nothing below it, and as
    /// far below the camera as a phone is held.
    private func floorConfidence(_ surface: Surface) -> Double {
        let height = surface.middleHeight
        let depth = degree(cameraPlace.y - height, from: 0.5, to: 1.1)
        guard surface.isHorizontal, surface.plane.normal.y > 0, depth > 0,
            !surfaces.contains(where: { $0.isHorizontal && $0.middleHeight < height - 0.1 })
        else { return 0 }
        let below = memory.points.count { point in
            let depth = height - point.position.y
            return depth > 0.1 && depth * depth > 9 * point.variance(along: Vector3(0, 1, 0))
        }
        // Some points are wrong altogether; they are few beside those on a surface.
        return depth * (1 - degree(Double(below) / Double(surface.outline.support), from: 0.1, to: 0.3))
    }

    /// How far a surface lies above the lowest floor; `nil` where none is known below it.
    private func heightAboveFloor(of surface: Surface) -> Double? {
        let floors = surfaces.filter { $0.number != surface.number && floorConfidence($0) >= 0.5 }
        guard let floor = floors.map(\.middleHeight).min(), floor < surface.middleHeight else { return nil }
        return surface.middleHeight - floor
    }

    /// How far a value has come on the way between two others, from 0 to 1.
    private func degree(_ value: Double, from low: Double, to high: Double) -> Double {
        min(1, max(0, (value - low) / (high - low)))
    }
}

extension Surface {
    /// The height of the middle of the outline, in the world.
    var middleHeight: Double {
        (worldFromLevel * pointInLevel(Polygon2(outline.corners).centroid ?? .zero)).y
    }
}
