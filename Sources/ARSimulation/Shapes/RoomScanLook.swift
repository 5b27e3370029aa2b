// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a scanned room looks like: its mesh cut into parts by what each triangle belongs to, each painted from numbers.
///
/// A triangle that lies in one of the room's large planes (floor, ceiling, walls) belongs to that plane, whose texture
/// lies flat on it; the doors, windows and pictures that lie in the plane are painted on it too. A triangle inside a
/// labelled box belongs to that box, any other to what stands around.
struct RoomScanLook {
    /// The parts, all in the room's frame.
    private(set) var parts: [Part] = []

    /// A part of the room with its looks.
    struct Part {
        var chart: ProjectedChart
        var texelMeters: Double
        var gloss: Double
        var paint: SurfacePlan.Paint
    }

    /// How near to a plane or a box a triangle must lie to belong to it, in metres.
    private static let reach = 0.13

    init(_ scan: RoomScan, name: String, seed: UInt64) {
        let cornerNormals = scan.mesh.cornerNormals
        let planes = scan.rectangles.filter { Self.largePlanes.contains($0.label) }
        let insets = scan.rectangles.filter { Self.insetLabels.contains($0.label) }
        var ofPlane = [[Int]](repeating: [], count: planes.count)
        var ofBox = [[Int]](repeating: [], count: scan.boxes.count)
        var others: [Int] = []
        for index in scan.mesh.triangles.indices {
            let corners = scan.mesh.corners(ofTriangle: index)
            if let plane = Self.plane(of: corners, among: planes) {
                ofPlane[plane].append(index)
            } else if let box = Self.box(of: corners, among: scan.boxes) {
                ofBox[box].append(index)
            } else {
                others.append(index)
            }
        }
        for (number, (plane, triangles)) in zip(planes, ofPlane).enumerated() {
            let axes = Rotation.facing(plane.roomFromRectangle.rotation * Vector3(0, 1, 0))
            guard
                let chart = ProjectedChart(
                    of: scan.mesh, triangles: triangles, cornerNormals: cornerNormals, meshFromTexture: axes)
            else { continue }
            let paint = RoomPaint(label: plane.label, thing: "\(name) plane \(number)", seed: seed)
            let inset = insets.compactMap { RoomInset($0, on: chart, plane: plane, name: name, seed: seed) }
            parts.append(
                Part(chart: chart, texelMeters: 0.004, gloss: paint.gloss) { place, texel in
                    inset.reduce(paint.albedo(at: place, texel: texel)) {
                        $1.albedo(at: place, texel: texel, over: $0)
                    }
                })
        }
        let things = zip(scan.boxes, ofBox).map { ($0.label, $1) }
        for (number, (label, triangles)) in (things + [("OTHER", others)]).enumerated() {
            let bare = TriangleMesh(
                positions: scan.mesh.positions, triangles: triangles.map { scan.mesh.triangles[$0] })
            let normals = triangles.map { cornerNormals[$0] }
            for (side, chart) in ProjectedChart.alongAxes(of: bare, cornerNormals: normals).enumerated() {
                let paint = RoomPaint(label: label, thing: "\(name) thing \(number)", side: side, seed: seed)
                parts.append(
                    Part(
                        chart: chart, texelMeters: 0.005, gloss: paint.gloss,
                        paint: { place, texel in paint.albedo(at: place, texel: texel) }))
            }
        }
    }

    private static let largePlanes = ["FLOOR", "CEILING", "WALL_FACE", "INVISIBLE_WALL_FACE"]
    private static let insetLabels = ["DOOR_FRAME", "WINDOW_FRAME", "WALL_ART"]

    /// The nearest plane in which a triangle lies, or `nil`.
    private static func plane(
        of corners: (Point3, Point3, Point3), among planes: [RoomScan.Rectangle]
    ) -> Int? {
        guard let normal = (corners.1 - corners.0).cross(corners.2 - corners.0).normalized() else { return nil }
        let candidates = planes.indices.compactMap { index -> (index: Int, distance: Double)? in
            let plane = planes[index]
            let axes = plane.roomFromRectangle.inverse
            let inPlane = [corners.0, corners.1, corners.2].map { axes * $0 }
            let distance = inPlane.map { abs($0.y) }.max() ?? .infinity
            let middle = (inPlane[0] + inPlane[1] + inPlane[2]) / 3
            let isInside =
                abs(middle.x) <= plane.size.x / 2 + 2 * reach && abs(middle.z) <= plane.size.y / 2 + 2 * reach
            let isAlong = abs((axes.rotation * normal).y) > 0.8
            return distance < reach && isInside && isAlong ? (index, distance) : nil
        }
        return candidates.min { $0.distance < $1.distance }?.index
    }

    /// The first box that holds a triangle's middle, or nearly.
    private static func box(of corners: (Point3, Point3, Point3), among boxes: [RoomScan.Box]) -> Int? {
        let middle = (corners.0 + corners.1 + corners.2) / 3
        return boxes.firstIndex { ($0.box.closestPoint(to: middle) - middle).length < 0.4 * reach }
    }
}
