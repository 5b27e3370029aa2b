// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation

/// One of the ways in which a print is seen when its picture is tried.
struct TrialView: Sendable {
    /// The side of the square with the print's area, in pixels, seen straight on.
    private let side: Double
    /// The angle between the print's normal and the way to the camera, the axis of the tilt, and how the print is turned in
    /// the picture, in radians.
    private let (tilt, axis, turn): (Double, Double, Double)
    /// How far the camera moves while it takes the picture, in pixels, and where to.
    private let (blur, direction): (Double, Double)
    /// How much of the light's differences is left.
    let contrast: Float
    /// The deviation of noise, in grey values.
    private let noise: Float
    private let number: Int

    /// The focal length in pixels: that of a phone's camera with 640 columns.
    private static let focalLength = 560.0
    /// What lies around a print.
    private static let ground: Float = 110

    /// All views: 48 to 240 pixels, up to 65° of tilt, up to four pixels of motion, in weak and strong light. A sequence that
    /// fills all these ranges evenly, the same for all pictures and in all versions.
    static let all: [TrialView] = (0..<20).map(TrialView.init)

    private init(number: Int) {
        // The additive recurrence of the generalised golden ratio in eight dimensions (Roberts 2018): its powers' fractions.
        var ratio = 2.0
        for _ in 0..<50 { ratio = pow(1 + ratio, 1 / 9.0) }
        let places = (1...8).map { dimension in
            let place = 0.5 + Double(number + 1) * pow(ratio, -Double(dimension))
            return place - place.rounded(.down)
        }
        self.number = number
        side = 48 * pow(5, places[0])
        tilt = 65 * places[1] * .pi / 180
        (axis, turn) = (2 * .pi * places[2], 2 * .pi * places[3])
        // Two of five are sharp.
        blur = max(0, 4 * (places[4] - 0.4) / 0.6)
        direction = .pi * places[5]
        contrast = Float((98 + 130 * places[6]) / 255)
        noise = Float(1 + 3 * places[7])
    }

    /// No target is narrower (``TargetParts``). A print drawn out farther would reach to behind the camera; it is shown with
    /// these sides.
    private static let greatestRatio = 8.0

    /// The picture as it is seen here and laid back over the print: what is left of it.
    func sight(of plane: GrayPlane) -> GrayPlane? {
        let aspectRatio = Double(plane.size.width) / Double(plane.size.height)
        let corners = self.corners(aspectRatio: min(max(aspectRatio, 1 / Self.greatestRatio), Self.greatestRatio))
        guard let pixelFromUnit = corners.pixelFromUnitSquare, let seen = seen(plane, at: corners) else { return nil }
        let (width, height) = (plane.size.width, plane.size.height)
        var values: [Float] = []
        values.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width {
                let place = Vector2((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
                guard let pixel = pixelFromUnit.image(of: place) else { return nil }
                values.append(seen.value(atX: Float(pixel.x), y: Float(pixel.y)))
            }
        }
        return GrayPlane(size: plane.size, values: values)
    }

    /// Pixels around the print.
    private static let margin = 6.0

    /// The print's corners in a picture that holds just it.
    private func corners(aspectRatio: Double) -> PixelQuad {
        let (width, height) = (side * aspectRatio.squareRoot(), side / aspectRatio.squareRoot())
        let tilted = Rotation(rotationVector: tilt * Vector3(cos(axis), sin(axis), 0))
        let turned = tilted * Rotation(rotationVector: Vector3(0, 0, turn))
        let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { x, y in
            let place = turned * Vector3(x * width, y * height, 0) + Vector3(0, 0, Self.focalLength)
            return Vector2(Self.focalLength * place.x / place.z, Self.focalLength * place.y / place.z)
        }
        let (left, top) = (corners.map(\.x).min() ?? 0, corners.map(\.y).min() ?? 0)
        return PixelQuad(
            corners: corners.map { PixelPoint($0.x - left + Self.margin, $0.y - top + Self.margin) })
    }

    /// The picture that holds just the print: through the lens, moved while it is taken, in this light, with noise.
    private func seen(_ plane: GrayPlane, at corners: PixelQuad) -> GrayPlane? {
        guard let unitFromPixel = corners.pixelFromUnitSquare?.inverse else { return nil }
        let size = ImageSize(
            width: Int((corners.corners.map(\.x).max() ?? 0) + Self.margin) + 1,
            height: Int((corners.corners.map(\.y).max() ?? 0) + Self.margin) + 1)
        var light: [Float] = []
        light.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                light.append(Self.light(of: plane, unitFromPixel, atX: Double(x), y: Double(y)))
            }
        }
        // The lens leaves half a pixel of blur.
        let still = GrayPlane(size: size, values: light).blurred([0.7, 0.15])
        let moved = moved(still)
        var random = SeededRandom(seed: UInt64(number), purpose: "trial")
        let values = moved.values.map { $0 * contrast + noise * Float(random.normalPair().0) }
        return GrayPlane(size: size, values: values)
    }

    /// The mean over four places of a pixel.
    @inline(__always)
    private static func light(of plane: GrayPlane, _ unitFromPixel: Matrix3x3, atX x: Double, y: Double) -> Float {
        var sum: Float = 0
        for (u, v) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
            let place = unitFromPixel * Vector3(x + u, y + v, 1)
            let (column, row) = (place.x / place.z, place.y / place.z)
            let isPrint = (0..<1).contains(column) && (0..<1).contains(row)
            sum +=
                isPrint
                ? plane.value(
                    atX: Float(column * Double(plane.size.width) - 0.5),
                    y: Float(row * Double(plane.size.height) - 0.5)) : ground
        }
        return sum / 4
    }

    /// The mean along the camera's way.
    private func moved(_ plane: GrayPlane) -> GrayPlane {
        guard blur > 0 else { return plane }
        let count = Int(blur) + 2
        let steps = (0..<count).map { step in
            let share = (Double(step) + 0.5) / Double(count) - 0.5
            return (Float(blur * share * cos(direction)), Float(blur * share * sin(direction)))
        }
        var values: [Float] = []
        values.reserveCapacity(plane.values.count)
        for y in 0..<plane.size.height {
            for x in 0..<plane.size.width {
                var sum: Float = 0
                for (across, down) in steps { sum += plane.value(atX: Float(x) + across, y: Float(y) + down) }
                values.append(sum / Float(count))
            }
        }
        return GrayPlane(size: plane.size, values: values)
    }
}
