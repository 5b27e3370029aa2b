// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension HandSilhouette {
    /// Whether it fills more of a picture than a hand does.
    func isTooLarge(for picture: ReducedPicture) -> Bool { region.isTooLarge(for: picture) }

    /// 0 … 1: how much like a hand with its arm a region is, whatever its fingers do.
    ///
    /// Its rim lies on edges of the picture and is smooth; inside it is smooth and coloured like skin; it is of some size, since
    /// hands that hold a phone's other side fill a good part of its picture; and the picture cuts it in one place, as wide as an
    /// arm is.
    func handLikeness(in picture: ReducedPicture) -> Double {
        let count = Double(pixels.count)
        let raggedness = Double(rimCount) / count.squareRoot()
        let size = min(1, count / (0.06 * Double(picture.count))).squareRoot()
        let onArm = Double(armCount) / Double(max(borderCount, 1))
        let arm = armCount >= 4 ? onArm * onArm * min(1, pow(5 * depth / armWidth, 2)) : 0.7
        var (roughness, skin) = (Float(0), Float(0))
        for pixel in pixels {
            roughness += picture.roughness[Int(pixel)]
            skin += SkinTone.likeness(picture.bytes, Int(pixel))
        }
        let texture = Double(roughness) / count / 6
        return rimContrast(in: picture) * min(1, pow(7 / raggedness, 2)) / (1 + texture * texture)
            * (Double(skin) / count) * size * arm
    }

    /// 0 … 1: how unlike the colours on both sides of its rim are.
    private func rimContrast(in picture: ReducedPicture) -> Double {
        let (width, height) = (picture.width, picture.height)
        let inside = mask(count: picture.count)
        var (sum, count) = (Float(0), 0)
        for pixel in pixels {
            let (x, y) = (Int(pixel) % width, Int(pixel) / width)
            guard x >= 2, y >= 2, x < width - 2, y < height - 2 else { continue }
            for step in [1, -1, width, -width] where inside[Int(pixel) + step] == 0 {
                let difference = picture.color(at: Int(pixel) - step) - picture.color(at: Int(pixel) + 2 * step)
                sum += min(1, (difference * difference).sum().squareRoot() / 60)
                count += 1
            }
        }
        return count > 0 ? Double(sum) / Double(count) : 0
    }

    /// 1 for its pixels, 0 for the others of a picture of so many.
    func mask(count: Int) -> [UInt8] {
        var mask = [UInt8](repeating: 0, count: count)
        for pixel in pixels { mask[Int(pixel)] = 1 }
        return mask
    }

    /// How many pixels lie in both.
    func commonCount(with other: HandSilhouette) -> Int {
        var (at, common) = (0, 0)
        for pixel in pixels {
            while at < other.pixels.count, other.pixels[at] < pixel { at += 1 }
            guard at < other.pixels.count else { break }
            if other.pixels[at] == pixel { common += 1 }
        }
        return common
    }

    /// 0 … 1: the part of the pixels of either that lie in both.
    func overlap(with other: HandSilhouette) -> Double {
        let common = commonCount(with: other)
        return Double(common) / Double(pixels.count + other.pixels.count - common)
    }
}

/// The colours of skin: the logarithms of red to green and green to blue lie on a line from white, where skin is overexposed
/// or shines, over the usual (0.32, 0.2) to deep browns.
enum SkinTone {
    private static let usual = SIMD2<Float>(0.32, 0.2)

    /// 0 … 1; a little less near white.
    static func likeness(redToGreen: Float, greenToBlue: Float) -> Float {
        let color = SIMD2(redToGreen, greenToBlue)
        let part = min(max((color * usual).sum() / (usual * usual).sum(), 0.1), 1.8)
        let off = color - part * usual
        return expf(-0.5 * (off * off).sum() / (0.14 * 0.14)) * (0.6 + 0.4 * min(1, part / 0.4))
    }

    /// That of a pixel of rows of red, green and blue.
    static func likeness(_ bytes: [UInt8], _ pixel: Int) -> Float {
        let green = Float(bytes[3 * pixel + 1]) + 8
        return likeness(
            redToGreen: logf((Float(bytes[3 * pixel]) + 8) / green),
            greenToBlue: logf(green / (Float(bytes[3 * pixel + 2]) + 8)))
    }
}
