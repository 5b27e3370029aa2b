// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport

/// A print on a plane, seen by a pinhole camera: what a pixel sees is the mean of the print under it.
struct PrintedPlane {
    /// From the print, in its own units, to pixels.
    let pictureFromPrint: Matrix3x3
    /// The size of the print; its origin is the upper left corner.
    let width, height: Double

    /// A print whose unit is `unitPixels` pixels long where it is seen from the front, turned by `roll`, then tilted by
    /// `tilt` about an axis at `azimuth` in the picture.
    init(
        width: Double, height: Double, unitPixels: Double, tilt: Double, azimuth: Double, roll: Double,
        center: PixelPoint, focalLength: Double
    ) {
        let rotation =
            Rotation(rotationVector: tilt * Vector3(cos(azimuth), sin(azimuth), 0))
            * Rotation(rotationVector: Vector3(0, 0, roll))
        let depth = focalLength / unitPixels
        let (x, y) = (rotation * Vector3(1, 0, 0), rotation * Vector3(0, 1, 0))
        let origin = Vector3(0, 0, depth) - x * (width / 2) - y * (height / 2)
        let camera = Matrix3x3(
            rows: Vector3(focalLength, 0, center.x), Vector3(0, focalLength, center.y), Vector3(0, 0, 1))
        pictureFromPrint = camera * Matrix3x3(x, y, origin)
        self.width = width
        self.height = height
    }

    /// Where a place of the print is seen.
    func pixel(_ x: Double, _ y: Double) -> PixelPoint {
        let place = pictureFromPrint * Vector3(x, y, 1)
        return PixelPoint(place.x / place.z, place.y / place.z)
    }

    /// Where a rectangle of the print is seen, its corners from the upper left, clockwise.
    func quad(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> PixelQuad {
        PixelQuad(
            topLeft: pixel(x.lowerBound, y.lowerBound), topRight: pixel(x.upperBound, y.lowerBound),
            bottomRight: pixel(x.upperBound, y.upperBound), bottomLeft: pixel(x.lowerBound, y.upperBound))
    }

    /// Where the whole print is seen.
    var outline: PixelQuad { quad(0...width, 0...height) }

    /// Draws the print over a picture: `light` is the grey level at a place of the print.
    func draw(on image: inout ImageBuffer, light: (Vector2) -> Double) {
        guard let printFromPicture = pictureFromPrint.inverse else { return }
        let samples = 8
        for row in 0..<image.size.height {
            for column in 0..<image.size.width {
                var (sum, hits) = (0.0, 0)
                for sample in 0..<samples * samples {
                    let x = Double(column) + (Double(sample % samples) + 0.5) / Double(samples) - 0.5
                    let y = Double(row) + (Double(sample / samples) + 0.5) / Double(samples) - 0.5
                    let place = printFromPicture * Vector3(x, y, 1)
                    let (u, v) = (place.x / place.z, place.y / place.z)
                    guard u >= 0, v >= 0, u < width, v < height else { continue }
                    sum += light(Vector2(u, v))
                    hits += 1
                }
                guard hits > 0 else { continue }
                let index = row * image.size.width + column
                let rest = Double(image.bytes[index]) * Double(samples * samples - hits)
                image.bytes[index] = UInt8(min(max((sum + rest) / Double(samples * samples), 0), 255).rounded())
            }
        }
    }
}

extension ImageBuffer {
    /// The picture with normally distributed noise, as a camera adds it.
    func withNoise(_ deviation: Double, _ random: inout TestRandom) -> ImageBuffer {
        var noisy = self
        for index in noisy.bytes.indices {
            // The sum of twelve uniform numbers has the variance 1.
            let noise = (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform(0...1) }
            noisy.bytes[index] = UInt8(min(max(Double(bytes[index]) + deviation * noise, 0), 255).rounded())
        }
        return noisy
    }
}

extension PixelQuad {
    /// The largest distance between corners of the same name.
    func cornerError(to other: PixelQuad) -> Double {
        zip(corners, other.corners).map { $0.distance(to: $1) }.max() ?? .infinity
    }

    /// The largest distance between corners, whatever their names and winding.
    func outlineError(to other: PixelQuad) -> Double {
        let reversed = PixelQuad(corners: other.corners.reversed())
        return (0..<4).flatMap { [other.turned(by: $0), reversed.turned(by: $0)] }.map { cornerError(to: $0) }.min()
            ?? .infinity
    }
}
