// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where the shadow of something that moves may fall: what lies behind a box around it, seen from anywhere on the sun.
struct ShadowVolume {
    private let boxFromWorld: RigidTransform
    private let low: Vector3
    private let high: Vector3
    private let center: Vector3
    private let radius: Double
    private let towardsSun: Vector3
    private let sunRadius: Double
    private let reach: Double

    /// The shadow of a box, given in its own frame.
    init(low: Vector3, high: Vector3, worldFromBox: RigidTransform, illumination: Illumination) {
        boxFromWorld = worldFromBox.inverse
        (self.low, self.high) = (low, high)
        center = (low + high) / 2
        radius = (high - low).length / 2
        towardsSun = boxFromWorld.rotation * illumination.towardsSun
        sunRadius = Double(illumination.sunRadius)
        reach = Double(illumination.shadowReach)
    }

    /// Whether the shadow may reach a place, or one that is at most `margin` metres away.
    ///
    /// The ray to the sun's middle is cut with the box, which is made wider by as much as other rays stray.
    /// - Reference: Kay and Kajiya 1986, "Ray tracing complex scenes" (slabs).
    func mayReach(_ place: Point3, margin: Double) -> Bool {
        let start = boxFromWorld * place
        let wider = Vector3(repeating: margin + sunRadius * ((center - start).length + radius))
        let (first, second) = (low - wider - start, high + wider - start)
        var (near, far) = (-wider.x, reach + wider.x)
        for axis in 0..<3 {
            let speed = towardsSun[axis]
            guard abs(speed) > 1e-9 else {
                if first[axis] > 0 || second[axis] < 0 { return false }
                continue
            }
            let (a, b) = (first[axis] / speed, second[axis] / speed)
            near = max(near, min(a, b))
            far = min(far, max(a, b))
        }
        return near <= far
    }
}

extension ShadowVolume {
    /// The shadow of a mesh's vertices on their way through a shot.
    init(of bounds: MeshBounds, along movement: Movement, illumination: Illumination) {
        let swept = bounds.swept(along: movement)
        self.init(low: swept.low, high: swept.high, worldFromBox: movement.worldFromObject, illumination: illumination)
    }

    /// The shadow of a deformed mesh on its way through a shot.
    init(of deformation: Deformation, illumination: Illumination) {
        let bounds = deformation.bounds
        self.init(low: bounds.low, high: bounds.high, worldFromBox: .identity, illumination: illumination)
    }
}

/// A box around a mesh, along its own axes.
struct MeshBounds {
    let low: Vector3
    let high: Vector3

    private init(low: Vector3, high: Vector3) { (self.low, self.high) = (low, high) }

    /// The box around a few points; without points, the origin.
    init(_ points: [Point3]) {
        let first = points.first ?? .zero
        low = points.reduce(first) { pointwiseMin($0, $1) }
        high = points.reduce(first) { pointwiseMax($0, $1) }
    }

    /// The box around vertices.
    init(_ positions: [SIMD3<Float>]) {
        let first = positions.first ?? .zero
        low = Vector3(positions.reduce(first) { pointwiseMin($0, $1) })
        high = Vector3(positions.reduce(first) { pointwiseMax($0, $1) })
    }

    func union(_ other: MeshBounds) -> MeshBounds {
        MeshBounds(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
    }

    /// The box, in the object's first frame, around all places of this one on its way through a shot.
    func swept(along movement: Movement) -> MeshBounds {
        guard !movement.isRest else { return self }
        let firstFromLast = movement.worldFromObject.inverse * movement.worldFromObjectAtLastRow
        return union(MeshBounds(corners.map { firstFromLast * $0 }))
    }

    var corners: [Point3] {
        (0..<8).map { corner in
            Point3(
                corner & 1 == 0 ? low.x : high.x, corner & 2 == 0 ? low.y : high.y, corner & 4 == 0 ? low.z : high.z)
        }
    }
}

extension Deformation {
    /// The box around the vertices on their way through the shot.
    var bounds: MeshBounds {
        let bounds = MeshBounds(positions)
        return positionsAtLastRow.map { bounds.union(MeshBounds($0)) } ?? bounds
    }
}
