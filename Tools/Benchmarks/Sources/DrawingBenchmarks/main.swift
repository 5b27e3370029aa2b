// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import Foundation
import Timing

// What long strokes cost: from points to a solid, and from the solid to the bytes of an OBJ file.
//     swift run -c release --package-path Tools/Benchmarks DrawingBenchmarks [FOLDER]
// Into a folder given, the paths are written, so that `Tools/compare-solids.py FOLDER` can make the same with trimesh.

/// An Archimedean spiral, its turns two pen widths apart, a point a millimetre: nothing crosses.
func spiral(_ count: Int) -> [Point2] {
    let pitch = 0.006
    return (0..<count).map { index in
        let angle = (4 * .pi * (0.001 * Double(index) + 0.01) / pitch).squareRoot()
        return pitch / (2 * .pi) * angle * Point2(cos(angle), sin(angle))
    }
}

/// A line that bends at random and turns back at the sides of a square of 3 m, a point a millimetre: it crosses itself
/// ever more often.
func scribble(_ count: Int) -> [Point2] {
    let step = 0.001
    var (position, heading, curvature) = (Point2.zero, 0.0, 0.0)
    var state: UInt64 = 1
    return (0..<count).map { _ in
        // Sums of three numbers of a linear congruential generator are near enough to normal.
        var noise = 0.0
        for _ in 0..<3 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            noise += 2 * (Double(state >> 11) / 0x1p53 - 0.5)
        }
        curvature += -curvature * step / 0.05 + 7.5 * (step / 0.05).squareRoot() * noise
        let inwards = atan2(-position.y, -position.x) - heading
        let isOutside = max(abs(position.x), abs(position.y)) > 1.5
        heading += step * (isOutside ? max(-30, min(30, 20 * atan2(sin(inwards), cos(inwards)))) : curvature)
        position += step * Point2(cos(heading), sin(heading))
        return position
    }
}

let folder = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }
print("path          points   solid      OBJ file             bytes copied   triangles   closed")
for (name, path) in [("spiral", spiral), ("scribble", scribble)] {
    for count in [10_000, 100_000, 1_000_000] {
        let points = path(count).enumerated().map {
            Stroke.Point(timestamp: Timestamp(nanoseconds: Int64($0.offset)), position: $0.element)
        }
        if let folder {
            let bytes = points.flatMap { [$0.position.x, $0.position.y] }.withUnsafeBytes { Data($0) }
            try bytes.write(to: folder.appendingPathComponent("\(name)-\(count).f64"))
        }
        let drawing = Drawing(strokes: [Stroke(points: points, worldFromPlane: .identity)])
        var solids: [StrokeSolid] = []
        let solidTime = try milliseconds { solids = try drawing.solids() }
        var bytes: [UInt8] = []
        OBJWriter().write(solids) { bytes += $0 }
        var sum = 0
        let writing = milliseconds { OBJWriter().write(solids) { sum &+= $0.count } }
        let copying = milliseconds { sum &+= Int(Array(bytes.dropFirst())[bytes.count / 2]) }
        let rate = { (time: Double) in String(format: "%6.0f MB/s", Double(bytes.count) / time / 1000) }
        print(
            name.padding(toLength: 10, withPad: " ", startingAt: 0),
            String(format: "%9d %7.0f ms %7.0f ms", count, solidTime, writing),
            rate(writing), rate(copying), String(format: "%10d", solids[0].mesh.triangles.count),
            solids[0].mesh.topology.isSolid ? "  yes" : "  no")
    }
}
