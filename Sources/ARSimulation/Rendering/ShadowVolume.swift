// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where the shadow of something that moves may fall: what lies behind boxes around its parts, seen from anywhere on the
/// sun.
struct ShadowVolume {
    private let boxFromWorld: RigidTransform
    private let whole: Box
    private let parts: [Box]
    private let towardsSun: Vector3
    /// One over each coordinate.
    private let perStep: Vector3
    private let sunRadius: Double
    private let reach: Double

    private struct Box {
        let low: Vector3
        let high: Vector3
        let center: Vector3
        let radius: Double

        init(_ bounds: MeshBounds) {
            (low, high) = (bounds.low, bounds.high)
            center = (low + high) / 2
            radius = (high - low).length / 2
        }
    }

    /// The shadow of what lies in boxes, at least one, that are given in a frame of their own.
    init(of bounds: [MeshBounds], worldFromBox: RigidTransform, illumination: Illumination) {
        precondition(!bounds.isEmpty, "nothing throws no shadow")
        boxFromWorld = worldFromBox.inverse
        whole = Box(bounds.dropFirst().reduce(bounds[0]) { $0.union($1) })
        parts = bounds.map { Box($0) }
        towardsSun = boxFromWorld.rotation * illumination.towardsSun
        perStep = Vector3(1 / towardsSun.x, 1 / towardsSun.y, 1 / towardsSun.z)
        sunRadius = Double(illumination.sunRadius)
        reach = Double(illumination.shadowReach)
    }

    /// The shadow of a mesh, in boxes in its own frame, on its way through a shot.
    init(of bounds: [MeshBounds], along movement: Movement, illumination: Illumination) {
        self.init(
            of: bounds.map { $0.swept(along: movement) }, worldFromBox: movement.worldFromObject,
            illumination: illumination)
    }

    /// Whether the shadow may reach a place, or one that is at most `margin` metres away.
    func mayReach(_ place: Point3, margin: Double) -> Bool {
        let start = boxFromWorld * place
        guard mayReach(start, from: whole, margin: margin) else { return false }
        return parts.count == 1 || parts.contains { mayReach(start, from: $0, margin: margin) }
    }

    /// The ray to the sun's middle is cut with the box, which is made wider by as much as other rays stray.
    /// - Reference: Kay and Kajiya 1986, "Ray tracing complex scenes" (slabs).
    @inline(__always) private func mayReach(_ start: Point3, from box: Box, margin: Double) -> Bool {
        let wider = Vector3(repeating: margin + sunRadius * ((box.center - start).length + box.radius))
        let (first, second) = (box.low - wider - start, box.high + wider - start)
        var (near, far) = (-wider.x, reach + wider.x)
        for axis in 0..<3 {
            guard abs(towardsSun[axis]) > 1e-9 else {
                if first[axis] > 0 || second[axis] < 0 { return false }
                continue
            }
            let (a, b) = (first[axis] * perStep[axis], second[axis] * perStep[axis])
            near = max(near, min(a, b))
            far = min(far, max(a, b))
        }
        return near <= far
    }
}
