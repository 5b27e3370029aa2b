// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import CFeatures

/// A target on its way into a database.
struct TargetParts {
    var name: String
    var record: String
    var physicalWidth: Double?
    var pictureSize: ImageSize
    var template: ImageBuffer
    /// `nil` for a grey picture.
    var colors: PrintColors?
    var postings: [CFeaturesPosting]

    init(
        name: String, record: String, physicalWidth: Double?, pictureSize: ImageSize, template: ImageBuffer,
        colors: PrintColors?, postings: [CFeaturesPosting]
    ) {
        self.name = name
        self.record = record
        self.physicalWidth = physicalWidth
        self.pictureSize = pictureSize
        self.template = template
        self.colors = colors
        self.postings = postings
    }

    /// The longer side of the picture that a database keeps of a target.
    static let templateSide = 128

    init(_ reference: ReferenceImage, space: ScaleSpace) throws(TargetDatabaseError) {
        let size = reference.picture.size
        guard !reference.name.isEmpty else { throw .nameMissing }
        guard min(size.width, size.height) >= ScaleSpace.leastSide else {
            throw .pictureTooSmall(name: reference.name, found: size, leastSide: ScaleSpace.leastSide)
        }
        guard max(size.width, size.height) <= 8 * min(size.width, size.height) else {
            throw .pictureTooNarrow(name: reference.name, found: size)
        }
        if let width = reference.physicalWidth, !(width > 0 && width < 1e6) {
            throw .widthOutOfRange(name: reference.name, found: width)
        }
        let postings = TargetTraining.postings(of: reference.picture, target: 0, space: space)
        guard postings.count >= 12 else { throw .tooFewFeatures(name: reference.name, found: postings.count) }
        self.init(
            name: reference.name, record: JSONValue.record(reference.record).text,
            physicalWidth: reference.physicalWidth, pictureSize: size,
            template: reference.picture.gray(longerSide: Self.templateSide),
            colors: PrintColors(of: reference.picture), postings: postings)
    }
}
