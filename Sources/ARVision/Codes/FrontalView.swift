// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision
import Foundation

/// A part of a plane as it looks from the front, sampled from a picture through a homography.
struct FrontalView {
    let image: ImageBuffer
    /// How many modules around a code are shown: the quiet zone that its standard asks for.
    static let quietZone = 4

    /// From the view's columns and rows to pixels of the picture.
    private let pictureFromSample: Matrix3x3

    /// The view of a quadrilateral, as a square with a margin: whatever it is the image of, its codes are no longer
    /// foreshortened by more than the rectangle's own aspect. `nil` for quadrilaterals that are none.
    init?(of quad: PixelQuad, in pyramid: ImagePyramid, margin: Double = 0.06, longestSide: Double = 256) {
        guard quad.isConvex, let pictureFromUnit = quad.pixelFromUnitSquare else { return nil }
        let sides = (0..<4).map { quad.corners[$0].distance(to: quad.corners[($0 + 1) % 4]) }
        let longest = sides.max() ?? 0
        let side = min(max(1.5 * longest, 64), longestSide)
        let count = Int((side * (1 + 2 * margin)).rounded())
        let unitFromSample = Matrix3x3(
            rows: Vector3(1 / side, 0, 0.5 / side - margin), Vector3(0, 1 / side, 0.5 / side - margin),
            Vector3(0, 0, 1))
        self.init(
            pictureFromSample: pictureFromUnit * unitFromSample, size: ImageSize(width: count, height: count),
            pixelsPerSample: longest / side, in: pyramid)
    }

    /// The view of a code with a quiet zone of four modules around it.
    ///
    /// - Parameter scale: how many samples a module has along each side.
    init(of code: LocatedQRCode, scale: Int, in pyramid: ImagePyramid) {
        let side = scale * (code.moduleCount + 2 * Self.quietZone)
        let (quiet, scale) = (Double(Self.quietZone), Double(scale))
        let modulesFromSample = Matrix3x3(
            rows: Vector3(1 / scale, 0, 0.5 / scale - quiet), Vector3(0, 1 / scale, 0.5 / scale - quiet),
            Vector3(0, 0, 1))
        self.init(
            pictureFromSample: code.pictureFromModules * modulesFromSample,
            size: ImageSize(width: side, height: side), pixelsPerSample: code.modulePixels / scale, in: pyramid)
    }

    private init(pictureFromSample: Matrix3x3, size: ImageSize, pixelsPerSample: Double, in pyramid: ImagePyramid) {
        self.pictureFromSample = pictureFromSample
        // The coarsest level that still has a pixel a sample: what is finer would be aliased.
        let level = min(max(Int(log2(max(pixelsPerSample, 1))), 0), pyramid.levelCount - 1)
        var image = ImageBuffer(size: size, format: .gray8)
        var homography = (0..<3).flatMap { row in
            [pictureFromSample.columns.0[row], pictureFromSample.columns.1[row], pictureFromSample.columns.2[row]]
        }
        image.bytes.withUnsafeMutableBufferPointer { samples in
            check(
                pyramid.withKernelPyramid {
                    cvision_sample_plane(
                        &$0, Int32(level), &homography, Int32(size.width), Int32(size.height), samples.baseAddress)
                })
        }
        self.image = image
    }

    /// A code of the view, with its corners in the picture; `nil` where the picture's plane does not reach.
    func inPicture(_ code: DetectedCode) -> DetectedCode? {
        code.moved { pictureFromSample.image(of: $0, within: PixelQuad.farthestCorner) }
    }

    /// The standard deviation of the light: what is flat holds no code.
    var contrast: Double {
        let count = Double(image.bytes.count)
        var (sum, squares) = (0, 0)
        for byte in image.bytes {
            sum += Int(byte)
            squares += Int(byte) * Int(byte)
        }
        let mean = Double(sum) / count
        return max(0, Double(squares) / count - mean * mean).squareRoot()
    }
}
