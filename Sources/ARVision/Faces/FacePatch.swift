// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFaces
import Foundation

/// The surroundings of a face, small enough to be looked at in many ways.
struct FacePatch {
    /// The side of the cascades' square in the views that are made, and the views' own side, in pixels.
    static let faceSide = 44.0
    static let viewSide = 72

    private let picture: ImageBuffer
    /// Where the patch begins in the picture, and the picture's pixels per pixel of the patch.
    private let origin: Vector2
    private let scale: Vector2

    /// Cuts the surroundings of a square out of a grey picture; `nil` where nothing of them lies inside.
    init?(around center: Vector2, side: Double, in image: ImageBuffer) {
        guard center.x.isFinite, center.y.isFinite, side.isFinite, side >= 4 else { return nil }
        let reach = 1.35 * side
        func bounded(_ value: Double, _ limit: Int) -> Int { Int(min(max(value.rounded(), 0), Double(limit))) }
        let (left, right) = (bounded(center.x - reach, image.size.width), bounded(center.x + reach, image.size.width))
        let (top, bottom) = (
            bounded(center.y - reach, image.size.height), bounded(center.y + reach, image.size.height)
        )
        let (width, height) = (right - left, bottom - top)
        guard width >= 8, height >= 8 else { return nil }
        let crop = image.cropped(left: left, top: top, size: ImageSize(width: width, height: height))
        // As many pixels as the views need, so that taking single ones of them leaves nothing out.
        let shrink = max(1, side / (1.2 * Self.faceSide))
        let small = ImageSize(
            width: max(8, Int(Double(width) / shrink)), height: max(8, Int(Double(height) / shrink)))
        picture = crop.shrunk(to: shrink > 1 ? small : crop.size)
        origin = Vector2(Double(left), Double(top))
        scale = Vector2(
            Double(width) / Double(picture.size.width), Double(height) / Double(picture.size.height))
    }

    /// The face as it would look from the front if it were a head in that pose: the light on the ellipsoid, seen along its
    /// own axis.
    func frontalView(of pose: HeadPose) -> ImageBuffer {
        let side = Self.viewSide
        let middle = Double(side - 1) / 2
        let matrix = pose.cameraFromHead.matrix
        var view = ImageBuffer(size: ImageSize(width: side, height: side), format: .gray8)
        view.bytes.withUnsafeMutableBufferPointer { bytes in
            for row in 0..<side {
                let y = (middle - Double(row)) / Self.faceSide
                for column in 0..<side {
                    let x = (Double(column) - middle) / Self.faceSide
                    let place = Vector3(x, y, HeadModel.depth(x: x, y: y)) - HeadModel.anchor
                    let turned = matrix * place
                    let pixel = pose.center + pose.side * Vector2(turned.x, -turned.y)
                    bytes[row * side + column] = light(at: pixel)
                }
            }
        }
        return view
    }

    /// The light at a pixel of the picture, between pixels by bilinear interpolation, beyond the patch that of its edge.
    private func light(at pixel: Vector2) -> UInt8 {
        let place = (pixel - origin + Vector2(0.5, 0.5)) / scale - Vector2(0.5, 0.5)
        let (width, height) = (picture.size.width, picture.size.height)
        let x = min(max(place.x, 0), Double(width - 1))
        let y = min(max(place.y, 0), Double(height - 1))
        let (column, row) = (min(Int(x), width - 2), min(Int(y), height - 2))
        let (u, v) = (x - Double(column), y - Double(row))
        let first = row * width + column
        return picture.bytes.withUnsafeBufferPointer { bytes in
            let upper = Double(bytes[first]) * (1 - u) + Double(bytes[first + 1]) * u
            let lower = Double(bytes[first + width]) * (1 - u) + Double(bytes[first + width + 1]) * u
            return UInt8(upper * (1 - v) + lower * v + 0.5)
        }
    }
}

extension ImageBuffer {
    /// A part of the grey picture, which it must hold.
    func cropped(left: Int, top: Int, size part: ImageSize) -> ImageBuffer {
        var crop = ImageBuffer(size: part, format: .gray8)
        for row in 0..<part.height {
            let start = (top + row) * size.width + left
            crop.bytes.replaceSubrange(
                row * part.width..<(row + 1) * part.width, with: bytes[start..<start + part.width])
        }
        return crop
    }
}
