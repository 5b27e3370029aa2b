// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation

/// How a print is seen in a frame.
struct View {
    /// The side of the square with the print's area, as a part of the frame's height, seen straight on.
    let size: Double
    /// The angle between the print's normal and the way to the camera, in radians.
    let tilt: Double
    /// The axis of the tilt, and how the print is turned in the picture, in radians.
    let (axis, turn): (Double, Double)
    /// How far the camera moves while the frame is exposed, in pixels, and where to.
    let (blur, direction): (Double, Double)
    /// The place of the print's middle in the frame.
    let middle: Vector2
    /// How light becomes bytes: what white gives, what black gives, and the deviation of noise.
    let (white, black, noise): (Double, Double, Double)

    /// The frames.
    static let frameSize = ImageSize(width: 640, height: 480)
    private static let focalLength = 560.0

    /// A view from easy to hard, so that pictures differ in how many show them: 0.1 to 0.5 of the frame's height, tilts up to
    /// 65°, blurs up to four pixels.
    init(_ random: inout SeededRandom) {
        size = 0.1 * pow(5, random.uniform(0..<1))
        tilt = random.uniform(0..<65) * .pi / 180
        axis = random.uniform(0..<(2 * .pi))
        turn = random.uniform(0..<(2 * .pi))
        blur = random.happens(0.4) ? 0 : random.uniform(0..<4)
        direction = random.uniform(0..<(2 * .pi))
        middle = Vector2(random.uniform(220..<420), random.uniform(170..<310))
        white = random.uniform(120..<250)
        black = random.uniform(5..<40)
        noise = random.uniform(1..<4)
    }

    /// The print's corners in the frame; the aspect ratio is width by height.
    func corners(aspectRatio: Double) -> PixelQuad {
        let side = size * Double(Self.frameSize.height)
        let (width, height) = (side * aspectRatio.squareRoot(), side / aspectRatio.squareRoot())
        let tilted = Rotation(rotationVector: tilt * Vector3(cos(axis), sin(axis), 0))
        let turned = tilted * Rotation(rotationVector: Vector3(0, 0, turn))
        return PixelQuad(
            corners: [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { x, y in
                let place = turned * Vector3(x * width, y * height, 0) + Vector3(0, 0, Self.focalLength)
                return PixelPoint(
                    middle.x + Self.focalLength * place.x / place.z, middle.y + Self.focalLength * place.y / place.z)
            })
    }
}

/// A picture of a print on a cluttered ground.
struct WarpedFrame {
    let image: ImageBuffer
    let corners: PixelQuad

    /// The print as the view shows it. The picture comes in several sizes, each half the one before: the first is the print.
    /// What moves and is out of focus is the print with what lies around it; the rest of the ground stays as it is.
    init(_ sizes: [ImageBuffer], _ view: View, ground: ImageBuffer, random: inout SeededRandom) {
        let print = sizes[0].size
        corners = view.corners(aspectRatio: Double(print.width) / Double(print.height))
        let unitFromPixel = corners.pixelFromUnitSquare!.inverse!
        let scale = (Double(print.width * print.height) / max(abs(corners.signedArea), 1)).squareRoot()
        let level = min(max(Int(log2(max(scale, 1)).rounded()), 0), sizes.count - 1)
        let source = sizes[level]
        var patch = LightPatch(around: corners, margin: Int(view.blur) + 6)
        for y in patch.rows {
            for x in patch.columns {
                let place = unitFromPixel * Vector3(Double(x), Double(y), 1)
                let (u, v) = (place.x / place.z, place.y / place.z)
                let isPrint =
                    place.z * (unitFromPixel * Vector3(view.middle.x, view.middle.y, 1)).z > 0
                    && (0..<1).contains(u) && (0..<1).contains(v)
                patch[x, y] =
                    isPrint
                    ? source.value(u * Double(source.size.width) - 0.5, v * Double(source.size.height) - 0.5)
                    : Float(ground.bytes[y * View.frameSize.width + x])
            }
        }
        // The lens leaves half a pixel of blur; then the camera moves.
        patch.blur(along: (1, 0), length: 1.6)
        patch.blur(along: (0, 1), length: 1.6)
        patch.blur(along: (cos(view.direction), sin(view.direction)), length: 1 + view.blur)
        var light = ground.bytes.map(Float.init)
        for y in patch.rows {
            for x in patch.columns { light[y * View.frameSize.width + x] = patch[x, y] }
        }
        image = Self.taken(light, view, random: &random)
    }

    /// The bytes that light becomes.
    private static func taken(_ light: [Float], _ view: View, random: inout SeededRandom) -> ImageBuffer {
        let size = View.frameSize
        let (gain, offset, noise) = (
            Float((view.white - view.black) / 255), Float(view.black), Float(view.noise)
        )
        var image = ImageBuffer(size: size, format: .gray8)
        for y in 0..<size.height {
            let start = Int(random.uniform(0..<Double(normals.count - size.width)))
            for x in 0..<size.width {
                let value = light[y * size.width + x] * gain + offset + noise * normals[start + x]
                image.bytes[y * size.width + x] = UInt8(min(max(value, 0), 255))
            }
        }
        return image
    }

    /// Numbers with a normal distribution; each row of a frame begins somewhere in them.
    private static let normals: [Float] = {
        var random = SeededRandom(seed: 0, purpose: "noise")
        return (0..<(1 << 16)).map { _ in Float(random.normalPair().0) }
    }()
}

/// The light in a part of a frame.
private struct LightPatch {
    let columns: Range<Int>
    let rows: Range<Int>
    private var light: [Float]

    init(around corners: PixelQuad, margin: Int) {
        func reach(_ places: [Double], below end: Int) -> Range<Int> {
            max(Int(places.min()!) - margin, 0)..<min(Int(places.max()!) + margin, end)
        }
        columns = reach(corners.corners.map(\.x), below: View.frameSize.width)
        rows = reach(corners.corners.map(\.y), below: View.frameSize.height)
        light = [Float](repeating: 0, count: columns.count * rows.count)
    }

    subscript(_ x: Int, _ y: Int) -> Float {
        get { light[(y - rows.lowerBound) * columns.count + x - columns.lowerBound] }
        set { light[(y - rows.lowerBound) * columns.count + x - columns.lowerBound] = newValue }
    }

    /// Replaces each value by the mean along a line of that many pixels.
    mutating func blur(along direction: (Double, Double), length: Double) {
        guard length > 1 else { return }
        let (width, height) = (columns.count, rows.count)
        let steps = Int((2 * length).rounded(.up))
        let offsets = (0...steps).map { (Double($0) / Double(steps) - 0.5) * (length - 1) }.map { place in
            (Float(place * direction.0), Float(place * direction.1))
        }
        var result = light
        for y in 0..<height {
            for x in 0..<width {
                var sum: Float = 0
                for (u, v) in offsets {
                    let (px, py) = (
                        min(max(Float(x) + u, 0), Float(width) - 1.001),
                        min(max(Float(y) + v, 0), Float(height) - 1.001)
                    )
                    let (left, top) = (Int(px), Int(py))
                    let (a, b) = (px - Float(left), py - Float(top))
                    let place = top * width + left
                    sum +=
                        (1 - b) * ((1 - a) * light[place] + a * light[place + 1])
                        + b * ((1 - a) * light[place + width] + a * light[place + width + 1])
                }
                result[y * width + x] = sum / Float(offsets.count)
            }
        }
        light = result
    }
}

extension ImageBuffer {
    /// A grey picture's value between pixels.
    fileprivate func value(_ x: Double, _ y: Double) -> Float {
        let (px, py) = (
            min(max(x, 0), Double(size.width) - 1.001), min(max(y, 0), Double(size.height) - 1.001)
        )
        guard size.width > 1, size.height > 1 else { return Float(bytes[0]) }
        let (left, top) = (Int(px), Int(py))
        let (a, b) = (Float(px) - Float(left), Float(py) - Float(top))
        let place = top * size.width + left
        return (1 - b) * ((1 - a) * Float(bytes[place]) + a * Float(bytes[place + 1]))
            + b * ((1 - a) * Float(bytes[place + size.width]) + a * Float(bytes[place + size.width + 1]))
    }

    /// The grey picture in several sizes, each half the one before.
    var halvings: [ImageBuffer] {
        var sizes = [gray]
        while let last = sizes.last, min(last.size.width, last.size.height) >= 32 {
            let (width, height) = (last.size.width / 2, last.size.height / 2)
            var half = ImageBuffer(size: ImageSize(width: width, height: height), format: .gray8)
            for y in 0..<height {
                for x in 0..<width {
                    let place = 2 * y * last.size.width + 2 * x
                    let sum =
                        Int(last.bytes[place]) + Int(last.bytes[place + 1])
                        + Int(last.bytes[place + last.size.width]) + Int(last.bytes[place + last.size.width + 1])
                    half.bytes[y * width + x] = UInt8((sum + 2) / 4)
                }
            }
            sizes.append(half)
        }
        return sizes
    }
}
