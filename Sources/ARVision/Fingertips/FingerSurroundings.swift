// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Places in and about a finger's end, in its radii, x where it points.
enum FingerSurroundings {
    /// Inside it, as far as two radii behind the middle of its end.
    static let inside: [Vector2] = {
        var places: [Vector2] = []
        for x in -9...3 {
            for y in -3...3 {
                let place = 0.25 * Vector2(Double(x), Double(y))
                if place.x < 0 || place.length < 0.8 { places.append(place) }
            }
        }
        return places
    }()

    /// Before it: on arcs of two thirds of a right angle to either side, from half a radius before the tip to two.
    static let before: [Vector2] = {
        var places: [Vector2] = []
        for ring in 6...12 {
            for step in -6...6 {
                let turn = Double(step) / 6
                places.append(0.25 * Double(ring) * Vector2(cos(turn), sin(turn)))
            }
        }
        return places
    }()

    /// On either side of it, as far behind the middle of its end.
    static let beside: [Vector2] = (0...9).flatMap { back in
        [-2, -1.75, -1.5, 1.5, 1.75, 2].map { Vector2(-0.25 * Double(back), $0) }
    }
}

extension FingerOutline {
    /// The pixels at places given in the finger's radii, x where it points.
    func pixels(_ places: [Vector2]) -> [Vector2] {
        let (direction, across) = (direction, Vector2(-sin(angle), cos(angle)))
        return places.map { center + radius * ($0.x * direction + $0.y * across) }
    }
}

extension Fingertip {
    /// The pixels at places given in the finger's radii, x where it points.
    func pixels(_ places: [Vector2]) -> [Vector2] { FingerOutline(self).pixels(places) }

    /// Whether there was the same at its place in an earlier picture, in it and before it, but for a small motion of the camera.
    func looksTheSame(in image: ImageBuffer, as earlier: ImageBuffer) -> Bool {
        [FingerSurroundings.inside, FingerSurroundings.before].allSatisfy { places in
            let pixels = pixels(places)
            let colors = image.colors(at: pixels)
            let largest = Self.stillChange * 3 * colors.count
            return Self.shifts.contains { shift in
                zip(colors, earlier.colors(at: pixels.map { $0 + radius * shift })).reduce(0) {
                    $0 + $1.0.change(to: $1.1)
                }
                    < largest
            }
        }
    }

    /// What lies still changes by less than this in each channel, in the mean: noise, and what video makes of it.
    private static let stillChange = 10
    /// How far what a hand or a camera only moves a little may have moved, in radii.
    private static let shifts: [Vector2] = {
        let steps = [0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75, -1, 1]
        return steps.flatMap { y in steps.map { Vector2($0, y) } }
    }()
}

extension ImageBuffer {
    /// Whether a point lies in the picture.
    func contains(_ point: Vector2) -> Bool {
        point.x >= -0.5 && point.y >= -0.5 && point.x < Double(size.width) - 0.5 && point.y < Double(size.height) - 0.5
    }

    /// The colours of the pixels nearest to some points; beyond the border, of the border's.
    func colors(at points: [Vector2]) -> [SIMD3<UInt8>] {
        points.map(color(nearest:))
    }

    /// The colour of the pixel nearest to a point; beyond the border, of the border's.
    @inline(__always)
    func color(nearest point: Vector2) -> SIMD3<UInt8> {
        let x = Int(min(max(point.x, 0) + 0.5, Double(size.width - 1)))
        let y = Int(min(max(point.y, 0) + 0.5, Double(size.height - 1)))
        let at = y &* bytesPerRow &+ 3 &* x
        return bytes.withUnsafeBufferPointer { SIMD3($0[at], $0[at &+ 1], $0[at &+ 2]) }
    }
}

extension SIMD3<UInt8> {
    /// The sum of the channels' differences.
    fileprivate func change(to other: SIMD3<UInt8>) -> Int {
        abs(Int(x) - Int(other.x)) + abs(Int(y) - Int(other.y)) + abs(Int(z) - Int(other.z))
    }
}
