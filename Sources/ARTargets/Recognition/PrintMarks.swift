// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import CFeatures

/// How many straight edges and corners of its own a print must show.
///
/// A homography takes any four lines to any four others, and the corners in which they meet with them: the eight marks of a
/// four-sided figure lie on those of every window, card and table, and one light explains its few greys whatever they are.
enum PrintMarks {
    /// More than a four-sided figure has two of whose sides count twice, as they do where they lie between pixels.
    ///
    /// Law: `PrintMarkTests.poorPrintsHaveNoName`.
    static let least = 11

    /// How many a whole picture has where it is seen from near; none where it is but a line of pixels.
    static func count(of picture: ImageBuffer) -> Int {
        guard min(picture.size.width, picture.size.height) > 1 else { return 0 }
        let template = picture.gray(longerSide: TargetParts.templateSide)
        return template.bytes.withUnsafeBufferPointer { pixels in
            guard let first = pixels.baseAddress else { return 0 }
            return TemplateView(pixels: first, width: template.size.width, height: template.size.height).markCount
        }
    }
}

extension TemplateView {
    /// How many straight edges and corners the whole print has; none where it is smaller than a part.
    var markCount: Int {
        guard min(width, height) >= CFEATURES_FIELD_PX else { return 0 }
        var print = kernelTemplate
        var count: Int32 = 0
        check(cfeatures_count_marks(&print, &count))
        return Int(count)
    }
}
