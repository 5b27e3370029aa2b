// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import CFeatures

/// A picture at growing smoothness, in memory that is used again for the next picture.
final class ScaleSpace {
    fileprivate let space: OpaquePointer

    init() {
        guard let space = cfeatures_create_scale_space() else { fatalError("no memory for a scale space") }
        self.space = space
    }

    deinit { cfeatures_destroy_scale_space(space) }

    /// The shorter side that a picture must have.
    static let leastSide = Int(CFEATURES_MIN_SIDE_PX)

    /// The longer side that a picture may have.
    static let mostSide = Int(CFEATURES_MAX_SIDE_PX)

    /// Takes a picture in, halved so often that its longer side is at most that long, and finds where it has features that
    /// exceed so many grey levels.
    func fill(with image: ImageBuffer, longestSide: Int, strongerThan leastStrength: Float) {
        var halvings = 0
        while max(image.size.width, image.size.height) >> halvings > longestSide,
            min(image.size.width, image.size.height) >> (halvings + 1) >= Self.leastSide, halvings < 4
        {
            halvings += 1
        }
        let status = image.withKernelPicture {
            cfeatures_fill_scale_space(space, &$0, Int32(halvings), leastStrength)
        }
        check(status)
    }

    /// The picture's features.
    func features(directionLimit: Int, limit: Int) -> [CFeature] {
        [CFeature](unsafeUninitializedCapacity: limit) { buffer, count in
            var found: Int32 = 0
            check(cfeatures_find(space, Int32(directionLimit), buffer.baseAddress, Int32(limit), &found))
            count = Int(found)
        }
    }

    /// Moves a print to where its own picture says that it is.
    /// - Parameter leastTold: from which share of agreeing parts on marks and light are looked at, too.
    func align(
        _ print: TemplateView, at place: inout PrintPlace, longerSide: Int, rounds: Int, slack: Double,
        toldFrom leastTold: Double = .infinity
    ) -> CFeaturesAgreement {
        var agreement = CFeaturesAgreement()
        var template = print.kernelTemplate
        let status = place.withNumbers {
            cfeatures_align(
                space, &template, $0, Int32(longerSide), Int32(rounds), slack, leastTold, &agreement)
        }
        check(status)
        return agreement
    }
}

extension ScaleSpace {
    /// Bends a print as a cloth that waves, and says how well it then lies and how far it was bent, in sides of the print.
    func bend(_ print: TemplateView, at place: PrintPlace, slack: Double) -> (CFeaturesAgreement, bending: Double) {
        var agreement = CFeaturesAgreement()
        var bending = 0.0
        var template = print.kernelTemplate
        var place = place
        let status = place.withNumbers {
            cfeatures_align_bent(space, &template, $0, slack, &agreement, &bending)
        }
        check(status)
        return (agreement, bending)
    }
}

extension ImageBuffer {
    /// Calls a kernel that only reads the picture.
    func withKernelPicture<Result>(_ body: (inout CFeaturesPicture) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { pixels in
            var picture = CFeaturesPicture(
                pixels: pixels.baseAddress, width: Int32(size.width), height: Int32(size.height),
                bytes_per_row: Int32(bytesPerRow), channels: Int32(format.bytesPerPixel))
            return body(&picture)
        }
    }
}

/// Kernels refuse only what this module never gives them.
func check(_ status: CFeaturesStatus) {
    precondition(status == CFEATURES_OK, "a kernel of CFeatures failed with status \(status.rawValue)")
}
